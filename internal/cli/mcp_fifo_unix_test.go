//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// TestServerWaitsForToken ends at the first signal while the token is waited for from a pipe
// that a program has open and writes nothing to.
func TestServerWaitsForToken(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	other, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	end, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer end.Close()
	if err := other.Close(); err != nil { // nobody reads from it now
		t.Fatal(err)
	}
	cmd := exec.Command(testkit.BuildProgram(t), "mcp", "--http", "127.0.0.1:0", "--token-file", pipe)
	cmd.Dir = t.TempDir()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(time.Minute, func() { _, _ = cmd.Process.Kill(), end.Close() })
	defer timer.Stop()
	for _, err := end.WriteString("x"); errors.Is(err, syscall.EPIPE); _, err = end.WriteString("x") { // until the server has it open
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("%v, standard error %q", err, stderr.String())
	}
}
