package edit

import "github.com/sectile/sectile/internal/linediff"

// Diff returns the change as a unified diff, from "a/" and the name to "b/" and the
// name, that patch -p1 makes the new document with from the old one, byte by byte.
// It is empty if nothing has changed. Characters of the name that would not be
// seen as they are stand quoted, as git does it.
func (r *Result) Diff(name string) []byte { return r.texts().Unified(name) }

// LineCounts returns how many lines the diff adds and removes. A line that differs
// counts as both.
func (r *Result) LineCounts() (added, removed int) { return r.texts().Counts() }

// texts returns the old and the new source.
func (r *Result) texts() *linediff.Texts {
	t := &linediff.Texts{Old: r.before, New: r.Doc.Source}
	for _, s := range r.Splices {
		t.Splices = append(t.Splices, linediff.Splice{Span: linediff.Span(s.Span), Now: len(s.Text)})
	}
	return t
}
