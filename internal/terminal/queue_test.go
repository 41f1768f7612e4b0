package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// gate is a writer that waits until it is opened, and fails while it is broken.
type gate struct {
	open chan struct{}

	mu     sync.Mutex
	broken bool
	text   bytes.Buffer
}

func (g *gate) Write(p []byte) (int, error) {
	<-g.open
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.broken {
		return 0, errors.New("nobody reads")
	}
	return g.text.Write(p)
}

// Whoever writes to a queue doesn't wait for who reads, and nor does the end. What is left out is
// told of in its place.
func TestQueueHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		o := NewOutput(g)
		Queue(o)
		line := strings.Repeat("x", 1023) + "\n"
		const all = 2 * maxQueued / 1024
		for range all {
			if n, err := o.Write([]byte(line)); n != len(line) || err != nil {
				t.Fatal(n, err)
			}
		}
		start := time.Now()
		o.End()
		if took := time.Since(start); took != lastWords {
			t.Errorf("the end waited for %v", took)
		}
		close(g.open)
		synctest.Wait()
		_, _ = o.Write([]byte("last\n"))
		o.End()
		want := strings.Repeat(line, all/2) + fmt.Sprintf("sectile: %d lines are missing here: they could not be written in time\nlast\n", all/2)
		if got := g.text.String(); got != want {
			t.Errorf("%d bytes, want %d; the end is %q", len(got), len(want), got[max(0, len(got)-200):])
		}
	})
}

// Texts that fail to be written are missing, and told of when the next isn't.
func TestQueueOfFailures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{}), broken: true}
		close(g.open)
		o := NewOutput(g)
		Queue(o)
		_, _ = o.Write([]byte("a\n"))
		synctest.Wait()
		g.mu.Lock()
		g.broken = false
		g.mu.Unlock()
		_, _ = o.Write([]byte("b\nc\n"))
		o.End()
		if got, want := g.text.String(), "sectile: 1 line is missing here: it could not be written in time\nb\nc\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
