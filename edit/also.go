package edit

import (
	"bytes"
	"context"
	"slices"

	"github.com/sectile/sectile/markdown"
)

// Also returns the result with ranges of the new source replaced by texts of one line, as
// the destinations of links are: they are disjoint and in order, and touch no line ending.
// No block may become another one, nor go to another line: otherwise the error is an Errors
// with the code StructureChanged. The changes are those of the result.
func (r *Result) Also(ctx context.Context, more []Splice, limits markdown.Limits) (*Result, error) {
	at := 0
	for _, s := range more {
		if s.Start < at || bytes.ContainsAny(s.Text, "\r\n") {
			return nil, Errors{{Code: StructureChanged, Message: "two changes touch each other"}}
		}
		at = s.End
	}
	d := &draft{before: &markdown.Document{Source: r.before}, src: r.Doc.Source, pieces: r.pieces()}
	d.apply(more)
	doc, err := r.Doc.ReparseContext(ctx, d.src, limits)
	if err != nil {
		return nil, err
	}
	same := func(a, b markdown.Block) bool {
		a.Start, a.End, b.Start, b.End = 0, 0, 0, 0
		return a == b
	}
	if !slices.EqualFunc(doc.Blocks, r.Doc.Blocks, same) {
		return nil, Errors{{Code: StructureChanged, Message: "a destination would change the blocks around it"}}
	}
	also := *r
	also.Doc, also.Splices, also.Moved = doc, d.splices(), movedWith(r.Moved, more)
	return &also, nil
}

// pieces returns what the new source is made of.
func (r *Result) pieces() []piece {
	var d draft
	at := 0
	for _, s := range r.Splices {
		d.add(r.before[at:s.Start], at)
		d.add(s.Text, -1)
		at = s.End
	}
	d.add(r.before[at:], at)
	return d.pieces
}

// movedWith returns what is still text that stands elsewhere when ranges of the new source
// are replaced, each of which lies in one such text or in none.
func movedWith(moved []Moved, more []Splice) []Moved {
	var all []Moved
	shift := 0
	for _, m := range moved {
		from := m.After.Start
		part := func(to int) {
			if from < to {
				n := from - m.After.Start
				all = append(all, Moved{
					Before: markdown.Span{Start: m.Before.Start + n, End: m.Before.Start + to - m.After.Start},
					After:  markdown.Span{Start: from + shift, End: to + shift},
				})
			}
		}
		for len(more) > 0 && more[0].Start < m.After.End {
			part(min(max(more[0].Start, from), m.After.End))
			from = max(from, more[0].End)
			shift += len(more[0].Text) - more[0].Len()
			more = more[1:]
		}
		part(m.After.End)
	}
	return all
}
