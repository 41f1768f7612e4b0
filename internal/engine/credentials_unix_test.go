//go:build unix

package engine

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestCredentialsOfPipe: a pipe, which nobody writes to, is refused at once.
func TestCredentialsOfPipe(t *testing.T) {
	t.Setenv(CredentialsVariable, "")
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if given, err := Credentials(pipe); err == nil || !strings.Contains(err.Error(), "is no file") {
		t.Errorf("%q, %v", given, err)
	}
}
