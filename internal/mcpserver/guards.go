package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/app"
)

// The guards stand around every request: a panic is an error reply and a stack in
// the log, so many are worked on at once, and none takes longer than it may.

const (
	defaultTimeout = 30 * time.Second
	// grace is how long work that was told to stop may take to do so before it
	// is answered without it.
	grace = 250 * time.Millisecond
)

// guards is the middleware that keeps a server alive.
type guards struct {
	log     *slog.Logger
	slots   chan struct{} // one for each request that is worked on
	timeout time.Duration
}

func newGuards(log *slog.Logger, concurrency int, timeout time.Duration) *guards {
	if concurrency <= 0 {
		concurrency = max(4, 2*runtime.GOMAXPROCS(0))
	}
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	return &guards{log: log, slots: make(chan struct{}, concurrency), timeout: timeout}
}

// outcome is what a request ended with.
type outcome struct {
	result mcp.Result
	err    error
}

// errPanic says that the code for a request has panicked.
var errPanic = &app.Error{
	Code: "internal_error", Message: "the request failed by a fault of the program, which is in the server's log; the server goes on",
}

// middleware is the guard around next.
func (g *guards) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if !isWork(method) {
			o := g.recovered(ctx, next, method, req)
			return o.result, o.err
		}
		ctx, cancel := context.WithTimeout(ctx, g.timeout)
		defer cancel()
		select {
		case g.slots <- struct{}{}:
		case <-ctx.Done():
			return answer(method, outcome{err: g.stopped(ctx, "it waited for others")})
		}
		// The work has a goroutine of its own, for a system call that hangs can't
		// be told to stop. The slot is free when it is over, not when it is
		// answered.
		done := make(chan outcome, 1)
		go func() {
			defer func() { <-g.slots }()
			done <- g.recovered(ctx, next, method, req)
		}()
		select {
		case o := <-done:
			return answer(method, o)
		case <-ctx.Done():
		}
		select {
		case o := <-done:
			if o.err != nil {
				o.err = g.stopped(ctx, "it was stopped")
			}
			return answer(method, o)
		case <-time.After(grace):
			return answer(method, outcome{err: g.stopped(ctx, "it did not end")})
		}
	}
}

// isWork reports whether requests of the method do more than look something up.
func isWork(method string) bool {
	switch method {
	case "tools/call", "resources/read", "prompts/get", "completion/complete":
		return true
	}
	return false
}

// recovered calls next and makes an error of a panic.
func (g *guards) recovered(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			g.log.Error("panic", "method", method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			o = outcome{err: errPanic}
		}
	}()
	o.result, o.err = next(ctx, method, req)
	return o
}

// stopped is the error of a request that was not worked on to its end.
func (g *guards) stopped(ctx context.Context, why string) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		g.log.Warn("timeout", "limit", g.timeout, "why", why)
		return &app.Error{Code: "io_error", Message: fmt.Sprintf("no answer within %v, %s; try again, or ask for less", g.timeout, why)}
	}
	return &app.Error{Code: "io_error", Message: "the request was cancelled"}
}

// answer makes the reply of an outcome. A model sees errors of tools only if they
// are results.
func answer(method string, o outcome) (mcp.Result, error) {
	var wire *jsonrpc.Error
	switch {
	case o.err == nil || errors.As(o.err, &wire):
		return o.result, o.err
	case method == "tools/call":
		return failure(o.err), nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: clip(o.err.Error(), maxErrorChars)}
}
