package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// Over HTTP the server is the same, behind guards of its own. A request passes them
// in this order: pages of other origins are refused, then other paths than httpPath,
// then who hasn't the token, then bodies that are too long or too slow; after that the
// protocol's library checks the host's name, so that no page can reach a server on
// this machine by a name of its own (DNS rebinding), and answers. Its refusals are made
// answers that a client can read (http_answers.go).
//
// Each request stands alone: no session of the protocol is kept. What clients were
// shown is kept under handles (sessions.go).

// httpPath is where the protocol is spoken.
const httpPath = "/mcp"

// httpLimits are those of the connections.
type httpLimits struct {
	connections int // open at once
	strangers   int // of them, on which nobody has shown the token; fewer than connections

	body      int64         // bytes of a request's body
	inFlight  int64         // bytes of all long bodies together; at least body
	patience  time.Duration // how long a long body has before it may have to give way to others
	listens   int           // subscriptions at once
	late      time.Duration // how long a wrong token waits for its answer
	header    time.Duration // the longest that a client may take to send a header
	sending   time.Duration // … and a body
	receiving time.Duration // … and to take what is written
	idle      time.Duration // how long a connection stays open between requests
	shutdown  time.Duration // how long calls in flight have when the server ends, besides their own time
}

// defaultHTTPLimits are those of a server. A body may be as long as a line on standard
// input.
func defaultHTTPLimits() httpLimits {
	connections := 512
	if n := descriptors(); n > 0 { // the other half is for documents, locks and programs
		connections = max(8, min(connections, n/2))
	}
	return httpLimits{
		connections: connections, strangers: connections / 3,
		body: maxLine, inFlight: 4 * maxLine, patience: time.Second, listens: maxListens, late: time.Second,
		header: 10 * time.Second, sending: 30 * time.Second, receiving: 30 * time.Second, idle: 2 * time.Minute,
		shutdown: 2 * time.Second,
	}
}

// ServeHTTP answers requests over HTTP at an address until the context ends; calls in
// flight are answered before it returns. What a client has to know, the URL and a
// token that was made up, and messages about the server itself are written to log. The
// error is an *replies.Error.
func ServeHTTP(ctx context.Context, o doctor.ServerOptions, h doctor.HTTPOptions, log io.Writer) error {
	return serveHTTP(ctx, o, h, defaultHTTPLimits(), log)
}

func serveHTTP(ctx context.Context, o doctor.ServerOptions, h doctor.HTTPOptions, limits httpLimits, log io.Writer, more ...*tool) error {
	level, err := logLevel(o.LogLevel)
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: level}))
	secret, made, err := bearerToken(ctx, h.TokenFile)
	if err != nil {
		return err
	}
	workspace, err := documents.OpenWorkspace(o.Documents())
	if err != nil {
		return err
	}
	defer func() { _ = workspace.Close() }() // nothing was written
	o.Shared = true
	s, err := newServer(o, workspace, logger, more...)
	if err != nil {
		return err
	}
	listener, err := openAddress(ctx, h)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(log, "sectile: serving http://%s%s\n", listener.Addr(), httpPath)
	if made {
		_, _ = fmt.Fprintf(log, "sectile: the token of this run is %s\n"+
			"sectile: clients send the header \"Authorization: Bearer TOKEN\"; --token-file FILE keeps one\n", secret)
	}
	logger.Info("serving", "roots", workspace.Roots(), "tools", len(s.tools))
	defer logger.Info("stopped")
	return s.runHTTP(ctx, listener, secret, limits, newHTTPConnections(limits, s.log))
}

// runHTTP serves what comes to the listener until the context ends, and then until
// what is in flight is answered.
func (s *server) runHTTP(
	ctx context.Context, listener net.Listener, secret string, limits httpLimits, connections *httpConnections,
) error {
	ending, end := context.WithCancel(context.Background())
	defer end()
	web := &http.Server{
		ConnState:         connections.changed,
		ConnContext:       connections.context,
		Handler:           s.httpHandler(ending, secret, limits),
		ReadHeaderTimeout: limits.header,
		ReadTimeout:       limits.header + limits.sending, // of requests that are refused unread
		WriteTimeout:      limits.receiving,               // until something more is written
		IdleTimeout:       limits.idle,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),

		DisableGeneralOptionsHandler: true, // it answers strangers, and goes on
	}
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	select {
	case err := <-served:
		return &replies.Error{Code: "io_error", Message: replies.Text("the server ended: " + err.Error()), Err: err}
	case <-ctx.Done():
	}
	end() // subscriptions would never end by themselves
	s.end()
	connections.cutOff()
	timeout := s.options.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	patient, cancel := context.WithTimeout(context.Background(), timeout+grace+limits.shutdown)
	defer cancel()
	if err := web.Shutdown(patient); err != nil {
		s.log.Warn("calls in flight were cut off", "error", err)
		_ = web.Close() // what is left is given up
	}
	return nil
}

// httpHandler is the server as it stands behind its guards. Subscriptions end with the
// context.
func (s *server) httpHandler(ending context.Context, secret string, limits httpLimits) http.Handler {
	library := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		Logger:                       s.log,
		MaxRequestBodyBytes:          limits.body,
		PropagateRequestCancellation: true,
	})
	known := newLogin(ending, secret, limits.late, s.log).handler(newBodyGuard(ending, limits, s.log).handler(library))
	origins := http.NewCrossOriginProtection()
	deny := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		turnAway(w, http.StatusForbidden, "requests from web pages of another origin are refused")
	})
	origins.SetDenyHandler(deny)
	one := origins.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != httpPath {
			turnAway(w, http.StatusNotFound, "there is nothing here; the protocol is spoken at "+httpPath)
			return
		}
		known.ServeHTTP(w, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Header.Values("Origin")) > 1 || len(r.Header.Values("Sec-Fetch-Site")) > 1 { // of which only the first is looked at
			deny(w, r)
			return
		}
		one.ServeHTTP(w, r)
	})
}

// openAddress opens the address. An address that others can reach is refused unless that is
// allowed: what is sent over the network is not encrypted.
func openAddress(ctx context.Context, h doctor.HTTPOptions) (net.Listener, error) {
	host, port, err := net.SplitHostPort(h.Address)
	if err != nil {
		return nil, addressError(h.Address, "is not HOST:PORT")
	}
	if host == "" {
		return nil, addressError(h.Address, "names no host, which means every network of this machine")
	}
	// The addresses of a name are looked up before anything is opened: a name may lead
	// anywhere.
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil || len(addresses) == 0 {
		return nil, addressError(h.Address, "names a host that is not known here")
	}
	for _, a := range addresses {
		if !a.Unmap().IsLoopback() && !h.AllowRemote {
			return nil, addressError(h.Address, "can be reached from other machines, and nothing that is sent is encrypted; "+
				"--allow-remote allows it, and a proxy before it should add TLS")
		}
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(addresses[0].String(), port))
	if err != nil {
		if op, ok := errors.AsType[*net.OpError](err); ok {
			err = op.Err
		}
		return nil, unopenedError(h.Address, host, err)
	}
	return listener, nil
}

// unopenedError says why an address can't be opened, mostly because another program
// has the port.
func unopenedError(address, host string, err error) error {
	return &replies.Error{Code: replies.CodeInvalidArgument, Err: err, Message: replies.Say(
		"--http: %q can't be opened: %v; take another port, or %s for any that is free", address, err, net.JoinHostPort(host, "0"))}
}

// addressError says what is wrong with an address.
func addressError(address, what string) error {
	hint := "give an address of this machine alone, such as 127.0.0.1:8080, or 127.0.0.1:0 for any free port"
	if strings.Contains(what, "--allow-remote") {
		hint = "or give an address of this machine alone, such as 127.0.0.1:8080"
	}
	return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("--http: %q %s; %s", address, what, hint)}
}
