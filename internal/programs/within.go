package programs

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A command has its own time. What is asked of a project may take many commands, each of which the
// project's files make slow, so those of one request have a time together too.

// Within returns a context whose programs run for at most so long together, whatever the one before it
// said of that; 0 for any time. The one that is running then ends with Spent, and any other with NoTime.
func Within(ctx context.Context, most time.Duration) context.Context {
	return context.WithValue(ctx, allowanceKey{}, &allowance{most: most})
}

type allowanceKey struct{}

// allowance is the time that programs have together. Nil is any.
type allowance struct {
	most  time.Duration
	mu    sync.Mutex
	spent time.Duration
}

// allowanceOf returns that of a context.
func allowanceOf(ctx context.Context) *allowance {
	if a, ok := ctx.Value(allowanceKey{}).(*allowance); ok && a.most > 0 {
		return a
	}
	return nil
}

// within returns how long a run may take that has a time of its own, and whether what the others have
// left of the allowance is less.
func (a *allowance) within(own time.Duration) (limit time.Duration, less bool) {
	if a == nil {
		return own, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	left := a.most - a.spent
	return min(own, left), left < own
}

// took notes that a run has begun at a moment and is over.
func (a *allowance) took(start time.Time) {
	if a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.spent += time.Since(start)
	}
}

// over returns the error for a run for which nothing is left.
func (a *allowance) over(reason Reason) *Error {
	return &Error{reason, fmt.Errorf("what was run for this has taken %v together", a.most)}
}
