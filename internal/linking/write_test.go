package linking

import (
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// TestSame tells of destinations whether they lead to the same thing from two documents.
func TestSame(t *testing.T) {
	t.Chdir(testkit.Folder(t, map[string]string{".sectile.yaml": "", "a.md": "", "b.md": "", "x/c.md": ""}))
	for destination, want := range map[string][2]bool{ // from the same folder, and from another
		"https://x": {true, true}, "mailto:a@b": {true, true}, "/o.md": {true, true},
		"o.md": {true, false}, "o.md?u=https://x": {true, false}, "./o": {true, false},
		"#a": {}, "?x#a": {}, "": {},
	} {
		for i, to := range []string{"b.md", "x/c.md"} {
			_, same, err := Linker(t.Context(), documents.Set{Paths: []string{"a.md", to}}, "a.md", to)
			if err != nil {
				t.Fatal(err)
			}
			if got := same(destination); got != want[i] {
				t.Errorf("%q from a.md and %s: %v", destination, to, got)
			}
		}
	}
}

// TestSameInRoots: of several roots, each has another document at a path from its own.
func TestSameInRoots(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a/a.md": "", "b/b.md": "", "b/x/c.md": ""})
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, c := range []struct {
		from, to string
		want     bool
	}{{"a/a.md", "b/b.md", false}, {"b/b.md", "b/x/c.md", true}} {
		_, same, err := Linker(t.Context(), documents.Set{Paths: []string{at(c.from), at(c.to)}, Workspace: w}, at(c.from), at(c.to))
		if err != nil || same("/o.md") != c.want {
			t.Errorf("%s and %s: not %v, %v", c.from, c.to, c.want, err)
		}
	}
}
