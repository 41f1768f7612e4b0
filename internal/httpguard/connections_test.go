package httpguard

import (
	"log/slog"
	"net"
	"net/netip"
	"testing"
)

// One machine with many connections pushes out its own, and those that were refused
// before those that weren't.
func TestLeastStranger(t *testing.T) {
	c := newConnections(Limits{Connections: 6, Strangers: 2}, slog.New(slog.DiscardHandler))
	add := func(from string, refused bool) *connection {
		n := &connection{
			all: c, conn: new(net.TCPConn), peer: machine(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(from))), turn: c.next(), refused: refused,
		}
		c.open[n.conn] = n
		return n
	}
	honest := add("192.0.2.1:1000", false)
	first := add("[2001:db8::1]:1", false)
	guess := add("[2001:db8::2]:1", true)
	second := add("[2001:db8::3]:1", false)
	for i, want := range []*connection{guess, first} {
		got := c.stranger()
		if got != want {
			t.Fatalf("%d: %v", i, got.peer)
		}
		c.forget(got)
	}
	if got := c.stranger(); got != honest { // one each: the oldest
		t.Errorf("%v", got.peer)
	}
	add("192.0.2.1:1001", false)
	second.proven = true // not a stranger any more
	if got := c.stranger(); got != honest {
		t.Errorf("%v", got.peer)
	}
	if a, b := machine(&net.TCPAddr{IP: net.ParseIP("::ffff:192.0.2.1")}), machine(&net.TCPAddr{IP: net.ParseIP("192.0.2.1")}); a != b || !a.IsValid() {
		t.Errorf("%v, %v", a, b)
	}
}
