package edit

import (
	"bytes"
	"strings"

	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/markdown"
)

// lineChanges returns the lines that differ, in order.
func (r *Result) lineChanges() []lineChange {
	var changes []lineChange
	for _, c := range r.touchedLines() {
		changes = append(changes, c.narrow(r.before, r.Doc.Source)...)
	}
	return changes
}

// touchedLines returns the lines that the splices touch.
func (r *Result) touchedLines() []lineChange {
	before, after := r.before, r.Doc.Source
	var touched []lineChange
	shift := 0 // from an offset after the splices so far to that in the new source
	// Many splices may stand in one long line, whose beginning and end are looked for once.
	from, searched, lineEnd := 0, 0, 0
	for _, s := range r.Splices {
		if i := bytes.LastIndexByte(before[searched:s.Start], '\n'); i >= 0 {
			from = searched + i + 1
		}
		searched = s.Start
		c := lineChange{old: markdown.Span{Start: from, End: s.End}, new: markdown.Span{Start: from + shift}}
		if n := len(touched); n > 0 && touched[n-1].old.End >= from {
			c.old.Start, c.new.Start = touched[n-1].old.Start, touched[n-1].new.Start
			touched = touched[:n-1]
		}
		shift += len(s.Text) - s.Len()
		// The line that the splice ends in goes on to its end, in both sources.
		if end := s.End + shift; !isLineStart(before, s.End) || !isLineStart(after, end) {
			if s.End >= lineEnd {
				if i := bytes.IndexByte(before[s.End:], '\n'); i >= 0 {
					lineEnd = s.End + i + 1
				} else {
					lineEnd = len(before)
				}
			}
			c.old.End = lineEnd
		}
		c.new.End = c.old.End + shift
		touched = append(touched, c)
	}
	return touched
}

// isLineStart reports whether a line begins at the offset, or the source ends.
func isLineStart(src []byte, at int) bool {
	return at == 0 || at == len(src) || src[at-1] == '\n'
}

// narrow returns the changes inside of a change of one source into another.
func (c lineChange) narrow(before, after []byte) []lineChange {
	old, added := linesAt(before, c.old), linesAt(after, c.new)
	var changes []lineChange
	for _, d := range linediff.Compare(old.lines, added.lines) {
		changes = append(changes, lineChange{old.span(d.Start, d.End), added.span(d.ReplStart, d.ReplEnd)})
	}
	return changes
}

// someLines are the lines of a part of a source.
type someLines struct {
	lines  []string
	starts []int // one more than lines
}

// linesAt returns the lines of a span.
func linesAt(src []byte, s markdown.Span) someLines {
	l := someLines{starts: []int{s.Start}}
	for line := range strings.Lines(string(src[s.Start:s.End])) {
		l.lines = append(l.lines, line)
		l.starts = append(l.starts, l.starts[len(l.starts)-1]+len(line))
	}
	return l
}

// span returns where the lines from i up to j are.
func (l *someLines) span(i, j int) markdown.Span {
	return markdown.Span{Start: l.starts[i], End: l.starts[j]}
}
