package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestStdioEndOfInput(t *testing.T) {
	p := startStdio(t, nil)
	const calls = 20
	for i := range calls {
		p.send(callTool(fmt.Sprint(i), "slow"))
	}
	p.waitRunning(t, calls)
	if _, err := io.WriteString(p.in, ping(`"last"`)); err != nil { // a line without an end
		t.Fatal(err)
	}
	_ = p.in.Close()
	if got := p.receive(); idOf(got) != `"last"` {
		t.Errorf("the last line was answered with %s", got)
	}
	select {
	case err := <-p.ended:
		t.Fatalf("the server ended with calls in flight: %v", err)
	case line := <-p.lines:
		t.Fatalf("answer before the call was done: %s", line)
	case <-time.After(20 * time.Millisecond):
	}
	close(p.release)
	got := map[string]bool{}
	for _, line := range p.end() {
		got[idOf(line)] = true
		if !strings.Contains(line, `"done"`) {
			t.Errorf("the call was not left to end: %s", line)
		}
	}
	if len(got) != calls {
		t.Errorf("%d calls were answered, want %d", len(got), calls)
	}
}

// Subscriptions are ended at the end of input, and the queue behind a full house
// is worked off.
func TestStdioEndOfInputWithSubscription(t *testing.T) {
	p := startStdio(t, nil)
	p.send(listen("1"), callTool("2", "slow"), listen(`"x"`))
	p.waitRunning(t, 1)
	p.acknowledged(2)
	_ = p.in.Close()
	ids := map[string]int64{}
	for len(ids) < 2 {
		line := p.answer()
		ids[idOf(line)] = codeOf(line)
	}
	if diff := cmp.Diff(map[string]int64{"1": 0, `"x"`: 0}, ids); diff != "" {
		t.Errorf("subscriptions (-want +got):\n%s", diff)
	}
	close(p.release)
	rest := p.end()
	if len(rest) != 1 || idOf(rest[0]) != "2" {
		t.Errorf("the call that was in flight: %q", rest)
	}
}

// finish is an end of input that the client didn't send.
func TestStdioFinish(t *testing.T) {
	p := startStdio(t, nil)
	p.send(callTool("1", "slow"), listen("2"))
	p.waitRunning(t, 1)
	p.acknowledged(1) // the call of the second line is read as well
	p.conn.Finish()
	close(p.release)
	if err := p.wait(); err != nil {
		t.Errorf("Run: %v", err)
	}
	ids := map[string]bool{}
	for _, line := range p.rest() {
		ids[idOf(line)] = true
	}
	if diff := cmp.Diff(map[string]bool{"1": true, "2": true}, ids); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	_ = p.in.Close() // the goroutine that reads ends, unless it has already
}

// A client that has gone, or reads nothing any more, has what it began ended: calls that may write
// are left to end, the others are cancelled, and those that wait are not begun.
func TestStdioEndOfOutput(t *testing.T) {
	t.Parallel()
	gone := errors.New("nobody listens")
	for _, tt := range []struct {
		name  string
		write func() (int, error)
		want  string
	}{
		{"gone", func() (int, error) { return 0, gone }, gone.Error()},
		{"reads nothing", func() (int, error) { select {} }, "nobody has read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := startStdio(t, func(s *Stdio) {
				out, first := s.out, true
				s.out = writerFunc(func(b []byte) (int, error) {
					if first {
						first = false
						return out.Write(b)
					}
					return tt.write()
				})
				s.limit.reader = 50 * time.Millisecond
				s.Bound(func(_, name string) Class {
					if name == "slow" {
						return ClassEdit
					}
					return ClassRead
				})
				s.slow[ClassEdit].most = 1
			})
			p.send(callTool("1", "slow"), "["+callTool("2", "slow")+","+ping("3")+"]", callTool("4", "slow"), ping("5"))
			_ = p.in.Close()
			p.waitRunning(t, 1)
			waitFor(t, p.conn, "the end of the output", func() bool { return p.conn.lost != nil && len(p.conn.waiting) == 0 })
			select {
			case err := <-p.ended:
				t.Fatalf("the server ended with a call in flight: %v", err)
			case <-time.After(20 * time.Millisecond):
			}
			close(p.release)
			if err := p.wait(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Run: %v", err)
			}
			if n := p.stopped.Load(); n > 0 {
				t.Errorf("%d calls were told to stop", n)
			}
			if n := p.begun.Load(); n != 1 {
				t.Errorf("%d calls were begun", n)
			}
		})
	}
}

// An input that breaks is an input that ends, and an error.
func TestStdioInputError(t *testing.T) {
	p := startStdio(t, nil)
	p.send(callTool("1", "slow"))
	p.waitRunning(t, 1)
	broken := errors.New("the cable is cut")
	_ = p.in.CloseWithError(broken)
	close(p.release)
	if got := p.receive(); idOf(got) != "1" || codeOf(got) != 0 {
		t.Errorf("the call in flight was answered with %s", got)
	}
	if err := p.wait(); !errors.Is(err, broken) {
		t.Errorf("Run: %v", err)
	}
}

// What the library loses is answered in the end, and keeps nobody waiting.
func TestStdioLostAnswer(t *testing.T) {
	p := startStdio(t, func(s *Stdio) { s.limit.answers = 50 * time.Millisecond })
	p.send(callTool("1", "lost"), "["+callTool("2", "lost")+","+ping("3")+"]")
	got := p.end()
	if len(got) != 2 {
		t.Fatalf("answers: %q", got)
	}
	for _, line := range got {
		if err := checkWire(line); err != nil || !strings.Contains(line, "-32603") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// A call that is cancelled while the library has it and hasn't begun it is answered as one that
// waited is: that it was not begun.
func TestStdioCancelledBeforeItBegan(t *testing.T) {
	t.Parallel()
	hold, held := make(chan struct{}), make(chan struct{})
	p := startStdio(t, nil)
	p.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "notifications/roots/list_changed" { // notifications hold up what comes behind them
				close(held)
				<-hold
			}
			return next(ctx, method, req)
		}
	})
	p.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	<-held
	p.send(callTool("1", "echo"))
	waitFor(t, p.conn, "the call", func() bool { return p.conn.inFlight == 1 })
	p.send(cancelCall("1"))
	waitFor(t, p.conn, "the cancellation", func() bool {
		id, _ := parseID([]byte("1"))
		c := p.conn.open[id]
		return c != nil && c.cancelled && len(p.conn.urgent) == 0
	})
	time.Sleep(20 * time.Millisecond) // the library has it and takes it
	close(hold)
	if got := p.receive(); idOf(got) != "1" || !strings.Contains(got, cancelledText) {
		t.Errorf("it is answered with %s", got)
	}
}

// TestClassOfEscapedName takes the name of a tool from the key "name", in whatever way that is written,
// as the library does, which takes it from no other key.
func TestClassOfEscapedName(t *testing.T) {
	s := &Stdio{classOf: func(_, name string) Class {
		if name == "edit" {
			return ClassEdit
		}
		return ClassRead
	}}
	for params, want := range map[string]Class{
		`{"name":"edit"}`: ClassEdit, `{"n\u0061me":"edit"}`: ClassEdit, `{"arguments":{"name":"edit"},"\u006eame" : "\u0065dit"}`: ClassEdit,
		`{"Name":"edit"}`: ClassRead, `{"n\\u0061me":"edit"}`: ClassRead, `{"arguments":{"name":"edit"},"name":"read"}`: ClassRead,
	} {
		if got := s.classOfCall(&jsonrpc.Request{Method: "tools/call", Params: []byte(params)}); got != want {
			t.Errorf("%s: class %d, want %d", params, got, want)
		}
	}
}
