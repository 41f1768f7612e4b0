//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// TestServerWaitsForToken ends at the first signal while nobody writes the token to
// the pipe that it is to be read from.
func TestServerWaitsForToken(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(testkit.BuildProgram(t), "mcp", "--http", "127.0.0.1:0", "--token-file", pipe)
	cmd.Dir = t.TempDir()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	end, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until the server has it open
	if err != nil {
		t.Fatal(err)
	}
	defer end.Close()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("%v, standard error %q", err, stderr.String())
	}
}
