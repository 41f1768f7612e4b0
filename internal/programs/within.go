package programs

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// A command has its own time. What is asked of a project may take many commands, each of which the
// project's files make slow, so those of one request have a time together too. One that has begun has
// its own whole time: what is stopped amid a change may leave a lock behind.

// Within returns a context whose programs begin only until they have taken so long together, whatever
// the context before it said of that; 0 for any time. A program behind that isn't run, and its error has
// the reason NoTime.
func Within(ctx context.Context, most time.Duration) context.Context {
	return context.WithValue(ctx, allowanceKey{}, &allowance{most: most})
}

type allowanceKey struct{}

// allowance is the time in which programs may begin together.
type allowance struct {
	most  time.Duration
	spent atomic.Int64 // nanoseconds
}

// begin begins a run: it returns what notes its end, or the error for one that has no time.
func begin(ctx context.Context) (end func(), err error) {
	a, ok := ctx.Value(allowanceKey{}).(*allowance)
	switch {
	case !ok || a.most <= 0:
		return func() {}, nil
	case time.Duration(a.spent.Load()) >= a.most:
		return nil, &Error{NoTime, fmt.Errorf("what was run for this has taken %v together", a.most)}
	}
	start := time.Now()
	return func() { a.spent.Add(int64(time.Since(start))) }, nil
}
