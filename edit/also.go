package edit

import (
	"bytes"
	"context"
	"slices"

	"github.com/sectile/sectile/markdown"
)

// Also returns the result with more ranges of the old source replaced by texts of one line,
// as the destinations of links are: they must touch no splice of the result. No block may
// become another one, nor go to another line: otherwise, and if two splices touch, the error
// is an Errors with the code StructureChanged. The changes are those of the result.
func (r *Result) Also(ctx context.Context, more []Splice, limits markdown.Limits) (*Result, error) {
	all := slices.Concat(r.Splices, more)
	slices.SortStableFunc(all, func(a, b Splice) int { return a.Start - b.Start })
	var src []byte
	at := 0
	for _, s := range all {
		if s.Start < at || bytes.ContainsAny(s.Text, "\r\n") && !slices.ContainsFunc(r.Splices, func(own Splice) bool { return own.Span == s.Span }) {
			return nil, Errors{{Code: StructureChanged, Message: "two changes touch each other"}}
		}
		src = append(append(src, r.before[at:s.Start]...), s.Text...)
		at = s.End
	}
	src = append(src, r.before[at:]...)
	doc, err := r.Doc.ReparseContext(ctx, src, limits)
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
	also.Doc, also.Splices = doc, all
	return &also, nil
}
