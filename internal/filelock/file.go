package filelock

import (
	"context"
	"errors"
	"os"
	"time"
)

// TryFile locks an open file until it is closed, and waits for nobody: the error is ErrHeld
// if another handle has it, of this process or another one. With shared, others may share
// the lock.
func TryFile(f *os.File, shared bool) error { return lockFile(f, shared) }

// WaitFile locks an open file as TryFile does, and waits for the lock as Acquire does for that
// of a folder, with the same errors, or the system's.
func WaitFile(ctx context.Context, f *os.File, shared bool) error {
	return patiently(ctx, func() string { return holderOfFile(f) }, func(ctx context.Context) error {
		const step = time.Millisecond
		for {
			err := lockFile(f, shared)
			if !errors.Is(err, ErrHeld) {
				return err
			}
			select {
			case <-time.After(step):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
}
