package edit

import (
	"bytes"

	"github.com/sectile/sectile/markdown"
)

// What is put in stands apart from its neighbours by one blank line, but in the place of
// text that had none, where none is needed (change.go). Blank lines that are there stay as they
// are, so what is replaced begins and ends with text, never with a gap.

// textEnd returns where the last line of a range ends that is not blank, its ending
// included; the range begins with a line. It is the beginning of the range if all
// lines are blank.
func textEnd(src []byte, s markdown.Span) int {
	end := s.End
	for end > s.Start {
		begin := max(lineBefore(src, end), s.Start)
		if !isBlank(src[begin:end], "") {
			break
		}
		end = begin
	}
	return end
}

// textStart returns where the first line of a range begins that is not blank, or
// its end.
func textStart(src []byte, s markdown.Span) int {
	begin := s.Start
	for begin < s.End {
		end := lineEnd(src, begin)
		if !isBlank(src[begin:end], "") {
			break
		}
		begin = end
	}
	return min(begin, s.End)
}

// apart keeps a CR and an LF that the splice brings together from becoming one line
// ending: of its text and what stands after it, or of what stands around what is
// taken out.
func (s Splice) apart(src []byte) Splice {
	if s.End == len(src) || src[s.End] != '\n' {
		return s
	}
	switch n := len(s.Text); {
	case n > 0 && s.Text[n-1] == '\r':
		s.Text[n-1] = '\n'
	case n == 0 && s.Start > 0 && src[s.Start-1] == '\r' && s.Len() > 0:
		s.Text = []byte("\n")
	}
	return s
}

// lead returns the line endings that text needs before it at the offset.
func lead(src []byte, at int, ending string) string {
	switch {
	case at == start(src):
		return ""
	case len(endingBefore(src, at)) == 0: // the end of the source
		return ending + ending
	case isBlank(src[lineBefore(src, at):at], ""):
		return ""
	}
	return ending
}

// trail returns the line endings that text needs after it at the offset.
func trail(src []byte, at int, ending string) string {
	switch {
	case at < len(src) && isBlank(src[at:lineEnd(src, at)], ""):
		return ending
	case at < len(src):
		return ending + ending
	case at > start(src) && len(endingBefore(src, at)) == 0:
		return "" // as it was
	}
	return ending
}

// cut returns the splice that takes out whole lines that begin and end with text,
// and one of the gaps around them.
func cut(src []byte, s markdown.Span) Splice {
	return cutLines(src, s).apart(src)
}

func cutLines(src []byte, s markdown.Span) Splice {
	top := start(src)
	before := textEnd(src, markdown.Span{Start: top, End: s.Start})
	after := textStart(src, markdown.Span{Start: s.End, End: len(src)})
	switch {
	case after == len(src) && before > top: // the end of the source keeps its style
		if len(endingBefore(src, s.End)) == 0 {
			before -= len(endingBefore(src, before))
		}
		return Splice{Span: markdown.Span{Start: before, End: s.End}}
	case before == top || before < s.Start || src[before-1] == '\r' && src[s.End] == '\n':
		return Splice{Span: markdown.Span{Start: s.Start, End: after}}
	case s.End < after || isATX(src[lineBefore(src, before):]) || isATX(src[after:]):
		return Splice{Span: s}
	}
	return Splice{s, []byte(endingAt(src, s.Start))} // or they would run into each other
}

// isATX reports whether a line looks like a heading with marks, next to which no
// line needs a gap.
func isATX(line []byte) bool {
	text := bytes.TrimLeft(line[:min(len(line), 4)], " ")
	return len(text) > 0 && text[0] == '#'
}
