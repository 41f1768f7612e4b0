package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/textfile"
)

// Roots are the folders below which a server may read and write. What asks for a
// file is not trusted, and neither is the tree: every step goes through an
// os.Root, one name at a time (roots_walk.go), and what a name turned out to be
// is checked again on the open handle. What is shown of a failure is the path as
// it was given, never one of the host's.

// RootOptions says what may be read below roots.
type RootOptions struct {
	Broad     bool  // allow the root of the file system and the home folder
	TextFiles bool  // also UTF-8 files that are no Markdown, outside of dot-folders
	DotFiles  bool  // with TextFiles, also those whose names or folders begin with a dot
	Limit     int64 // bytes beyond which a file is refused; 0 means DefaultLimit
	Walk      WalkOptions

	// TextIn is a folder, relative to the root, in which files may have any name:
	// both the path that is asked for and the one that links lead to must be there.
	TextIn string
	// Unwritten are files of the host that are never written, by whatever name or link,
	// whether or not they are there.
	Unwritten []string
	// Within are other roots, and what is opened must lie in one of them, too.
	Within *Roots
	// Owned says that the root, and what is read with all folders and links on the
	// way, must belong to the user, unless the root is one of Trusted (see fileinfo.IsNamed).
	Owned   bool
	Trusted []string

	silent bool // see Roots.Silent
}

// Roots are folders that are open for reading and writing. They are safe for concurrent use.
type Roots struct {
	roots   []*root
	options RootOptions
}

// root is one of the folders.
type root struct {
	handle *os.Root
	given  string      // its name as it was given, cleaned
	dir    string      // the same, absolute
	real   string      // the same, links resolved
	others []string    // absolute names by which it was given again
	called []string    // the last of each of these names: with one of what is in the root it may be protected
	info   fs.FileInfo // of the handle
	agents bool        // it is in a folder of coding agents, by the word of a configuration
	within bool        // it lies in one of the roots of RootOptions.Within
	strict bool        // what is not the user's is refused
}

// OpenRoots opens the folders; none stands for the working directory, and one
// that is named twice counts once, by each of its names. The error is a *fileerror.Error: NotFound, Permission,
// InvalidArgument (no folder, or one that is too broad), PathOutsideRoot (within
// a folder of version control), or IOError.
func OpenRoots(dirs []string, o RootOptions) (*Roots, error) {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	r := &Roots{options: o}
	for _, dir := range dirs {
		next, err := openRoot(dir, o.Broad)
		if err != nil {
			_ = r.Close() // nothing was written
			return nil, err
		}
		if same := r.same(next.info); same != nil {
			_ = next.handle.Close() // nothing was written
			same.others = append(same.others, next.dir)
			same.callAs(next.dir)
			continue
		}
		next.within = o.Within.contain(next)
		next.strict = o.Owned && !fileinfo.IsListed(next.info, o.Trusted)
		r.roots = append(r.roots, next)
	}
	return r, nil
}

// contain reports whether another root is one of these, or lies in one.
func (r *Roots) contain(other *root) bool {
	return r == nil || slices.ContainsFunc(slices.Collect(fileinfo.WithParents(other.real)), func(dir string) bool {
		info, err := os.Stat(dir)
		return err == nil && r.StillHas(info)
	})
}

// StillHas reports whether a folder is one of the roots, and that still stands by its name.
func (r *Roots) StillHas(folder fs.FileInfo) bool {
	return slices.ContainsFunc(r.roots, func(root *root) bool { return os.SameFile(root.info, folder) && root.is(root.dir) })
}

// reasonReplaced is the reason for a root that isn't the folder any more that was opened.
const (
	reasonReplaced = "the folder that the server reads in was removed or replaced"
	hintReplaced   = "start the server again"
)

// InPlace returns a *fileerror.Error if the first root, in which a project is looked for, is not the
// folder any more that was opened.
func (r *Roots) InPlace() error {
	if first := r.roots[0]; !first.is(first.dir) {
		return replaced()
	}
	return nil
}

// Replaced returns a *fileerror.Error if a root that one of some files of the host lies in, or is about
// to, or without any of them any root, is not the folder any more that was opened.
func (r *Roots) Replaced(hosts ...string) error {
	for _, root := range r.roots {
		about := func(host string) bool { return fileinfo.LiesIn(root.real, host) || fileinfo.LiesIn(host, root.real) }
		if (len(hosts) == 0 || slices.ContainsFunc(hosts, about)) && !root.is(root.dir) {
			return &fileerror.Error{Code: fileerror.IOError, Path: root.dir, Reason: reasonReplaced, Hint: hintReplaced}
		}
	}
	return nil
}

// replaced returns the error for a root that isn't the folder any more that was opened.
func replaced() error {
	return &fileerror.Error{Code: fileerror.IOError, Path: ".", Reason: reasonReplaced, Hint: hintReplaced}
}

// only returns the same roots without all but the one that has this path without links.
func (r *Roots) only(path string) *Roots {
	one := *r
	one.roots = slices.DeleteFunc(slices.Clone(r.roots), func(root *root) bool { return root.real != path })
	return &one
}

// same returns the root that is this folder, or nil.
func (r *Roots) same(folder fs.FileInfo) *root {
	for _, root := range r.roots {
		if os.SameFile(root.info, folder) {
			return root
		}
	}
	return nil
}

// names returns the absolute names of the root.
func (r *root) names() []string { return append([]string{r.dir, r.real}, r.others...) }

// callAs notes that a name of the root, absolute, is one by which it was given or is known.
func (r *root) callAs(dir string) {
	if name := filepath.Base(dir); !slices.Contains(r.called, name) {
		r.called = append(r.called, name)
	}
}

// Close closes the roots. Reads that are under way may fail.
func (r *Roots) Close() error {
	for _, root := range r.roots {
		_ = root.handle.Close() // nothing was written
	}
	return nil
}

// Dirs returns the roots as they were given, cleaned.
func (r *Roots) Dirs() []string { return r.each(func(root *root) string { return root.given }) }

// RealDirs returns the absolute paths of the roots, without links.
func (r *Roots) RealDirs() []string { return r.each(func(root *root) string { return root.real }) }

func (r *Roots) each(name func(*root) string) []string {
	dirs := make([]string, len(r.roots))
	for i, root := range r.roots {
		dirs[i] = name(root)
	}
	return dirs
}

// Read reads the file at path into rd's buffer, as Reader.Read does; the text is
// valid until rd's next use. The limit is the smaller of rd's and the roots'.
//
// The path is relative to a root, with forward slashes, or absolute inside one.
// Relative links are followed as long as they stay inside. The error is a *fileerror.Error
// that names no path but this one: PathOutsideRoot (the path or a link leaves the
// roots, or it is protected), NotFound (with Closest), NotAFile (a folder,
// pipe or device, or no Markdown), InvalidArgument (no path at all, or one that
// more than one root has), Permission, NotOwned, TooLarge, BinaryFile, EncodingError,
// or IOError (a root that is gone, too).
func (r *Roots) Read(rd *textfile.Reader, path string) (text []byte, err error) {
	limit := rd.Limit
	defer func() { rd.Limit = limit }()
	rd.Limit = (&textfile.Reader{Limit: r.options.Limit}).MaxBytes()
	if limit > 0 && limit < rd.Limit {
		rd.Limit = limit
	}
	err = r.visit(path, func(w *way) error {
		text, err = w.read(rd)
		return err
	})
	return text, err
}

// Walking returns the same roots, of which lists have also what these options don't leave out.
func (r *Roots) Walking(o WalkOptions) *Roots {
	more := *r
	more.options.Walk = r.options.Walk.And(o)
	return &more
}

// Walk returns what lists of the roots leave out.
func (r *Roots) Walk() WalkOptions { return r.options.Walk }

// Silent returns the same roots for who only asks whether a file is there: errors name no
// files that might have been meant, which takes a walk of the roots.
func (r *Roots) Silent() *Roots {
	silent := *r
	silent.options.silent = true
	return &silent
}

// Resolve returns the path of the file relative to its root, with forward slashes
// and links resolved. Its errors are those of Read, but for what only reading
// shows.
func (r *Roots) Resolve(path string) (string, error) {
	var clean string
	err := r.visit(path, func(w *way) error {
		clean = w.clean()
		return nil
	})
	return clean, err
}

// Stat returns what the file at path is. Its errors are those of Resolve.
func (r *Roots) Stat(path string) (info fs.FileInfo, err error) {
	err = r.visit(path, func(w *way) error {
		if info, err = w.folder().Lstat(w.name); err == nil && !info.Mode().IsRegular() {
			return errChanged
		} else if err != nil {
			return w.explain(asChanged(err))
		}
		return nil
	})
	return info, err
}

// Listed returns the path by the names that the folders on the way list, as fileinfo.Listed does;
// the path itself if links lead on from it, and of what can't be found.
func (r *Roots) Listed(path string) string {
	slashed := filepath.ToSlash(path)
	ways := r.owners(slashed)
	if !isAbsolute(slashed) {
		for _, root := range r.roots {
			ways = append(ways, rootPath{root, slashed})
		}
	}
	for _, o := range ways {
		w := r.start(o.root, path, o.rest)
		listed, found := w.listed()
		switch before := strings.TrimSuffix(slashed, o.rest); {
		case listed != o.rest:
			return before + listed
		case found:
			return path
		}
	}
	return path
}

// attempts is the number of times that a file is looked for when names change
// between two looks. An editor that saves by renaming changes them once.
const attempts = 10

// errChanged says that a name did not stand for what it stood for before.
var errChanged = errors.New("the name stands for something else now")

// visit looks for the file at path and calls use with the way to it.
func (r *Roots) visit(path string, use func(*way) error) error {
	if err := checkPath(path); err != nil {
		return err
	}
	for range attempts {
		w, err := r.locate(path, false)
		if err == nil {
			err = use(w)
			w.close()
		}
		if !errors.Is(err, errChanged) {
			return err
		}
	}
	return restless(path)
}

// restless returns the error for a path that changes too often.
func restless(path string) error {
	return &fileerror.Error{
		Code: fileerror.PathOutsideRoot, Path: path, Err: errChanged,
		Reason: "it was replaced again and again while it was being opened", Hint: "try again",
	}
}

// locate finds the file at path, in whatever root it is; or, if a fresh one may be
// made, the folder where it is missing.
func (r *Roots) locate(path string, fresh bool) (*way, error) {
	slashed := filepath.ToSlash(path)
	if isAbsolute(slashed) {
		return r.locateAbsolute(path, slashed, fresh)
	}
	ways := make([]*way, len(r.roots))
	for i, root := range r.roots {
		ways[i] = r.start(root, path, slashed)
		ways[i].fresh = fresh
	}
	return choose(ways)
}

// locateAbsolute finds the file at an absolute path. Of roots within each other
// the innermost comes first; the others are for what leaves it and stays inside
// them.
func (r *Roots) locateAbsolute(path, slashed string, fresh bool) (*way, error) {
	var refused error
	for _, o := range r.owners(slashed) {
		w := r.start(o.root, path, o.rest)
		w.fresh = fresh
		w, err := choose([]*way{w})
		if e, ok := errors.AsType[*fileerror.Error](err); !ok || e.Code != fileerror.PathOutsideRoot {
			return w, err
		}
		if refused == nil {
			refused = err
		}
	}
	if refused == nil {
		refused = &fileerror.Error{
			Code: fileerror.PathOutsideRoot, Path: path,
			Reason: "it is outside of the folders that can be read", Hint: "name a file inside, relative to one of them",
		}
	}
	return nil, refused
}

// choose returns the only way that led to a file. A path that names something in
// more than one root is never guessed at.
func choose(ways []*way) (chosen *way, err error) {
	defer func() {
		for _, w := range ways {
			if w != chosen {
				w.close()
			}
		}
	}()
	var found *way
	var refused, gone error
	named := 0 // the ways that led to anything
	for _, w := range ways {
		err := w.run()
		switch {
		case err == nil:
			found = w
			named++
		case errors.Is(err, errChanged), errors.Is(err, errClimbs):
			return nil, err
		case w.gone:
			gone = err
		case w.missing == nil:
			named++
			if refused == nil {
				refused = err
			}
		}
	}
	switch {
	case found != nil && named > 1:
		return nil, found.fail(fileerror.InvalidArgument, "more than one root has something at this path", "give the absolute path, which begins with one of the roots")
	case found != nil:
		return found, nil
	case refused != nil:
		return nil, refused
	case gone != nil:
		return nil, gone
	}
	return makeable(ways)
}

// makeable returns the first way to a folder where the file is missing and may be
// made, or the error for a path that names nothing.
func makeable(ways []*way) (*way, error) {
	missing := ways[0].missing
	var found *way
	var refused error
	for _, w := range ways {
		if !w.fresh || w.absent == "" {
			continue
		}
		w.name = w.absent
		switch err := w.judge(); {
		case err != nil:
			w.name = ""
			if errors.Is(err, ErrProtected) {
				refused = err
			}
		case found != nil:
			found.several = true
		default:
			found, w.missing = w, missing
		}
	}
	switch {
	case found != nil:
		return found, nil
	case refused != nil:
		return nil, refused
	}
	return nil, miss(ways)
}

// miss returns the error for a path that names nothing in any root.
func miss(ways []*way) *fileerror.Error {
	e := ways[0].missing
	for _, w := range ways {
		if w.options.silent {
			continue
		}
		for _, path := range w.closest(maxClosest) {
			if len(e.Closest) < maxClosest && !slices.Contains(e.Closest, path) {
				e.Closest = append(e.Closest, path)
			}
		}
	}
	return e
}

// Name returns what names the file at path whatever way leads there: two paths
// have the same name if they lead to the same place, through links or through
// roots that overlap. It is a path of the host, which is not to be shown. Its
// errors are those of Resolve.
func (r *Roots) Name(name string) (string, error) {
	var clean string
	err := r.visit(name, func(w *way) error {
		clean = filepath.Join(w.root.real, w.clean())
		return nil
	})
	return clean, err
}
