package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// nothing is an input that blocks for ever, as a system call may.
type nothing struct{}

func (nothing) Read([]byte) (int, error) { select {} }

func (nothing) Write([]byte) (int, error) { select {} }

func TestStdioClose(t *testing.T) {
	notification := &jsonrpc.Request{Method: "x"}
	type result struct{ Read, Write error }
	run := func(t *testing.T, end func(*Stdio, context.CancelFunc)) result {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s := NewStdio(nothing{}, nothing{}, nil)
		conn, err := s.Connect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Connect(ctx); err == nil {
			t.Error("connected twice")
		}
		read, write := make(chan error, 1), make(chan error, 2)
		go func() {
			_, err := conn.Read(context.Background()) // the library's has no end either
			read <- err
		}()
		for range 2 {
			go func() { write <- conn.Write(context.Background(), notification) }()
		}
		for waiting := 0; waiting < 2; runtime.Gosched() {
			s.mu.Lock()
			waiting = len(s.output)
			s.mu.Unlock()
		}
		end(s, cancel)
		got := result{Read: <-read, Write: <-write}
		if second := <-write; !errors.Is(second, got.Write) {
			t.Errorf("writes failed with %v and %v", got.Write, second)
		}
		if _, err := conn.Read(context.Background()); !errors.Is(err, got.Read) {
			t.Errorf("Read afterwards: %v", err)
		}
		return got
	}
	t.Run("close", func(t *testing.T) {
		got := run(t, func(s *Stdio, _ context.CancelFunc) {
			if errors.Join(s.Close(), s.Close()) != nil {
				t.Error("Close failed")
			}
		})
		if !errors.Is(got.Read, io.EOF) || !errors.Is(got.Write, mcp.ErrConnectionClosed) {
			t.Errorf("got %v", got)
		}
	})
	t.Run("context", func(t *testing.T) {
		got := run(t, func(_ *Stdio, cancel context.CancelFunc) { cancel() })
		if !errors.Is(got.Read, context.Canceled) || !errors.Is(got.Write, context.Canceled) {
			t.Errorf("got %v", got)
		}
	})
	t.Run("contexts of the calls", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s := NewStdio(nothing{}, nothing{}, nil)
		if _, err := s.Connect(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("Connect: %v", err)
		}
		if _, err := s.Read(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("Read: %v", err)
		}
		if err := s.Write(ctx, notification); !errors.Is(err, context.Canceled) {
			t.Errorf("Write: %v", err)
		}
		if s.SessionID() != "" {
			t.Error("it has an id")
		}
	})
}

// A server that is told to end does so at once, whatever its streams do.
func TestStdioServerEndsWithContext(t *testing.T) {
	tools := newStdioTools()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		in := io.MultiReader(strings.NewReader(stdioInitialize+"\n"+callTool("1", "slow")+"\n"), nothing{})
		ended <- tools.server.Run(ctx, NewStdio(in, nothing{}, nil))
	}()
	time.Sleep(10 * time.Millisecond)
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Run: %v", err)
		}
	case <-time.After(stdioWait):
		t.Fatal("the server does not end")
	}
}

// writerFunc is a writer that is a function.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// An output that fails ends the server, and nothing is written after what was
// written in part.
func TestStdioWriteErrors(t *testing.T) {
	broken := errors.New("nobody listens")
	for _, tt := range []struct {
		name string
		fail func([]byte) (int, error)
		want error
	}{
		{"an error", func([]byte) (int, error) { return 0, broken }, broken},
		{"an error after a part", func(p []byte) (int, error) { return len(p) / 2, broken }, broken},
		{"a part", func(p []byte) (int, error) { return len(p) / 2, nil }, io.ErrShortWrite},
		{"closed", func([]byte) (int, error) { return 0, io.ErrClosedPipe }, io.ErrClosedPipe},
	} {
		for _, line := range []string{ping("1"), "words"} {
			t.Run(tt.name+" on "+line[:1], func(t *testing.T) {
				in, toServer := io.Pipe()
				defer toServer.Close()
				writes := 0
				out := writerFunc(func(p []byte) (int, error) {
					if writes++; writes == 2 {
						return tt.fail(p)
					}
					return len(p), nil
				})
				tools := newStdioTools()
				conn := NewStdio(in, out, nil)
				ended := make(chan error, 1)
				go func() { ended <- tools.server.Run(t.Context(), conn) }()
				for _, line := range []string{stdioInitialize, callTool("2", "slow"), line} {
					if _, err := io.WriteString(toServer, line+"\n"); err != nil {
						t.Fatal(err)
					}
				}
				select {
				case err := <-ended:
					if !errors.Is(err, tt.want) {
						t.Errorf("Run: %v, want %v", err, tt.want)
					}
				case <-time.After(stdioWait):
					t.Fatal("the server does not end")
				}
				if err := conn.Write(t.Context(), &jsonrpc.Request{Method: "x"}); !errors.Is(err, tt.want) {
					t.Errorf("Write afterwards: %v", err)
				}
				if writes != 2 {
					t.Errorf("%d writes, want 2", writes)
				}
			})
		}
	}
}

// Messages written at the same time are whole lines, with no line's end inside.
func TestStdioConcurrentWrites(t *testing.T) {
	var out bytes.Buffer
	var writing atomic.Int64
	conn := NewStdio(nothing{}, writerFunc(func(p []byte) (int, error) {
		if writing.Add(1) > 1 {
			t.Error("two writes at once")
		}
		defer writing.Add(-1)
		runtime.Gosched()
		return out.Write(p)
	}), nil)
	const writers, each = 16, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				id, _ := jsonrpc.MakeID(fmt.Sprintf("%d/%d", w, i))
				conn.mu.Lock()
				conn.open[id] = &stdioCall{id: id}
				conn.mu.Unlock()
				for _, msg := range []jsonrpc.Message{
					&jsonrpc.Request{Method: "x", Params: json.RawMessage("{\n\"a\" :\r\n\"\\n\u2028\"\n}")},
					&jsonrpc.Response{ID: id, Result: json.RawMessage("{\"text\":\n\"a\\nb\\r\"\n}\n")},
					&jsonrpc.Response{ID: id, Error: errors.New("a second answer,\nwhich is dropped")},
					&jsonrpc.Request{Method: "x", Params: json.RawMessage("{\n")}, // is refused
				} {
					if err := conn.Write(t.Context(), msg); err != nil && !strings.Contains(err.Error(), "not sent") {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	waitFor(t, conn, "that everything is written", func() bool { return len(conn.output) == 0 })
	if !strings.HasSuffix(out.String(), "\n") {
		t.Fatal("the last line has no end")
	}
	ids := map[string]bool{}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	for _, line := range lines {
		if err := checkWire(line); err != nil || strings.Contains(line, "\r") {
			t.Fatalf("%q: %v", line, err)
		}
		if id := idOf(line); id != "" {
			ids[id] = true
		}
	}
	if len(lines) != 2*writers*each || len(ids) != writers*each {
		t.Errorf("%d lines with %d ids, want %d with %d", len(lines), len(ids), 2*writers*each, writers*each)
	}
}
