package files

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/textfile"
)

// Where a file is: a name in an open folder. Whoever has the folder open writes
// into it and nowhere else, whatever becomes of the names that lead there.

// place is a file, or a name in a folder that a file may be given.
type place struct {
	path    string // as it was given
	dir     string // what stands before the names of files in the folder when they are shown
	folder  *os.Root
	id      filelock.ID      // of the folder
	name    string           // of the file, and of no link
	host    string           // where it is on the host: an absolute path of no link, as far as is known
	root    string           // the root that it is below, likewise; empty if there is none
	missing *fileerror.Error // there was no such file when it was sought
	roots   *Roots           // in which it was sought; nil for a file of the host
	several bool             // and other roots have such a folder, too
}

// Host returns where the file at a path of the host is, or would be made, as Tx.Host does; the error is
// that of Update, which finds the file like this.
func Host(path string) (string, error) { return hostBy(seekHost(nil), path) }

// Host is the function Host for a file below the roots.
func (r *Roots) Host(path string) (string, error) { return hostBy(r.seek, path) }

func hostBy(seek func(path string) (*place, error), path string) (string, error) {
	p, err := seek(path)
	if err != nil {
		return "", err
	}
	defer p.close()
	return p.host, nil
}

func (p *place) close() { _ = p.folder.Close() } // nothing was written

// seek returns the place of the file at path, below the roots.
func (r *Roots) seek(path string) (*place, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	for range attempts {
		w, err := r.locate(path, true)
		if err == nil {
			return newPlace(w, r)
		}
		if !errors.Is(err, errChanged) {
			return nil, err
		}
	}
	return nil, restless(path)
}

// newPlace returns the place of the file that a walk has found, and ends the walk.
func newPlace(w *way, r *Roots) (*place, error) {
	defer w.close()
	folder, err := w.folder().OpenRoot(".") // which outlasts the roots
	if err != nil {
		return nil, systemFailure(w.path, err)
	}
	p := &place{
		path: w.path, dir: strings.TrimSuffix(w.clean(), w.name), folder: folder, name: w.name, missing: w.missing, several: w.several,
		root: w.root.real, roots: r, host: filepath.Join(w.root.real, filepath.FromSlash(w.clean())),
	}
	return p.identified()
}

// seekHost returns what finds the place of the file at a path, anywhere on the host but where
// nothing is ever written (checkWritable).
func seekHost(below []string) func(path string) (*place, error) {
	return func(path string) (*place, error) {
		return seekBy(path, func(path string) error { return checkWritable(path, below) })
	}
}

// seekBy returns the place of the file at path, unless check refuses it by that name or by the
// one that links lead to.
func seekBy(path string, check func(path string) error) (*place, error) {
	if err := cmp.Or(CheckClimb(path), check(path)); err != nil {
		return nil, err
	}
	name, missing, err := follow(path)
	if err != nil {
		return nil, systemFailure(path, err)
	}
	dir, name := filepath.Split(name)
	if err := check(joinPath(cmp.Or(dir, "."), name)); err != nil {
		if e, ok := errors.AsType[*fileerror.Error](err); ok {
			e.Path = path
		}
		return nil, err
	}
	folder, err := fileinfo.OpenFolder(cmp.Or(dir, "."))
	if err != nil {
		return nil, systemFailure(path, err)
	}
	p := &place{path: path, dir: dir, folder: folder, name: name}
	if p.host, err = filepath.Abs(filepath.Join(dir, name)); err != nil {
		p.close()
		return nil, systemFailure(path, err)
	}
	if missing {
		p.missing = systemFailure(path, fs.ErrNotExist)
		return p.identified()
	}
	info, err := folder.Lstat(name)
	switch {
	case err != nil:
		err = systemFailure(path, err)
	case info.IsDir(), info.Mode().Type() == fs.ModeSymlink:
		err = errChanged // it was neither a moment ago
	case !info.Mode().IsRegular():
		err = &fileerror.Error{Code: fileerror.NotAFile, Path: path, Reason: "it is a pipe, socket or device", Hint: "name a file"}
	default:
		return p.identified()
	}
	p.close()
	return nil, err
}

// follow returns the name of the file that path leads to, no part of which is a
// link, and whether that file is missing in a folder that is there.
func follow(path string) (name string, missing bool, err error) {
	for range maxLinks {
		switch info, err := os.Stat(path); {
		case err == nil && info.IsDir():
			return "", false, syscall.EISDIR
		case err == nil:
			name, err = fileinfo.Straight(path)
			if errors.Is(err, fs.ErrNotExist) {
				err = errNameless // or it had a name a moment ago
			}
			return name, false, err
		case !errors.Is(err, fs.ErrNotExist):
			return "", false, err
		}
		dir, name := filepath.Split(path)
		if name == "" {
			return "", false, fs.ErrNotExist
		}
		if dir, err = fileinfo.Straight(cmp.Or(dir, ".")); err != nil {
			return "", false, err
		}
		path = joinPath(dir, name)
		target, err := os.Readlink(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path, true, nil
		case err != nil:
			return "", false, errChanged // it was missing a moment ago
		case filepath.IsAbs(target):
			path = target
		default:
			path = joinPath(dir, target) // not cleaned: what ".." means depends on links
		}
	}
	return "", false, syscall.ELOOP
}

// identified returns the place with the identity of its folder, or closes it.
func (p *place) identified() (*place, error) {
	id, err := filelock.Identify(p.folder)
	if err != nil {
		p.close()
		return nil, systemFailure(p.path, err)
	}
	p.id = id
	return p, nil
}

// absent returns the error for a file that is not there, for one of its paths.
func (p *place) absent(path string) error {
	if p.missing != nil && p.missing.Path == path {
		if p.roots != nil { // it is a mistake, and no file to be made: which might have been meant takes a walk
			_, err := p.roots.Resolve(path)
			if told, ok := errors.AsType[*fileerror.Error](err); ok && told.Code == p.missing.Code {
				return told
			}
		}
		return p.missing
	}
	return systemFailure(path, fs.ErrNotExist)
}

// beside returns the path of a file in the same folder, as it may be shown.
func (p *place) beside(name string) string { return p.dir + name }

// oldFile is a file as it was read.
type oldFile struct {
	handle *os.File // by which the file can be looked at again, whatever has its name; nil if it may not stay open
	text   []byte
	stamp  *stamp
}

// read reads the file, if there is one. The error is a *fileerror.Error, for errChanged and errOpen too.
func (p *place) read(path string, limit int64) (*oldFile, error) {
	if p.lacks(p.name) {
		return nil, nil
	}
	f, info, err := openFile(p.folder, p.name)
	switch {
	case errors.Is(err, errChanged):
		return nil, changing(path)
	case filesystem.IsLeased(err): // who has the lease is told to give it back
		return nil, heldOpen(path)
	case err != nil:
		return nil, systemFailure(path, err)
	}
	text, err := readWhole(path, f, info, limit)
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return &oldFile{f, text, newStamp(info)}, nil
}

// readWhole reads an open file, and sees that it stayed as it was meanwhile.
func readWhole(path string, f *os.File, info fs.FileInfo, limit int64) ([]byte, error) {
	if info.Size() > limit {
		return nil, textfile.TooLarge(path, limit)
	}
	if filesystem.IsOpenForWriting(f) {
		return nil, heldOpen(path)
	}
	text, err := (&textfile.Reader{Limit: limit}).ReadOpen(path, f, info.Size())
	if err != nil {
		return nil, err
	}
	now, err := f.Stat()
	if err != nil {
		return nil, systemFailure(path, err)
	}
	if !newStamp(info).is(now) {
		return nil, changing(path)
	}
	return text, nil
}

// changing returns the error for a file that changes while it is read.
func changing(path string) *fileerror.Error {
	return &fileerror.Error{Code: fileerror.Conflict, Path: path, Reason: "another program is changing it", Hint: "try again", Err: errChanged}
}

// heldOpen returns the error for a file that another program writes, or may write.
func heldOpen(path string) *fileerror.Error {
	return &fileerror.Error{Code: fileerror.Conflict, Path: path, Reason: errOpen.Error() + ", and what that still writes would be lost", Hint: "close it there, then try again", Err: errOpen}
}

// stamp is by what a file is known again, and a change of it seen.
type stamp struct {
	fs.FileInfo
	owner filesystem.Owner
}

func newStamp(info fs.FileInfo) *stamp { return &stamp{info, filesystem.OwnerOf(info)} }

// is reports whether what was found by a file's name is the file as it was. Size and
// time can be set back by whoever has changed it; the time of that change can't.
func (s *stamp) is(info fs.FileInfo) bool {
	return s.isSame(info) && s.Size() == info.Size() && s.ModTime().Equal(info.ModTime()) && fileinfo.ChangeTime(s.FileInfo).Equal(fileinfo.ChangeTime(info))
}

// isSame reports whether it is the same file with the same owner and mode, whatever it holds.
func (s *stamp) isSame(info fs.FileInfo) bool {
	return os.SameFile(s.FileInfo, info) && s.Mode() == info.Mode() && s.owner == filesystem.OwnerOf(info)
}
