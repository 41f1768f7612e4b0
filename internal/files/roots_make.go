package files

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
)

// MakeFolders makes the folders that are missing on the way to a file that is to be made, and
// returns how many they are and what removes them again as long as nothing is in them; with dry it makes none. Each
// name is judged as those on the way of a path are, before the first folder is made, and each
// is made through the handle of the one before. The modes are those that the folders above the
// file shall have, from its own up; the others have that of new ones. The error is one of Update, for a path that it
// refuses, or InvalidArgument: several roots may be meant, or a link leads to what is missing.
func (r *Roots) MakeFolders(ctx context.Context, name string, modes []fs.FileMode, dry bool) (made int, undo func(), err error) {
	if err := checkPath(name); err != nil {
		return 0, nil, err
	}
	w, err := r.Silent().locate(name, true)
	if err == nil {
		w.close()
		return 0, func() {}, nil
	}
	if e, ok := errors.AsType[*fileerror.Error](err); !ok || e.Code != fileerror.NotFound {
		return 0, nil, err
	}
	to := rootPath{r.roots[0], filepath.ToSlash(name)}
	if owners := r.owners(to.rest); len(owners) > 0 {
		to = owners[0]
	} else if len(r.roots) > 1 {
		return 0, nil, &fileerror.Error{Code: fileerror.InvalidArgument, Path: name, Reason: "its folder is missing, and any of the roots may be meant", Hint: "give the absolute path, which begins with one of the roots"}
	}
	w = r.start(to.root, name, to.rest)
	w.fresh = true
	defer w.close()
	err = w.run()
	rest := strings.FieldsFunc(w.sought+"/"+w.after, func(c rune) bool { return c == '/' })
	if strings.HasSuffix("/"+w.after, "/.") {
		return 0, nil, err // it names a folder
	}
	rest = slices.DeleteFunc(rest, func(name string) bool { return name == "." })
	switch {
	case w.sought == "" || slices.Contains(rest, ".."):
		return 0, nil, cmp.Or(err, error(w.fail(fileerror.InvalidArgument, "a link or .. on the way to it leads through what is not there", "name the folder itself")))
	default:
		if err = w.judgeMissing(rest); err == nil && len(rest) > 1 {
			err = fileerror.FolderIsFile(name, func() (fs.FileInfo, error) { return w.folder().Lstat(rest[0]) })
		}
	}
	if err != nil || dry {
		return 0, func() {}, err
	}
	undo, err = w.make(ctx, rest[:len(rest)-1], modes)
	return len(rest) - 1, undo, err
}

// judgeMissing refuses a file that can't be made at the end of these names, below the folder
// where the walk is.
func (w *way) judgeMissing(rest []string) error {
	there, last := len(w.names), len(rest)-1
	defer func() { w.names, w.name = w.names[:there], "" }()
	for i, name := range rest {
		if err := w.checkName(name); err != nil {
			return err
		}
		if i < last {
			w.names = append(w.names, name)
		}
	}
	w.name = rest[last]
	if w.makesUnwritten(rest) {
		return w.protect(reasonUnwritten, hintUnwritten)
	}
	if reason := filenames.WriteProtectionBelow(w.root.called, w.clean()); reason != "" {
		return w.protect(reason, filenames.HintAgents)
	}
	return w.judge()
}

// FolderModes returns the modes of so many folders above the file at path, from its own up;
// fewer for what can't be told. A link may stand for a folder, which is that to which it leads.
func (r *Roots) FolderModes(name string, n int) []fs.FileMode {
	w, err := r.locate(name, true)
	if err != nil {
		return nil
	}
	defer w.close()
	var modes []fs.FileMode
	for _, folder := range slices.Backward(w.folders) {
		info, err := folder.Stat(".")
		if err != nil || len(modes) == n {
			break
		}
		modes = append(modes, info.Mode())
	}
	return modes
}

// MakeFolder makes a folder in another one. With modes, the one at the place has what decides
// who may use it, and its owner may use it whatever that is; without, it has the mode of new ones.
func MakeFolder(at *os.Root, name string, modes []fs.FileMode, place int) error {
	if place >= len(modes) {
		return at.Mkdir(name, 0o777) // and what the umask leaves of it
	}
	const rights = fs.ModePerm | fs.ModeSetgid | fs.ModeSticky
	mode := modes[place]&rights | 0o700 // or nothing could be put there
	if err := at.Mkdir(name, mode.Perm()); err != nil {
		return err
	}
	next, info, err := openFolder(at, name) // or what another program has put there
	switch {
	case err != nil:
		return err
	case next == nil:
		return errChanged
	case info.Mode()&rights != mode:
		var f *os.File
		if f, err = next.Open("."); err == nil {
			err = errors.Join(filesystem.KeepFolderMode(f, mode), f.Close())
		}
	}
	if err = errors.Join(err, next.Close()); err != nil {
		filesystem.RemoveMade(at, name, info)
	}
	return err
}

// make makes folders in each other, from where the walk is, with the modes that they shall have
// from the innermost up.
func (w *way) make(ctx context.Context, names []string, modes []fs.FileMode) (undo func(), err error) {
	at, err := w.folder().OpenRoot(".") // which outlasts the walk
	if err != nil {
		return nil, systemFailure(w.path, err)
	}
	undo = func() { _ = at.Close() }
	for i, name := range names {
		if err = filesystem.StepsOf(ctx).Before("mkdir", name); err == nil {
			err = MakeFolder(at, name, modes, len(names)-1-i)
		}
		var next *os.Root
		var info fs.FileInfo
		if err == nil {
			if next, info, err = openFolder(at, name); next == nil { // its mode lets nobody in, say
				err = cmp.Or(err, errChanged)
				filesystem.RemoveMade(at, name, nil)
			}
		}
		if err != nil {
			undo()
			return nil, FolderFailure(w.path, err)
		}
		if f, err := at.Open("."); err == nil {
			_ = f.Sync() // where that can't be done, the system does it
			_ = f.Close()
		}
		in, before := at, undo
		undo = func() {
			_ = next.Close()
			filesystem.RemoveMade(in, name, info)
			before()
		}
		at = next
	}
	return undo, nil
}

// FolderFailure returns the error for a file whose folder the system doesn't make.
func FolderFailure(path string, err error) *fileerror.Error {
	e := writeFailure(path, err)
	switch {
	case errors.Is(err, fs.ErrPermission):
		e.Reason, e.Hint = "its folder can't be made: permission denied", "ask for the right to write where it would be"
	case errors.Is(err, filesystem.ErrIgnored):
		e.Code, e.Reason, e.Hint = fileerror.Permission, "its folder can't be given the mode that it shall have", "have the file system keep modes (options of its mount), or make the folder by hand"
	case e.Code == fileerror.IOError:
		e.Reason = "its folder can't be made: " + e.Reason
	}
	return e
}
