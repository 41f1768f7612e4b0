package documents

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMadeFolderOfAnother: a folder that another program has put in the place of one that was made
// stays when that is taken back.
func TestMadeFolderOfAnother(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(dir string) *Set{
		"command": func(string) *Set { return &Set{} },
		"roots": func(dir string) *Set {
			w, err := OpenWorkspace(Options{Roots: []string{dir}})
			if err != nil {
				t.Fatal(err)
			}
			return &Set{Workspace: w}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			made, undo, err := set(dir).MakeFolders(t.Context(), filepath.Join(dir, "a", "b", "x.md"), nil, false)
			if made != 2 || err != nil {
				t.Fatal(made, err)
			}
			if err := os.Rename(filepath.Join(dir, "a", "b"), filepath.Join(dir, "c")); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(dir, "a", "b"), 0o700); err != nil {
				t.Fatal(err)
			}
			undo()
			if _, err := os.Lstat(filepath.Join(dir, "a", "b")); err != nil {
				t.Error(err)
			}
		})
	}
}
