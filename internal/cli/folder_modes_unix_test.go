//go:build unix

package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestFolderModes moves folders that others can't open, takes that back and makes it again: the
// folders that are made in place of others are for the same people.
func TestFolderModes(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	testkit.BuildProgram(t) // while this is the folder of its source
	dir := t.TempDir()
	t.Chdir(dir)
	modes := map[string]fs.FileMode{".": 0o700, "in": 0o750, "in/deep": 0o777}
	for _, name := range []string{".", "in", "in/deep"} {
		folder := filepath.Join(dir, "old", name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "a.md"), []byte("# A\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(folder, modes[name]); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		args []string
		to   string
	}{
		{[]string{"mv", filepath.Join(dir, "old"), filepath.Join(dir, "new", "name")}, "new/name"},
		{[]string{"undo"}, "old"},
		{[]string{"redo"}, "new/name"},
		{[]string{"mv", filepath.Join(dir, "new", "name", "in"), filepath.Join(dir, "old")}, ""},
		{[]string{"undo"}, "new/name"},
	} {
		if out, errs, code := run(t, nil, step.args...); code != 0 {
			t.Fatalf("%s: %d, %s%s", step.args, code, out, errs)
		}
		if step.to == "" {
			continue
		}
		for name, want := range modes {
			if info, err := os.Stat(filepath.Join(dir, step.to, name)); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %s: %v, %v; it was %v", step.args, name, info, err, want)
			}
		}
	}
}
