package files

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/textfile"
)

// A path is walked one name at a time, as the kernel does it: ".." goes up from
// where links have led, and a link is followed from the folder that it is in.
// Leaving that to os.Root would keep us inside the root, but not out of .git, for
// a link that is swapped in after a check leads there as well as anywhere. So each
// folder is opened by its own name, and then that name is seen to be no link and
// to be the folder that is open; whoever swaps it before or after gains nothing.

// way is how one path leads through one root.
type way struct {
	root    *root
	options RootOptions
	fresh   bool   // a file that is missing may be made
	path    string // as it was given
	rest    string // what of it is below the root, with forward slashes

	folders []*os.Root // those below the root on the way, the innermost last
	names   []string   // theirs
	links   int        // followed so far

	name string // of the file, once it is found

	gone    bool             // the root is no longer there
	missing *fileerror.Error // nothing has this path
	absent  string           // the name that is missing, if it is the file's in a folder that is there
	several bool             // other roots have such a folder too
	sought  string           // the name that is missing, if it is one of the path's own:
	before  string           // what stands before it in the path
	after   string           // what stands after it
}

// start returns the way of a path into a root, before its first step.
func (r *Roots) start(to *root, path, rest string) *way {
	return &way{root: to, options: r.options, path: path, rest: rest}
}

// fail returns an error for the path.
func (w *way) fail(code fileerror.Code, reason, hint string) *fileerror.Error {
	return &fileerror.Error{Code: code, Path: w.path, Reason: reason, Hint: hint}
}

// folder returns the folder where the walk is.
func (w *way) folder() *os.Root {
	if n := len(w.folders); n > 0 {
		return w.folders[n-1]
	}
	return w.root.handle
}

// clean returns the path of the file that was found, relative to the root.
func (w *way) clean() string {
	if len(w.names) == 0 {
		return w.name
	}
	return strings.Join(w.names, "/") + "/" + w.name
}

// close closes what the walk has opened.
func (w *way) close() {
	for len(w.folders) > 0 {
		w.leave()
	}
}

// listed walks, and returns what of the path is below the root by the names that are listed for
// it, as it is if all of them are or links were on the way; and whether it leads to anything.
func (w *way) listed() (rest string, found bool) {
	defer w.close()
	err := w.run()
	e, _ := errors.AsType[*fileerror.Error](err)
	if found = err == nil || e != nil && e.IsFolder(); w.links > 0 || !found && w.missing == nil {
		return w.rest, found
	}
	clean := path.Clean(strings.TrimLeft(w.rest, "/"))
	names, folder := strings.Split(clean, "/"), w.root.handle
	for i := range min(len(names), len(w.folders)+1) {
		names[i] = fileinfo.ListedName(folder, names[i])
		if i < len(w.folders) {
			folder = w.folders[i]
		}
	}
	if listed := strings.Join(names, "/"); listed != clean {
		return listed, found
	}
	return w.rest, found
}

// leave goes up one folder.
func (w *way) leave() {
	last := len(w.folders) - 1
	_ = w.folders[last].Close() // nothing was written
	w.folders, w.names = w.folders[:last], w.names[:last]
}

// run walks to the file. The error is a *fileerror.Error, or errChanged.
func (w *way) run() error {
	if !w.root.is(w.root.dir) {
		w.gone = true
		return w.fail(fileerror.IOError, reasonReplaced, hintReplaced)
	}
	if err := w.own(w.root.info, "the folder that holds it"); err != nil {
		return err
	}
	err := w.walk()
	switch {
	case (err == nil || w.missing != nil) && !w.isWithin():
		w.missing = nil // whether it is there is not told
		return w.outside()
	case err != nil:
		return err
	case w.name == "":
		return systemFailure(w.path, syscall.EISDIR)
	}
	return w.judge()
}

// isWithin reports whether the walk has come into the roots that it is confined to.
func (w *way) isWithin() bool {
	return w.options.Within == nil || w.root.within || slices.ContainsFunc(w.folders, func(folder *os.Root) bool {
		info, err := folder.Stat(".")
		return err == nil && w.options.Within.StillHas(info)
	})
}

// outside returns the error for a path that leads out of the roots of Within.
func (w *way) outside() *fileerror.Error {
	e := w.fail(fileerror.PathOutsideRoot, "it is outside of the folders that the server may use", "start the server with --root for its folder too, or name it in the user's own configuration")
	e.Err = ErrOutsideRoots
	return e
}

// own refuses what must be the user's and isn't; what says in words what it is.
func (w *way) own(info fs.FileInfo, what string) error {
	if !w.root.strict || fileinfo.OwnedByUser(info) {
		return nil
	}
	return w.fail(fileerror.NotOwned, what+" belongs to "+fileinfo.OwnerName(info)+", and so is not obeyed", "")
}

// walk walks to the file, or into the folder if the path names one as such.
func (w *way) walk() error {
	// todo ends in own bytes of the given path; what is before them is from links.
	todo, own, more := w.rest, len(w.rest), true
	for steps := 0; more; steps++ {
		if steps == maxSteps {
			return w.fail(fileerror.NotFound, reasonNoName, "")
		}
		var name string
		ours, at := len(todo) <= own, len(w.path)-len(todo)
		name, todo, more = strings.Cut(todo, "/")
		own = min(own, len(todo))
		before := w.links
		link, err := w.step(name, more)
		switch {
		case w.links > before && ours && fileinfo.ClimbsOver(todo):
			return climbs(w.path, name)
		case err != nil:
			if w.missing != nil && ours {
				w.sought, w.before, w.after = name, w.path[:at], todo
			}
			if w.missing != nil && !more && errors.Is(err, fs.ErrNotExist) {
				w.absent = name
			}
			return err
		case w.name != "":
			return nil
		case link != "":
			if more {
				link += "/" + todo
			}
			todo, more = link, true
			if err := w.judgeNames(path.Join(append(slices.Clone(w.names), todo)...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// step takes one name of the path: into a folder, back up, or to the file. If the
// name is a link it stays, and the link's target is returned. More tells whether
// other names follow.
func (w *way) step(name string, more bool) (link string, err error) {
	switch name {
	case "", ".":
		return "", nil
	case "..":
		if len(w.folders) == 0 {
			return "", w.fail(fileerror.PathOutsideRoot, reasonLeaves, hintLeaves)
		}
		w.leave()
		return "", nil
	}
	if err := w.checkName(name); err != nil {
		return "", err
	}
	var info fs.FileInfo
	if more {
		var next *os.Root
		if next, info, err = openFolder(w.folder(), name); next != nil {
			return "", cmp.Or(w.enter(next, name), w.own(info, "a folder on the way to it"))
		}
	} else {
		info, err = w.folder().Lstat(name)
	}
	switch {
	case w.fresh && errors.Is(err, fs.ErrNotExist) && w.makesJournal(name):
		return "", w.explain(ErrProtected)
	case err != nil:
		return "", w.explain(err)
	}
	switch mode := info.Mode(); {
	case mode.Type() == fs.ModeSymlink:
		if err := w.own(info, "a link on the way to it"); err != nil {
			return "", err
		}
		return w.follow(name)
	case more:
		return "", w.explain(syscall.ENOTDIR)
	case mode.IsDir():
		return "", systemFailure(w.path, syscall.EISDIR)
	case !mode.IsRegular():
		return "", w.fail(fileerror.NotAFile, "it is a pipe, socket or device", "name a file")
	}
	if w.ofAgents(false) && !filenames.IsDocument(name) {
		return "", w.protect(filenames.Agents.Reason, filenames.Agents.Hint)
	}
	w.name = name
	return "", nil
}

// explain turns the error about a name into one for the path, and notes if the
// name is missing.
func (w *way) explain(err error) error {
	if errors.Is(err, errChanged) {
		return err
	}
	e := systemFailure(w.path, err)
	if e.Code == fileerror.NotFound {
		if strings.Contains(w.path, `\`) && filepath.Separator == '/' {
			e.Reason, e.Hint = "no such file", "write the path with forward slashes"
		} else if w.links > 0 {
			e.Reason, e.Hint = "no such file, and there is a link on the way to it", "check the path and where the link leads"
		}
		w.missing = e
	}
	return e
}

// enter goes into an open folder.
func (w *way) enter(next *os.Root, name string) error {
	w.folders, w.names = append(w.folders, next), append(w.names, name)
	if len(w.folders) > maxDepth {
		return w.fail(fileerror.NotFound, reasonDeep, hintDeep)
	}
	return nil
}

// follow returns where the link of this name leads.
func (w *way) follow(name string) (target string, err error) {
	if w.links++; w.links > maxLinks {
		return "", systemFailure(w.path, syscall.ELOOP)
	}
	target, err = w.folder().Readlink(name)
	if err != nil {
		return "", errChanged // it was a link a moment ago
	}
	target = filepath.ToSlash(target)
	if !isAbsolute(target) {
		return target, nil
	}
	for _, dir := range w.root.names() {
		if _, inside := below(target, filepath.ToSlash(dir)); inside {
			e := w.fail(fileerror.PathOutsideRoot, "it leads through an absolute link, which is not followed",
				"replace the link by a relative one, or name the file that it leads to")
			e.Err = ErrAbsoluteLink
			return "", e
		}
	}
	return "", w.fail(fileerror.PathOutsideRoot, reasonLeaves, hintLeaves)
}

// openFolder opens the folder of this name, in h itself and by no link, and
// returns what the name stands for. There is no folder and no error if that is
// something else. The error is ErrProtected for the user's journal.
func openFolder(h *os.Root, name string) (*os.Root, fs.FileInfo, error) {
	// With "/." the name is opened as a folder or not at all: a pipe would wait
	// for its other end.
	next, openErr := h.OpenRoot(name + "/.")
	// The handle comes first and keeps the folder from being deleted, so that no
	// other can have its number.
	info, err := h.Lstat(name)
	if err == nil && info.IsDir() {
		switch err = asChanged(openErr); {
		case err == nil && !isOpen(next, info):
			err = errChanged
		case err == nil && fileinfo.IsJournal(info):
			err = ErrProtected
		case err == nil:
			return next, info, nil
		}
	}
	if next != nil {
		_ = next.Close() // nothing was written
	}
	return nil, info, err
}

// isOpen reports whether info is that of an open folder.
func isOpen(folder *os.Root, info fs.FileInfo) bool {
	there, err := folder.Stat(".")
	return err == nil && os.SameFile(there, info)
}

// asChanged returns errChanged for errors of opening what was there a moment ago
// that can only mean that it no longer is.
func asChanged(err error) error {
	if err == nil || errors.Is(err, fs.ErrClosed) {
		return err
	}
	number, ok := errors.AsType[syscall.Errno](err)
	if !ok || errors.Is(err, fs.ErrNotExist) || number == syscall.ENOTDIR || number == syscall.ELOOP || number == syscall.ENXIO {
		return errChanged
	}
	return err
}

// read reads the file that the walk has found. The error is a *fileerror.Error, or
// errChanged.
func (w *way) read(rd *textfile.Reader) ([]byte, error) {
	text, _, err := w.readAs(rd)
	return text, err
}

// readAs is read, and returns what the file is, if it could be opened.
func (w *way) readAs(rd *textfile.Reader) ([]byte, fs.FileInfo, error) {
	f, info, err := openFile(w.folder(), w.name)
	if err != nil {
		return nil, nil, w.explain(err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	if err := w.own(info, "it"); err != nil {
		return nil, info, err
	}
	if info.Size() > rd.MaxBytes() {
		if rd.Larger != nil {
			return nil, info, rd.Larger(f, info.Size(), rd.MaxBytes())
		}
		return nil, info, textfile.TooLarge(w.path, rd.MaxBytes())
	}
	text, err := rd.ReadOpen(w.path, f, info.Size())
	return text, info, err
}

// opener is what files are opened in: an os.Root.
type opener interface {
	OpenFile(name string, flags int, mode fs.FileMode) (*os.File, error)
	Lstat(name string) (fs.FileInfo, error)
}

// openFile opens the regular file of this name, in the folder itself and by no
// link, and returns what it is. The error is the system's, or errChanged.
func openFile(folder opener, name string) (*os.File, fs.FileInfo, error) {
	f, err := folder.OpenFile(name, fileinfo.OpenFlags, 0)
	if err != nil {
		return nil, nil, asChanged(err)
	}
	info, err := f.Stat()
	if err == nil { // as with folders: the name must be the file's own, and no link
		var there fs.FileInfo
		if there, err = folder.Lstat(name); err == nil && there.Mode().IsRegular() && os.SameFile(there, info) {
			return f, info, nil
		}
		err = cmp.Or(asChanged(err), errChanged)
	}
	_ = f.Close() // nothing was written
	return nil, nil, err
}

// ErrProtected is what errors wrap about files that are never read or written.
var ErrProtected = errors.New("the name is protected")

// ErrAbsoluteLink is what errors wrap about files in a root that an absolute link leads to.
var ErrAbsoluteLink = errors.New("an absolute link leads to it")

// ErrOutsideRoots is what errors wrap about files that are in no root of
// RootOptions.Within.
var ErrOutsideRoots = errors.New("outside of the roots")

// systemFailure is fileerror.System without the host's paths, which errors of package
// os hold.
func systemFailure(path string, err error) *fileerror.Error {
	err = bare(err)
	switch {
	case errors.Is(err, fs.ErrClosed):
		return &fileerror.Error{Code: fileerror.IOError, Path: path, Reason: "the server is ending", Err: err}
	case errors.Is(err, ErrProtected):
		return &fileerror.Error{Code: fileerror.PathOutsideRoot, Path: path, Reason: filenames.Journal.Reason, Hint: filenames.Journal.Hint, Err: err}
	}
	return fileerror.System(path, err)
}

// bare returns the cause in an error of package os, which holds the host's paths.
func bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
