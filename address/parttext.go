package address

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// Texts that parts are named by: what is asked for in quotes is compared with them.

// partText is what a part is called: as it is written, on one line, and without formatting.
type partText struct{ source, plain string }

// text returns the text of a block: of an item, that of its first paragraph, without the box of a
// task; of a cell, with the pipes in it.
func (f *partFinder) text(b int) partText {
	isTask := false
	if block := &f.doc.Blocks[b]; block.Kind == markdown.Item {
		if b++; b >= int(block.Next) || f.doc.Blocks[b].Kind != markdown.Paragraph {
			return partText{}
		}
		isTask = block.Flags&markdown.Task != 0
	}
	text := partText{f.lines(b), f.doc.PlainText(b)}
	switch {
	case isTask:
		text.source = strings.TrimLeft(text.source[len("[ ]"):], " \t")
	case f.doc.Blocks[b].Kind == markdown.TableCell:
		text.source = strings.ReplaceAll(text.source, `\|`, "|")
	}
	return text
}

// plain returns the text of a block without formatting.
func (f *partFinder) plain(b int) string { return f.text(b).plain }

// lines returns the source of a block on one line, without the prefixes of its containers.
func (f *partFinder) lines(b int) string {
	var text []byte
	for l := range f.doc.ContentLines(b) {
		if len(text) > 0 {
			text = append(text, ' ')
		}
		text = append(text, bytes.Trim(f.doc.Text(l.Span), " \t")...)
	}
	return string(text)
}

// matching returns the indexes of the texts that are the one that is asked for: as it is
// written; or else stripped of its formatting, whatever the case; or else, if a beginning is
// enough, those that begin with it.
func matching(ask string, texts []partText, beginning bool) []int {
	var equal, alike, begun []int
	wants := []string{folded(withoutMarkup(ask)), folded(ask)} // a text may have what looks like formatting
	for i, text := range texts {
		if text.source == ask {
			equal = append(equal, i)
		}
		is := folded(text.plain)
		switch begins := func(want string) bool { return want != "" && strings.HasPrefix(is, want) }; {
		case is != "" && slices.Contains(wants, is):
			alike = append(alike, i)
		case slices.ContainsFunc(wants, begins) || ask != "" && strings.HasPrefix(text.source, ask):
			begun = append(begun, i)
		}
	}
	switch {
	case equal != nil, !utf8.ValidString(ask): // of which nobody knows what letter was meant
		return equal
	case alike != nil:
		return alike
	case beginning:
		return begun
	}
	return nil
}

// folded returns a text as texts are compared: without attributes and case.
func folded(s string) string { return string(runes.AppendFolded(nil, runes.AppendStripped(nil, s))) }
