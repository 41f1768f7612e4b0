package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/textfile"
)

// A folder whose files are found by walking it, rather than asked for by name, is
// opened once: what it holds is listed through its handle, and each file is read by
// the same steps as below roots. Names may have any characters, for they are those
// that the system gave.

// Folder is an open folder, or one below it. It is safe for concurrent use.
type Folder struct {
	handle *os.Root
	top    *root    // paths begin here
	called []string // the names of the folder itself
	agents bool     // it is a folder of coding agents, or in one
}

// newFolder returns the folder of a root.
func newFolder(top *root) *Folder {
	return &Folder{handle: top.handle, top: top, called: top.called, agents: top.agents}
}

// Entry is a name in a folder.
type Entry struct {
	Name string
	Type fs.FileMode // the type bits alone
}

// listed is the number of entries that are asked for at once.
const listed = 1024

// OpenFolder opens the folder at dir, an absolute path of the host. If within is
// not empty it is one too, and dir must lie in it: then no link leads out of it on
// the way, and none into what is protected. The error is a *fileerror.Error whose path is
// relative: NotFound, NotAFile, Permission, PathOutsideRoot, or IOError.
func OpenFolder(dir, within string) (*Folder, error) { return (*Roots)(nil).OpenFolder(dir, within) }

// OpenFolder is the function OpenFolder for a folder that must also lie in one of the
// roots, wherever links lead; without roots it is that function.
func (r *Roots) OpenFolder(dir, within string) (*Folder, error) {
	if within == "" {
		top, err := openRoot(dir, true)
		if err != nil {
			return nil, relative(err)
		}
		for _, name := range [...]string{top.dir, top.real} {
			closed, ofAgents := filenames.ProtectedIn(nil, filenames.PathNames(name))
			if closed != nil {
				_ = top.handle.Close() // nothing was written
				return nil, &fileerror.Error{Code: fileerror.PathOutsideRoot, Path: ".", Reason: closed.Reason, Hint: closed.Hint, Err: ErrProtected}
			}
			top.agents = top.agents || ofAgents
		}
		return newFolder(top), nil
	}
	outer, err := openRoot(within, true)
	if err != nil {
		return nil, relative(err)
	}
	defer outer.handle.Close() //nolint:errcheck // nothing was written
	slashed := filepath.ToSlash(dir)
	rest, inside := below(slashed, filepath.ToSlash(outer.dir))
	if !inside {
		rest, inside = below(slashed, filepath.ToSlash(outer.real))
	}
	if !inside {
		return nil, &fileerror.Error{Code: fileerror.PathOutsideRoot, Path: ".", Reason: reasonLeaves, Hint: hintLeaves}
	}
	outer.within = r.contain(outer)
	for range attempts {
		f, err := outer.folder(rest, r)
		if !errors.Is(err, errChanged) {
			return f, err
		}
	}
	return nil, restless(rest)
}

// Folder opens the root with a number, in the order of Dirs. The error is a *fileerror.Error: IOError
// for one that was removed or replaced.
func (r *Roots) Folder(i int) (*Folder, error) {
	top := r.roots[i]
	if !top.is(top.dir) {
		return nil, replaced()
	}
	handle, err := top.handle.OpenRoot(".")
	if err != nil {
		return nil, systemFailure(".", err)
	}
	f := newFolder(top)
	f.handle = handle
	return f, nil
}

// relative returns the error of opening a root without its path.
func relative(err error) error {
	e, ok := errors.AsType[*fileerror.Error](err)
	if !ok {
		return err
	}
	e.Path, e.Err = ".", bare(e.Err)
	if e.Code == fileerror.InvalidArgument {
		e.Code, e.Reason, e.Hint = fileerror.NotAFile, "it is no folder", ""
	}
	return e
}

// folder opens the folder at a path below the root, which must lie in one of the others
// too if there are any.
func (r *root) folder(path string, others *Roots) (*Folder, error) {
	// With "/." the last name is walked into like those before it.
	w := &way{root: r, options: RootOptions{Within: others}, path: path + "/.", rest: path + "/."}
	defer w.close()
	err := w.walk()
	switch {
	case (err == nil || w.missing != nil) && !w.isWithin():
		return nil, w.outside()
	case err != nil:
		return nil, err
	}
	handle, err := w.folder().OpenRoot(".")
	if err != nil {
		return nil, systemFailure(path, err)
	}
	info, err := handle.Stat(".")
	if err != nil {
		_ = handle.Close() // nothing was written
		return nil, systemFailure(path, err)
	}
	names := filepath.FromSlash(strings.Join(w.names, "/"))
	top := &root{
		handle: handle, dir: filepath.Join(r.dir, names), real: filepath.Join(r.real, names), info: info, agents: w.ofAgents(false),
	}
	top.callAs(top.real)
	top.callAs(top.dir)
	return newFolder(top), nil
}

// Close closes the folder. What was opened below it by Enter stays open.
func (f *Folder) Close() { _ = f.handle.Close() } // nothing was written

// Entries returns what is in the folder, in no order, without what is protected. With an error, a *fileerror.Error or that of the context, comes what was
// listed before it.
func (f *Folder) Entries(ctx context.Context) ([]Entry, error) {
	opened, err := f.handle.Open(".")
	if err != nil {
		return nil, systemFailure(".", err)
	}
	defer opened.Close() //nolint:errcheck // nothing was written
	d, err := filesystem.WithoutRoot(opened)
	if err != nil {
		return nil, systemFailure(".", err)
	}
	defer d.Close() //nolint:errcheck // nothing was written
	var entries []Entry
	for {
		list, err := d.ReadDir(listed)
		if len(entries) > 0 && cap(entries)-len(entries) < len(list) {
			entries = slices.Grow(entries, len(entries)) // a quarter at a time costs twice as much
		}
		for _, e := range list {
			if f.offers(e) {
				entries = append(entries, Entry{e.Name(), e.Type()})
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return entries, nil
		case err != nil:
			return entries, systemFailure(".", err)
		case ctx.Err() != nil:
			return entries, ctx.Err()
		}
	}
}

// offers reports whether a name may stand for something that is read. Where a link leads
// shows when it is followed.
func (f *Folder) offers(e fs.DirEntry) bool {
	p := filenames.Protected(f.called, e.Name())
	if p != nil && !p.Documents {
		return false
	}
	return !f.agents || !e.Type().IsRegular() || filenames.IsDocument(e.Name())
}

// Enter opens the folder of this name in the folder, which must be no link. The
// error is a *fileerror.Error: NotFound, Permission, PathOutsideRoot (protected), or IOError.
func (f *Folder) Enter(name string) (*Folder, error) {
	p := filenames.Protected(f.called, name)
	if p != nil && !p.Documents {
		return nil, &fileerror.Error{Code: fileerror.PathOutsideRoot, Path: name, Reason: p.Reason, Hint: p.Hint, Err: ErrProtected}
	}
	next, _, err := openFolder(f.handle, name)
	if err == nil && next == nil {
		err = syscall.ENOTDIR
	}
	if errors.Is(err, errChanged) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, systemFailure(name, err)
	}
	return &Folder{handle: next, top: f.top, called: []string{name}, agents: f.agents || p != nil}, nil
}

// Stat returns what the regular file at path is. The path has forward slashes and
// begins at the folder that OpenFolder opened. Relative links are followed as long
// as they stay inside. The error is a *fileerror.Error as of Roots.Read.
func (f *Folder) Stat(path string) (info fs.FileInfo, err error) {
	err = f.visit(path, func(w *way) error {
		info, err = w.folder().Lstat(w.name)
		if err == nil && !info.Mode().IsRegular() {
			err = errChanged
		}
		if err != nil {
			return w.explain(asChanged(err))
		}
		return nil
	})
	return info, err
}

// Read reads the file at path, as Stat finds it, into rd's buffer; the text is valid
// until rd's next use. A file of more than limit bytes is refused, even if limit
// is 0.
func (f *Folder) Read(rd *textfile.Reader, path string, limit int64) (text []byte, info fs.FileInfo, err error) {
	before := rd.Limit
	defer func() { rd.Limit = before }()
	rd.Limit = max(limit, 1) // 0 would be the default
	err = f.visit(path, func(w *way) error {
		text, info, err = w.readAs(rd)
		if err == nil && int64(len(text)) > limit {
			return textfile.TooLarge(path, limit)
		}
		return err
	})
	if err != nil {
		return nil, info, err
	}
	return text, info, nil
}

// visit looks for the file at path and calls use with the way to it.
func (f *Folder) visit(path string, use func(*way) error) error {
	for range attempts {
		// Whether the folder still has its name doesn't matter: it is open.
		w := &way{root: f.top, path: path, rest: path}
		err := w.walk()
		if err == nil && w.name == "" {
			err = systemFailure(path, syscall.EISDIR)
		}
		if err == nil {
			err = use(w)
		}
		w.close()
		if !errors.Is(err, errChanged) {
			return err
		}
	}
	return restless(path)
}
