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

// gate is a writer that waits until it is opened, and fails while it is broken, behind what it has
// room for.
type gate struct {
	open chan struct{}

	mu     sync.Mutex
	broken bool
	room   int
	text   bytes.Buffer
}

// set breaks or mends the gate.
func (g *gate) set(broken bool, room int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.broken, g.room = broken, room
}

func (g *gate) Write(p []byte) (int, error) {
	<-g.open
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.broken {
		n, _ := g.text.Write(p[:min(g.room, len(p))])
		g.room -= n
		return n, errors.New("nobody reads")
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

// Texts that fail to be written are missing, all of them and nothing else, and told of when the
// next isn't.
func TestQueueOfFailures(t *testing.T) {
	t.Parallel()
	const one, many = "sectile: 1 line is missing here: it could not be written in time\n", "sectile: %d lines are missing here: they could not be written in time\n"
	for name, c := range map[string]struct {
		lost []string // one after the other
		room int      // for so many bytes of them
		want string
	}{
		"one":               {lost: []string{"a\n"}, want: one},
		"one after another": {lost: []string{"a\n", "b\n", "c\nd\n", "e\n"}, want: fmt.Sprintf(many, 5)},
		"a part":            {lost: []string{"a\nb\nc\n"}, room: len("a\nb"), want: "a\nb" + fmt.Sprintf(many, 2)},
		"a notice is whole": {lost: []string{"a\n", "b\nc\n"}, room: 1, want: "a" + fmt.Sprintf(many, 3)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := &gate{open: make(chan struct{}), broken: true, room: c.room}
				close(g.open)
				o := NewOutput(g)
				Queue(o)
				for _, text := range c.lost {
					_, _ = o.Write([]byte(text))
					synctest.Wait()
				}
				g.set(false, 0)
				_, _ = o.Write([]byte("y\nz\n"))
				o.End()
				if got, want := g.text.String(), c.want+"y\nz\n"; got != want {
					t.Errorf("%q, want %q", got, want)
				}
			})
		})
	}
}

// A notice that was written isn't repeated where the text behind it fails to be.
func TestQueueTellsOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const notice = "sectile: 1 line is missing here: it could not be written in time\n"
		g := &gate{open: make(chan struct{}), broken: true}
		close(g.open)
		o := NewOutput(g)
		Queue(o)
		_, _ = o.Write([]byte("a\n"))
		synctest.Wait()
		g.set(true, len(notice))
		_, _ = o.Write([]byte("b\n"))
		synctest.Wait()
		g.set(false, 0)
		_, _ = o.Write([]byte("c\n"))
		o.End()
		if got, want := g.text.String(), notice+notice+"c\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// Of texts that wait behind one that fails to be written, the first tells of it, in its place.
func TestQueueOfFailuresBeforeOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{}), broken: true}
		o := NewOutput(g)
		Queue(o)
		_, _ = o.Write([]byte("a\nb\n"))
		synctest.Wait()
		large := strings.Repeat("x", maxQueued-100) + "\n"
		_, _ = o.Write([]byte(large))
		_, _ = o.Write([]byte(large)) // there is no room for it
		g.open <- struct{}{}
		synctest.Wait()
		g.set(false, 0)
		close(g.open)
		o.End()
		want := "sectile: 2 lines are missing here: they could not be written in time\n" + large + "sectile: 1 line is missing here: it could not be written in time\n"
		if got := g.text.String(); got != want {
			t.Errorf("%d bytes, want %d: %q", len(got), len(want), got[:min(100, len(got))])
		}
	})
}
