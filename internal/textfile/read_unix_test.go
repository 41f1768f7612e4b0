//go:build unix

package textfile

import (
	"errors"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
)

// TestHeldFileWaitsForNothing reads from a descriptor that has nothing to give,
// as some files in /proc do, and pass for regular ones.
func TestHeldFileWaitsForNothing(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	done := make(chan error, 1)
	go func() {
		_, err := new(Reader).ReadOpen("a.md", in, 0)
		done <- err
	}()
	select {
	case err := <-done:
		if codeOf(err) != fileerror.IOError || !errors.Is(err, syscall.EAGAIN) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits")
	}
}
