package planstore

import (
	"context"
	"errors"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/files"
)

// holdFolder locks a folder for all writers of ours. The error is the context's or
// an *Error.
func holdFolder(ctx context.Context, dir string, limit time.Duration) (*filelock.Lock, error) {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	lock, err := files.LockFolder(timed, dir)
	if err == nil {
		return lock, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	told := &Error{Message: err.Error(), Hint: "see who may write to it"}
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		told.Message = e.Reason
		if e.Hint != "" {
			told.Hint = e.Hint
		}
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		told.Type, told.Told, told.Err, told.Message = TypeConcurrent, true, err, "the plan can't be changed now: "+told.Message+", and nothing was written"
		return nil, told
	}
	told.Type, told.Critical, told.Message = TypeFailed, true, "the repository can't be locked: "+told.Message
	return nil, told
}
