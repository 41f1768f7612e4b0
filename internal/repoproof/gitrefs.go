package repoproof

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/sectile/sectile/internal/fileinfo"
)

// Refs of git: which files a name may stand for, and that each is the repository's own.

// maxSymbolic is how many refs git follows that stand for other ones.
const maxSymbolic = 5

// RefsCalled returns the full names of the refs that git looks for by a name, which may be short.
func RefsCalled(name string) []string {
	return []string{name, "refs/" + name, "refs/tags/" + name, "refs/heads/" + name, "refs/remotes/" + name, "refs/remotes/" + name + "/HEAD"}
}

// OwnRef sees that no link leads out of the repository where git looks for a ref of this name, be
// it short, and of the refs that it stands for. One such as ORIG_HEAD may be any file of the
// repository, of which Git has examined but some.
func (p *Proof) OwnRef(g *GitPlace, name string) error {
	if p.elsewhere() {
		return nil
	}
	for _, full := range RefsCalled(name) {
		if err := p.ownFullRef(g, full, maxSymbolic); err != nil {
			return err
		}
	}
	return p.ownBesideTables(g)
}

// ownBesideTables is ownFullRef for what is a file also where refs are in tables: any of these may
// stand for it.
func (p *Proof) ownBesideTables(g *GitPlace) error {
	if _, err := os.Lstat(filepath.Join(g.Common, "reftable")); err != nil {
		return nil //nolint:nilerr // there are none
	}
	for _, name := range [...]string{"FETCH_HEAD", "MERGE_HEAD"} {
		if err := p.ownFullRef(g, name, maxSymbolic); err != nil {
			return err
		}
	}
	return nil
}

// ownFullRef is OwnRef for the full name of a ref. What is no name of one git looks for nowhere.
func (p *Proof) ownFullRef(g *GitPlace, ref string, more int) error {
	if strings.Contains(ref, "..") || strings.Contains("/"+ref, "/.") || strings.ContainsAny(ref, `\:`) {
		return nil
	}
	paths := slices.Compact([]string{ref, strings.TrimPrefix(ref, "main-worktree/")}) // each where git may look
	if in, ok := strings.CutPrefix(ref, "worktrees/"); ok {                           // whose logs Git has not examined
		name, below, _ := strings.Cut(in, "/")
		paths = append(paths, "worktrees/"+name+"/logs/"+below)
	}
	for _, dir := range slices.Compact([]string{g.GitDir, g.Common}) {
		whole, err := fileinfo.Resolved(dir)
		if err != nil {
			return Unreadable(code(p.shown(dir)), err)
		}
		for _, below := range paths {
			if err := p.ownFileOfRef(g, whole, below, more); err != nil {
				return err
			}
		}
	}
	return nil
}

// ownFileOfRef is ownFullRef for the file at a path in one of the repository's folders.
func (p *Proof) ownFileOfRef(g *GitPlace, whole, below string, more int) error {
	path := whole
	for name := range strings.SplitSeq(below, "/") {
		path = filepath.Join(path, name)
		info, err := os.Lstat(path)
		switch {
		case isGone(err), errors.Is(err, syscall.ENAMETOOLONG):
			return nil
		case err != nil:
			return Unreadable(code(p.shown(path)), err)
		}
		if err := p.examineType(whole, path, info.Mode().Type()); err != nil {
			return err
		}
	}
	if err := p.count(0, linkEntries); err != nil { // each may lead to several others
		return err
	}
	stands, err := p.standsFor(path)
	if err == nil && len(stands) > 0 && more == 0 {
		err = Untrusted(fmt.Sprintf("%s stands for another ref by more than %d others", code(p.shown(path)), maxSymbolic))
	}
	if err != nil {
		return err
	}
	for _, ref := range stands {
		if err := p.ownFullRef(g, ref, more-1); err != nil {
			return err
		}
	}
	return nil
}

// standsFor returns the names of the refs that the one in a file stands for, as git reads it: by
// what it holds, or by being a symbolic link with such a name.
func (p *Proof) standsFor(file string) (refs []string, err error) {
	if to, err := os.Readlink(file); err == nil && strings.HasPrefix(to, "refs/") {
		refs = append(refs, to)
	}
	f, err := os.OpenFile(file, fileinfo.OpenFlags, 0)
	if err != nil {
		return refs, nil // git can't read it either
	}
	defer f.Close() //nolint:errcheck // nothing was written
	text, err := io.ReadAll(io.LimitReader(f, maxRef+1))
	switch {
	case err != nil: // a folder
		return refs, nil
	case len(text) > maxRef:
		return nil, Untrusted(code(p.shown(file)) + " is larger than a ref is")
	}
	if name, ok := strings.CutPrefix(strings.TrimRight(string(text), blanks), "ref:"); ok {
		name, _, _ = strings.Cut(strings.TrimLeft(name, blanks), "\x00")
		refs = append(refs, name)
	}
	return refs, nil
}
