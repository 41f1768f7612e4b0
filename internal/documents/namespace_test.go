package documents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

func TestNamespaces(t *testing.T) {
	for _, tt := range []struct{ paths, want string }{
		{"a.md", "a"},
		{"docs/Guide.md", "guide"},
		{"v1.2.md 2024-notes.md noext UPPER_Case-x.MD", "v1.2 2024-notes noext upper_case-x"},
		{".md .hidden.md", ".md .hidden"},
		{"api/readme.md web/readme.md", "api/readme web/readme"},
		{"api/README.md web/readme.md c.md", "api/readme web/readme c"},
		{"a/x/readme.md b/x/readme.md c/readme.md", "a/x/readme b/x/readme c/readme"},
		{"d002.md sub/d002.md", "d002 sub/d002"},
		{"sub/d002.md ./d002.md", "sub/d002 d002"},
		{"a.md a.md", "a a"},
		{"a.md ./a.md b/../a.md", "a a a"},
		{"a.md a.md b/a.md", "a a b/a"},
		{"x/a.md x/a.md b/a.md", "x/a x/a b/a"},
		{"a.md a.markdown", "a.md a.markdown"},
		{"x/a.md x/a.markdown", "a.md a.markdown"},
		{"x/a.md x/a.markdown y/a.md y/a.markdown", "x/a.md x/a.markdown y/a.md y/a.markdown"},
		{"readme.md README.md", "readme.md README.md"},
		{"a.md a.markdown a.md.md", "a.md a.markdown a.md.md"},
		{"stdin stdin.md", "stdin stdin.md"},
		{"/x/a.md /y/a.md", "x/a y/a"},
		{"../a.md a.md", "../a a"},
	} {
		got := strings.Join(namespaces(strings.Fields(tt.paths)), " ")
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.paths, got, tt.want)
		}
	}
	alike := []string{"nl\nname.md", "tab tab.md", "tab\ttab.md", "x/a\u200Bb.md", "y/a\u200Bb.md", "é é.md", "é\né.md"}
	want := []string{"nl name", "tab tab.md", `tab\ttab.md`, "x/a\uFFFDb", "y/a\uFFFDb", `\u00e9 \u00e9.md`, `\u00e9\n\u00e9.md`}
	if diff := cmp.Diff(want, namespaces(alike)); diff != "" {
		t.Errorf("what is printed alike (-want +got):\n%s", diff)
	}
	if got := namespaces(nil); len(got) != 0 {
		t.Errorf("namespaces of nothing: %q", got)
	}
}

// TestNamespacesDiffer names made paths: different files have different
// namespaces, and every namespace can be written in a selector.
func TestNamespacesDiffer(t *testing.T) {
	var paths []string
	for _, dir := range []string{"", "a/", "b/", "a/b/", "B/", "a b/", `q"/`} {
		for _, base := range []string{"x", "X", "x.y", "é", "::", "root", " ", "x y", "x\ty", "x\ny", "x \ty", "x\u200By", "x\u202Ey", "x\uFFFDy", "x\xFFy", `x\ty`, "éx\t", "éx\n"} {
			for _, ext := range []string{"", ".md", ".MD", ".markdown"} {
				paths = append(paths, dir+base+ext)
			}
		}
	}
	owner := map[string]string{}
	for i, name := range namespaces(paths) {
		if other, ok := owner[name]; ok && name != "" {
			t.Errorf("%q and %q are both %q", other, paths[i], name)
		}
		owner[name] = paths[i]
		s, err := address.ParseSelector(InNamespace(name) + "h1.0")
		if err != nil || s.Namespace != name {
			t.Errorf("%q is written %q, which is read as %+v, %v", name, InNamespace(name), s, err)
		}
		if replies.Safe(name) != name {
			t.Errorf("%q is printed as %q", name, replies.Safe(name))
		}
	}
	// The order in which files are named changes nothing.
	names := namespaces(paths)
	n := len(paths)
	reversed := make([]string, n)
	for i := range paths {
		reversed[n-1-i] = paths[i]
	}
	for i, name := range namespaces(reversed) {
		if name != names[n-1-i] {
			t.Errorf("%q is %q or %q", reversed[i], name, names[n-1-i])
		}
	}
}

func TestNamed(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.md", i)), []byte("# A\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list := Set{Paths: []string{dir, Stdin}}.Named(false)
	var got []string
	for _, f := range list {
		got = append(got, f.Namespace)
	}
	if diff := cmp.Diff([]string{"0000", "0001", "0002", "stdin"}, got); diff != "" {
		t.Error(diff)
	}
	list = Set{Paths: []string{dir}}.Named(true)
	if len(list) != 1 || list[0].Path != dir {
		t.Errorf("literally, a folder is %+v", list)
	}
	for _, tt := range []struct {
		paths   string
		literal bool
		want    bool
	}{{dir, false, true}, {dir, true, false}, {"a.md", false, false}, {"a.md b.md", true, true}, {"*.md", false, true}} {
		if got := (Set{Paths: strings.Fields(tt.paths)}).AreMany(tt.literal); got != tt.want {
			t.Errorf("isMany(%q, %v) = %v", tt.paths, tt.literal, got)
		}
	}
}

// TestManyNamespaces names files that have as much in common as they can, and so many
// that it would not end if the square of their number decided.
func TestManyNamespaces(t *testing.T) {
	n := 50_000
	if testkit.Long() {
		n = 200_000
	}
	for name, path := range map[string]func(i int) string{
		"extensions":   func(i int) string { return fmt.Sprintf("a.x%d", i) },
		"deep folders": func(i int) string { return fmt.Sprintf("d%d/%sa.md", i, strings.Repeat("x/", 20)) },
		"one file":     func(i int) string { return []string{"a.md", "b/a.md"}[i/(n-1)] },
	} {
		t.Run(name, func(t *testing.T) {
			var paths []string
			for i := range n {
				paths = append(paths, path(i))
			}
			names := namespaces(paths)
			distinct := map[string]string{}
			for i, name := range names {
				if other, ok := distinct[name]; ok && other != paths[i] {
					t.Fatalf("%s and %s are both %s", other, paths[i], name)
				}
				distinct[name] = paths[i]
			}
		})
	}
}

// TestWorkspaceWalksNoFolder: in a workspace a path is that of a file, and a folder of the
// host that has its name is not looked into.
func TestWorkspaceWalksNoFolder(t *testing.T) {
	outside := testkit.Folder(t, map[string]string{"a.md": "# A\n", "b.md": "# B\n"})
	w, err := OpenWorkspace(Options{Roots: []string{t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	set := Set{Paths: []string{outside}, Workspace: w}
	if n := Count(t.Context(), set); n != 1 {
		t.Errorf("%d documents are counted", n)
	}
	if named := set.Named(false); len(named) != 1 || named[0].Path != outside {
		t.Errorf("%+v", named)
	}
}
