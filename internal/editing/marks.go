package editing

import (
	"errors"
	"slices"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/replies"
)

// refuseMarked is the error of operations whose text has lines of ours. Of a list it
// tells with them what else fails.
func (e *editing) refuseMarked(failed []replies.EditFailure, err error) *replies.Error {
	path := replies.DisplayPath(e.path)
	if !e.batch {
		first := *failed[0].Error
		first.Path = path
		return &first
	}
	marked := map[int]bool{}
	for i := range failed {
		failed[i].Index = e.items[failed[i].Index]
		marked[failed[i].Index] = true
	}
	if errs, ok := errors.AsType[edit.Errors](err); ok {
		for _, f := range e.refusal(errs).Edits {
			if !marked[f.Index] {
				failed = append(failed, f)
			}
		}
	}
	slices.SortFunc(failed, func(a, b replies.EditFailure) int { return a.Index - b.Index })
	return batchError(path, failed, len(e.ops))
}
