package files

import (
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

// TestHistoryNames judges names by what some file system would make of them.
func TestHistoryNames(t *testing.T) {
	for name, want := range map[string]bool{
		".git": true, ".jj": true, ".Git. .": true, "GIT~2": true, "jj~10": true, ".git:a:b": true, ".g\u200ei\u206ft": true,
		"": false, ".": false, "..": false, "git": false, "jj": false, "git~": false, "git~x": false, "git~1x": false, "~1": false,
		".github": false, ".gitignore": false, ".git.md": false, "x.git": false, " .git": false, "digit~1": false, "a:.git": false,
	} {
		if got := isHistory(name); got != want {
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

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"guide", "gudie", 2}, {"kitten", "sitting", 3}, {"a", "b", 1}, {"äb", "ab", 1}, {"abc", "abc", 0}} {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := distance([]rune(pair[0]), []rune(pair[1])); got != tt.want {
				t.Errorf("from %q to %q: %d, want %d", pair[0], pair[1], got, tt.want)
			}
		}
	}
}
