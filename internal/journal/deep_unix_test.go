//go:build unix

package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/files"
)

// TestTooDeep changes a file whose whole path the system doesn't take, from a folder near it:
// that it has no undo is told, for neither an undo nor what takes back a change could open it.
func TestTooDeep(t *testing.T) {
	t.Chdir(t.TempDir())
	for range 22 {
		name := strings.Repeat("d", 200)
		if err := errors.Join(os.Mkdir(name, 0o700), os.Chdir(name)); err != nil { //nolint:usetesting // t.Chdir asks for the path, which is too long
			t.Skip(err)
		}
	}
	if err := os.WriteFile("a.md", []byte("# A\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Skip(err)
	}
	j := newJournal(t)
	if _, err := j.Prepare(t.Context(), []files.Change{{Path: filepath.Join(dir, "a.md"), Before: []byte("# A\n"), After: []byte("# B\n")}}); err == nil || errors.Is(err, syscall.ENAMETOOLONG) {
		t.Errorf("%v", err)
	}
	if list := records(t, j); len(list) > 0 {
		t.Errorf("%d records", len(list))
	}
}
