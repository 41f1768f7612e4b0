package fileinfo

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestRepository: what a clone may bring along makes no repository of a folder below it.
func TestRepository(t *testing.T) {
	for name, tt := range map[string]struct {
		marks    []string
		at, want string
	}{
		"none":                           {[]string{"a/.sectile.yaml"}, "a/b", ""},
		"a clone":                        {[]string{"a/.git/HEAD"}, "a/b/c", "a"},
		"a project below":                {[]string{"a/.git/HEAD", "a/b/.sectile.yaml"}, "a/b/c", "a"},
		"a worktree below":               {[]string{"a/.git/HEAD", "a/b/.git"}, "a/b/c", "a/b"},
		"files of .jj below":             {[]string{"a/.git/HEAD", "a/b/.jj/x"}, "a/b/c", "a"},
		"files of .jj below each other":  {[]string{"a/.git/HEAD", "a/b/.jj/x", "a/b/c/.jj/x"}, "a/b/c", "a"},
		"a clone of Jujutsu":             {[]string{"a/.jj/repo"}, "a/b", "a"},
		"a workspace below one":          {[]string{"a/.jj/repo/x", "a/b/.jj/repo"}, "a/b/c", "a/b"},
		"a workspace below one with git": {[]string{"a/.jj/repo/x", "a/.git/HEAD", "a/b/.jj/repo"}, "a/b/c", "a"},
		"one of both":                    {[]string{"a/.jj/repo/x", "a/.git/HEAD"}, "a/b", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			held := map[string]string{"a/b/c/d.md": "# D\n"}
			for _, mark := range tt.marks {
				held[mark] = ""
			}
			dir := testkit.Folder(t, held)
			if above := Repository(filepath.Dir(dir)); above != "" {
				t.Skipf("%s is a repository", above)
			}
			want := ""
			if tt.want != "" {
				want = filepath.Join(dir, filepath.FromSlash(tt.want))
			}
			if got := Repository(filepath.Join(dir, filepath.FromSlash(tt.at))); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// TestMarkedUntold: where the system doesn't tell whether a folder is marked, none above it is taken
// for the project instead. A mark that isn't ours to see is none.
func TestMarkedUntold(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a/.git/HEAD": "", "a/b/c/d.md": ""})
	var names []string
	all := func(_, _ string, _ os.FileInfo) bool { return true }
	want := filepath.Join(dir, "a")
	root, err := marked(filepath.Join(want, "b", "c"), func(name string) (os.FileInfo, error) {
		names = append(names, name)
		return os.Lstat(name)
	}, all)
	if root != want || err != nil || len(names) < 7 {
		t.Fatalf("%s, %v, after %q", root, err, names)
	}
	for _, name := range names {
		for fault, untold := range map[error]bool{syscall.EIO: true, syscall.ENOMEM: true, syscall.ESTALE: true, syscall.EACCES: false, syscall.ENOTDIR: false} {
			root, err := marked(filepath.Join(want, "b", "c"), func(path string) (os.FileInfo, error) {
				if path == name {
					return nil, &os.PathError{Op: "lstat", Path: path, Err: fault}
				}
				return os.Lstat(path)
			}, all)
			if untold && (root != "" || !errors.Is(err, fault)) || !untold && err != nil {
				t.Errorf("%s, %v: %q, %v", name, fault, root, err)
			}
		}
	}
}
