package planstore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
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
	return plansRef + name
}

// absolute returns a path that git has printed as one that says where it is.
func (s *gitStore) absolute(printed string) string {
	path := filepath.FromSlash(printed)
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.options.Root, path)
	}
	return path
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

// worktrees returns the worktrees by the names of their plans: of the branch that
// each has checked out, or its own if it has none.
func (s *gitStore) worktrees(ctx context.Context) (map[string]string, error) {
	r, err := s.run(ctx, &call{args: []string{"rev-parse", "--git-common-dir"}})
	if err != nil {
		return nil, err
	}
	common := s.absolute(strings.TrimSuffix(string(r.out), "\n"))
	all := map[string]string{}
	r, err = s.run(ctx, &call{first: []string{"--git-dir=" + common}, args: []string{"rev-parse", "--is-bare-repository"}})
	if err != nil {
		return nil, err
	}
	// A bare repository has a HEAD and no files of the branch that it names.
	if branch, ok := checkedOut(common); ok && (branch == "" || string(r.out) != "true\n") {
		all[cmp.Or(branch, mainWorktree)] = mainWorktree
	}
	entries, _ := os.ReadDir(filepath.Join(common, "worktrees")) // there are none if it can't be read
	for _, e := range entries {
		if branch, ok := checkedOut(filepath.Join(common, "worktrees", e.Name())); ok {
			all[cmp.Or(branch, linkedWorktree+refName(e.Name()))] = refName(e.Name())
		}
	}
	return all, nil
}

// checkedOut returns the branch that the HEAD in a folder of git names, or "" if it
// names none or can't be told: that of a repository with refs in tables is elsewhere.
func checkedOut(gitDir string) (branch string, ok bool) {
	head, err := os.ReadFile(filepath.Join(gitDir, "HEAD"))
	if err != nil {
		return "", false
	}
	branch, ok = strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
	if !ok || branch == ".invalid" {
		return "", true
	}
	return branch, true
}
