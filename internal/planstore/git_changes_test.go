package planstore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGitChanges are the files of which index and folder say different things.
func TestGitChanges(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	for _, name := range []string{"untracked now.txt", "reverted.txt", "gone.txt", "staged.txt", "touched.txt", "kind.txt"} {
		write(t, filepath.Join(dir, name), "one\n")
	}
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-qm", "two")
	write(t, filepath.Join(dir, "never.txt"), "one\n")
	write(t, filepath.Join(dir, "reverted.txt"), "two\n")
	write(t, filepath.Join(dir, "staged.txt"), "two\n")
	write(t, filepath.Join(dir, "sub", "meant.txt"), "one\n")
	run(t, dir, "git", "add", "never.txt", "reverted.txt", "staged.txt")
	run(t, dir, "git", "add", "-N", "sub/meant.txt")
	run(t, dir, "git", "rm", "-q", "--cached", "untracked now.txt")
	write(t, filepath.Join(dir, "reverted.txt"), "one\n")
	write(t, filepath.Join(dir, "touched.txt"), "one\n")
	for _, name := range []string{"never.txt", "gone.txt", "kind.txt"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a.txt", filepath.Join(dir, "kind.txt")); err != nil {
		t.Skip(err)
	}
	run(t, dir, "git", "config", "diff.relative", "true")
	run(t, dir, "git", "config", "diff.noprefix", "true")
	want := []Change{
		{"removed", "gone.txt"},
		{"typechanged", "kind.txt"},
		{"modified", "staged.txt"},
		{"added", "sub/meant.txt"},
		{"removed", "untracked now.txt"},
	}
	_, changes, err := gitStoreIn(t, dir).Survey(t.Context())
	if diff := cmp.Diff(Changes{Against: "HEAD", Files: want}, changes); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	for i := range want {
		want[i].Path = "../" + want[i].Path
	}
	want[3].Path = "meant.txt"
	below := gitStoreIn(t, filepath.Join(dir, "sub"))
	_, changes, err = below.Survey(t.Context())
	if diff := cmp.Diff(want, changes.Files); diff != "" || err != nil {
		t.Errorf("from a folder below: %v (-want +got)\n%s", err, diff)
	}
	testDiff(t, below, "+++ b/staged.txt")
}

// TestGitNamesOfBytes has files whose names aren't UTF-8 and read the same as text, beside one that may
// not be told of: each is listed, and is a part of the difference.
func TestGitNamesOfBytes(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	for _, name := range []string{"caf\xe9.md", ".env"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("old\n"), 0o600); err != nil {
			t.Skip(err) // not every file system takes such a name
		}
	}
	run(t, dir, "git", "add", "-Af")
	run(t, dir, "git", "commit", "-qm", "two")
	for _, name := range []string{"caf\xe9.md", "caf\xea.md", ".env"} {
		write(t, filepath.Join(dir, name), "new\n")
	}
	s := open(t, Options{Root: dir, Kind: Git, Shows: shown(func(path string) bool { return filepath.Base(path) != ".env" })})
	_, changes, err := s.Survey(t.Context())
	want := Changes{Against: "HEAD", Files: []Change{{"modified", "caf\uFFFD.md"}, {"untracked", "caf\uFFFD.md"}}, Hidden: 1}
	if diff := cmp.Diff(want, changes); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	diff, err := s.Diff(t.Context(), 1000)
	if err != nil || diff.Unknown != "" || !strings.Contains(diff.Text, `a/caf\351.md`) || !strings.Contains(diff.Text, "+new") {
		t.Errorf("%+v %v", diff, err)
	}
}

// TestGitConflict has a merge that was not finished.
func TestGitConflict(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	run(t, dir, "git", "switch", "-q", "-c", "other")
	write(t, filepath.Join(dir, "a.txt"), "other\n")
	run(t, dir, "git", "commit", "-qam", "other")
	run(t, dir, "git", "switch", "-q", "main")
	write(t, filepath.Join(dir, "a.txt"), "main\n")
	run(t, dir, "git", "commit", "-qam", "main")
	if out, err := tryRun(t, dir, "", "git", "merge", "-q", "other"); err == nil {
		t.Fatalf("no conflict: %s", out)
	}
	_, changes, err := gitStoreIn(t, dir).Survey(t.Context())
	if diff := cmp.Diff([]Change{{"unmerged", "a.txt"}}, changes.Files); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}

// TestGitMissingObject has a comparison fail, as in a clone that left objects out.
func TestGitMissingObject(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	blob := strings.TrimSpace(run(t, dir, "git", "rev-parse", "HEAD:a.txt"))
	write(t, filepath.Join(dir, "a.txt"), "changed\n")
	write(t, filepath.Join(dir, "b.txt"), "new\n")
	if err := os.Remove(filepath.Join(dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	s := gitStoreIn(t, dir)
	_, changes, err := s.Survey(t.Context())
	if err != nil || !strings.Contains(changes.Unknown, "`git diff`") || changes.Against != "HEAD" {
		t.Errorf("%+v %v", changes, err)
	}
	if diff := cmp.Diff([]Change{{"modified", "a.txt"}, {"untracked", "b.txt"}}, changes.Files); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff, err := s.Diff(t.Context(), 1000); err != nil || !diff.Cut || !strings.Contains(diff.Unknown, "`git diff`") {
		t.Errorf("%+v %v", diff, err)
	}
}

// TestGitNestedRepositories has repositories lie among the files that git doesn't track:
// they are listed as folders, beside the other changed files.
func TestGitNestedRepositories(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	write(t, filepath.Join(dir, "a.txt"), "changed\n")
	run(t, dir, "git", "worktree", "add", "-q", ".claude/worktrees/f")
	run(t, dir, "git", "clone", "-q", dir, filepath.Join(dir, "sub", "nested"))
	s := gitStoreIn(t, dir)
	_, changes, err := s.Survey(t.Context())
	want := Changes{Against: "HEAD", Files: []Change{{"modified", "a.txt"}, {"untracked", ".claude/worktrees/f/"}, {"untracked", "sub/nested/"}}}
	if diff := cmp.Diff(want, changes); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if diff, err := s.Diff(t.Context(), 1000); err != nil || !strings.Contains(diff.Text, "+changed") || diff.Unknown != "" {
		t.Errorf("%+v %v", diff, err)
	}
	for name, want := range map[string]bool{"a/": true, "a//": false, "/": false, "../": false, "a/../": false, "": false, ".": true} {
		if got := arePaths([]Change{{"untracked", name}}); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	if arePaths([]Change{{"modified", "a/"}}) {
		t.Error("a file that git tracks has a name of a folder")
	}
}

// TestGitWorktreeOfBranch has a branch checked out in another worktree: one can't
// switch to it.
func TestGitWorktreeOfBranch(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	bare := filepath.Join(t.TempDir(), "bare.git")
	save(t, gitStoreIn(t, dir), plan)
	run(t, dir, "git", "clone", "-q", "--mirror", ".", bare)
	for _, c := range []struct{ from, want string }{{dir, "main worktree"}, {bare, ""}} {
		linked := filepath.Join(t.TempDir(), "linked")
		run(t, c.from, "git", "worktree", "add", "-q", "-b", "other", linked)
		s := gitStoreIn(t, linked)
		plans, err := s.List(t.Context())
		if err != nil || len(plans) != 1 || plans[0].Workspace != c.want || (plans[0].Continue == "git switch main") == (c.want != "") {
			t.Errorf("%+v %v", plans, err)
		}
		_, err = s.Adopt(t.Context(), "main", never)
		if e := typed(t, err, TypeUnsupported); strings.Contains(e.Hint, "git worktree list") != (c.want != "") {
			t.Error(detail(err))
		}
		save(t, s, "feat: other\n\n- [ ]: open\n")
		if c.want == "" {
			continue
		}
		plans, err = gitStoreIn(t, dir).List(t.Context())
		if err != nil || len(plans) != 2 || plans[1].Name != "other" || plans[1].Workspace != "linked" || plans[1].Continue != "git worktree list" {
			t.Errorf("%+v %v", plans, err)
		}
	}
}
