package linking

import (
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
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

// TestRootOfTheProject: links that begin with '/' are relative to what the project's file names below
// the project, wherever the roots of a server lie in it.
func TestRootOfTheProject(t *testing.T) {
	for _, c := range []struct {
		site  string
		roots []string
		want  string // what /docs/a.md of docs/b.md leads to
	}{
		{"docs", []string{"."}, "docs/docs/a.md"},
		{"docs", []string{"docs"}, "docs/docs/a.md"},
		{".", []string{"."}, "docs/a.md"},
		{".", []string{"docs"}, "docs/a.md"},
		{".", []string{"docs", "more"}, "docs/a.md"},
		{"docs", []string{"more", "docs"}, "docs/docs/a.md"},
		{"more", []string{"docs"}, ""},
		{"more", []string{"docs", "more"}, "more/docs/a.md"},
	} {
		dir := testkit.Folder(t, map[string]string{
			".sectile.yaml": "links: {root: " + c.site + "}", "docs/a.md": "", "docs/b.md": "[a](/docs/a.md)", "docs/docs/a.md": "", "more/docs/a.md": "",
		})
		dir, err := filepath.EvalSymlinks(dir) // as the server has it
		if err != nil {
			t.Fatal(err)
		}
		roots := make([]string, len(c.roots))
		for i, root := range c.roots {
			roots[i] = filepath.Join(dir, root)
		}
		w, err := documents.OpenWorkspace(documents.Options{Roots: roots})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close() })
		docs := documents.Set{Workspace: w}
		all, _ := docs.All(t.Context())
		s, err := newScan(t.Context(), all, together)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.read(t.Context(), func(e *replies.Error) error { return e }); err != nil {
			t.Fatal(err)
		}
		for _, page := range s.pages {
			for i := range page.Links {
				got := s.set.Resolve(page, &page.Links[i])
				if got.Path != "" {
					got.Path, _ = filepath.Rel(dir, w.Host(s.path(got.Path)))
				}
				if filepath.ToSlash(got.Path) != c.want {
					t.Errorf("links.root %s, server in %v: %+v", c.site, c.roots, got)
				}
			}
		}
	}
}
