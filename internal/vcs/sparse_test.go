package vcs_test

import (
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/vcs"
)

// TestNotCheckedOut asks which files a sparse working copy leaves out, in git with an index that
// is sparse itself, and in Jujutsu.
func TestNotCheckedOut(t *testing.T) {
	for name, c := range map[string]struct {
		made     [][]string
		revision string
	}{
		"git": {[][]string{{"git", "init", "-q"}, {"git", "add", "."}, {"git", "commit", "-qm", "one"}, {"git", "sparse-checkout", "set", "--cone", "--sparse-index", "docs"}}, "HEAD"},
		"jj":  {[][]string{{"jj", "git", "init", "--no-colocate"}, {"jj", "commit", "-m", "one"}, {"jj", "sparse", "set", "--clear", "--add", "docs", "--add", "top.md"}}, "@-"},
	} {
		t.Run(name, func(t *testing.T) {
			ownWorld(t)
			dir := testkit.Folder(t, map[string]string{"top.md": "# A\n", "docs/a.md": "# A\n", "other/b.md": "# A\n", "other/docs/c.md": "# A\n"})
			for _, command := range c.made {
				run(t, dir, command[0], command[1:]...)
			}
			commit, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, c.revision)
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{".", "other"} {
				isOut, err := commit.NotCheckedOut(t.Context(), path)
				if err != nil {
					t.Fatal(err)
				}
				for file, want := range map[string]bool{"other/b.md": true, "other/docs/c.md": true, "docs/a.md": false, "top.md": false} {
					if got := isOut(file); got != want && (path == "." || want) {
						t.Errorf("%s, asked at %s: %v", file, path, got)
					}
				}
			}
		})
	}
}
