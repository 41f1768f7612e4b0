//go:build unix

package mcpserver

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/app"
)

// A token may come through a pipe; one that nobody writes to is not waited for when the
// server is told to end, or for ever.
func TestTokenOfPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readToken(ctx, pipe, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := readToken(t.Context(), pipe, 1); err == nil || app.AsError(err).Code != codeInvalidArgument {
		t.Errorf("%v", err)
	}
	end, err := os.OpenFile(pipe, os.O_RDWR, 0) // what was given up ends
	if err != nil {
		t.Fatal(err)
	}
	_ = end.Close()
	pipe += "2"
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		if f, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil {
			_, _ = f.WriteString(secret + "\n")
			_ = f.Close()
		}
	}()
	if got, _, err := bearerToken(t.Context(), pipe); err != nil || got != secret {
		t.Errorf("%q, %v", got, err)
	}
}
