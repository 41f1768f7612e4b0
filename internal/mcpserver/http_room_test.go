package mcpserver

import (
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
	limits.Connections, limits.Strangers = 100, 50
	limits.Body, limits.InFlight, limits.Patience = 6<<20, 24<<20, 1
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
	limits.Connections, limits.Strangers = 100, 50
	limits.Body, limits.InFlight, limits.Patience = 3<<20, 9<<20, time.Hour
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
