package files

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/textfile"
)

// openRoots opens roots until the test ends.
func openRoots(tb testing.TB, o RootOptions, dirs ...string) *Roots {
	tb.Helper()
	r, err := OpenRoots(dirs, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { r.Close() })
	return r
}

// tree makes files, each with its path for text, and links (name to target).
func tree(t *testing.T, dir string, links map[string]string, paths ...string) {
	t.Helper()
	for _, path := range paths {
		write(t, filepath.Join(dir, path), path)
	}
	for name, target := range links {
		if runtime.GOOS == "windows" {
			t.Skip("links need a right on Windows")
		}
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// got reads a path and returns the text, or the code of the error.
func got(r *Roots, path string) string {
	text, err := r.Read(new(textfile.Reader), path)
	if err != nil {
		return string(codeOf(err))
	}
	return string(text)
}

func reasonOf(err error) string {
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		return e.Sentence()
	}
	return ""
}

func TestRootsRead(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{
		"link.md":       "docs/a.md",
		"docs/up.md":    "../guide.md",
		"folder":        "docs/deep",
		"docs/far":      "../folder/er",
		"chain0.md":     "chain1.md",
		"chain1.md":     "./chain2.md",
		"chain2.md":     "docs//../folder/../up.md",
		"docs/round.md": "../docs/deep/../../docs/a.md",
		"slashed":       "docs/deep/",
		"here":          ".",
	},
		"guide.md", "docs/a.md", "docs/deep/er/b.md", "UPPER.MD", "x.markdown", "y.mdx", ".github/z.md", "ä ö.md",
		"..md", "...", ".git.md", "a..b/c.md")
	r := openRoots(t, RootOptions{}, dir)
	for path, want := range map[string]string{
		"guide.md":                    "guide.md",
		"./guide.md":                  "guide.md",
		"docs//deep/./er/b.md":        "docs/deep/er/b.md",
		"docs/../guide.md":            "guide.md",
		"docs/deep/../../guide.md":    "guide.md",
		"docs/deep/er/../../a.md":     "docs/a.md",
		"link.md":                     "docs/a.md",
		"docs/up.md":                  "guide.md",
		"folder/er/b.md":              "docs/deep/er/b.md",
		"folder/../a.md":              string(fileerror.InvalidArgument), // up from behind a link
		"docs/far/b.md":               "docs/deep/er/b.md",
		"docs/far/../../up.md":        string(fileerror.InvalidArgument),
		"chain0.md":                   "guide.md",
		"docs/round.md":               "docs/a.md",
		"slashed/er/b.md":             "docs/deep/er/b.md",
		"slashed//er/b.md":            "docs/deep/er/b.md",
		"here/here/guide.md":          "guide.md",
		"UPPER.MD":                    "UPPER.MD",
		"x.markdown":                  "x.markdown",
		"y.mdx":                       "y.mdx",
		".github/z.md":                ".github/z.md",
		"ä ö.md":                      "ä ö.md",
		"..md":                        "..md",
		".git.md":                     ".git.md",
		"a..b/c.md":                   "a..b/c.md",
		dir + "/guide.md":             "guide.md",
		dir + "/docs/../guide.md":     "guide.md",
		dir + "//docs/./a.md":         "docs/a.md",
		"/." + dir + "/guide.md":      "guide.md",
		dir + "/folder/../../link.md": string(fileerror.InvalidArgument),
	} {
		text := want
		if text == "guide.md" || text == "docs/a.md" {
			clean, err := r.Resolve(path)
			if err != nil || clean != want {
				t.Errorf("%s resolves to %q, %v, want %s", path, clean, err, want)
			}
		}
		if text := got(r, path); text != want {
			t.Errorf("%s: got %q, want %q", path, text, want)
		}
	}
}

// TestRootsLimit reads with the limit of the roots and that of the reader: the
// smaller one counts, and the reader keeps its own.
func TestRootsLimit(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "12345")
	for _, tt := range []struct {
		roots, reader int64
		want          fileerror.Code
	}{{0, 0, ""}, {5, 0, ""}, {4, 0, fileerror.TooLarge}, {4, 9, fileerror.TooLarge}, {9, 4, fileerror.TooLarge}, {0, 4, fileerror.TooLarge}, {5, 5, ""}} {
		r := openRoots(t, RootOptions{Limit: tt.roots}, dir)
		rd := textfile.Reader{Limit: tt.reader}
		_, err := r.Read(&rd, "a.md")
		if codeOf(err) != tt.want || rd.Limit != tt.reader {
			t.Errorf("limits %d and %d: %v, and the reader has %d", tt.roots, tt.reader, err, rd.Limit)
		}
		if err != nil && !strings.Contains(reasonOf(err), "--max-bytes") {
			t.Errorf("no way out in %q", err)
		}
	}
	// What is larger than any memory is refused without a byte being read.
	path := filepath.Join(dir, "huge.md")
	write(t, path, "")
	if err := os.Truncate(path, 8<<40); err != nil {
		t.Skip("no file can be that large here")
	}
	if _, err := openRoots(t, RootOptions{}, dir).Read(new(textfile.Reader), "huge.md"); codeOf(err) != fileerror.TooLarge {
		t.Errorf("a file of 8 TiB: %v", err)
	}
}

// TestRootsText asks for files that are no Markdown, and for those that are no
// text.
func TestRootsText(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"env.md": ".env", "txt.md": "a.txt", "md.txt": "b.md", "dot.txt": ".github/c.md", ".hidden.txt": "a.txt"},
		"a.txt", "b.md", ".env", ".github/c.md", ".github/d.txt", "sub/Makefile", "sub/.x/y.txt")
	write(t, filepath.Join(dir, "bin.md"), "a\x00b")
	write(t, filepath.Join(dir, "latin.txt"), "caf\xE9")
	for _, tt := range []struct {
		path, markdown, text string
	}{
		{"a.txt", "not_a_file", "a.txt"},
		{"sub/Makefile", "not_a_file", "sub/Makefile"},
		{"b.md", "b.md", "b.md"},
		{".github/c.md", ".github/c.md", ".github/c.md"},
		{".env", "path_outside_root", "path_outside_root"},
		{"env.md", "path_outside_root", "path_outside_root"},
		{"txt.md", "not_a_file", "a.txt"},
		{"md.txt", "not_a_file", "b.md"},
		{"dot.txt", "not_a_file", ".github/c.md"},
		{".hidden.txt", "not_a_file", "not_a_file"},
		{".github/d.txt", "not_a_file", "not_a_file"},
		{"sub/.x/y.txt", "not_a_file", "not_a_file"},
		{"sub/.x/../Makefile", "not_a_file", "not_a_file"},
		{"sub", "not_a_file", "not_a_file"},
		{"missing.txt", "file_not_found", "file_not_found"},
		{"bin.md", "binary_file", "binary_file"},
		{"latin.txt", "not_a_file", "encoding_error"},
	} {
		if text := got(openRoots(t, RootOptions{}, dir), tt.path); text != tt.markdown {
			t.Errorf("%s: %q, want %q", tt.path, text, tt.markdown)
		}
		if text := got(openRoots(t, RootOptions{TextFiles: true}, dir), tt.path); text != tt.text {
			t.Errorf("%s with text files: %q, want %q", tt.path, text, tt.text)
		}
	}
	_, err := openRoots(t, RootOptions{}, dir).Read(new(textfile.Reader), "a.txt")
	if !strings.Contains(reasonOf(err), "--text-files") {
		t.Errorf("no way out in %q", err)
	}
	_, err = openRoots(t, RootOptions{TextFiles: true}, dir).Read(new(textfile.Reader), ".github/d.txt")
	if !strings.Contains(reasonOf(err), "dot") || strings.Contains(reasonOf(err), "--text-files") {
		t.Errorf("a way out that is none in %q", err)
	}
}

// TestSeveralRoots looks in each root, and never guesses.
func TestSeveralRoots(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"two/out.md": "../one/a.md", "two/gone.md": "nothing.md"},
		"one/a.md", "one/both.md", "one/out.md", "one/gone.md", "one/folder.md", "one/d/x.md",
		"two/b.md", "two/both.md", "two/folder.md/c.md", "two/d/y.md", "two/note.txt", "one/note.txt/z.md")
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	r := openRoots(t, RootOptions{}, one, two)
	for path, want := range map[string]string{
		"a.md":               "one/a.md",
		"b.md":               "two/b.md",
		"d/x.md":             "one/d/x.md",
		"d/y.md":             "two/d/y.md",
		"both.md":            "invalid_argument",
		"out.md":             "invalid_argument", // what the second has is a link that leaves it
		"folder.md":          "invalid_argument", // a folder in the second
		"gone.md":            "one/gone.md",
		"note.txt":           "not_a_file", // in both, and neither is any good
		"../two/b.md":        "path_outside_root",
		"c.md":               "file_not_found",
		one + "/both.md":     "one/both.md",
		two + "/both.md":     "two/both.md",
		two + "/out.md":      "path_outside_root",
		dir + "/both.md":     "path_outside_root",
		two + "/../one/a.md": "path_outside_root",
	} {
		if text := got(r, path); text != want {
			t.Errorf("%s: %q, want %q", path, text, want)
		}
	}
	if _, err := r.Read(new(textfile.Reader), "both.md"); !strings.Contains(reasonOf(err), "absolute path") {
		t.Errorf("no way out in %q", err)
	}
	// What both have is named once.
	_, err := r.Read(new(textfile.Reader), "bth.md")
	e, ok := errors.AsType[*fileerror.Error](err)
	if !ok || len(e.Closest) == 0 || e.Closest[0] != "both.md" || slices.Contains(e.Closest[1:], "both.md") {
		t.Errorf("%v, closest %q, want both.md at first and once", err, e.Closest)
	}
	// A root that is gone hides no file of the others.
	if err := os.Rename(one, one+"-away"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"both.md": "two/both.md", "a.md": "io_error", one + "/a.md": "io_error"} {
		if text := got(r, path); text != want {
			t.Errorf("without the first root, %s: %q, want %q", path, text, want)
		}
	}
}

// TestNestedRoots names files in a root within a root.
func TestNestedRoots(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil, "a.md", "in/b.md", "in/c.txt", "in/a.md")
	in := filepath.Join(dir, "in")
	r := openRoots(t, RootOptions{}, dir, in)
	for path, want := range map[string]string{
		"in/b.md":          "in/b.md",
		"b.md":             "in/b.md",
		"a.md":             "invalid_argument",
		in + "/b.md":       "in/b.md",
		in + "/../a.md":    "a.md", // leaves the inner one, and stays in the outer one
		in + "/../../a.md": "path_outside_root",
	} {
		if text := got(r, path); text != want {
			t.Errorf("%s: %q, want %q", path, text, want)
		}
	}
	want := []string{filepath.ToSlash(dir) + "/a.md", filepath.ToSlash(in) + "/a.md", "b.md"}
	if diff := cmp.Diff(want, foundBy(t.Context(), r)); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}

	// A root in a dot-folder was named by somebody; what is in it is not hidden.
	tree(t, dir, nil, ".in/d.txt")
	dot := filepath.Join(dir, ".in")
	for _, dirs := range [][]string{{dir, dot}, {dot, dir}} {
		r = openRoots(t, RootOptions{TextFiles: true}, dirs...)
		if text := got(r, dot+"/d.txt"); text != ".in/d.txt" {
			t.Errorf("roots %q: %q in the inner one", dirs, text)
		}
	}
}

// TestRootsConcurrent reads with one reader a goroutine, and closes under way.
func TestRootsConcurrent(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil, "a.md", "d/b.md", "d/e/c.md")
	r := openRoots(t, RootOptions{}, dir)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			var rd textfile.Reader
			for range 200 {
				for _, path := range []string{"a.md", "d/b.md", "d/e/../e/c.md"} {
					text, err := r.Read(&rd, path)
					if codeOf(err) == fileerror.IOError {
						return // closed
					}
					if want := strings.Replace(path, "e/../", "", 1); err != nil || string(text) != want {
						t.Errorf("%s: %q, %v", path, text, err)
					}
				}
				for range foundBy(t.Context(), r) {
					continue
				}
			}
			r.Close()
		})
	}
	all.Wait()
}
