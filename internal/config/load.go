package config

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/internal/yamltree"
)

// LoadOptions say where the configuration is.
type LoadOptions struct {
	// Start is the folder from which the project's root is looked for, upwards;
	// empty for the working directory.
	Start string
	// UserFile is the user's file; empty for the usual place, and "-" for none.
	UserFile string
	// Roots are those of a server: what the project's file names must lie in them. Nil
	// if it is the user who asks.
	Roots *files.Roots
	// CheckPattern tells what is wrong with a pattern, empty if nothing is; nil if all are
	// right.
	CheckPattern func(string) string
	// CheckPlan tells what is wrong with the presets of plans, nothing if all are
	// right; nil if nobody asks.
	CheckPlan func(Plan) []PlanProblem
}

// Loader reads the configuration again and again. What is on disk counts at each
// call; parses are kept by content. It is safe for concurrent use.
type Loader struct {
	options LoadOptions

	mu    sync.Mutex
	files [2][]*file // the last few of each scope, the latest first
	last  *merged    // the last that was put together
}

// kept is how many parses of each file are kept: somebody may change between two
// branches.
const kept = 4

// Loaded is a configuration and where it came from. It is shared, and must not be
// changed.
type Loaded struct {
	Config
	Root     string       // of the project, absolute; empty if there is none
	HasFile  bool         // the project has a file
	HasUser  bool         // the user has one
	UserFile string       // its path, whether or not it is there; empty for none
	Trust    Trust        // what the user's file allows
	Search   Search       // the engine that the user's file names
	Roots    *files.Roots // those that what the project's file names must lie in; nil for any
	// Misnamed is the name of a file that is meant as the project's and not read,
	// because it is called otherwise; empty if the project has a file.
	Misnamed string

	merged *merged
}

// Category returns the category of the name, nil if there is none, however many there are in no more
// time.
func (l *Loaded) Category(name string) *Category {
	if l.merged == nil {
		return l.Config.Category(name)
	}
	return l.merged.categories[name]
}

// Collection returns the collection of the name, as Category does.
func (l *Loaded) Collection(name string) *Collection {
	if l.merged == nil {
		return l.Config.Collection(name)
	}
	return l.merged.collections[name]
}

// NewLoader returns a loader.
func NewLoader(o LoadOptions) *Loader { return &Loader{options: o} }

// Load reads the configuration as it is now. Without a project and without a
// user's file the configuration is empty, but for the limits, and Root too. The
// error is an *Error, or a *fileerror.Error if a file can't be read, or belongs to others
// and so is not obeyed (NotOwned), whose path is Name or UserName.
func (l *Loader) Load(ctx context.Context) (*Loaded, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if roots := l.options.Roots; roots != nil {
		if err := roots.InPlace(); err != nil { // by its name it would be another project
			return nil, err
		}
	}
	dir, root, err := l.project()
	if err != nil {
		return nil, err
	}
	loaded := &Loaded{Root: root, UserFile: l.UserFile(), Roots: l.options.Roots}
	user, err := l.readUser(loaded.UserFile)
	if err != nil {
		return nil, err
	}
	project, err := l.readProject(loaded.Root, user)
	if err != nil {
		return nil, err
	}
	if loaded.HasFile, loaded.HasUser = project != nil, user != nil; !loaded.HasFile {
		loaded.Misnamed = findMisnamed(dir, loaded.Root)
	}
	if loaded.merged, err = l.merge(project, user); err != nil {
		return nil, err
	}
	loaded.Config, loaded.Trust, loaded.Search = loaded.merged.config, user.trust(), user.search()
	return loaded, nil
}

// readUser reads the user's file at place. It is nil if there is none.
func (l *Loader) readUser(place string) (*file, error) {
	return l.read(User, place, func(rd *textfile.Reader) ([]byte, error) {
		// Root's own are obeyed too, for systems put configurations in place.
		return rd.ReadOwned(place, fileinfo.OwnedByUserOrRoot)
	})
}

// readProject reads the file of the project at the root, given the user's file, or nil,
// which says whose projects are trusted. It is nil if there is none.
func (l *Loader) readProject(root string, user *file) (*file, error) {
	f, err := l.read(Project, root, func(rd *textfile.Reader) ([]byte, error) {
		if _, err := os.Lstat(filepath.Join(root, Name)); errors.Is(err, fs.ErrNotExist) {
			return nil, &fileerror.Error{Code: fileerror.NotFound, Path: Name, Reason: "no such file", Err: err}
		}
		r, err := openProject(root, user)
		if err != nil {
			return nil, err
		}
		defer r.Close() //nolint:errcheck // nothing was written
		return r.Read(rd, Name)
	})
	return f, withTrust(err, root, user)
}

// read reads the file of a scope, which is at place: that of a project at its root. It
// is nil if there is none.
func (l *Loader) read(scope Scope, place string, read func(*textfile.Reader) ([]byte, error)) (*file, error) {
	if place == "" {
		return nil, nil
	}
	rd := readers.Get().(*textfile.Reader)
	defer readers.Put(rd)
	var text []byte
	var err error
	there := false
	for range 3 { // a file that is missing may have been made since
		text, err = read(rd)
		if there = !isMissing(err) || isThere(scope, place); !there || !isMissing(err) {
			break
		}
	}
	switch {
	case err == nil:
		return l.parse(scope, text), nil
	case !there:
		return nil, nil
	}
	return nil, shown(scope, err)
}

// readers are kept for their buffers.
var readers = sync.Pool{New: func() any { return &textfile.Reader{Limit: yamltree.MaxSize} }}

// openProject opens the root of a project, which must be the user's or trusted by the
// user's file: its file may not be a link that leaves it.
func openProject(root string, user *file) (*files.Roots, error) {
	r, err := files.OpenRoots([]string{root}, files.RootOptions{
		Broad: true, TextFiles: true, DotFiles: true, Limit: yamltree.MaxSize, Owned: true, Trusted: user.trust().Folders,
	})
	if e, ok := errors.AsType[*fileerror.Error](err); ok && e.Code == fileerror.PathOutsideRoot {
		e.Err = errFolder
	}
	return r, err
}

// errFolder is what errors wrap about a root that can't be that of a project.
var errFolder = errors.New("nothing in the folder is read")

// isMissing reports whether an error says that there is no such file.
func isMissing(err error) bool {
	e, ok := errors.AsType[*fileerror.Error](err)
	return ok && e.Code == fileerror.NotFound
}

// isThere reports whether there is something by the name of a file, if only a link
// that leads nowhere.
func isThere(scope Scope, place string) bool {
	if scope == Project {
		place = filepath.Join(place, Name)
	}
	_, err := os.Lstat(place)
	return err == nil
}

// shown returns an error of package files as it may be shown: without a path of
// the host.
func shown(scope Scope, err error) error {
	e, ok := errors.AsType[*fileerror.Error](err)
	switch {
	case !ok && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)):
		return err
	case !ok:
		return &fileerror.Error{Code: fileerror.IOError, Path: displayName(scope), Reason: "the working directory can't be told", Hint: "change to one that is there", Err: err}
	}
	copied := *e
	copied.Path, copied.Closest = displayName(scope), nil
	if len(e.Written) > 0 {
		copied.Written = []string{copied.Path}
	}
	switch {
	case scope == User && errors.Is(e.Err, syscall.ENOTDIR):
		copied.Code, copied.Reason, copied.Hint = fileerror.NotAFile, "a file has the place of a folder on the way to it", "rename or remove that"
	case e.Code == fileerror.TooLarge:
		copied.Reason, copied.Hint = "larger than the limit of 1 MiB", "make it shorter"
	case e.Code == fileerror.NotFound:
		copied.Reason, copied.Hint = "it is a link that leads nowhere, or was just removed", "check it"
	case e.Code == fileerror.NotAFile:
		copied.Reason, copied.Hint = "it is no file", "put a file in its place, or remove it"
	case e.Code == fileerror.PathOutsideRoot:
		copied.Reason, copied.Hint = outside(e)
	case e.Code == fileerror.NotOwned:
		copied.Hint = "give it to the user who runs sectile, or remove it"
	}
	if copied.Reason != e.Reason {
		copied.Kept = fileerror.Kept{} // the reason doesn't say so any more
		return fileerror.WithKept(&copied, e.Kept)
	}
	return &copied
}

// outside says why the project's file is not read, given the error of package files,
// which knows paths and not what they are for.
func outside(e *fileerror.Error) (reason, hint string) {
	switch {
	case errors.Is(e, errFolder):
		return "it can't be read in this folder, for " + e.Reason, "work in a folder of the project"
	case errors.Is(e, files.ErrProtected):
		return "it is a link that is not followed, for " + e.Reason, "put a file in its place"
	case errors.Is(e, files.ErrAbsoluteLink):
		return "it is an absolute link, which is not followed", "put a file in its place, or a relative link that stays in the project"
	}
	return "it is a link that leaves the project, and is not followed", "put a file in its place"
}

// parse returns the parse of a file's text, the one that it has if it has one.
func (l *Loader) parse(scope Scope, text []byte) *file {
	l.mu.Lock()
	for i, f := range l.files[scope] {
		if f.Source == string(text) {
			copy(l.files[scope][1:i+1], l.files[scope][:i])
			l.files[scope][0] = f
			l.mu.Unlock()
			return f
		}
	}
	l.mu.Unlock()
	f := parse(text, scope, l.options.CheckPattern)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.files[scope] = slices.Insert(l.files[scope], 0, f)
	if len(l.files[scope]) > kept {
		l.files[scope] = l.files[scope][:kept:kept]
	}
	return f
}

// merge puts two files together. The error is an *Error with all that is wrong.
func (l *Loader) merge(project, user *file) (*merged, error) {
	if err := problemsOf(project, user); err != nil {
		return nil, err
	}
	l.mu.Lock()
	m := l.last
	l.mu.Unlock()
	if m == nil || m.project != project || m.user != user {
		m = merge(project, user)
		m.checkPlan(l.options.CheckPlan)
		l.mu.Lock()
		l.last = m
		l.mu.Unlock()
	}
	if len(m.problems) > 0 {
		return nil, &Error{Problems: slices.Clone(m.problems)}
	}
	return m, nil
}

// problemsOf returns what is wrong in the files by themselves, as an *Error.
func problemsOf(list ...*file) error {
	var problems []Problem
	for _, f := range list {
		if f != nil {
			problems = append(problems, f.problems...)
		}
	}
	return errorOf(problems)
}

// Problem returns a problem of a category or collection, at its place: field is
// the path of a key, such as categories.docs.dir; what has no place of its own has
// that of what is above it.
func (l *Loaded) Problem(scope Scope, field, message string) Problem {
	p := Problem{File: displayName(scope), Field: field, Message: message}
	if l.merged == nil || l.merged.of(scope) == nil {
		return p
	}
	f := l.merged.of(scope)
	if i := strings.LastIndexByte(field, '['); i >= 0 && f.places[field] == 0 {
		field = field[:i]
	}
	for at := field; at != ""; at, _, _ = cutLast(at) {
		if offset, ok := f.places[at]; ok {
			p.Line, p.Column = f.Position(offset)
			break
		}
	}
	return p
}
