package vcs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/vcs"
)

// TestNotCheckedOutLines has patterns of Jujutsu whose names have several lines.
func TestNotCheckedOutLines(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"top.md": "# A\n", "docs/a.md": "# A\n"})
	run(t, dir, "jj", "git", "init", "--no-colocate")
	run(t, dir, "jj", "commit", "-m", "one")
	for _, patterns := range [][]string{{}, {"--add", "docs\ntop.md"}, {"--add", "other", "--add", "q\n.\n"}, {"--add", "\n"}} {
		run(t, dir, "jj", append([]string{"sparse", "set", "--clear"}, patterns...)...)
		commit, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, "@-")
		if err != nil {
			t.Fatal(err)
		}
		isOut, err := commit.NotCheckedOut(t.Context(), ".")
		if err != nil || !isOut("top.md") || !isOut("docs/a.md") {
			t.Errorf("%q: %v", patterns, err)
		}
	}
	run(t, dir, "jj", "sparse", "reset")
	commit, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, "@-")
	if err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(dir, ".jj", "working_copy", "tree_state")
	for text, ok := range map[string]bool{"": true, "\x1a\x03\x0a\x01.": false} {
		if err := os.WriteFile(state, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		isOut, err := commit.NotCheckedOut(t.Context(), ".")
		if (err == nil) != ok || ok && isOut("top.md") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

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

// TestSkipWorktree has a working copy that isn't sparse, and the bit of one file that sparse ones set.
func TestSkipWorktree(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n"})
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "one"}, {"update-index", "--skip-worktree", "a.md"}} {
		run(t, dir, "git", args...)
	}
	commit, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if isOut, err := commit.NotCheckedOut(t.Context(), "."); err != nil || isOut("a.md") {
		t.Errorf("a file that is only marked is left out: %v", err)
	}
}
