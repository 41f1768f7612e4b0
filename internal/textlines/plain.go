package textlines

import (
	"bytes"
	"sort"

	"github.com/sectile/sectile/markdown"
)

// Plain is a range of a source with LF for each line ending, where lines are looked for whatever
// their endings are.
type Plain struct {
	Text  []byte // of the source itself if LF is all that it has
	start int    // of the range in the source
	lf    []int  // offsets in Text of those that are a CRLF in the source
}

// PlainOf returns a range of a source, which cuts through no CRLF.
func PlainOf(src []byte, s markdown.Span) *Plain {
	p := &Plain{Text: src[s.Start:s.End], start: s.Start}
	if bytes.IndexByte(p.Text, '\r') < 0 {
		return p
	}
	text := make([]byte, 0, len(p.Text))
	for rest := p.Text; len(rest) > 0; {
		at := bytes.IndexByte(rest, '\r')
		if at < 0 {
			text = append(text, rest...)
			break
		}
		text = append(text, rest[:at]...)
		if rest = rest[at+1:]; len(rest) > 0 && rest[0] == '\n' {
			p.lf, rest = append(p.lf, len(text)), rest[1:]
		}
		text = append(text, '\n')
	}
	p.Text = text
	return p
}

// In returns where a range of Text stands in the source.
func (p *Plain) In(s markdown.Span) markdown.Span {
	at := func(offset int) int { return p.start + offset + sort.SearchInts(p.lf, offset) }
	return markdown.Span{Start: at(s.Start), End: at(s.End)}
}
