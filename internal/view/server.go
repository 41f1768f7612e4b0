package view

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/httpguard"
	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/undoing"
)

// maxBody is the longest body of a request, in bytes: forms have two short fields.
const maxBody = 64 << 10

// shutdown is how long answers in work have when the server ends, besides their own time.
const shutdown = 2 * time.Second

// Serve shows the page at an address until the context ends. What the user has to open is
// written to out, messages about the server itself to log. The error is an *replies.Error.
func Serve(ctx context.Context, o doctor.ServerOptions, h doctor.HTTPOptions, out, log io.Writer) error {
	logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	workspace, err := o.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = workspace.Close() }() // nothing was written
	listener, err := httpguard.Listen(ctx, h.Address, h.AllowRemote)
	if err != nil {
		return err
	}
	start := ""
	if len(o.Roots) > 0 {
		start = o.Roots[0]
	}
	ending, end := context.WithCancel(context.Background())
	defer end()
	guards := httpguard.New(httpguard.DefaultLimits(maxBody), logger)
	page, address := Mount(listener.Addr(), doctor.PageOptions{
		Workspace: workspace, History: undoing.Open(o.Journal, func(sentence string) { logger.Warn(sentence) }),
		Plans: planning.NewPlans(planning.PlanOptions{
			Start: start, Roots: workspace.FileRoots(), Log: logger, ReadOnly: true, Marks: replies.NewMarks(o.Random),
		}),
		Writes: h.ViewWrites, Editor: h.Editor, Log: logger, Ending: ending,
	}, out)
	web := guards.Server(guards.SameOrigin(page), nil)
	_, _ = fmt.Fprintf(out, "sectile: open %s\n", address)
	if !h.ViewWrites {
		_, _ = fmt.Fprintln(out, "sectile: the page only shows; with --view-writes it can take changes back. Ctrl-C ends it.")
	}
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	select {
	case err := <-served:
		return &replies.Error{Code: replies.CodeIOError, Message: replies.Text("the server ended: " + err.Error()), Err: err}
	case <-ctx.Done():
	}
	end() // pages that wait for events would wait for ever
	guards.CutOff()
	patient, cancel := context.WithTimeout(context.Background(), maxTime+shutdown)
	defer cancel()
	if err := web.Shutdown(patient); err != nil {
		_ = web.Close() // what is left is given up
	}
	return nil
}

// Mount returns the page at an address behind its guard, and the address that lets one browser
// in. When one was used, the next is written to out.
func Mount(at net.Addr, o doctor.PageOptions, out io.Writer) (page http.Handler, address string) {
	port := "0"
	if _, p, err := net.SplitHostPort(at.String()); err == nil {
		port = p
	}
	b := httpguard.NewBrowsers(port, New(o), func(path string) {
		_, _ = fmt.Fprintf(out, "sectile: for another browser: http://%s%s\n", at, path)
	})
	return b, fmt.Sprintf("http://%s%s", at, b.NewPath())
}
