package mcpserver

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
)

func params(tool string, args any) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: tool, Arguments: args}
}

// testTools are tools that do what ours must not.
func testTools() []*tool {
	return []*tool{
		{name: "panic", title: "Panic", description: "Panics.", handler: taking(func(context.Context, *call, *struct{}) (*reply, error) {
			panic("as it was told to")
		})},
		{
			name: "sleep", title: "Sleep", description: "Sleeps, and stops when it is told to.",
			handler: taking(func(ctx context.Context, c *call, args *struct {
				MS int `arg:"ms" max:"1048576"`
			},
			) (*reply, error) {
				for i := range 3 {
					if c.progress != nil {
						c.progress(i, 3)
					}
					select {
					case <-time.After(time.Duration(args.MS) * time.Millisecond / 3):
					case <-ctx.Done():
						return nil, ctx.Err()
					}
				}
				return &reply{text: []byte("slept")}, nil
			}),
		},
		{name: "hang", title: "Hang", description: "Sleeps whatever it is told.", handler: taking(func(context.Context, *call, *struct{}) (*reply, error) {
			time.Sleep(3 * time.Second)
			return &reply{text: []byte("hung")}, nil
		})},
	}
}

// startTest returns a server that has the tools for tests too.
func startTest(t testing.TB, o doctor.ServerOptions) *server {
	t.Helper()
	workspace, err := documents.OpenWorkspace(o.Documents())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = workspace.Close() })
	s, err := newServer(o, workspace, discard(), testTools()...)
	if err != nil {
		t.Fatal(err)
	}
	s.interval = 20 * time.Millisecond
	return s
}

func TestPanicIsAReply(t *testing.T) {
	session := connect(t, startTest(t, doctor.ServerOptions{Roots: []string{t.TempDir()}}), "", nil)
	for range 3 {
		text, failed := ask(t, session, "panic", nil)
		if !failed || !strings.Contains(text, "internal_error") || strings.Contains(text, "as it was told") {
			t.Errorf("failed %v: %s", failed, text)
		}
	}
	if text, failed := ask(t, session, "sleep", nil); failed || text != "slept" {
		t.Errorf("after panics: %q, failed %v", text, failed)
	}
}

// TestTimeout has tools that take longer than any test may.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		session := connect(t, startTest(t, doctor.ServerOptions{Roots: []string{t.TempDir()}, Timeout: 50 * time.Millisecond}), "", nil)
		for _, tool := range []string{"sleep", "hang"} {
			args := object{}
			if tool == "sleep" {
				args["ms"] = 1_000_000
			}
			text, failed := ask(t, session, tool, args)
			if !failed || !strings.Contains(text, "no answer within 50ms") {
				t.Errorf("%s: failed %v: %s", tool, failed, text)
			}
		}
		time.Sleep(time.Minute) // until what hangs has ended
	})
}

func TestCancellation(t *testing.T) {
	s := startTest(t, doctor.ServerOptions{Roots: []string{t.TempDir()}, Concurrency: 1})
	session := connect(t, s, "", nil)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(30*time.Millisecond, cancel)
	_, err := session.CallTool(ctx, params("sleep", object{"ms": 1_000_000}))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	// The only slot is free again, long before the sleep would have ended.
	if text, failed := ask(t, session, "sleep", nil); failed || text != "slept" {
		t.Errorf("%q, failed %v", text, failed)
	}
}

func TestConcurrencyIsLimited(t *testing.T) {
	const limit = 3
	var now, most atomic.Int64
	guarded := newGuards(discard(), limit, 0)
	next := guarded.middleware(func(ctx context.Context, _ string, req mcp.Request) (mcp.Result, error) {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			continue
		}
		time.Sleep(2 * time.Millisecond)
		return &mcp.CallToolResult{}, nil
	})
	var calls sync.WaitGroup
	for range 50 {
		calls.Go(func() {
			if _, err := next(t.Context(), "tools/call", &mcp.CallToolRequest{}); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	if got := most.Load(); got != limit {
		t.Errorf("%d calls at once, want %d", got, limit)
	}
}

func TestProgress(t *testing.T) {
	for _, revision := range []string{"", "2025-06-18"} {
		var mu sync.Mutex
		var seen []float64
		o := &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, req.Params.Progress)
		}}
		session := connect(t, startTest(t, doctor.ServerOptions{Roots: []string{t.TempDir()}}), revision, o)
		p := params("sleep", object{"ms": 300})
		if _, err := session.CallTool(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		if len(seen) > 0 {
			t.Errorf("%d messages about progress that nobody asked for", len(seen))
		}
		mu.Unlock()
		p.SetProgressToken("token")
		if _, err := session.CallTool(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		if len(seen) < 3 {
			t.Errorf("%q: progress %v, want some messages", revision, seen)
		}
		for i := 1; i < len(seen); i++ {
			if seen[i] <= seen[i-1] {
				t.Errorf("progress %v does not grow", seen)
			}
		}
		mu.Unlock()
	}
}

func TestUnknownTool(t *testing.T) {
	session := client(t, nil)
	_, err := session.CallTool(t.Context(), params("markdown_tre", nil))
	if err == nil || !strings.Contains(err.Error(), `unknown tool "markdown_tre"; the tools are search_sections, list_documents, markdown_tree, markdown_list_sections`) {
		t.Errorf("error %v", err)
	}
}
