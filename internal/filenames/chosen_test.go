package filenames

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestChosen walks down the paths that are chosen, and looks at nothing else.
func TestChosen(t *testing.T) {
	c := Choose([]string{"a.md", "docs/b.md", "docs/deep/c.md", "../out.md", "/etc/passwd", "docs/../d.md", "", "gone.md"})
	if diff := cmp.Diff(Chosen{"a.md", "docs/b.md", "docs/deep/c.md", "gone.md"}, c); diff != "" {
		t.Errorf("chosen (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Chosen{"b.md", "deep/c.md"}, c.In("docs")); diff != "" {
		t.Errorf("below docs (-want +got):\n%s", diff)
	}
	if below := c.In("none"); below == nil || len(below) > 0 {
		t.Errorf("below a folder without any: %q", below)
	}
	if Chosen(nil).In("docs") != nil {
		t.Error("of all, some are chosen below a folder")
	}

	dir := t.TempDir()
	for _, name := range []string{"a.md", "other.md", ".ignore"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "docs"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		chosen Chosen
		want   []string
	}{
		{c, []string{".ignore", "a.md", "docs"}},
		{Chosen{}, []string{".ignore"}},
		{nil, []string{".ignore", "a.md", "docs", "other.md"}},
	} {
		entries, err := test.chosen.Entries(
			func() ([]fs.DirEntry, error) { return os.ReadDir(dir) },
			func(name string) (fs.FileInfo, error) { return os.Lstat(filepath.Join(dir, name)) }, ".ignore")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if diff := cmp.Diff(test.want, names); diff != "" {
			t.Errorf("entries of %q (-want +got):\n%s", test.chosen, diff)
		}
	}
}
