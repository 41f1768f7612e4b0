package editing

import (
	"bytes"
	"slices"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/session"
	"github.com/sectile/sectile/markdown"
)

// What a session knows after a change: what was written, and which part was overwritten unread.

// remember tells the session what was written, and keeps what it says of parts
// that were not read.
func (e *editing) remember() {
	key := e.docs.FileKey(e.path)
	if key == "" {
		return
	}
	s, doc := e.docs.Session, e.before
	// What is unread if all else is read, is unread in the part that was changed.
	part := s.UnreadAfter(key, doc, reading.Without(markdown.Lines{First: 1, Last: doc.LineCount}, e.overwritten()))
	if !e.options.DryRun {
		s.Wrote(key, e.before, e.result.Doc, written(e.result))
		e.rememberOthers()
	}
	if part.Total > 0 {
		e.unread = []string{"the part that was changed had not been read: " + reading.UnreadOf(part)}
	}
}

// overwritten returns the lines of the document before that were replaced or removed by
// an address alone, in order. Whoever replaces a text, renames a heading by its name, or
// sends a hash or the version, has said what stands there. Blanks alone are nothing that is
// read.
func (e *editing) overwritten() []markdown.Lines {
	doc := e.before
	var spans []markdown.Span
	for i, c := range e.result.Changes {
		if c.Target != nil && e.ops[i].Action.Overwrites() && e.ops[i].ExpectedHash == "" && e.version == "" {
			spans = append(spans, c.Target.Span(doc))
		}
	}
	blind := func(s edit.Splice) bool {
		return slices.ContainsFunc(spans, func(of markdown.Span) bool { return s.Start < of.End && of.Start < s.End })
	}
	var lines []markdown.Lines
	for _, s := range e.result.Splices {
		if !blind(s) {
			continue
		}
		text := doc.Text(s.Span)
		start := s.End - len(bytes.TrimLeft(text, " \t\r\n"))
		end := s.Start + len(bytes.TrimRight(text, " \t\r\n"))
		if start >= end {
			continue
		}
		l := markdown.Lines{First: doc.LineAt(start), Last: doc.LineAt(end - 1)}
		if n := len(lines); n > 0 && l.First <= lines[n-1].Last {
			lines[n-1].Last = max(l.Last, lines[n-1].Last)
			continue
		}
		lines = append(lines, l)
	}
	return lines
}

// written returns the ranges that the change has written, before and after: those of its
// splices, without the text in them that has only moved.
func written(r *edit.Result) []session.Written {
	var ranges []session.Written
	grown, moved := 0, r.Moved
	for _, s := range r.Splices {
		was, is := s.Span, markdown.Span{Start: s.Start + grown, End: s.Start + grown + len(s.Text)}
		for len(moved) > 0 && moved[0].After.End <= is.End {
			m := moved[0]
			// What follows is what stood elsewhere, and after it, again what stood here.
			ranges = append(ranges, session.Written{Before: was, After: markdown.Span{Start: is.Start, End: m.After.Start}},
				session.Written{Before: markdown.Span{Start: m.Before.Start, End: m.Before.Start}, After: markdown.Span{Start: m.After.Start, End: m.After.Start}})
			was.Start, is.Start = was.End, m.After.End
			moved = moved[1:]
		}
		ranges = append(ranges, session.Written{Before: was, After: is})
		grown += len(s.Text) - s.Len()
	}
	return ranges
}
