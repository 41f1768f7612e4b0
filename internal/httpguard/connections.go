package httpguard

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Whoever can reach the address can open connections, and each takes a descriptor of the
// process. So a connection counts among strangers until a request on it has shown the
// token, and those have a smaller share of the descriptors. Nobody is kept waiting
// before the door: a new connection is always taken, and when there are too many the one
// goes that is worth least. A limit that waits in Accept (netutil.LimitListener) would
// leave those outside who have the token.
//
// When the server ends, calls in work are answered. Nothing was begun for those who are
// still sending, so they are not waited for.

// connections are those that are open. It is safe for concurrent use.
type connections struct {
	most, strangers int // see Limits
	log             *slog.Logger
	told            rate.Sometimes // that there are too many

	mu     sync.Mutex
	ending bool
	open   map[net.Conn]*connection
	proven int    // how many of them are
	turn   uint64 // of the newest
}

func newConnections(limits Limits, log *slog.Logger) *connections {
	return &connections{
		most: limits.Connections, strangers: limits.Strangers, log: log,
		told: rate.Sometimes{First: 1, Interval: telling}, open: map[net.Conn]*connection{},
	}
}

// telling is the time between two lines of the log about the same that others can cause.
const telling = 10 * time.Second

// connection is a connection among all. Its fields are under the lock of all.
type connection struct {
	all  *connections
	conn net.Conn
	peer netip.Prefix  // the machine at its other end
	gone chan struct{} // closed when it has been given up for others

	turn    uint64 // when it came, or became idle; the smaller the longer ago
	works   bool   // a request has come whole and is not answered
	idle    bool   // between two requests
	proven  bool   // a request on it has shown the token
	refused bool   // the token that it has shown is wrong
}

// connectionKey is the key of a request's *httpConnection in its context.
type connectionKey struct{}

// connectionOf returns the request's connection, nil for a request of a test without one.
func connectionOf(r *http.Request) *connection {
	c, _ := r.Context().Value(connectionKey{}).(*connection)
	return c
}

// errEnding says that a request came too late.
var errEnding = errors.New("the server is ending")

// context is what http.Server.ConnContext wants: it is called first for each connection.
func (c *connections) context(ctx context.Context, conn net.Conn) context.Context {
	n := &connection{all: c, conn: conn, peer: machine(conn.RemoteAddr()), gone: make(chan struct{})}
	var least *connection
	c.mu.Lock()
	n.turn = c.next()
	c.open[conn] = n
	if len(c.open)-c.proven > c.strangers {
		least = c.stranger()
		c.forget(least)
	}
	if c.ending {
		_ = conn.SetReadDeadline(longAgo)
	}
	c.mu.Unlock()
	c.giveUp(least)
	return context.WithValue(ctx, connectionKey{}, n)
}

// longAgo is a deadline that is over.
var longAgo = time.Unix(1, 0)

// machine returns what connections of one machine have in common: the address, or the
// network of 64 bits of which a machine has all addresses of IPv6.
func machine(addr net.Addr) netip.Prefix {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip := tcp.AddrPort().Addr().Unmap().WithZone("")
	p, err := ip.Prefix(min(64, ip.BitLen()))
	if err != nil {
		return netip.Prefix{} // can't be
	}
	return p
}

// next returns the next turn. The lock is held.
func (c *connections) next() uint64 {
	c.turn++
	return c.turn
}

// stranger returns the stranger who is worth least: one of the machine with most of them, if it
// can be one who was refused, and the oldest of those. The lock is held.
func (c *connections) stranger() *connection {
	of := map[netip.Prefix]int{}
	for _, n := range c.open {
		if !n.proven {
			of[n.peer]++
		}
	}
	var least *connection
	for _, n := range c.open {
		switch {
		case n.proven:
		case least == nil, of[n.peer] > of[least.peer]:
			least = n
		case of[n.peer] < of[least.peer]:
		case n.refused != least.refused:
			if n.refused {
				least = n
			}
		case n.turn < least.turn:
			least = n
		}
	}
	return least
}

// forget takes a connection out of those that are open. The lock is held.
func (c *connections) forget(n *connection) {
	if c.open[n.conn] != n {
		return
	}
	delete(c.open, n.conn)
	if n.proven {
		c.proven--
	}
}

// giveUp closes a connection that was forgotten, if there is one.
func (c *connections) giveUp(n *connection) {
	if n == nil {
		return
	}
	close(n.gone)
	_ = n.conn.Close() // nobody waits for it
	c.told.Do(func() {
		c.log.Warn("too many connections, so some are closed", "peer", n.conn.RemoteAddr(), "limit", c.most, "without a login", c.strangers)
	})
}

// prove says that a request on the connection has shown the token, and reports whether
// there is a place for it: that of one who has been idle for longest, if need be.
func (n *connection) prove() bool {
	if n == nil {
		return true
	}
	c := n.all
	var least *connection
	c.mu.Lock()
	defer func() {
		c.mu.Unlock()
		c.giveUp(least)
	}()
	switch {
	case c.open[n.conn] != n:
		return false
	case n.proven:
		return true
	case c.proven >= c.most-c.strangers:
		if least = c.idle(); least == nil {
			return false
		}
		c.forget(least)
	}
	n.proven = true
	c.proven++
	return true
}

// idle returns the proven connection that has been idle for longest, nil for none. The
// lock is held.
func (c *connections) idle() *connection {
	var least *connection
	for _, n := range c.open {
		if n.proven && n.idle && (least == nil || n.turn < least.turn) {
			least = n
		}
	}
	return least
}

// refuse says that the token was wrong.
func (n *connection) refuse() {
	if n == nil {
		return
	}
	n.all.mu.Lock()
	defer n.all.mu.Unlock()
	n.refused = true
}

// changed is what http.Server.ConnState wants.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.open[conn]
	if n == nil {
		return
	}
	switch state {
	case http.StateIdle:
		n.works, n.idle, n.turn = false, true, c.next()
	case http.StateActive: // its body may still be missing
		n.idle = false
	case http.StateClosed, http.StateHijacked:
		c.forget(n)
	case http.StateNew: // known from its context
	}
}

// cutOff ends the reading of all that is not in work.
func (c *connections) cutOff() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ending = true
	for conn, n := range c.open {
		if !n.works {
			_ = conn.SetReadDeadline(longAgo) // it is closed, or soon will be
		}
	}
}

// bodyBegins sets the limit on the time of a request's body, and reports whether it is
// read at all.
func bodyBegins(r *http.Request, limit func()) bool { return unlessEnding(r, false, limit) }

// bodyEnds takes that limit away, and reports whether the request is worked on. From
// then on its connection is left alone.
func bodyEnds(r *http.Request, unlimit func()) bool { return unlessEnding(r, true, unlimit) }

// Begins says that a request, of which nothing more is read, is worked on, and reports whether it
// is: not any more once the server is ending. From then on its connection is left alone until it is
// answered; that of others is cut off when the server ends, and with it their contexts.
func Begins(w http.ResponseWriter, r *http.Request) bool {
	return bodyEnds(r, func() {
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // a connection that has no deadlines is one of a test
	})
}

// unlessEnding does something with a request's connection unless that was cut off.
func unlessEnding(r *http.Request, works bool, do func()) bool {
	n := connectionOf(r)
	if n == nil { // of a test
		do()
		return true
	}
	n.all.mu.Lock()
	defer n.all.mu.Unlock()
	if n.all.ending {
		return false
	}
	do()
	n.works = works
	return true
}
