package files

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestBelow(t *testing.T) {
	for _, tt := range []struct {
		path, dir, rest string
		ok              bool
	}{
		{"/a/ws/x.md", "/a/ws", "x.md", true},
		{"/a/ws/d//x.md/", "/a/ws", "d//x.md/", true},
		{"//a/./ws/../x", "/a/ws", "../x", true},
		{"/a/ws", "/a/ws", "", true},
		{"/a/ws/.", "/a/ws", ".", true},
		{"/a/ws-evil/x", "/a/ws", "", false},
		{"/a/w", "/a/ws", "", false},
		{"/a/b/../ws/x", "/a/ws", "", false},
		{"/a", "/a/ws", "", false},
		{"/a/.", "/a/ws", "", false},
		{"/", "/a/ws", "", false},
		{"/x", "/", "/x", true},
		{"C:/a/x", "C:/a", "x", true},
		{"//host/share/a/x", "//host/share/a", "x", true},
	} {
		rest, ok := below(tt.path, tt.dir)
		if ok != tt.ok || ok && rest != tt.rest {
			t.Errorf("%s below %s: %q, %v", tt.path, tt.dir, rest, ok)
		}
	}
}

// TestCovers: of a path of the host its names count, and the folders on the way as they are now.
func TestCovers(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := openRoots(t, RootOptions{}, dir)
	deep := strings.Repeat("/d", maxDepth)
	for path, want := range map[string]bool{
		dir + "/a.md": true, dir + "/b/c.txt": true, dir + "/../x.md": false, dir + "x/a.md": false, "/a.md": false,
		dir + "/.env": false, dir + "/a/.ssh/x.md": false, dir + "/b/.git/x": false, dir + deep + "/a.md": true, dir + deep + "/d/a.md": false,
	} {
		if got := r.Covers(filepath.Clean(path)); got != want {
			t.Errorf("%s: %v", strings.TrimPrefix(path, dir), got)
		}
	}
}

// TestFindNoJournal: what the user's journal holds is in no list of a folder or pattern, by whatever name it
// lies there.
func TestFindNoJournal(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "home"))
	tree(t, dir, map[string]string{"home/sectile": "../p/store"}, "home/x", "p/store/journal/n.md", "p/store/a.md", "p/journal/b.md")
	t.Chdir(filepath.Join(dir, "p"))
	for _, arg := range []string{".", "**/*.md", "*/*"} {
		want := []string{"journal/b.md", "store/a.md"}
		if got := found(arg); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", arg, got, want)
		}
	}
}

// TestCoversJournal: no file in the user's journal is covered, by whatever name that lies below a
// root, whether or not the file or the journal is there.
func TestCoversJournal(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "home"))
	tree(t, dir, map[string]string{"home/sectile": "../store", "linked": "store"}, "store/journal/copies/0", "store/a.md", "home/x")
	r := openRoots(t, RootOptions{TextFiles: true}, dir)
	check := func(when string, hidden ...string) {
		t.Helper()
		shows := r.Covering()
		for range 2 { // what is known of the folders too
			for _, path := range hidden {
				if path = filepath.Join(dir, filepath.FromSlash(path)); shows(path) || r.Covers(path) {
					t.Errorf("%s: %s is covered", when, path)
				}
			}
			for _, path := range []string{"store/a.md", "store/b/a.md", "store/journals/a.md", "journal/a.md", "a/journal/a.md", "linked/a.md"} {
				if path = filepath.Join(dir, filepath.FromSlash(path)); !shows(path) || !r.Covers(path) {
					t.Errorf("%s: %s isn't covered", when, path)
				}
			}
		}
	}
	own := []string{"store/journal/copies/0", "store/journal/gone/a.md", "store/journal/a.md"}
	check("it is there", append(own, "linked/journal/a.md", "home/sectile/journal/a.md")...)
	for _, gone := range []string{"store/journal", "store"} {
		if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(gone))); err != nil {
			t.Fatal(err)
		}
		check("without "+gone, own...)
	}
}

// TestCoversReplaced: nothing is covered below a root in whose place there is another folder by now,
// or nothing.
func TestCoversReplaced(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tree(t, dir, nil, "one/a.md", "two/a.md")
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	r := openRoots(t, RootOptions{}, one, two)
	for _, c := range []struct {
		change func() error
		want   bool
	}{
		{func() error { return nil }, true},
		{func() error { return os.Rename(two, two+"-old") }, false},
		{func() error { return os.Mkdir(two, 0o700) }, false},
		{func() error { return errors.Join(os.Remove(two), os.Rename(two+"-old", two)) }, true},
	} {
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		if got := r.Covers(filepath.Join(two, "a.md")); got != c.want || !r.Covers(filepath.Join(one, "a.md")) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
