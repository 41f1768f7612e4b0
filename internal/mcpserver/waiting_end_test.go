package mcpserver

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/app"
)

// A server whose client doesn't read ends when its patience does, and not when the calls
// do whose answers nobody gets.
func TestEndWithoutReader(t *testing.T) {
	s := startTest(t, app.ServerOptions{Roots: []string{t.TempDir()}, Timeout: time.Hour})
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	defer fromServer.Close()
	defer toServer.Close()
	conn := newStdio(in, out, discard())
	conn.limit.told = 50 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx, conn) }()
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sleep","arguments":{"ms":1000000}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"ping"}`,
	} {
		if _, err := io.WriteString(toServer, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	inFlight := func() bool {
		conn.mu.Lock()
		defer conn.mu.Unlock()
		return len(conn.open) == 1 && conn.inFlight == 1 && len(conn.output) > 0
	}
	for end := time.Now().Add(stdioWait); !inFlight(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the call is not in flight")
		}
	}
	cancel()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), "nobody has read") {
			t.Errorf("it ends with %v", err)
		}
	case <-time.After(stdioWait):
		t.Error("the server waits for a call whose answer nobody reads")
	}
}
