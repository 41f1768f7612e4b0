package repoproof

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

func waits() error { return nil }

// TestLinkOut finds each link behind which Jujutsu would read what isn't the project's own, and none
// that people have within it.
func TestLinkOut(t *testing.T) {
	t.Parallel()
	outside := testkit.Folder(t, map[string]string{"folder/a": "", "file": ""})
	for _, tt := range []struct {
		at, to string
		want   bool
	}{
		{"in/c", outside, true},
		{"in/deep/er/c", outside + "/folder", true},
		{"in/c", "../top", true}, // which leads out
		{"in/c", "..", true},
		{"in/c", "../.git", true},
		{"in/c", "../.config", true},
		{"in/c", "../.claude/skills", true},
		{"in/c", "/proc/self/cwd", true},
		{".hidden/c", outside, true},
		{"sub/.git/c", outside, true},
		{"c", outside, false}, // not in an ignored folder
		{".git/c", outside, false},
		{"in/c", outside + "/file", false},
		{"in/c", outside + "/nowhere", false},
		{"in/c", "c", false}, // a circle
		{"node_modules/p", ".pnpm/p@1/node_modules/p", false},
		{"node_modules/.pnpm/q@1/node_modules/p", "../../p@1/node_modules/p", false},
		{"node_modules/ours", "../packages/ours", false},
	} {
		dir := testkit.Folder(t, map[string]string{
			".git/HEAD": "", ".config/gh/hosts.yml": "", ".claude/skills/s/SKILL.md": "", "in/deep/er/a": "", ".hidden/a": "", "sub/.git/HEAD": "",
			"node_modules/.pnpm/p@1/node_modules/p/a": "", "node_modules/.pnpm/q@1/node_modules/q/a": "", "packages/ours/a": "",
		})
		for at, to := range map[string]string{"top": outside, tt.at: tt.to} {
			if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, filepath.FromSlash(at))); err != nil {
				testkit.Missing(t, err.Error())
			}
		}
		want := ""
		if tt.want {
			want = tt.at
		}
		if got, err := LinkOut(dir, waits); err != nil || got != want {
			t.Errorf("%s to %s: %q, %v", tt.at, tt.to, got, err)
		}
	}
}

// TestLinkOutEnds ends the look with its call.
func TestLinkOutEnds(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := LinkOut(t.TempDir(), ended.Err); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := FoldersOf(t.TempDir(), ended.Err).LinkIn("a"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestLinkIn looks at each folder once, in whatever order paths have them, and at so many in all.
func TestLinkIn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deep := strings.TrimSuffix(strings.Repeat("a/", 300), "/")
	for _, folder := range []string{deep, "b/b"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(folder)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	folders := FoldersOf(dir, waits)
	for range 1000 {
		for _, folder := range [...]string{deep, "b/b", "missing/" + deep} {
			if link, err := folders.LinkIn(folder); link != "" || err != nil {
				t.Fatal(link, err)
			}
		}
	}
	if once := 300 * 301 / 2; folders.steps > once+2*1000 {
		t.Errorf("%d steps, where %d would do", folders.steps, once)
	}
	folders.steps = maxSteps - 1000
	var err error
	for i := 0; err == nil && i < 5; i++ {
		_, err = folders.LinkIn(fmt.Sprint(deep, "/", i))
	}
	if !errors.Is(err, ErrTooMany) {
		t.Error(err)
	}
}
