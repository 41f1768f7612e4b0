package filelock

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestHolderHasIt has a process inherit a lock from this one, which closes it: the one that has it is named. Where
// nobody can be told from what the system shows, that is said.
func TestHolderHasIt(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	id, err := Identify(root)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := TryFile(f, false); err != nil {
		testkit.Missing(t, err.Error())
	}
	if got, want := holderOf(id), fmt.Sprintf("another request to this process (%d)", os.Getpid()); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	heir := exec.CommandContext(t.Context(), "sleep", "60")
	heir.ExtraFiles = []*os.File{f}
	if err := heir.Start(); err != nil {
		testkit.Missing(t, err.Error())
	}
	defer func() {
		_ = heir.Process.Kill()
		_ = heir.Wait() // it was killed
	}()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := holderOf(id), fmt.Sprintf("(process %d)", heir.Process.Pid); !strings.Contains(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	empty := filepath.Join(dir, "proc")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	if got, want := haveIt(empty, os.Getpid(), lockedFile(id.Device, id.File)), fmt.Sprintf("a process that has the lock from process %d", os.Getpid()); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
