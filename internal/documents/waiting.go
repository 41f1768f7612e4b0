package documents

import (
	"cmp"
	"context"

	"github.com/sectile/sectile/internal/filelock"
)

// WithEnd returns a context for a request of a program that ends when end is done: a
// request that waits for a lock then, and has written nothing, fails.
func WithEnd(ctx, end context.Context) context.Context { return filelock.WithEnd(ctx, end) }

// WithLockNotice returns a context with a function that is given a sentence, without a
// full stop, when a request waits for a lock for more than a second.
func WithLockNotice(ctx context.Context, tell func(sentence string)) context.Context {
	return filelock.WithNotice(ctx, func(holder string) {
		tell("waiting for the lock on the folder, which " + cmp.Or(holder, "another program") + " has")
	})
}
