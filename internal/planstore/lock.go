package planstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sectile/sectile/internal/files"
)

// holdFolder locks a folder for all writers of ours. The error is the context's or
// an *Error.
func holdFolder(ctx context.Context, dir string, limit time.Duration) (*files.FolderLock, error) {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	lock, err := files.LockFolder(timed, dir)
	switch {
	case err == nil:
		return lock, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case timed.Err() != nil:
		return nil, &Error{
			Type: TypeConcurrent, Err: timed.Err(),
			Message: fmt.Sprintf("others are writing to the plan since %v, and nothing was written", limit),
			Hint:    "try again; if it stays so, end the process of sectile that hangs",
		}
	}
	reason := err.Error()
	if e, ok := errors.AsType[*files.Error](err); ok {
		reason = e.Reason
	}
	return nil, &Error{Type: TypeFailed, Critical: true, Message: "the repository can't be locked: " + reason, Hint: "see who may write to it"}
}
