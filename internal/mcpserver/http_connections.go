package mcpserver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// When the server ends, calls in work are answered. Nothing was begun for those who are
// still sending, so they are not waited for.

// httpConnections are those that are open. It is safe for concurrent use.
type httpConnections struct {
	mu     sync.Mutex
	ending bool
	work   map[net.Conn]bool // whether a request has come whole and is not answered
}

func newHTTPConnections() *httpConnections {
	return &httpConnections{work: map[net.Conn]bool{}}
}

// errEnding says that a request came too late.
var errEnding = errors.New("the server is ending")

// changed is what http.Server.ConnState wants.
func (c *httpConnections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew, http.StateIdle:
		c.work[conn] = false
	case http.StateClosed, http.StateHijacked:
		delete(c.work, conn)
	case http.StateActive: // its body may still be missing
	}
}

// httpConnection is a connection among all.
type httpConnection struct {
	all  *httpConnections
	conn net.Conn
}

// connectionKey is the key of a request's *httpConnection in its context.
type connectionKey struct{}

// context is what http.Server.ConnContext wants.
func (c *httpConnections) context(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, &httpConnection{c, conn})
}

// cutOff ends the reading of all that is not in work.
func (c *httpConnections) cutOff() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ending = true
	for conn, works := range c.work {
		if !works {
			_ = conn.SetReadDeadline(time.Unix(1, 0)) // it is closed, or soon will be
		}
	}
}

// bodyBegins sets the limit on the time of a request's body, and reports whether it is
// read at all.
func bodyBegins(r *http.Request, limit func()) bool { return unlessEnding(r, false, limit) }

// bodyEnds takes that limit away, and reports whether the request is worked on. From
// then on its connection is left alone.
func bodyEnds(r *http.Request, unlimit func()) bool { return unlessEnding(r, true, unlimit) }

// unlessEnding does something with a request's connection unless that was cut off.
func unlessEnding(r *http.Request, works bool, do func()) bool {
	c, ok := r.Context().Value(connectionKey{}).(*httpConnection)
	if !ok { // of a test
		do()
		return true
	}
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.all.ending {
		return false
	}
	do()
	c.all.work[c.conn] = works
	return true
}
