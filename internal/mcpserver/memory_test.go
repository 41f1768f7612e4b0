package mcpserver

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/transport"
)

// TestLargeWorkGivesBackItsSlot: work that says that others shall not wait for it
// keeps no slot, and gives back none that it hasn't when it ends.
func TestLargeWorkGivesBackItsSlot(t *testing.T) {
	guards := newGuards(discard(), 1, 0)
	begun, finish := make(chan struct{}), make(chan struct{})
	handler := guards.middleware(func(ctx context.Context, _ string, req mcp.Request) (mcp.Result, error) {
		call, ok := req.(*mcp.CallToolRequest)
		if !ok {
			return nil, errors.New("no call")
		}
		if call.Params.Name == "large" {
			leave := leaver(ctx)
			leave()
			leave()
			begun <- struct{}{}
			<-finish
		}
		return &mcp.CallToolResult{}, nil
	})
	call := func(name string) error {
		_, err := handler(t.Context(), "tools/call", &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: name}})
		return err
	}
	const large = 4
	ended := make(chan error, large)
	for range large {
		go func() { ended <- call("large") }()
		<-begun
	}
	if err := call("small"); err != nil {
		t.Errorf("while %d large calls are worked on: %v", large, err)
	}
	select {
	case err := <-ended:
		t.Errorf("a large call has ended before: %v", err)
	default:
	}
	close(finish)
	for range large {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	// A slot is given back by the work of a call, which may end after its answer.
	for begin := time.Now(); len(guards.slots[transport.ClassRead]) != 0; time.Sleep(time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("%d slots are taken yet", len(guards.slots[transport.ClassRead]))
		}
	}
	if err := call("small"); err != nil {
		t.Error(err)
	}
}

// TestLargeDocumentsLeaveSlots: the work of a call gives back its slot when it opens a
// large document, and keeps it for a small one.
func TestLargeDocumentsLeaveSlots(t *testing.T) {
	large := make([]byte, 3<<20)
	for i := range large {
		large[i] = "Some words.\n"[i%12]
	}
	root := docs(t, map[string]string{"small.md": "# a\n", "large.md": "# a\n\n" + string(large)})
	s := start(t, doctor.ServerOptions{Roots: []string{root}})
	for name, want := range map[string]bool{"small.md": false, "large.md": true} {
		left := false
		ctx := context.WithValue(t.Context(), leaverKey{}, func() { left = true })
		request := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "read_file", Arguments: []byte(`{"path":"` + name + `","heading":"# a"}`)}}
		result, err := s.handle(s.tool("read_file"))(ctx, request)
		if err != nil || result.IsError {
			t.Errorf("%s: %v, %+v", name, err, result)
		}
		if left != want {
			t.Errorf("%s: the slot was given back: %v", name, left)
		}
	}
}
