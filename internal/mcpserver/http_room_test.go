package mcpserver

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// padded is a call that is answered, as a body of so many bytes.
func padded(size int) string { return treeRequest + strings.Repeat(" ", size-len(treeRequest)) }

// Bodies that have stopped coming make room for those that come: as many as it takes and
// no more, however much others hold.
func TestStalledBodiesGiveWay(t *testing.T) {
	limits := few()
	limits.connections, limits.strangers = 100, 50
	limits.body, limits.inFlight, limits.patience = 6<<20, 24<<20, 1
	w := startWeb(t, shared(t, map[string]string{"guide.md": guide}), limits)
	half := padded(6 << 20)[:3<<20]
	var stalled []*wire
	for i := range 12 {
		c := w.dial()
		if i%2 == 0 {
			c.send(head(6<<20) + half)
		} else {
			c.send(strings.Replace(head(0), "Content-Length: 0", "Transfer-Encoding: chunked", 1) + "600000\r\n" + half)
		}
		stalled = append(stalled, c)
	}
	gone := map[string]bool{}
	wait := func(n int) {
		t.Helper()
		for len(gone) < n {
			at := <-w.closed
			if slices.ContainsFunc(stalled, func(c *wire) bool { return c.LocalAddr().String() == at }) {
				gone[at] = true
			}
		}
	}
	wait(8) // there is room for four
	for range 8 {
		if resp, text := w.do(request{body: padded(1 << 20)}); resp.StatusCode != http.StatusOK || !strings.Contains(text, "Usage") {
			t.Fatalf("%d %s", resp.StatusCode, text)
		}
	}
	wait(9)
	for i, c := range stalled {
		if gone[c.LocalAddr().String()] {
			if text := c.ended(); text != "" && (!strings.HasPrefix(text, "HTTP/1.1 503 ") || !strings.Contains(text, "had to make room for others; try again")) {
				t.Errorf("%.200q", text)
			}
			continue
		}
		if c.send(padded(6 << 20)[3<<20:]); i%2 == 1 {
			c.send("\r\n0\r\n\r\n")
		}
		if status, text := c.answer(); status != http.StatusOK || !strings.Contains(text, "Usage") {
			t.Errorf("%d %s", status, text)
		}
	}
}

// Bodies that come are answered, also when there is less room than they take together:
// none of them holds a part of it while it waits for the rest.
func TestManyLargeBodies(t *testing.T) {
	limits := few()
	limits.connections, limits.strangers = 100, 50
	limits.body, limits.inFlight, limits.patience = 3<<20, 9<<20, time.Hour
	w := startWeb(t, shared(t, map[string]string{"guide.md": guide}), limits)
	body := padded(3 << 20)
	var all []*wire
	for i := range 12 { // all begin before one ends
		c := w.dial()
		header := head(len(body))
		if i%3 == 0 {
			header = strings.Replace(head(0), "Content-Length: 0", "Transfer-Encoding: chunked", 1) + "300000\r\n"
		}
		c.send(header + body[:100<<10])
		all = append(all, c)
	}
	var group sync.WaitGroup
	for i, c := range all {
		group.Go(func() {
			rest := body[100<<10:]
			if i%3 == 0 {
				rest += "\r\n0\r\n\r\n"
			}
			_, _ = c.Write([]byte(rest))
			if status, text, err := c.take(); err != nil || status != http.StatusOK || !strings.Contains(text, "Usage") {
				t.Errorf("%d: %d %v %s", i, status, err, text)
			}
		})
	}
	group.Wait()
}

// The smallest that waits is the next, the slowest gives way, and those that are whole
// or new don't.
func TestBodyRoom(t *testing.T) {
	r := newBodyRoom(100, time.Hour)
	gone := make(chan string, 10)
	take := func(name string, size int64) *bodyPlace {
		t.Helper()
		p, err := r.take(t.Context(), size, func() { gone <- name })
		if err != nil {
			t.Error(err)
		}
		return p
	}
	whole, stalled, slow, quick, fresh := take("whole", 20), take("stalled", 20), take("slow", 20), take("quick", 20), take("new", 20)
	if !whole.whole(20) {
		t.Error("a body has lost its place to nobody")
	}
	for _, p := range []*bodyPlace{whole, stalled, slow, quick} {
		p.since = p.since.Add(-2 * time.Hour)
	}
	slow.come.Add(5)
	quick.come.Add(10)
	large, small := make(chan *bodyPlace), make(chan *bodyPlace)
	go func() { large <- take("large", 50) }()
	// A place for 50 takes the room of three, and two others must not go for it.
	if first, second, third := <-gone, <-gone, <-gone; first != "stalled" || second != "slow" || third != "quick" {
		t.Errorf("%s, %s and %s give way", first, second, third)
	}
	if stalled.whole(20) || !slow.gaveWay() || fresh.gaveWay() || whole.gaveWay() {
		t.Error("it is not known who gave way")
	}
	go func() { small <- take("small", 15) }()
	for waiting := 0; waiting < 2; { // until both wait
		r.mu.Lock()
		waiting = len(r.waiting)
		r.mu.Unlock()
	}
	stalled.release()
	second := <-small
	slow.release()
	quick.release()
	second.release()
	first := <-large
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := r.take(ctx, 90, func() { gone <- "nobody" }); p != nil || !errors.Is(err, errNoRoom) {
		t.Errorf("%v, %v", p, err)
	}
	for _, p := range []*bodyPlace{whole, fresh, first, first, nil} { // twice is once
		p.release()
	}
	if r.free != 100 || r.leaving != 0 || len(r.sending)+len(r.waiting)+len(gone) != 0 {
		t.Errorf("%d free, %d leaving, %d sending, %d waiting, %d gone", r.free, r.leaving, len(r.sending), len(r.waiting), len(gone))
	}
}
