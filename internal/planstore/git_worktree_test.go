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
	_, err = s.Adopt(t.Context(), "worktree same")
	if e := typed(t, err, TypeUnsupported); !strings.Contains(e.Hint, "git worktree list") {
		t.Error(e.Hint)
	}
	run(t, renamed, "git", "checkout", "-q", "same")
	if now := load(t, s); now.Text != "" {
		t.Errorf("the branch has the plan of a worktree: %+v", now)
	}
}
