package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/files"
)

// An entry names a path, and what stands there may be another place by now, or one that was
// never meant: a folder that was copied and put in the place of the old one, a link, a file
// that programs obey. So an entry is obeyed at the place alone that the change was made in:
// in the same folder by no link, or, for version control takes folders away and makes new
// ones when it goes to another commit, at the same path of a project whose own folder is the
// same one. Nothing is written down of files with protected names, and nothing is done to them.

// Project is the project that a file was in.
type Project struct {
	Path   string   `json:"path"` // of its folder, absolute
	Folder FolderID `json:"folder"`
	// Apart says that the folder of the file lies on another mount, or another file system.
	Apart bool `json:"apart,omitempty"`
}

// The reasons why an entry isn't obeyed. They are for people.
var (
	// ErrProtected: the file has a protected name.
	ErrProtected = errors.New("the journal keeps nothing of files with protected names, and changes none")
	// ErrElsewhere: another folder than that of the change is there now.
	ErrElsewhere = errors.New("its folder is another one now than that which the change was made in")
	// ErrLinked is the ErrElsewhere of a file whose own place a link has taken.
	ErrLinked error = linkedError{}
)

// protects returns ErrProtected, with the reason, for files of which nothing is kept.
func protects(path string) error {
	reason := filenames.FileProtection(path)
	if reason == "" && fileinfo.InJournal(filepath.Dir(path)) {
		reason = filenames.Journal.Reason
	}
	if reason == "" {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrProtected, reason)
}

// protects returns ErrProtected for an entry that is of no change of ours, for nothing is written
// where it is: below the root or project that it was in, as it says, or else anywhere.
func (e *Entry) protects() error {
	below := e.Path
	switch {
	case e.Root != "" && fileinfo.LiesIn(e.Root, e.Path):
		below = strings.TrimPrefix(e.Path, e.Root)
	case e.Project != nil:
		below = strings.TrimPrefix(e.Path, e.Project.Path)
	}
	if reason := filenames.WriteProtection(below); reason != "" {
		return fmt.Errorf("%w: %s", ErrProtected, reason)
	}
	return nil
}

// below returns the folders below which an entry may be taken back whatever they are called: the
// roots of who does so, and the project that it was in, if that is still there and one.
func (e *Entry) below(roots []string) []string {
	if e.inProject() {
		return append(slices.Clip(roots), e.Project.Path)
	}
	return roots
}

// inProject reports whether the project that an entry was in is still there, and still the one that
// its path lies in: another one may have come between the two.
func (e *Entry) inProject() bool {
	return e.Project.isThere() && fileinfo.ProjectRoot(filepath.Dir(e.Path)) == e.Project.Path
}

// linkedError is what ErrLinked is.
type linkedError struct{}

func (linkedError) Error() string { return "a link is in its place now" }

// Unwrap returns ErrElsewhere.
func (linkedError) Unwrap() error { return ErrElsewhere }

// Obeyed returns why an entry isn't obeyed, ErrProtected, ErrElsewhere or ErrLinked; nil if it is. Path is
// the one by which the transaction has its file.
func (e *Entry) Obeyed(tx *files.Tx, path string) error {
	if err := cmp.Or(protects(e.Path), e.protects()); err != nil {
		return err
	}
	if !isSamePath(tx.Host(path), e.Path) || !e.Folder.is(newFolderID(tx.Folder(path), tx.Born(path))) && !e.isReached(tx.Folder(path)) {
		if info, err := os.Lstat(e.Path); err == nil && info.Mode().Type() == fs.ModeSymlink {
			return ErrLinked
		}
		return ErrElsewhere
	}
	return nil
}

// isReached reports whether a folder that is open is what an entry's project, or the folder around
// those that were made for the file, has in the entry's place: each of these is opened and known by
// itself, and below it no link leads out. By their paths alone a link could be there for a moment. A folder
// at which a disk was mounted, or is now, isn't that of the change.
func (e *Entry) isReached(folder filelock.ID) bool {
	return e.inProject() && isBelow(e.Project, filepath.Dir(e.Path), folder) ||
		e.aboveIsThere() && isBelow(&Project{Path: aboveOf(e.Path, e.Folders), Folder: *e.Above}, filepath.Dir(e.Path), folder)
}

// isBelow reports whether a folder around, if that is the one that is known, has another one at a path below
// it, and that is as far apart.
func isBelow(around *Project, below string, folder filelock.ID) bool {
	root, err := fileinfo.OpenFolder(around.Path)
	if err != nil {
		return false
	}
	defer root.Close() //nolint:errcheck // it is a handle alone
	if id, err := identifyOpen(root); err != nil || !around.Folder.is(id) {
		return false
	}
	rel, err := filepath.Rel(around.Path, below)
	if err != nil {
		return false
	}
	inside, err := root.OpenRoot(rel)
	if err != nil {
		return false
	}
	defer inside.Close() //nolint:errcheck // it is a handle alone
	id, err := filelock.Identify(inside)
	return err == nil && id == folder && areApart(root, inside) == around.Apart
}

// areApart reports whether two folders lie on several mounts, or file systems, as far as the system tells.
func areApart(a, b *os.Root) bool {
	one, errOne := filelock.Identify(a)
	other, errOther := filelock.Identify(b)
	mount, otherMount := fileinfo.Mount(a), fileinfo.Mount(b)
	return errOne == nil && errOther == nil && one.Device != other.Device || mount != otherMount && mount != 0 && otherMount != 0
}

// IsThere reports whether an entry's place is still where the change was made, as far as can be
// told without a lock: what was there is another reader's else.
func (e *Entry) IsThere() bool { return e.isInFolder() || e.inProject() || e.aboveIsThere() }

// isInFolder reports whether the folder at an entry's place is the one in which the change was made,
// and none that was made anew in its place.
func (e *Entry) isInFolder() bool {
	id, err := identify(filepath.Dir(e.Path))
	return err == nil && e.Folder.is(id)
}

// IsLinked reports whether a link leads from an entry's place to another one by now: what is
// there is none of its file.
func (e *Entry) IsLinked() bool { return !isSamePath(fileinfo.Destination(e.Path), e.Path) }

// aboveIsThere reports whether the folder in which folders were made for the file is still in its
// place: those come and go with the file.
func (e *Entry) aboveIsThere() bool {
	if e.Folders == 0 || e.Above == nil {
		return false
	}
	id, err := identify(aboveOf(e.Path, e.Folders))
	return err == nil && e.Above.is(id)
}

// LacksFolders reports whether folders that were made for the file are gone, and can be made
// again in the same one.
func (e *Entry) LacksFolders() bool {
	_, err := os.Lstat(filepath.Dir(e.Path))
	return errors.Is(err, fs.ErrNotExist) && e.aboveIsThere()
}

// aboveOf returns the folder in which so many folders above a file are.
func aboveOf(path string, folders int) string {
	for range folders + 1 {
		path = filepath.Dir(path)
	}
	return path
}

// modesAbove returns the modes of so many folders above a file, from its own up; fewer for what
// can't be told.
func modesAbove(path string, folders int) []fs.FileMode {
	var modes []fs.FileMode
	for range folders {
		path = filepath.Dir(path)
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() {
			break
		}
		modes = append(modes, info.Mode()&^fs.ModeDir)
	}
	return modes
}

// isSamePath reports whether two paths without links have the same names.
func isSamePath(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// isThere reports whether a project, or nil, is still in its place.
func (p *Project) isThere() bool {
	if p == nil {
		return false
	}
	id, err := identify(p.Path)
	return err == nil && p.Folder.is(id)
}

// projects are those that folders lie in, by the folders; nil for none.
type projects map[string]*Project

// of returns the project that a folder lies in, an absolute path.
func (known projects) of(dir string) *Project {
	if p, ok := known[dir]; ok {
		return p
	}
	var p *Project
	if root := fileinfo.ProjectRoot(dir); root != "" {
		p = newProject(root, dir)
	}
	known[dir] = p
	return p
}

// newProject returns the project of a folder for one in it, nil if it can't be told.
func newProject(path, dir string) *Project {
	root, err := fileinfo.OpenFolder(path)
	if err != nil {
		return nil
	}
	defer root.Close() //nolint:errcheck // it is a handle alone
	id, err := identifyOpen(root)
	if err != nil {
		return nil
	}
	p := &Project{Path: path, Folder: id}
	if inside, err := fileinfo.OpenFolder(dir); err == nil {
		p.Apart = areApart(root, inside)
		_ = inside.Close() // it is a handle alone
	}
	return p
}

// identify returns what tells a folder from all others.
func identify(dir string) (FolderID, error) {
	root, err := fileinfo.OpenFolder(dir)
	if err != nil {
		return FolderID{}, err
	}
	defer root.Close() //nolint:errcheck // it is a handle alone
	return identifyOpen(root)
}

// identifyOpen is identify for a folder that is open.
func identifyOpen(root *os.Root) (FolderID, error) {
	id, err := filelock.Identify(root)
	return newFolderID(id, fileinfo.BirthTime(root)), err
}
