package mcpserver

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/httpguard"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/transport"
)

// Over HTTP the server is the same, behind guards of its own. A request passes them
// in this order: pages of other origins are refused, then other paths than httpPath,
// then who hasn't the token, then other names of the host, so that no page can reach a
// server on this machine by a name of its own (DNS rebinding), then bodies that are too
// long or too slow; after that the protocol's library answers. Its refusals are made
// answers that a client can read (internal/transport).
//
// Each request stands alone: no session of the protocol is kept. What clients were
// shown is kept under handles (sessions.go).

// httpPath is where the protocol is spoken.
const httpPath = "/mcp"

// httpLimits are those of the connections and of what is asked on them.
type httpLimits struct {
	httpguard.Limits

	listens  int           // subscriptions at once
	shutdown time.Duration // how long calls in flight have when the server ends, besides their own time
}

// defaultHTTPLimits are those of a server. A body may be as long as a line on standard
// input.
func defaultHTTPLimits() httpLimits {
	return httpLimits{Limits: httpguard.DefaultLimits(transport.MaxLine), listens: transport.MaxListens, shutdown: 2 * time.Second}
}

// ServeHTTP answers requests over HTTP at an address until the context ends; calls in
// flight are answered before it returns. What a client has to know, the URL and a
// token that was made up, and messages about the server itself are written to log. The
// error is an *replies.Error. All other paths than that of the protocol are the page's.
func ServeHTTP(ctx context.Context, o doctor.ServerOptions, h doctor.HTTPOptions, log io.Writer, page Page) error {
	return serveHTTP(ctx, o, h, defaultHTTPLimits(), log, page)
}

// Page makes the page for people at an address, behind guards of its own, and returns what they
// have to open. What there is to say later goes to out.
type Page = func(at net.Addr, o doctor.PageOptions, out io.Writer) (page http.Handler, address string)

func serveHTTP(ctx context.Context, o doctor.ServerOptions, h doctor.HTTPOptions, limits httpLimits, log io.Writer, page Page, more ...*tool) error {
	level, err := logLevel(o.LogLevel)
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: level}))
	secret, made, err := httpguard.Token(ctx, h.TokenFile)
	if err != nil {
		return err
	}
	workspace, err := o.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = workspace.Close() }() // nothing was written
	o.Shared = true
	s, err := newServer(o, workspace, logger, more...)
	if err != nil {
		return err
	}
	listener, err := httpguard.Listen(ctx, h.Address, h.AllowRemote)
	if err != nil {
		return err
	}
	told := fmt.Sprintf("sectile: serving http://%s%s\n", listener.Addr(), httpPath)
	var people http.Handler
	if page != nil {
		var address string
		people, address = page(listener.Addr(), doctor.PageOptions{
			Workspace: workspace, History: s.history, Plans: s.plans, Writes: h.ViewWrites && !o.ReadOnly, Editor: h.Editor, Log: logger, Ending: ctx,
		}, log)
		told += "sectile: people open " + address + "\n"
	}
	_, _ = io.WriteString(log, told) // at once, so that who waits for the first line has all
	if made {
		_, _ = fmt.Fprintf(log, "sectile: the token of this run is %s\n"+
			"sectile: clients send the header \"Authorization: Bearer TOKEN\"; --token-file FILE keeps one\n", secret)
	}
	logger.Info("serving", "roots", workspace.Roots(), "tools", len(s.tools))
	defer func() { logger.Info("stopped", cacheFields(workspace.CacheStats())...) }()
	return s.runHTTP(ctx, listener, secret, limits, people, nil)
}

// runHTTP serves what comes to the listener until the context ends, and then until
// what is in flight is answered. All other paths than that of the protocol are the page's, nil
// for none; watch is as guards have it.
func (s *server) runHTTP(
	ctx context.Context, listener net.Listener, secret string, limits httpLimits,
	page http.Handler, watch func(net.Conn, http.ConnState),
) error {
	ending, end := context.WithCancel(context.Background())
	defer end()
	guards := httpguard.New(limits.Limits, s.log)
	web := guards.Server(guards.Handler(ending, httpPath, secret, s.answers(ending, limits).Answer, page), watch)
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	select {
	case err := <-served:
		return &replies.Error{Code: "io_error", Message: replies.Text("the server ended: " + err.Error()), Err: err}
	case <-ctx.Done():
	}
	end() // subscriptions would never end by themselves
	s.end()
	guards.CutOff()
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

// answers returns what answers the bodies of requests, until the context ends.
func (s *server) answers(ending context.Context, limits httpLimits) *transport.HTTPAnswers {
	library := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		Logger:                       s.log,
		MaxRequestBodyBytes:          limits.Body,
		PropagateRequestCancellation: true,
	})
	return transport.NewHTTPAnswers(ending, library, limits.listens, s.log)
}
