package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/internal/transport"
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
	slots   [transport.Classes]chan struct{} // one for each request of the class that is worked on
	timeout time.Duration
	classOf func(method string, req mcp.Request) transport.Class // nil if all are of the class transport.ClassRead
	failure func(req mcp.Request, err error) *mcp.CallToolResult // the reply to a call that failed; nil for a text
	ending  context.Context                                      // is done when the server was told to end
}

func newGuards(log *slog.Logger, concurrency int, timeout time.Duration) *guards {
	if concurrency <= 0 {
		concurrency = max(4, 2*runtime.GOMAXPROCS(0))
	}
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	g := &guards{log: log, timeout: timeout, ending: context.Background()}
	for k, most := range [transport.Classes]int{transport.ClassRead: concurrency, transport.ClassEdit: max(concurrency, transport.MaxEdits), transport.ClassPlan: transport.MaxPlans} {
		g.slots[k] = make(chan struct{}, most)
	}
	return g
}

// class is the class of a request.
func (g *guards) class(method string, req mcp.Request) transport.Class {
	if g.classOf == nil {
		return transport.ClassRead
	}
	return g.classOf(method, req)
}

// until ends a request of the class early if the server was told to end: one that runs
// other programs and only reads at once, and one that may write if it waits for a lock.
func (g *guards) until(ctx context.Context, k transport.Class) (context.Context, func()) {
	ctx, cancel := context.WithTimeout(ctx, g.timeout)
	if k == transport.ClassEdit {
		return documents.WithEnd(ctx, g.ending), cancel
	}
	if k == transport.ClassPlan {
		stop := context.AfterFunc(g.ending, cancel)
		return ctx, func() {
			stop()
			cancel()
		}
	}
	return ctx, cancel
}

// outcome is what a request ended with.
type outcome struct {
	result mcp.Result
	err    error
}

// errPanic says that the code for a request has panicked.
var errPanic = &replies.Error{
	Code: "internal_error", Message: replies.Say(transport.PanicText),
}

// middleware is the guard around next.
func (g *guards) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if !isWork(method) {
			o := g.recovered(ctx, next, method, req, transport.ClassRead)
			return o.result, o.err
		}
		k := g.class(method, req)
		ctx, cancel := g.until(documents.WithAnswered(ctx), k)
		defer cancel()
		slots := g.slots[k]
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return g.answer(method, req, outcome{err: g.told(k, g.stopped(ctx, "it waited for others"))})
		}
		// The work has a goroutine of its own, for a system call that hangs can't
		// be told to stop. The slot is free when it is over, not when it is
		// answered; or when the work says that others shall not wait for it.
		done := make(chan outcome, 1)
		leave := sync.OnceFunc(func() { <-slots })
		ctx = context.WithValue(ctx, leaverKey{}, leave)
		go func() {
			defer leave()
			done <- g.recovered(ctx, next, method, req, k)
		}()
		select {
		case o := <-done:
			return g.answer(method, req, g.ended(ctx, k, o))
		case <-ctx.Done():
		}
		select {
		case o := <-done:
			return g.answer(method, req, g.ended(ctx, k, o))
		case <-time.After(grace):
			return g.answer(method, req, outcome{err: g.told(k, unsure(g.stopped(ctx, "it did not end")))})
		}
	}
}

// leaverKey is the key of a request's function that gives back its slot.
type leaverKey struct{}

// leaver returns the function by which work that takes long, for it waits for memory
// or is about a large document, gives back its slot. It is nil if the work has none.
func leaver(ctx context.Context) func() {
	leave, _ := ctx.Value(leaverKey{}).(func())
	return leave
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
func (g *guards) recovered(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request, k transport.Class) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			g.log.Error("panic", "method", method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			o = outcome{err: g.told(k, unsure(errPanic))}
		}
	}()
	o.result, o.err = next(ctx, method, req)
	return o
}

// ended is what a request ended with: if it was told to stop and did, that is the
// reason. What it has finished is finished.
func (g *guards) ended(ctx context.Context, k transport.Class, o outcome) outcome {
	if o.err == nil || ctx.Err() == nil {
		return o
	}
	err := g.stopped(ctx, "it was stopped")
	if e, ok := errors.AsType[*replies.Error](o.err); ok && e.Written {
		err = unsure(err)
	}
	return outcome{err: g.told(k, err.WithKept(o.err))}
}

// unsure says of an error that the request may have written.
func unsure(err *replies.Error) *replies.Error {
	e := *err
	e.Written = true
	return &e
}

// told says in the error of a request that may change files whether it has.
func (*guards) told(k transport.Class, err *replies.Error) error {
	if k != transport.ClassEdit {
		return err
	}
	if !err.Written {
		return replies.Unwritten(err)
	}
	e := *err
	e.Message = e.Message.Then("; something may have been written, or may be yet: read it before you try again")
	return &e
}

// stopped is the error of a request that was not worked on to its end.
func (g *guards) stopped(ctx context.Context, why string) *replies.Error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		g.log.Warn("timeout", "limit", g.timeout, "why", why)
		return &replies.Error{Code: "io_error", Message: replies.Say("no answer within %v, %s; try again, or ask for less", g.timeout, why)}
	}
	if g.ending.Err() != nil {
		return &replies.Error{Code: "io_error", Message: replies.Say("the server was told to end before the request did; start it again")}
	}
	return &replies.Error{Code: "io_error", Message: replies.Say("the request was cancelled")}
}

// answer makes the reply of an outcome. A model sees errors of tools only if they
// are results.
func (g *guards) answer(method string, req mcp.Request, o outcome) (mcp.Result, error) {
	var wire *jsonrpc.Error
	switch {
	case o.err == nil || errors.As(o.err, &wire):
		return o.result, o.err
	case method == "tools/call" && g.failure != nil:
		return complete(g.failure(req, o.err)), nil
	case method == "tools/call":
		return complete(failure(toolVoice, o.err)), nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: runes.Clip(o.err.Error(), maxErrorChars)}
}

// complete returns the result with the type that the protocol wants since 2026-07-28.
// The library sets it in results of handlers alone, and lets nobody else do it but by
// decoding; in older revisions it is a field that nobody looks at.
func complete(r *mcp.CallToolResult) *mcp.CallToolResult {
	typed := &mcp.CallToolResult{}
	if err := json.Unmarshal([]byte(`{"content":[],"resultType":"complete"}`), typed); err != nil {
		return r // can't be
	}
	typed.Meta, typed.Content, typed.StructuredContent, typed.IsError = r.Meta, r.Content, r.StructuredContent, r.IsError
	return typed
}
