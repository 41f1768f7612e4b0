package edit

import (
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// What is put in stands apart from its neighbours by one blank line, but in the place of
// text that had none, where none is needed (change.go). Blank lines that are there stay as they
// are, so what is replaced begins and ends with text, never with a gap.

// apart is textlines.Apart for the splice.
func (s Splice) apart(src []byte) Splice {
	s.Text = textlines.Apart(src, s.Span, s.Text)
	return s
}

// cut returns the splice that takes out whole lines that begin and end with text,
// and one of the gaps around them.
func cut(src []byte, s markdown.Span) Splice {
	return cutLines(src, s).apart(src)
}

func cutLines(src []byte, s markdown.Span) Splice {
	top := textlines.Start(src)
	before := textlines.TextEnd(src, markdown.Span{Start: top, End: s.Start})
	after := textlines.TextStart(src, markdown.Span{Start: s.End, End: len(src)})
	switch {
	case after == len(src) && before > top: // the end of the source keeps its style
		if len(textlines.EndingBefore(src, s.End)) == 0 {
			before -= len(textlines.EndingBefore(src, before))
		}
		return Splice{Span: markdown.Span{Start: before, End: s.End}}
	case before == top || before < s.Start || src[before-1] == '\r' && src[s.End] == '\n':
		return Splice{Span: markdown.Span{Start: s.Start, End: after}}
	case s.End < after || textlines.IsATX(src[textlines.Before(src, before):]) || textlines.IsATX(src[after:]):
		return Splice{Span: s}
	}
	return Splice{s, []byte(textlines.EndingAt(src, s.Start))} // or they would run into each other
}
