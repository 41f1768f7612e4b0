package files

import (
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
)

// A file has one name, whatever way leads there.
func TestRootsName(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"link.md": "sub/a.md", "folder": "sub"}, "sub/a.md", "b.md")
	r := openRoots(t, RootOptions{}, dir)
	both := openRoots(t, RootOptions{}, dir, filepath.Join(dir, "sub"))
	want, err := r.Name("sub/a.md")
	if err != nil {
		t.Fatal(err)
	}
	abs := filepath.Join(dir, "sub", "a.md")
	for path, in := range map[string]*Roots{"link.md": r, "folder/a.md": r, "./sub/../sub/a.md": r, abs: both, "a.md": both} {
		if got, err := in.Name(path); got != want || err != nil {
			t.Errorf("%s is named %q (%v), want %q", path, got, err, want)
		}
	}
	if other, err := r.Name("b.md"); other == want || err != nil {
		t.Errorf("b.md is named %q (%v)", other, err)
	}
	if _, err := r.Name("c.md"); codeOf(err) != fileerror.NotFound {
		t.Errorf("c.md: %v", err)
	}
}
