package mcpserver

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/transport"
)

// writingTools are tools that pretend to write, each of which ends in another way.
func writingTools() []*tool {
	runs := map[string]func(ctx context.Context) (*reply, error){
		// It has written when its time is over.
		"finish": func(ctx context.Context) (*reply, error) {
			<-ctx.Done()
			return &reply{text: []byte("written")}, nil
		},
		"stop": func(ctx context.Context) (*reply, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		"stop_late": func(ctx context.Context) (*reply, error) {
			<-ctx.Done()
			return nil, &replies.Error{Code: "io_error", Message: replies.Say("one of two files is written"), Written: true, Err: ctx.Err()}
		},
		"refuse": func(ctx context.Context) (*reply, error) {
			<-ctx.Done()
			return nil, replies.Unwritten(&replies.Error{Code: "conflict", Message: replies.Say("it has changed"), Err: errors.New("changed")})
		},
		"hang": func(context.Context) (*reply, error) {
			time.Sleep(time.Second)
			return &reply{text: []byte("written")}, nil
		},
		"panic": func(context.Context) (*reply, error) { panic("as it was told to") },
	}
	var tools []*tool
	for name, run := range runs {
		tools = append(tools, &tool{
			name: name, title: name, description: "Pretends to write.", writes: true,
			handler: taking(func(ctx context.Context, _ *call, _ *struct{}) (*reply, error) { return run(ctx) }),
		})
	}
	return append(tools, &tool{
		name: "read_only", title: "Read", description: "Pretends to read.",
		handler: taking(func(ctx context.Context, _ *call, _ *struct{}) (*reply, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}),
	})
}

// A write that is over is told as what it was, and one that was stopped says
// whether anything was written.
func TestStoppedWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := doctor.ServerOptions{Roots: []string{t.TempDir()}, Timeout: 30 * time.Millisecond}
		workspace, err := documents.OpenWorkspace(o.Documents())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = workspace.Close() })
		s, err := newServer(o, workspace, discard(), writingTools()...)
		if err != nil {
			t.Fatal(err)
		}
		session := connect(t, s, "", nil)
		const (
			nothing = "; nothing was written"
			unsure  = "; something may have been written, or may be yet: read it before you try again"
		)
		for tool, want := range map[string]string{
			"finish":    "written",
			"stop":      "io_error: no answer within 30ms, it was stopped; try again, or ask for less" + nothing,
			"stop_late": "io_error: no answer within 30ms, it was stopped; try again, or ask for less" + unsure,
			"refuse":    "conflict: it has changed" + nothing,
			"hang":      "io_error: no answer within 30ms, it did not end; try again, or ask for less" + unsure,
			"panic":     errPanic.Error() + unsure,
			"read_only": "io_error: no answer within 30ms, it was stopped; try again, or ask for less",
		} {
			if text, failed := ask(t, session, tool, nil); text != want || failed != (tool != "finish") {
				t.Errorf("%s: failed %v: %s\nwant %s", tool, failed, text, want)
			}
		}
		text, failed := ask(t, session, "finish", object{"x": 1})
		if !failed || !strings.HasSuffix(text, nothing) {
			t.Errorf("wrong arguments: failed %v: %s", failed, text)
		}
		time.Sleep(time.Minute) // until what hangs has ended
	})
}

// A write that never had its turn has written nothing.
func TestWaitingWrite(t *testing.T) {
	g := newGuards(discard(), 1, 20*time.Millisecond)
	g.classOf = func(string, mcp.Request) transport.Class { return transport.ClassEdit }
	for range cap(g.slots[transport.ClassEdit]) {
		g.slots[transport.ClassEdit] <- struct{}{} // somebody else
	}
	next := g.middleware(func(context.Context, string, mcp.Request) (mcp.Result, error) {
		t.Error("it was called")
		return nil, nil
	})
	result, err := next(t.Context(), "tools/call", &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "edit"}})
	if err != nil {
		t.Fatal(err)
	}
	text := result.(*mcp.CallToolResult).Content[0].(*mcp.TextContent).Text
	if want := "it waited for others; try again, or ask for less; nothing was written"; !strings.HasSuffix(text, want) {
		t.Errorf("%s, want ... %s", text, want)
	}
}

// Edits that wait for a file keep neither reads waiting nor other edits.
func TestReadsPassWaitingEdits(t *testing.T) {
	g := newGuards(discard(), 1, time.Minute)
	g.classOf = func(_ string, req mcp.Request) transport.Class {
		if strings.HasPrefix(req.(*mcp.CallToolRequest).Params.Name, "edit") {
			return transport.ClassEdit
		}
		return transport.ClassRead
	}
	began, release := make(chan struct{}), make(chan struct{})
	next := g.middleware(func(_ context.Context, _ string, req mcp.Request) (mcp.Result, error) {
		if req.(*mcp.CallToolRequest).Params.Name == "edit_waiting" {
			began <- struct{}{}
			<-release
		}
		return &mcp.CallToolResult{}, nil
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // that nothing hangs
	defer cancel()
	call := func(tool string) {
		r, err := next(ctx, "tools/call", &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: tool}})
		if err != nil || r.(*mcp.CallToolResult).IsError {
			t.Errorf("%s: %v, %+v", tool, err, r)
		}
	}
	var edits sync.WaitGroup
	waiting := transport.MaxEdits - 1
	for range waiting {
		edits.Go(func() { call("edit_waiting") })
		<-began
	}
	call("edit_other")
	edits.Go(func() { call("edit_waiting") })
	<-began
	call("read")
	close(release)
	edits.Wait()
}
