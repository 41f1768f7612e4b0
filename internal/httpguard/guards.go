package httpguard

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"
)

// Limits are those of the connections.
type Limits struct {
	Connections int // open at once
	Strangers   int // of them, on which nobody has shown the token; fewer than connections

	Body      int64         // bytes of a request's body
	InFlight  int64         // bytes of all long bodies together; at least body
	Patience  time.Duration // how long a long body has before it may have to give way to others
	Late      time.Duration // how long a wrong token waits for its answer
	Header    time.Duration // the longest that a client may take to send a header
	Sending   time.Duration // … and a body
	Receiving time.Duration // … and to take what is written
	Idle      time.Duration // how long a connection stays open between requests
}

// DefaultLimits are those of a server whose requests have a body of so many bytes at
// most.
func DefaultLimits(body int64) Limits {
	connections := 512
	if n := descriptors(); n > 0 { // the other half is for documents, locks and programs
		connections = max(8, min(connections, n/2))
	}
	return Limits{
		Connections: connections, Strangers: connections / 3,
		Body: body, InFlight: 4 * body, Patience: time.Second, Late: time.Second,
		Header: 10 * time.Second, Sending: 30 * time.Second, Receiving: 30 * time.Second, Idle: 2 * time.Minute,
	}
}

// Guards are those of one server.
type Guards struct {
	limits      Limits
	log         *slog.Logger
	connections *connections
}

// New returns guards that tell the log about refusals.
func New(limits Limits, log *slog.Logger) *Guards {
	return &Guards{limits: limits, log: log, connections: newConnections(limits, log)}
}

// Server returns a server that answers requests with a handler, which is one of the guards'; each
// of its answers has the policy of the page.
// Watch is told of each change of a connection's state after the guards; nil for nobody.
func (g *Guards) Server(handler http.Handler, watch func(net.Conn, http.ConnState)) *http.Server {
	return &http.Server{
		ConnState: func(conn net.Conn, state http.ConnState) {
			g.connections.changed(conn, state)
			if watch != nil {
				watch(conn, state)
			}
		},
		ConnContext:       g.connections.context,
		Handler:           withPolicy(handler),
		ReadHeaderTimeout: g.limits.Header,
		ReadTimeout:       g.limits.Header + g.limits.Sending, // of requests that are refused unread
		WriteTimeout:      g.limits.Receiving,                 // until something more is written
		IdleTimeout:       g.limits.Idle,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(g.log.Handler(), slog.LevelDebug),

		DisableGeneralOptionsHandler: true, // it answers strangers, and goes on
	}
}

// withPolicy has all that a handler answers, refusals too, keep to itself in a browser: nothing but
// what this server sends runs or is loaded, nobody frames it, and no address of it goes elsewhere.
func withPolicy(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "+
			"form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// CutOff ends the reading of all that is not in work.
func (g *Guards) CutOff() { g.connections.cutOff() }

// Handler answers the requests for a path that show the secret, until the context ends, and
// those for all other paths with the page; nil for nothing.
func (g *Guards) Handler(ending context.Context, path, secret string, answer Answer, page http.Handler) http.Handler {
	known := newLogin(ending, secret, g.limits.Late, g.log).handler(byOwnName(newBodyGuard(ending, g.limits).handler(answer)))
	return g.SameOrigin(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == path:
			known.ServeHTTP(w, r)
		case page != nil:
			page.ServeHTTP(w, r)
		default:
			turnAway(w, http.StatusNotFound, "there is nothing here; the protocol is spoken at "+path)
		}
	}))
}

// byOwnName refuses requests by the name of another host, before their bodies are read.
func byOwnName(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isOfThisHost(r) {
			turnAway(w, http.StatusForbidden, otherHost)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// otherHost is the answer to a request by the name of another host.
const otherHost = "this server is not reached by the name of another host"

// SameOrigin refuses requests of web pages of other origins that could change something.
func (g *Guards) SameOrigin(next http.Handler) http.Handler {
	origins := http.NewCrossOriginProtection()
	deny := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		turnAway(w, http.StatusForbidden, "requests from web pages of another origin are refused")
	})
	origins.SetDenyHandler(deny)
	one := origins.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Header.Values("Origin")) > 1 || len(r.Header.Values("Sec-Fetch-Site")) > 1 { // of which only the first is looked at
			deny(w, r)
			return
		}
		r.Host = strings.ToLower(r.Host) // names of hosts are the same in any case (RFC 9110, 4.2.3)
		one.ServeHTTP(w, r)
	})
}
