package planstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGitWorktreesWithOneName has three worktrees whose folders have the same name, and
// a branch of that name.
func TestGitWorktreesWithOneName(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	renamed := filepath.Join(t.TempDir(), "same")
	if err := os.Rename(dir, renamed); err != nil {
		t.Fatal(err)
	}
	places := []string{renamed, filepath.Join(t.TempDir(), "same"), filepath.Join(t.TempDir(), "same")}
	run(t, renamed, "git", "checkout", "-q", "--detach")
	for _, linked := range places[1:] {
		run(t, renamed, "git", "worktree", "add", "-q", "--detach", linked)
	}
	run(t, renamed, "git", "branch", "same")
	refs := map[string]bool{}
	for i, place := range places {
		s := gitStoreIn(t, place)
		if now := load(t, s); now.Text != "" {
			t.Errorf("%s has the plan of another: %+v", place, now)
		}
		refs[save(t, s, fmt.Sprintf("feat: plan %d\n", i)).Where] = true
	}
	if len(refs) != 3 || !refs[plansRef+"-worktrees/same"] {
		t.Errorf("%v", refs)
	}
	s := gitStoreIn(t, renamed)
	plans, err := s.List(t.Context())
	if err != nil || len(plans) != 3 || plans[0].Name != "main worktree" || plans[1].Orphan || plans[2].Orphan {
		t.Errorf("%+v %v", plans, err)
	}
	_, err = s.Adopt(t.Context(), "worktree same", never)
	if e := typed(t, err, TypeUnsupported); !strings.Contains(e.Hint, "git worktree list") {
		t.Error(e.Hint)
	}
	run(t, renamed, "git", "checkout", "-q", "same")
	if now := load(t, s); now.Text != "" {
		t.Errorf("the branch has the plan of a worktree: %+v", now)
	}
}

// TestGitRebase has the plan of a branch while that is being rebased, and HEAD names no
// branch.
func TestGitRebase(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"--merge", "--apply"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			dir := newGit(t)
			run(t, dir, "git", "checkout", "-q", "-b", "topic/r")
			write(t, filepath.Join(dir, "a.txt"), "topic\n")
			run(t, dir, "git", "commit", "-qam", "topic")
			s := gitStoreIn(t, dir)
			saved := save(t, s, plan)
			run(t, dir, "git", "checkout", "-q", "main")
			write(t, filepath.Join(dir, "a.txt"), "main\n")
			run(t, dir, "git", "commit", "-qam", "main")
			run(t, dir, "git", "checkout", "-q", "topic/r")
			if out, err := tryRun(t, dir, "", "git", "rebase", how, "main"); err == nil {
				t.Fatalf("no conflict: %s", out)
			}
			if now := load(t, s); now != saved {
				t.Errorf("%+v, want %+v", now, saved)
			}
			adopted, err := s.Adopt(t.Context(), "topic/r", never)
			if err != nil || adopted != saved {
				t.Errorf("%+v %v", adopted, err)
			}
			saved = save(t, s, plan+"- [ ]: three\n")

			linked := filepath.Join(t.TempDir(), "linked")
			run(t, dir, "git", "worktree", "add", "-q", "-b", "other", linked)
			plans, err := gitStoreIn(t, linked).List(t.Context())
			if err != nil || len(plans) != 1 || plans[0].Workspace != "main worktree" || plans[0].Continue != "git worktree list" {
				t.Errorf("from another worktree: %+v %v", plans, err)
			}

			run(t, dir, "git", "rebase", "--abort")
			if now := load(t, s); now != saved {
				t.Errorf("after the rebase: %+v, want %+v", now, saved)
			}
			// What is left of a rebase of a branch that isn't there counts for nothing.
			run(t, dir, "git", "checkout", "-q", "--detach")
			write(t, filepath.Join(dir, ".git", "rebase-merge", "head-name"), "refs/heads/../x\n")
			if saved = save(t, s, plan); saved.Name != mainWorktree {
				t.Errorf("%+v", saved)
			}
			_, err = gitStoreIn(t, linked).Adopt(t.Context(), mainWorktree, never)
			wantType(t, err, TypeUnsupported)
		})
	}
}

// TestGitWorktreeGone says why nothing works on the plan of a worktree.
func TestGitWorktreeGone(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	linked := filepath.Join(t.TempDir(), "linked")
	run(t, dir, "git", "worktree", "add", "-q", "--detach", linked)
	save(t, gitStoreIn(t, linked), plan)
	s := gitStoreIn(t, dir)
	gone := func() string {
		t.Helper()
		plans, err := s.List(t.Context())
		if err != nil || len(plans) != 1 {
			t.Fatalf("%+v %v", plans, err)
		}
		return plans[0].Gone
	}
	if got := gone(); got != "" {
		t.Errorf("detached: %q", got)
	}
	run(t, linked, "git", "checkout", "-q", "-b", "other")
	if got := gone(); got != "its worktree is on branch other now" {
		t.Errorf("on a branch: %q", got)
	}
	run(t, dir, "git", "worktree", "remove", linked)
	if got := gone(); got != "its worktree is gone" {
		t.Errorf("removed: %q", got)
	}
	if got := (&worktrees{}).gone("-x"); got != "its branch is gone" {
		t.Errorf("a branch whose name begins with a dash: %q", got)
	}
}
