package files

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestAliases judges names by what Windows would make of them.
func TestAliases(t *testing.T) {
	for name, want := range map[string]bool{
		"a.md": false, "a~b.md": false, "a~.md": false, "~": false, "a.~1": false, "v1.md": false, ".env": false,
		"env~1": true, "ENV~1": true, "abcdef~12.md": true, "a.md.": true, "a.md" + " ": true, "a.md:x": true,
		".env::$DATA": true, "a?": true, `a\b`: true,
	} {
		if got := isAlias(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

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

func TestCovers(t *testing.T) {
	dir := t.TempDir()
	r, err := OpenRoots([]string{dir}, RootOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for path, want := range map[string]bool{
		dir + "/a.md": true, dir + "/b/c.txt": true, dir + "/../x.md": false, dir + "x/a.md": false, "/a.md": false,
		dir + "/.env": false, dir + "/a/.ssh/x.md": false, dir + "/b/.git/x": false,
	} {
		if got := r.Covers(filepath.Clean(path)); got != want {
			t.Errorf("%s: %v", strings.TrimPrefix(path, dir), got)
		}
	}
}
