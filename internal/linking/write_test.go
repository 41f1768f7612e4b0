package linking

import (
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
