package linking

import (
	"cmp"
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/links"
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
		for from, got := range targetsIn(t, dir, c.roots) {
			if want := cmp.Or(c.want, "unknown"); got != want {
				t.Errorf("links.root %s, server in %v: that of %s leads to %s, want %s", c.site, c.roots, from, got, want)
			}
		}
	}
}

// TestRootsOfProjects: below several roots, links that begin with '/' are relative to what is set in the
// project that lies around their own root, the innermost one first; where nothing is, to the outermost root.
func TestRootsOfProjects(t *testing.T) {
	const link, set, user = "[x](/x.md)", "links: {root: docs}", "links: {root: u}"
	for _, c := range []struct {
		files map[string]string
		user  string // the user's own file
		roots []string
		want  map[string]string // by documents, what /x.md leads to
	}{
		{ // each its own
			map[string]string{"p/.sectile.yaml": "links: {root: site}", "p/site/a.md": link, "p/site/x.md": "", "q/.sectile.yaml": set, "q/docs/a.md": link, "q/docs/x.md": ""},
			"",
			[]string{"p", "q"},
			map[string]string{"p/site/a.md": "p/site/x.md", "q/docs/a.md": "q/docs/x.md"},
		},
		{ // the other project says nothing, where a name without a document isn't broken
			map[string]string{"p/.sectile.yaml": set, "p/a.md": link, "q/.git/HEAD": "", "q/a.md": link, "r/a.md": link, "r/x.md": "", "r/docs/x.md": ""},
			"",
			[]string{"p", "q", "r"},
			map[string]string{"p/a.md": "broken p/docs/x.md", "q/a.md": "unknown q/x.md", "r/a.md": "r/x.md"},
		},
		{ // whichever root comes first
			map[string]string{"p/.sectile.yaml": set, "p/a.md": link, "p/docs/x.md": "", "r/a.md": link, "r/x.md": ""},
			"",
			[]string{"r", "p"},
			map[string]string{"p/a.md": "p/docs/x.md", "r/a.md": "r/x.md"},
		},
		{ // a root in the project, and another around it
			map[string]string{"w/proj/.sectile.yaml": set, "w/proj/docs/a.md": link, "w/proj/docs/x.md": "", "w/o.md": link, "w/x.md": ""},
			"",
			[]string{"w/proj/docs", "w"},
			map[string]string{"w/proj/docs/a.md": "w/proj/docs/x.md", "w/o.md": "w/x.md"},
		},
		{ // whose folder has a short name
			map[string]string{"p/d/.sectile.yaml": set, "p/d/docs/a.md": link, "p/d/docs/x.md": "", "a.md": link, "x.md": ""},
			"",
			[]string{"p/d", "p", "."},
			map[string]string{"p/d/docs/a.md": "p/d/docs/x.md", "a.md": "x.md"},
		},
		{ // a root in another project, which says nothing
			map[string]string{"w/.sectile.yaml": set, "w/docs/x.md": "", "w/in/.git/HEAD": "", "w/in/a.md": link, "w/in/x.md": ""},
			"",
			[]string{"w/in", "w"},
			map[string]string{"w/in/a.md": "w/docs/x.md"},
		},
		{ // roots one in another in no project
			map[string]string{"w/in/a.md": link, "w/in/x.md": "", "w/x.md": ""},
			"",
			[]string{"w/in", "w"},
			map[string]string{"w/in/a.md": "w/x.md"},
		},
		{ // the user's file sets it where the project doesn't
			map[string]string{"p/.sectile.yaml": set, "p/a.md": link, "p/docs/x.md": "", "q/.git/HEAD": "", "q/in/a.md": link, "q/u/x.md": "", "r/in/a.md": link, "r/u/x.md": "", "r/in/u/x.md": ""},
			user,
			[]string{"p", "q/in", "r/in", "r"},
			map[string]string{"p/a.md": "p/docs/x.md", "q/in/a.md": "unknown", "r/in/a.md": "r/u/x.md"},
		},
	} {
		config := testkit.Folder(t, map[string]string{"sectile/config.yaml": c.user})
		t.Setenv("XDG_CONFIG_HOME", config)
		got := targetsIn(t, testkit.Folder(t, c.files), c.roots)
		if !maps.Equal(got, c.want) {
			t.Errorf("server in %v, user's %q: %v, want %v", c.roots, c.user, got, c.want)
		}
	}
}

// TestRootOfNoUse: a project whose file can't be used may set what links are relative to, be it that of the
// first root or of another.
func TestRootOfNoUse(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"p/a.md": "", "q/a.md": "", "q/.sectile.yaml": "links: {root: ../x}"})
	p, q := filepath.Join(dir, "p"), filepath.Join(dir, "q")
	for _, roots := range [][]string{{q}, {q, p}, {p, q}} {
		w, err := documents.OpenWorkspace(documents.Options{Roots: roots})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close() })
		_, err = newScan(t.Context(), documents.Set{Workspace: w}, together)
		e, ok := errors.AsType[*replies.Error](err)
		if !ok || e.Code != replies.CodeConfiguration || strings.HasPrefix(e.Message.String(), "below ") != (len(roots) > 1) {
			t.Errorf("server in %v: %v", roots, err)
		}
	}
}

// targetsIn returns what the links in the documents below roots lead to, by these: the path in the folder, and
// why that isn't sure.
func targetsIn(t *testing.T, dir string, below []string) map[string]string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir) // as the server has it
	if err != nil {
		t.Fatal(err)
	}
	roots := make([]string, len(below))
	for i, root := range below {
		roots[i] = filepath.Join(dir, filepath.FromSlash(root))
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
	inDir := func(name string) string {
		host := filepath.Join(s.base, filepath.FromSlash(name))
		if s.base == "" {
			host = w.Host(name)
		}
		below, _ := filepath.Rel(dir, host)
		return filepath.ToSlash(below)
	}
	led := map[string]string{}
	for _, page := range s.pages {
		for i := range page.Links {
			target, to := s.set.Resolve(page, &page.Links[i]), ""
			if target.Path != "" {
				to = inDir(target.Path)
			}
			if target.Status != links.OK {
				to = strings.TrimSpace(target.Status.String() + " " + to)
			}
			led[inDir(page.Path)] = to
		}
	}
	return led
}
