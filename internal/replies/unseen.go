package replies

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// UnseenIn warns about what can't be seen in a difference.
func UnseenIn(diff []byte) []string {
	doc, err := markdown.Parse(diff)
	if err != nil {
		return nil
	}
	u := Unseen{Of: " of the difference"}
	u.Look(doc, markdown.Span{Start: 0, End: len(diff)})
	if warning := u.Warning(); warning != "" {
		return []string{warning}
	}
	return nil
}

// Text is delivered as it is, whatever is hidden in it: characters that turn it
// around, or that nobody sees. Whoever shows it to a reader who takes what it
// says for what it looks like is warned.

// maxUnseen is the number of characters that a warning names.
const maxUnseen = 3

// Unseen is what of a text can't be seen.
type Unseen struct {
	Of    string // what is said of a line to tell where it is, such as " of a.md"
	Count int
	First []string // the first of them, with their lines
}

// Look counts the characters in a part of the document that act unseen.
func (u *Unseen) Look(doc *markdown.Document, span markdown.Span) {
	before, _ := utf8.DecodeLastRune(doc.Source[:span.Start])
	u.LookIn(doc.Text(span), before, span.Start == 0, func(offset int) int { return doc.LineAt(span.Start + offset) })
}

// LookIn counts the characters in a text that act unseen, after the character before it.
// A byte order mark may stand first in a document. The line of an offset is asked for the
// first of them alone.
func (u *Unseen) LookIn(text []byte, before rune, first bool, lineAt func(offset int) int) {
	for i := 0; i < len(text); {
		c := text[i]
		if ' ' <= c && c < 0x7F || c == '\n' || c == '\t' || c == '\r' {
			before = rune(c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if runes.Hides(before, r) && (r != 0xFEFF || i > 0 || !first) {
			if u.Count++; u.Count <= maxUnseen {
				u.First = append(u.First, fmt.Sprintf("%U at line %d%s", r, lineAt(i), u.Of))
			}
		}
		before = r
		i += size
	}
}

// Warning renders what can't be seen in the text that is delivered, "" if there
// is nothing.
func (u *Unseen) Warning() string {
	if u.Count == 0 {
		return ""
	}
	named := strings.Join(u.First, ", ")
	if u.Count > len(u.First) {
		named += ", …"
	}
	return fmt.Sprintf("the text has %s (%s)", u.Number(), named)
}

// Number renders how many characters can't be seen.
func (u *Unseen) Number() string { return Plural(u.Count, "invisible or direction-changing character") }

// Acts reports whether a character does something other than to show itself.
func Acts(r rune) bool { return runes.Acts(r) }
