package repoproof

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
)

// Trust is what the user, and never a project, allows.
type Trust struct {
	// Folders, by their absolute paths, belong to other users, and their repositories
	// are used as if they were the user's own; "*" stands for any, as in git's
	// safe.directory.
	Folders []string
	// Repositories are the folders, by their absolute paths, whose .git or .jj may lead
	// anywhere. A bare repository is its own folder.
	Repositories []string
}

// Proof is an examination of the repository of one folder.
type Proof struct {
	folder string // that has the .git or .jj, or is a bare repository
	trust  *Trust
	known  *fileinfo.KnownFolders // that hold nothing but files and folders; names are those of the folders
	ended  func() error           // returns the error of the context once that has ended

	folders, entries int // that were looked at so far
}

// New returns the proof for the repository of a folder, which has the .git or .jj or is a
// bare one. Known are folders that earlier proofs have examined, and ended returns the error
// of the caller's context once nobody waits any longer.
func New(folder string, trust *Trust, known *fileinfo.KnownFolders, ended func() error) *Proof {
	return &Proof{folder: folder, trust: trust, known: known, ended: ended}
}

// A proof looks at so many folders and, in those that it doesn't know yet, entries: some
// seconds' worth. Refs that aren't packed have a folder for each part of their names, and
// objects 256 in all, and each linked worktree has one.
const (
	maxExaminedFolders = 50_000
	maxExaminedEntries = 2_000_000
)

// linkEntries is the number of entries that one link counts for: to follow it takes as long.
const linkEntries = 2000

// count counts what is looked at, and ends the proof when it is too much or nobody waits
// for it any longer.
func (p *Proof) count(folders, entries int) error {
	p.folders += folders
	p.entries += entries
	if p.folders > maxExaminedFolders || p.entries > maxExaminedEntries {
		return Untrusted("the repository has more than 50,000 folders, 2,000,000 files or 1,000 links, which are too many to examine (`git pack-refs --all`, `git gc` and `git worktree prune` make them fewer)")
	}
	return p.ended()
}

// elsewhere reports whether the user lets the folder's repository lie elsewhere.
func (p *Proof) elsewhere() bool { return fileinfo.IsNamed(p.folder, p.trust.Repositories) }

// owned sees that the paths belong to the user, as git does for its own.
func (p *Proof) owned(paths ...string) error {
	if fileinfo.IsNamed(p.folder, p.trust.Folders) {
		return nil
	}
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err != nil {
			return Unreadable(code(filepath.Base(path)), err)
		}
		if !fileinfo.OwnedByUser(info) {
			return &Error{
				Reason:  Foreign,
				Message: fmt.Sprintf("%s belongs to another user, and may say anything in your name", code(p.shown(path))),
				Hint:    "if you trust them, name the project's folder under `trust.folders` in your own configuration, which `sectile doctor` finds",
			}
		}
	}
	return nil
}

// shown returns a path as it may be shown: from the folder on if it is in there; of another
// place from the folder of git or jj on, and without one its last name.
func (p *Proof) shown(path string) string {
	if below, err := filepath.Rel(p.folder, path); err == nil && filepath.IsLocal(below) {
		return filepath.ToSlash(below)
	}
	for _, own := range [...]string{".git/", ".jj/"} {
		if _, below, ok := strings.Cut(filepath.ToSlash(path), "/"+own); ok {
			return own + below
		}
	}
	return filepath.Base(path)
}
