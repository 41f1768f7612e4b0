package files

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
)

// found lists what Find yields, errors as "path: code".
func found(args ...string) []string {
	list := []string{}
	for path, err := range Find(args, WalkOptions{}) {
		if err != nil {
			path += ": " + string(codeOf(err))
		}
		list = append(list, filepath.ToSlash(path))
	}
	return list
}

func TestFind(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, path := range []string{
		"b.md", "a.MD", "c.markdown", "d.mdx", "e.txt", "f", "g.md.bak", "md",
		"sub/x.md", "sub/deep/y.md", "sub-2/z.md", "sub.md/w.md",
		".git/h.md", ".jj/h.md", "sub/.git/h.md", ".github/i.md", "[odd].md",
	} {
		write(t, path, "# A\n")
	}
	if err := os.Mkdir("none", 0o750); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		for link, to := range map[string]string{"sub/link.md": "../b.md", "sub/loop": "..", "linked": "sub"} {
			if err := os.Symlink(to, link); err != nil {
				t.Fatal(err)
			}
		}
	}
	all := []string{
		"[odd].md", "a.MD", "b.md", "c.markdown", "d.mdx",
		"sub/deep/y.md", "sub/x.md", "sub-2/z.md", "sub.md/w.md",
	}
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{nil, []string{}},
		{[]string{"b.md"}, []string{"b.md"}},
		{[]string{"e.txt", "f", "missing.md"}, []string{"e.txt", "f", "missing.md"}},
		{[]string{"."}, all},
		{[]string{"sub"}, []string{"sub/deep/y.md", "sub/x.md"}},
		{[]string{"sub/"}, []string{"sub/deep/y.md", "sub/x.md"}},
		{[]string{"./sub"}, []string{"./sub/deep/y.md", "./sub/x.md"}},
		{[]string{"sub", "b.md", "sub"}, []string{"sub/deep/y.md", "sub/x.md", "b.md", "sub/deep/y.md", "sub/x.md"}},
		{[]string{"none"}, []string{"none: no_matches"}},
		{[]string{"*.md"}, []string{"[odd].md", "b.md"}},
		{[]string{"./*.md"}, []string{"[odd].md", "b.md"}},
		{[]string{"**/*.md"}, []string{"[odd].md", "b.md", "sub/deep/y.md", "sub/x.md", "sub-2/z.md", "sub.md/w.md"}},
		{[]string{".github"}, []string{".github/i.md"}},
		{[]string{".github/*.md"}, []string{".github/i.md"}},
		{[]string{"**/.github/*.md"}, []string{".github/i.md"}},
		{[]string{"**/{.github,sub}/*.md"}, []string{".github/i.md", "sub/x.md"}},
		{[]string{"sub/*"}, []string{"sub/x.md"}},
		{[]string{"s{ub,ub-2}/*.md"}, []string{"sub/x.md", "sub-2/z.md"}},
		{[]string{"[odd].md"}, []string{"[odd].md"}},
		{[]string{"*.txt"}, []string{"*.txt: no_matches"}},
		{[]string{"nowhere/*.md"}, []string{"nowhere: file_not_found"}},
		{[]string{"[a", "b.md"}, []string{"[a: invalid_pattern", "b.md"}},
	} {
		if diff := cmp.Diff(tt.want, found(tt.args...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.args, diff)
		}
	}
	// Who has seen enough gets no more.
	for path, err := range Find([]string{".", "b.md"}, WalkOptions{}) {
		if err != nil || path != "[odd].md" {
			t.Errorf("%s after the loop was left", path)
		}
		break
	}
}

func TestIsMany(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "[a].md", "")
	for arg, want := range map[string]bool{".": true, "*.md": true, "[a].md": false, "b.md": false, "[b].md": true} {
		if got := IsMany(arg); got != want {
			t.Errorf("%s: %v, want %v", arg, got, want)
		}
	}
}

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"*.md", "a.md", true},
		{"*.md", "b/a.md", false},
		{"**/*.md", "a.md", true},
		{"**/*.md", "b/c/a.md", true},
		{"b/**", "b/c/a.md", true},
		{"b/?.md", "b/a.md", true},
		{"b/?.md", "b/aa.md", false},
		{"{a,b}/*.md", "b/x.md", true},
		{"{a,b}/*.md", "c/x.md", false},
		{"[a-c].md", "b.md", true},
		{"[!a-c].md", "b.md", false},
		{"{a,{b,c}}.md", "c.md", true},
		{"../x/*.md", "../x/a.md", true},
		{"./a*.md", "ab.md", true},
		{".//tmp/*.md", "tmp/a.md", true},
		{".//tmp/*.md", "/tmp/a.md", false},
		{"b//*.md", "b/a.md", true},
	} {
		g, err := ParseGlob(tt.pattern)
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		if got := g.Match(filepath.FromSlash(tt.path)); got != tt.want {
			t.Errorf("%s matches %s: %v, want %v", tt.pattern, tt.path, got, tt.want)
		}
	}
}

// TestHostileGlobs gives patterns that are wrong, or that would run for ever:
// each is refused, or answered at once.
func TestHostileGlobs(t *testing.T) {
	path := strings.Repeat("a", 200) + "/" + strings.Repeat("aa/", 20) + "b.md"
	for _, pattern := range []string{
		"[", "{a", "a\\", "{a,{b}", "[a-", strings.Repeat("a*", 400), strings.Repeat("?", 2000),
		strings.Repeat("{a,aa}", 30), strings.Repeat("{", 500) + strings.Repeat("}", 499), strings.Repeat("{a,b,c}", 4) + "x",
		strings.Repeat("**/", 30) + "x", strings.Repeat("**/", 8) + "x", strings.Repeat("*a", 100) + "x", "a\x00b*",
		strings.Repeat("{a*,*a}", 6) + "x", "{" + strings.Repeat("a,", 400) + "}{a,b}",
	} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			g, err := ParseGlob(pattern)
			if err != nil {
				if codeOf(err) != fileerror.InvalidPattern || len(err.Error()) > 250 {
					t.Errorf("%.30q: %v", pattern, err)
				}
				return
			}
			g.Match(path)
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("%.60q is still being matched", pattern)
		}
	}
}
