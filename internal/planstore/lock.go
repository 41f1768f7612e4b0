package planstore

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/files"
)

// holdFolder locks a folder for all writers of ours. The error is the context's or
// an *Error.
func holdFolder(ctx context.Context, dir string, limit time.Duration) (*files.FolderLock, error) {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	lock, err := files.LockFolder(timed, dir)
	if err == nil {
		return lock, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	reason := err.Error()
	if e, ok := errors.AsType[*files.Error](err); ok {
		reason = e.Reason
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		reason, hint, _ := strings.Cut(reason, "; ")
		return nil, &Error{Type: TypeConcurrent, Err: err, Message: "the plan can't be changed now: " + reason + ", and nothing was written", Hint: hint}
	}
	return nil, &Error{Type: TypeFailed, Critical: true, Message: "the repository can't be locked: " + reason, Hint: "see who may write to it"}
}
