package planstore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/repofiles"
	"github.com/sectile/sectile/internal/repoproof"
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
	untold untoldHead        // of which nobody knows, so that any branch may be checked out there
}

// worktrees returns the worktrees that there are. The refs are those of branches.
func (s *gitStore) worktrees(ctx context.Context, refs map[string]string) (*worktrees, error) {
	at, err := s.place(ctx)
	if err != nil {
		return nil, err
	}
	common := *at
	common.GitDir = at.Common
	all := &worktrees{at: map[string]string{}, branch: map[string]string{}}
	r, err := s.run(ctx, &call{first: []string{"--git-dir=" + at.Common}, args: []string{"rev-parse", "--is-bare-repository"}})
	if err != nil {
		return nil, err
	}
	// A bare repository has a HEAD and no files of the branch that it names.
	main, err := s.checkedOut(ctx, &common, "HEAD", refs)
	if err != nil {
		return nil, err
	}
	if main.branch == "" || string(r.out) != "true\n" {
		all.add(mainWorktree, mainWorktree, main)
	}
	entries, err := os.ReadDir(filepath.Join(at.Common, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, ofProof(repoproof.Unreadable("`worktrees`", err))
	}
	asked := 0
	for _, e := range entries {
		if e.Type().IsRegular() { // none of git's
			continue
		}
		head := "worktrees/" + e.Name() + "/HEAD"
		linked, ok := writtenHead(filepath.Join(at.Common, filepath.FromSlash(head)), refs)
		if !ok {
			if asked++; asked > maxHeads {
				all.untold = untoldHead{refName(e.Name()), true}
				break
			}
			if linked, err = s.checkedOut(ctx, &common, head, refs); err != nil {
				return nil, err
			}
		}
		all.add(linkedWorktree+refName(e.Name()), refName(e.Name()), linked)
	}
	return all, nil
}

// maxHeads is the number of linked worktrees of whose HEAD git is asked, which takes a command
// and a proof of the repository for each. Nobody knows that of any others.
const maxHeads = 50

// untoldHead is the HEAD of a worktree of which nobody knows what it stands for.
type untoldHead struct {
	worktree string // its name; "" for none
	unasked  bool   // git may be able to read it, and wasn't asked
}

// String says why nobody knows.
func (u untoldHead) String() string {
	if u.unasked {
		return fmt.Sprintf("git isn't asked what more than %d worktrees are on, worktree %s among the others, which may be on its branch", maxHeads, u.worktree)
	}
	return "git can't read the HEAD of worktree " + u.worktree + ", which may be on its branch"
}

// hint says how it is known again.
func (u untoldHead) hint() string {
	if u.unasked {
		return fmt.Sprintf("remove worktrees that are on a branch without a commit, or begin these branches, until at most %d are left", maxHeads)
	}
	return "mend that HEAD, or remove the worktree"
}

// add adds a worktree by the name of its own plan.
func (w *worktrees) add(own, name string, is checkedOut) {
	w.at[cmp.Or(is.branch, own)], w.branch[own] = name, is.branch
	if is.untold != nil {
		w.untold = untoldHead{name, false}
	}
}

// gone says why nothing works on a plan of this name.
func (w *worktrees) gone(name string) string {
	switch branch := w.branch[name]; {
	case branch != "":
		return "its worktree is on branch " + branch + " now"
	case strings.Contains(name, " "): // as no branch's name does
		return "its worktree is gone"
	}
	return "its branch is gone"
}

// checkedOut is what a HEAD stands for.
type checkedOut struct {
	branch string // by its name, born or not, or the one that is being rebased; "" for none
	untold *Error // git can't read the HEAD, and nothing works there; nil if it can
}

// writtenHead returns what the file of a HEAD stands for by itself: it names one of the branches
// that are known, or holds a commit, as git writes both. Of any other file it returns false.
func writtenHead(file string, known map[string]string) (checkedOut, bool) {
	text, err := repofiles.ReadPointer(file, true)
	if err != nil {
		return checkedOut{}, false
	}
	if branch, ok := strings.CutPrefix(text, "ref: refs/heads/"); ok {
		return checkedOut{branch: branch}, known["refs/heads/"+branch] != ""
	}
	isCommit := (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
	return checkedOut{}, isCommit && rebased(filepath.Dir(file)) == ""
}

// checkedOut returns what the HEAD at this path of the repository stands for, as git says that it
// does: git follows links and other refs, and it alone reads tables. It isn't asked where the file
// says it by itself.
func (s *gitStore) checkedOut(ctx context.Context, at *repoproof.GitPlace, head string, known map[string]string) (checkedOut, error) {
	file := filepath.Join(at.GitDir, filepath.FromSlash(head))
	if is, ok := writtenHead(file, known); ok {
		return is, nil
	}
	if err := s.options.ownRef(ctx, s.found, at, head); err != nil {
		return checkedOut{}, err
	}
	c := &call{args: []string{"symbolic-ref", "-q", head}}
	r, err := s.tryAt(ctx, at, c)
	if err != nil {
		return checkedOut{}, err
	}
	if r.exit == 0 {
		full := strings.TrimSuffix(string(r.out), "\n")
		if branch, ok := strings.CutPrefix(full, "refs/heads/"); ok {
			return checkedOut{branch: branch}, nil
		}
		return checkedOut{branch: strings.TrimPrefix(full, "refs/")}, nil
	}
	var is checkedOut
	if _, err = os.Stat(file); r.exit != 1 || err != nil { // 1 says that it holds a commit, or isn't there
		is.untold = s.explain(c, &r)
		is.untold.Unwritten = true
		if r.failure() == unknownFailure {
			is.untold.because("HEAD, or the file of the branch that it names, may be damaged")
			is.untold.Hint = "run it in a terminal, in the project's folder, to see why; the file that `git rev-parse --git-path HEAD` names says which branch it is; if that branch's file is damaged, remove it, and set the branch with `git update-ref refs/heads/BRANCH COMMIT`; the commits that it was at are in the file that `git rev-parse --git-path logs/refs/heads/BRANCH` names"
		}
	}
	branch := rebased(filepath.Dir(file))
	if branch == "" {
		return is, nil
	}
	r, err = s.tryAt(ctx, at, &call{args: []string{"show-ref", "--verify", "--quiet", "refs/heads/" + branch}})
	if err == nil && r.exit == 0 {
		is.branch = branch
	}
	return is, err
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
