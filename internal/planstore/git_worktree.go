package planstore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/repofiles"
)

// Where no branch is checked out the plan is that of the worktree. Such a name has a
// blank and such a ref begins with a dash, and no branch has either.
const (
	mainWorktree   = "main worktree"
	linkedWorktree = "worktree " // and the name that git has given to it, which is unique
	mainRef        = plansRef + "-main-worktree"
	linkedRef      = plansRef + "-worktrees/"
)

// refOf returns the plain ref for the name of a branch or worktree.
func refOf(name string) string {
	if name == mainWorktree {
		return mainRef
	}
	if linked, ok := strings.CutPrefix(name, linkedWorktree); ok {
		return linkedRef + linked
	}
	if strings.HasPrefix(name, "-") { // no branch that `git branch` makes: such names are ours
		return flatRef(name)
	}
	return plansRef + name
}

// refName returns a name of the host as part of a ref's name, as git-check-ref-format
// wants it. One that has to be changed for that ends with a part of its sum, so that
// two names stay two.
func refName(name string) string {
	plain := plainName(name)
	if plain == name {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return plain + "-" + hex.EncodeToString(sum[:4])
}

// plainName returns a name without what a ref's name can't have.
func plainName(name string) string {
	name = strings.ToValidUTF8(name, "-")
	name = strings.Map(func(c rune) rune {
		if c <= ' ' || c == 0x7F || strings.ContainsRune(`~^:?*[\/`, c) {
			return '-'
		}
		return c
	}, name)
	for _, pair := range [...]string{"..", "@{", "//"} {
		name = strings.ReplaceAll(name, pair, "--")
	}
	name = strings.Trim(name, ".")
	if stem, ok := strings.CutSuffix(name, ".lock"); ok {
		name = stem + "-lock"
	}
	if name == "" || name == "@" {
		return "worktree"
	}
	return name
}

// worktrees are the worktrees of a repository.
type worktrees struct {
	at     map[string]string // by the names of their plans: of the branch that each has checked out, or its own if it has none
	branch map[string]string // that each has checked out, by its own name; "" for none
}

// worktrees returns the worktrees that there are.
func (s *gitStore) worktrees(ctx context.Context) (*worktrees, error) {
	at, err := s.place(ctx)
	if err != nil {
		return nil, err
	}
	common := at.Common
	all := &worktrees{at: map[string]string{}, branch: map[string]string{}}
	r, err := s.run(ctx, &call{first: []string{"--git-dir=" + common}, args: []string{"rev-parse", "--is-bare-repository"}})
	if err != nil {
		return nil, err
	}
	// A bare repository has a HEAD and no files of the branch that it names.
	if branch, ok := checkedOut(common); ok && (branch == "" || string(r.out) != "true\n") {
		all.add(mainWorktree, mainWorktree, branch)
	}
	entries, _ := os.ReadDir(filepath.Join(common, "worktrees")) // there are none if it can't be read
	for _, e := range entries {
		if branch, ok := checkedOut(filepath.Join(common, "worktrees", e.Name())); ok {
			all.add(linkedWorktree+refName(e.Name()), refName(e.Name()), branch)
		}
	}
	return all, nil
}

// add adds a worktree by the name of its own plan.
func (w *worktrees) add(own, name, branch string) {
	w.at[cmp.Or(branch, own)], w.branch[own] = name, branch
}

// gone says why nothing works on a plan of this name.
func (w *worktrees) gone(name string) string {
	switch branch := w.branch[name]; {
	case branch != "":
		return "its worktree is on branch " + branch + " now"
	case refOf(name) != plansRef+name:
		return "its worktree is gone"
	}
	return "its branch is gone"
}

// checkedOut returns the branch that the HEAD in a folder of git names, or that is
// being rebased there; "" if there is none or it can't be told: the HEAD of a
// repository with refs in tables is elsewhere.
func checkedOut(gitDir string) (branch string, ok bool) {
	head, err := repofiles.ReadPointer(filepath.Join(gitDir, "HEAD"), true)
	if err != nil {
		return "", false
	}
	branch, ok = strings.CutPrefix(strings.TrimSpace(head), "ref: refs/heads/")
	if !ok || branch == ".invalid" {
		return rebased(gitDir), true
	}
	return branch, true
}

// rebased returns the branch that a rebase in a folder of git will set at its end, ""
// if there is none. Until then HEAD names no branch, and git switches to none.
func rebased(gitDir string) string {
	for _, folder := range [...]string{"rebase-merge", "rebase-apply"} {
		name, err := repofiles.ReadPointer(filepath.Join(gitDir, folder, "head-name"), true)
		if err != nil {
			continue
		}
		if branch, ok := strings.CutPrefix(strings.TrimSpace(name), "refs/heads/"); ok {
			return branch
		}
	}
	return ""
}
