package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/glob"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/textfile"
)

// foundBy returns the paths that Find yields without an error.
func foundBy(ctx context.Context, r *Roots) []string {
	var paths []string
	for path, err := range r.Find(ctx) {
		if err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

func TestRootsFind(t *testing.T) {
	dir := t.TempDir()
	odd := []string{}
	if runtime.GOOS != "windows" {
		odd = []string{"one/new\nline.md", "one/\xFF.md", "one/\x1b[1m/x.md", `one/back\slash.md`}
	}
	tree(t, dir, map[string]string{"one/link.md": "a.md", "one/loop": ".", "one/linked": "sub", "one/out": "../two"}, odd...)
	tree(t, dir, nil,
		"one/a.md", "one/b.MD", "one/c.txt", "one/sub/x.md", "one/sub-2/y.md", "one/sub.md/w.md", "one/.github/i.md",
		"one/.git/h.md", "one/.jj/h.md", "one/sub/.git/h.md", "one/.GIT./h.md", "one/git~1/h.md",
		"two/a.md", "two/z.md", "two/link.md", "two/b.MD/folder.txt")
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	want := []string{"a.md", "b.MD", `back\slash.md`, "sub/x.md", "sub-2/y.md", "sub.md/w.md"}
	r := openRoots(t, RootOptions{TextFiles: true}, one)
	if diff := cmp.Diff(want, foundBy(t.Context(), r)); diff != "" {
		t.Errorf("one root (-want +got):\n%s", diff)
	}

	// Of two roots, what both have is named so that Read takes it.
	r = openRoots(t, RootOptions{}, one, two)
	want[0], want[1] = filepath.ToSlash(one)+"/a.md", filepath.ToSlash(one)+"/b.MD"
	want = append(want, filepath.ToSlash(two)+"/a.md", filepath.ToSlash(two)+"/link.md", "z.md")
	found := foundBy(t.Context(), r)
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("two roots (-want +got):\n%s", diff)
	}
	for _, path := range found {
		if _, err := r.Read(new(textfile.Reader), path); err != nil {
			t.Errorf("found, but: %v", err)
		}
	}

	// Who has seen enough gets no more, and neither does who has gone.
	for path, err := range r.Find(t.Context()) {
		if err != nil {
			continue
		}
		if path != filepath.ToSlash(one)+"/a.md" {
			t.Errorf("%s after the loop was left", path)
		}
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for range r.Find(ctx) { //nolint:errcheck // they are counted
		n++
		cancel()
	}
	if n != 1 {
		t.Errorf("%d files although the context ended with the first", n)
	}
	if err := os.Rename(one, one+"-away"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.md", "link.md", "z.md"}, foundBy(t.Context(), r)); diff != "" {
		t.Errorf("without the first root (-want +got):\n%s", diff)
	}
}

// TestRootsFindMeant: a pattern is compared with the path below each root, whatever a document is
// called by, and a folder or base that is absolute is in one root.
func TestRootsFindMeant(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil, "one/docs/a.md", "one/docs/sub/x.md", "one/top.md", "two/docs/a.md", "one/inner/docs/i.md", "one/[x]/y.md")
	one, two, inner := filepath.Join(dir, "one"), filepath.Join(dir, "two"), filepath.Join(dir, "one", "inner")
	r := openRoots(t, RootOptions{}, one, two, inner)
	a, b := filepath.ToSlash(one)+"/docs/a.md", filepath.ToSlash(two)+"/docs/a.md"
	for pattern, want := range map[string][]string{
		"docs/*.md": {a, b, "docs/i.md"}, "**/a.md": {a, b}, "*.md": {"top.md"}, "docs/sub/*": {"docs/sub/x.md"}, "inner/**": {"docs/i.md"}, "inner/docs/*.md": {"docs/i.md"}, "inn*/**": {},
		one + "/**/*.md": {a, "[x]/y.md", "docs/sub/x.md", "top.md"}, two + "/d*/*": {b}, inner + "/**": {"docs/i.md"}, dir + "/*/top.md": {}, "../two/*/*": {},
	} {
		meant, err := ParseGlob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, inOrder(r.FindMeant(t.Context(), meant))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", pattern, diff)
		}
	}
	for folder, want := range map[string][]string{"docs": {a, b, "docs/i.md", "docs/sub/x.md"}, "[x]": {"[x]/y.md"}, two: {b}, filepath.Join(one, "docs"): {a, "docs/sub/x.md"}} {
		if diff := cmp.Diff(want, inOrder(r.FindMeant(t.Context(), glob.All(folder)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", folder, diff)
		}
	}

	// Of a root that is gone, nobody knows what it had.
	if err := os.Rename(two, two+" gone"); err != nil {
		t.Skip(err) // not on Windows, where the root is open
	}
	for pattern, want := range map[string]bool{"docs/*.md": true, "*": true, two + "/*": true, one + "/docs/*.md": false} {
		meant, _ := ParseGlob(pattern)
		if got := inOrder(r.FindMeant(t.Context(), meant)); slices.Contains(got, filepath.ToSlash(two)+": io_error") != want {
			t.Errorf("%s: %q, told: %v", pattern, got, want)
		}
	}
}

func TestClosest(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil,
		"guide.md", "Install.md", "install-linux.md", "install-macos.md", "docs/api.md", "docs/apis.md", "docs/deep/er.md",
		"doc/other.md", "notes.txt", ".env", ".git/guides.md", "far/away.md", "ä.md", "caf\u00e9.md", "read.markdown")
	many := filepath.Join(dir, "many")
	for i := range 12 {
		write(t, filepath.Join(many, "part-"+string(rune('a'+i))+".md"), "x")
	}
	cases := map[string][]string{
		"gudie.md":                       {"guide.md"},
		"guide":                          {"guide.md"},
		"guide.markdown":                 {"guide.md"},
		"GUIDE.md":                       {"guide.md"},
		"guide.md/":                      {"guide.md"},
		"guide.md/.":                     {"guide.md"},
		"guide.md" + " ":                 {"guide.md"},
		"guide.md.":                      {"guide.md"},
		"guide.md/x.md":                  nil,
		"read":                           {"read.markdown"},
		"install.md":                     {"Install.md", "install-linux.md", "install-macos.md"},
		"docs/api":                       {"docs/api.md", "docs/apis.md"},
		"docs/../gide.md":                {"docs/../guide.md"},
		"./docs/apx.md":                  {"./docs/api.md", "./docs/apis.md"},
		"dcs/api.md":                     {"docs/api.md"},
		"Docs/deep/er.md":                {"docs/deep/er.md", "doc/"},
		"cafe\u0301.md":                  {"caf\u00e9.md"},
		"notes.tx":                       nil,
		".en":                            nil,
		"many/part-.md":                  {"many/part-a.md", "many/part-b.md", "many/part-c.md", "many/part-d.md", "many/part-e.md"},
		"nothing-like-it.md":             nil,
		"guides.md":                      {"guide.md"},    // and none of .git
		"api.md":                         {"docs/api.md"}, // the name alone
		"away":                           {"far/away.md"},
		"Far/api.md":                     {"docs/api.md", "far/"},
		"er.md":                          {"docs/deep/er.md"},
		"apx.md":                         {"docs/api.md", "docs/apis.md"}, // a slip in the name alone
		dir + "/docs/apu.md":             {dir + "/docs/api.md", dir + "/docs/apis.md"},
		dir + "/dcs/api.md":              {dir + "/docs/api.md"},
		strings.Repeat("x", 300) + ".md": nil,
	}
	if runtime.GOOS != "windows" {
		write(t, dir+"/guide\n.md", "x")
		tree(t, dir, map[string]string{"way-out.md": "../out.md", "waylay": "..", "linked.md": "guide.md", "linkto": "docs", "hidden.md": ".git/guides.md"})
		cases["way-ouf.md"] = nil
		cases["waylai/out.md"] = nil
		cases["hiden.md"] = nil
		cases["linkd.md"] = []string{"linked.md"}
		cases["linkt/api.md"] = []string{"linkto/api.md"}
	}
	r := openRoots(t, RootOptions{}, dir)
	for path, want := range cases {
		_, err := r.Read(new(textfile.Reader), path)
		e, ok := errors.AsType[*fileerror.Error](err)
		if !ok || e.Code != fileerror.NotFound {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if diff := cmp.Diff(want, e.Closest); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	for path, want := range map[string][]string{"notes.tx": {"notes.txt"}, ".en": nil} {
		_, err := openRoots(t, RootOptions{TextFiles: true}, dir).Read(new(textfile.Reader), path)
		if e, ok := errors.AsType[*fileerror.Error](err); !ok || !slices.Equal(e.Closest, want) {
			t.Errorf("%s with text files: %v", path, err)
		}
	}
	// Two roots together name no more than one.
	r = openRoots(t, RootOptions{}, many, dir)
	_, err := r.Read(new(textfile.Reader), "part-.md")
	if e, ok := errors.AsType[*fileerror.Error](err); !ok || len(e.Closest) != maxClosest {
		t.Errorf("in two roots: %v", err)
	}
	_, err = r.Read(new(textfile.Reader), `docs\api.md`)
	if runtime.GOOS != "windows" && !strings.Contains(reasonOf(err), "forward slashes") {
		t.Errorf("no hint at slashes: %v", err)
	}
}

// TestClosestInLargeFolder looks for names in a folder with more of them than are
// compared.
func TestClosestInLargeFolder(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for i := range 2 * maxCompared {
		paths = append(paths, filepath.Join(dir, strings.Repeat("z", 1+i%50)+string(rune('a'+i/50%26))+string(rune('a'+i/1300))+".md"))
	}
	testkit.Crowd(t, "", paths)
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.ReadDir(maxCompared); err != nil {
		t.Fatal(err)
	}
	rest, err := f.ReadDir(1)
	if err != nil {
		t.Fatal(err)
	}
	want := rest[0].Name()
	_, err = openRoots(t, RootOptions{}, dir).Read(new(textfile.Reader), strings.TrimSuffix(want, ".md"))
	if e, ok := errors.AsType[*fileerror.Error](err); !ok || len(e.Closest) == 0 || e.Closest[0] != want {
		t.Errorf("%s is not named first: %v", want, err)
	}
}
