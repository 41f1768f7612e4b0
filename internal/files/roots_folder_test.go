package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/textfile"
)

// openedFolder opens a folder until the test ends.
func openedFolder(tb testing.TB, dir, within string) *Folder {
	tb.Helper()
	f, err := OpenFolder(dir, within)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(f.Close)
	return f
}

// listedIn returns what is in a folder, in order: folders with a slash after, links
// with an at sign.
func listedIn(tb testing.TB, f *Folder) []string {
	tb.Helper()
	entries, err := f.Entries(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		switch e.Type {
		case fs.ModeDir:
			e.Name += "/"
		case fs.ModeSymlink:
			e.Name += "@"
		case 0:
		default:
			e.Name += "?"
		}
		names = append(names, e.Name)
	}
	slices.Sort(names)
	return names
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{
		"link.md": "docs/a.md", "docs/up.txt": "../plain", "folder": "docs", "out": "..", "git.md": ".git/x", "gone": "nope", "absolute": dir + "/plain",
	}, "plain", ".env", ".git/x", ".jj/x", "git~1/x", "docs/a.md", "docs/.git/x", "docs/deep/b", "docs/.hidden/c", "docs/new\nline", "x.git", ".github/d")
	for _, within := range []string{"", dir} {
		f := openedFolder(t, dir, within)
		want := []string{".github/", "absolute@", "docs/", "folder@", "git.md@", "gone@", "link.md@", "out@", "plain", "x.git"}
		if diff := cmp.Diff(want, listedIn(t, f)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		docs, err := f.Enter("docs")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(docs.Close)
		if diff := cmp.Diff([]string{".hidden/", "a.md", "deep/", "new\nline", "up.txt@"}, listedIn(t, docs)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		for name, want := range map[string]fileerror.Code{
			"folder": fileerror.NotFound, "plain": fileerror.NotFound, "nope": fileerror.NotFound, "out": fileerror.NotFound, "..": fileerror.PathOutsideRoot, ".git": fileerror.PathOutsideRoot, ".jj": fileerror.PathOutsideRoot,
		} {
			if next, err := f.Enter(name); err == nil || codeOf(err) != want && name != ".." {
				t.Errorf("enters %s: %v, %v", name, next, err)
			}
		}
		for path, want := range map[string]string{
			"plain": "plain", ".env": "!path_outside_root", "docs/a.md": "docs/a.md", "docs/new\nline": "docs/new\nline", "docs/.hidden/c": "docs/.hidden/c",
			"link.md": "docs/a.md", "docs/up.txt": "plain", "folder/deep/b": "docs/deep/b", "docs/../plain": "plain", "./docs//a.md": "docs/a.md",
			"x.git": "x.git", "nope": "!file_not_found", "gone": "!file_not_found", "plain/x": "!file_not_found", "docs": "!not_a_file", "": "!not_a_file",
			"folder": "!not_a_file", "out/x": "!path_outside_root", "../x": "!path_outside_root", "git.md": "!path_outside_root",
			".git/x": "!path_outside_root", "docs/.git/x": "!path_outside_root", "absolute": "!path_outside_root", "/etc/passwd": "!file_not_found",
			"a\x00b": "!file_not_found", strings.Repeat("x", 5000): "!file_not_found",
		} {
			// From whichever folder: the path begins at the top.
			for _, folder := range []*Folder{f, docs} {
				var rd textfile.Reader
				text, info, err := folder.Read(&rd, path, 100)
				got := string(text)
				if err != nil {
					got = "!" + string(codeOf(err))
					if leaks(err, dir, path) != "" && len(path) < 100 || info != nil || text != nil {
						t.Errorf("%q: %q, %v, %v", path, text, info, err)
					}
				} else if info.Size() != int64(len(text)) || info.ModTime().IsZero() {
					t.Errorf("%q: %+v", path, info)
				}
				if got != want {
					t.Errorf("%q: %q, want %q", path, got, want)
				}
				about, statErr := folder.Stat(path)
				if codeOf(statErr) != codeOf(err) || err == nil && !os.SameFile(about, info) {
					t.Errorf("%q: %v, %v, and reading it %v", path, about, statErr, err)
				}
			}
		}
	}
}

// TestFolderLimit reads with limits, of which 0 is one.
func TestFolderLimit(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "five"), "12345")
	write(t, filepath.Join(dir, "one"), "1")
	write(t, filepath.Join(dir, "none"), "")
	write(t, filepath.Join(dir, "binary"), "\x00")
	write(t, filepath.Join(dir, "latin"), "\xff")
	f := openedFolder(t, dir, "")
	for _, tt := range []struct {
		path  string
		limit int64
		want  fileerror.Code
	}{
		{"five", 5, ""},
		{"five", 4, fileerror.TooLarge},
		{"five", 0, fileerror.TooLarge},
		{"one", 1, ""},
		{"one", 0, fileerror.TooLarge},
		{"none", 0, ""},
		{"none", 1, ""},
		{"binary", 9, fileerror.BinaryFile},
		{"latin", 9, fileerror.EncodingError},
	} {
		rd := textfile.Reader{Limit: 77}
		text, info, err := f.Read(&rd, tt.path, tt.limit)
		if codeOf(err) != tt.want || rd.Limit != 77 || info == nil || err != nil && text != nil {
			t.Errorf("%s, %d: %q, %v, %v", tt.path, tt.limit, text, info, err)
		}
	}
}

// TestOpenFolder opens folders below another, and no link leads out of that.
func TestOpenFolder(t *testing.T) {
	base := t.TempDir()
	tree(t, base, map[string]string{"p/in": "docs", "p/docs/up": "..", "p/out": "../other", "p/abs": base + "/p/docs", "p/git": ".git", "p/gone": "nope", "alias": "p", "p/circle": "circle"},
		"p/docs/a", "p/docs/deep/b", "p/.git/x", "p/.config/c", "other/d", "p-2/e", "p/file")
	in := func(path string) string { return filepath.Join(base, filepath.FromSlash(path)) }
	for _, tt := range []struct {
		dir, within string
		want        string // a file that is in it, or the code
	}{
		{"p/docs", "p", "a"},
		{"p", "p", "file"},
		{"p/docs/deep", "p", "b"},
		{"p/.config", "p", "c"},
		{"p/in/deep", "p", "b"},
		{"p/docs/up/docs/up/in", "p", "a"},
		{"alias/docs", "alias", "a"},
		{"p/docs", "alias", "a"},
		{"p/out", "", "d"},
		{"p/abs", "", "a"},
		{"p/out", "p", "!path_outside_root"},
		{"p/abs", "p", "!path_outside_root"},
		{"p/docs/up/out", "p", "!path_outside_root"},
		{"p-2", "p", "!path_outside_root"},
		{".", "p", "!path_outside_root"},
		{"p/git", "p", "!path_outside_root"},
		{"p/.git", "p", "!path_outside_root"},
		{"p/.git", "", "!path_outside_root"},
		{"p/git", "", "!path_outside_root"},
		{"p/docs", "p/.git", "!path_outside_root"},
		{"p/nope", "p", "!file_not_found"},
		{"p/nope", "", "!file_not_found"},
		{"p/gone", "p", "!file_not_found"},
		{"p/circle", "p", "!file_not_found"},
		{"p/file", "p", "!file_not_found"},
		{"p/file", "", "!not_a_file"},
		{"nope/docs", "nope", "!file_not_found"},
		{"p/docs", "p/file", "!not_a_file"},
	} {
		within := ""
		if tt.within != "" {
			within = in(tt.within)
		}
		f, err := OpenFolder(in(tt.dir), within)
		if err != nil {
			e, ok := errors.AsType[*fileerror.Error](err)
			if !ok || "!"+string(e.Code) != tt.want || strings.Contains(e.Error()+fmt.Sprint(e.Err), base) {
				t.Errorf("%s in %s: %v, want %s", tt.dir, tt.within, err, tt.want)
			}
			continue
		}
		if _, err := f.Stat(tt.want); err != nil {
			t.Errorf("%s in %s: %v", tt.dir, tt.within, err)
		}
		f.Close()
	}
}

// TestFolderMany lists more than is asked for at once, and ends with the context.
func TestFolderMany(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for i := range 2*listed + 1 {
		paths = append(paths, filepath.Join(dir, "f"+strings.Repeat("x", i%100)+string(rune('a'+i/100))))
	}
	testkit.Crowd(t, "", paths)
	f := openedFolder(t, dir, dir)
	if n := len(listedIn(t, f)); n != 2*listed+1 {
		t.Errorf("%d entries", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if entries, err := f.Entries(ctx); !errors.Is(err, context.Canceled) || len(entries) > listed {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	f.Close()
	if _, err := f.Entries(t.Context()); codeOf(err) != fileerror.IOError {
		t.Errorf("closed: %v", err)
	}
	if _, err := f.Enter("x"); codeOf(err) != fileerror.IOError {
		t.Errorf("closed: %v", err)
	}
	if _, err := f.Stat("fa"); codeOf(err) != fileerror.IOError {
		t.Errorf("closed: %v", err)
	}
}

// TestFolderAttacks asks a folder for what roots are attacked with: no secret comes
// out, but of files that are hidden and no more.
func TestFolderAttacks(t *testing.T) {
	base := stronghold(t)
	f := openedFolder(t, filepath.Join(base, "ws"), base)
	count := func() int {
		list, _ := os.ReadDir("/proc/self/fd")
		return len(list)
	}
	before := count()
	hidden := []string{"docs/.hidden/note.txt", "hidden/note.txt", "note.md"}
	for _, a := range append(attacks(base), linkAttacks...) {
		var rd textfile.Reader
		text, _, err := f.Read(&rd, a.path, 100)
		if strings.Contains(string(text), secret) && !slices.Contains(hidden, a.path) {
			t.Errorf("%.100q is read", a.path)
		}
		if err != nil && leaks(err, base, a.path) != "" && len(a.path) < 80 {
			t.Errorf("%.100q: %v", a.path, err)
		}
		if g, err := OpenFolder(filepath.Join(base, "ws", a.path), filepath.Join(base, "ws")); err == nil {
			g.Close()
		}
	}
	if after := count(); after > before && runtime.GOOS == "linux" {
		t.Errorf("%d handles are open, %d were before", after, before)
	}
}

// TestRootsDotFiles reads what begins with a dot.
func TestRootsDotFiles(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"env.md": ".env", "env": ".env", "git": ".git/config"}, ".env", ".sectile.yaml", ".config/x.txt", ".github/c.md", ".git/config", "a.txt")
	for _, tt := range []struct{ path, plain, dots, both string }{
		{".env", "path_outside_root", "path_outside_root", "path_outside_root"},
		{".sectile.yaml", "not_a_file", "not_a_file", ".sectile.yaml"},
		{".config/x.txt", "not_a_file", "not_a_file", ".config/x.txt"},
		{"env.md", "path_outside_root", "path_outside_root", "path_outside_root"},
		{"env", "path_outside_root", "path_outside_root", "path_outside_root"},
		{".github/c.md", ".github/c.md", ".github/c.md", ".github/c.md"},
		{"a.txt", "a.txt", "not_a_file", "a.txt"},
		{".git/config", "path_outside_root", "path_outside_root", "path_outside_root"},
		{"git", "path_outside_root", "path_outside_root", "path_outside_root"},
	} {
		for want, o := range map[*string]RootOptions{
			&tt.plain: {TextFiles: true}, &tt.dots: {DotFiles: true}, &tt.both: {TextFiles: true, DotFiles: true},
		} {
			if text := got(openRoots(t, o, dir), tt.path); text != *want {
				t.Errorf("%s with %+v: %q, want %q", tt.path, o, text, *want)
			}
		}
	}
}
