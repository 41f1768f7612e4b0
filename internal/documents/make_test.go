package documents

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/testkit"
)

// TestMakeFoldersRefused: what is in the way of folders is told before any is made, and by a dry run, of all that
// lies below it.
func TestMakeFoldersRefused(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]fileerror.Code{
		"file/x.md": fileerror.NotAFile, "file/b/c/x.md": fileerror.NotAFile, "link/x.md": fileerror.NotFound, "link/b/x.md": fileerror.NotFound,
	} {
		for _, dry := range []bool{true, false} {
			dir := testkit.Folder(t, map[string]string{"file": ""})
			if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err != nil {
				t.Skip(err)
			}
			_, _, err := (&Set{}).MakeFolders(t.Context(), filepath.Join(dir, filepath.FromSlash(name)), nil, dry)
			if e, ok := errors.AsType[*fileerror.Error](err); !ok || e.Code != want {
				t.Errorf("%s, dry %v: %v", name, dry, err)
			}
		}
	}
}

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
