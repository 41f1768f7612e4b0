package outline

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// A pattern is tried on every heading of a document, so both sides are folded to
// one case as bytes and compared by bytes.Contains: a heading costs one pass and
// no memory. UTF-8 lets no rune begin inside another one, so bytes suffice.

// pattern is a folded pattern and the memory to fold texts in.
type pattern struct {
	want  []byte
	text  []byte
	title []byte
	typed []byte
}

// newPattern returns the pattern for what a user typed, nil if that is blank.
func newPattern(s string) *pattern {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	p := &pattern{text: make([]byte, 0, 128)}
	p.fold([]byte(s))
	if len(p.text) == 0 { // characters that can't be seen, which are in no title as it is typed
		p.text = append(p.text, utf8.RuneSelf)
	}
	p.want, p.text = slices.Clone(p.text), p.text[:0]
	return p
}

// inTitle reports whether the pattern is somewhere in the title of section i.
func (p *pattern) inTitle(doc *markdown.Document, i int) bool {
	// Most headings hold nothing that could be markup: their source is their
	// title, and there is no need to make one.
	if !p.foldPlain(doc.Text(doc.Content(int(doc.Sections[i].Heading)))) {
		p.title = doc.AppendTitle(p.title[:0], int(doc.Sections[i].Heading))
		p.fold(p.title)
	}
	return bytes.Contains(p.text, p.want)
}

// fold sets the text to another one, folded and as it is typed.
func (p *pattern) fold(s []byte) {
	p.typed = runes.AppendTyped(p.typed[:0], s)
	p.text = runes.AppendFolded(p.text[:0], p.typed)
}

// foldPlain sets the text to the folded source of a heading, or returns false if
// its title might not be that source.
func (p *pattern) foldPlain(source []byte) bool {
	p.text = p.text[:0]
	before := byte(0)
	for _, c := range source {
		folded := plainFold[c]
		if folded == 0 || folded == ' ' && before == ' ' { // white space is collapsed in titles
			return false
		}
		p.text = append(p.text, folded)
		before = folded
	}
	return true
}

// plainFold maps the bytes that stand for themselves wherever they are in a
// heading (CommonMark, section 6) to their folded form, all others to 0.
var plainFold = [256]byte{
	' ': ' ', '"': '"', '%': '%', '\'': '\'', '(': '(', ')': ')', '+': '+', ',': ',', '-': '-', '.': '.', '/': '/',
	'0': '0', '1': '1', '2': '2', '3': '3', '4': '4', '5': '5', '6': '6', '7': '7', '8': '8', '9': '9',
	':': ':', ';': ';', '=': '=', '?': '?', '@': '@',
	'A': 'A', 'B': 'B', 'C': 'C', 'D': 'D', 'E': 'E', 'F': 'F', 'G': 'G', 'H': 'H', 'I': 'I', 'J': 'J', 'K': 'K', 'L': 'L', 'M': 'M',
	'N': 'N', 'O': 'O', 'P': 'P', 'Q': 'Q', 'R': 'R', 'S': 'S', 'T': 'T', 'U': 'U', 'V': 'V', 'W': 'W', 'X': 'X', 'Y': 'Y', 'Z': 'Z',
	'a': 'A', 'b': 'B', 'c': 'C', 'd': 'D', 'e': 'E', 'f': 'F', 'g': 'G', 'h': 'H', 'i': 'I', 'j': 'J', 'k': 'K', 'l': 'L', 'm': 'M',
	'n': 'N', 'o': 'O', 'p': 'P', 'q': 'Q', 'r': 'R', 's': 'S', 't': 'T', 'u': 'U', 'v': 'V', 'w': 'W', 'x': 'X', 'y': 'Y', 'z': 'Z',
}
