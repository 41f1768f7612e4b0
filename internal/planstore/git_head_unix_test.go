//go:build unix

package planstore

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestGitHeads has HEAD name a branch that isn't born yet in each way that git reads, in the main
// worktree and in a linked one: its plan stays with it when another worktree wants it.
func TestGitHeads(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]string{
		"as git writes it": "ref: refs/heads/unborn\n", "no blank": "ref:refs/heads/unborn\n", "blanks": "ref: \t refs/heads/unborn\n",
		"blanks behind": "ref: refs/heads/unborn \n\n", "link": "-> refs/heads/unborn", "another ref": "ref: refs/heads/alias\n",
		"link to another ref": "-> refs/heads/alias", "no branch": "ref: refs/other/unborn\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, linked := newGit(t), filepath.Join(t.TempDir(), "linked")
			run(t, dir, "git", "worktree", "add", "-q", "-b", "other", linked)
			run(t, dir, "git", "symbolic-ref", "refs/heads/alias", "refs/heads/unborn")
			for _, at := range []struct{ folder, head, from, worktree, before string }{
				{dir, ".git", linked, mainWorktree, "refs/heads/main"},
				{linked, ".git/worktrees/linked", dir, "linked", "refs/heads/other"},
			} {
				put(t, dir, map[string]string{at.head + "/HEAD": head})
				s, from := gitStoreIn(t, at.folder), gitStoreIn(t, at.from)
				saved := save(t, s, plan)
				plans, err := from.List(t.Context())
				if err != nil || len(plans) != 1 || plans[0].Orphan || plans[0].Workspace != at.worktree || plans[0].Gone != "" {
					t.Errorf("%s, from elsewhere: %+v %v", at.worktree, plans, err)
				}
				_, err = from.Adopt(t.Context(), saved.Name, never)
				wantType(t, err, TypeUnsupported)
				if now := load(t, s); now != saved {
					t.Errorf("%s: %+v, want %+v", at.worktree, now, saved)
				}
				run(t, at.folder, "git", "update-ref", "-d", saved.Where)
				run(t, at.folder, "git", "symbolic-ref", "HEAD", at.before)
			}
		})
	}
}

// TestGitHeadsUnasked has more worktrees on branches without a commit than git is asked of: that is said, and
// not that git can't read what it wasn't asked.
func TestGitHeadsUnasked(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	run(t, dir, "git", "symbolic-ref", "HEAD", "refs/heads/unborn")
	s := gitStoreIn(t, dir)
	save(t, s, plan)
	run(t, dir, "git", "symbolic-ref", "HEAD", "refs/heads/main")
	for i := range maxHeads + 1 {
		at := fmt.Sprintf(".git/worktrees/w%d/", i)
		put(t, dir, map[string]string{at + "HEAD": "ref: refs/heads/new\n", at + "commondir": "../..\n", at + "gitdir": filepath.Join(dir, "gone", ".git") + "\n"})
	}
	_, err := s.Adopt(t.Context(), "unborn", never)
	e := typed(t, err, TypeUnsupported)
	if strings.Contains(e.Message, "can't read") || !strings.Contains(e.Message, "more than 50 worktrees") || strings.Contains(e.Hint, "mend that HEAD") {
		t.Error(e.Message, e.Hint)
	}
}

// TestGitHeadUntold has a worktree whose HEAD git can't read: which branch it is on can't be told,
// so that no plan is one of a branch that is gone until it is mended.
func TestGitHeadUntold(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]string{"no name": "ref: refs/heads/a..b\n", "empty": "", "gone": "-> none", "words": "words\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, linked := newGit(t), filepath.Join(t.TempDir(), "linked")
			run(t, dir, "git", "worktree", "add", "-q", "-b", "other", linked)
			run(t, dir, "git", "symbolic-ref", "HEAD", "refs/heads/unborn")
			s := gitStoreIn(t, dir)
			saved := save(t, s, plan)
			run(t, dir, "git", "symbolic-ref", "HEAD", "refs/heads/main")
			put(t, dir, map[string]string{".git/worktrees/linked/HEAD": head})
			plans, err := s.List(t.Context())
			if err != nil || len(plans) != 1 || plans[0].Orphan || plans[0].Continue != "git worktree list" ||
				plans[0].Gone != "git can't read the HEAD of worktree linked, which may be on its branch" {
				t.Errorf("%+v %v", plans, err)
			}
			_, err = s.Adopt(t.Context(), "unborn", never)
			if e := typed(t, err, TypeUnsupported); !strings.Contains(e.Message, "worktree linked") || !strings.Contains(e.Hint, "mend that HEAD") {
				t.Error(e)
			}
			put(t, dir, map[string]string{".git/worktrees/linked/HEAD": "ref: refs/heads/other\n"})
			if adopted, err := s.Adopt(t.Context(), "unborn", never); err != nil || adopted.Text != saved.Text {
				t.Errorf("mended: %+v %v", adopted, err)
			}
		})
	}
}
