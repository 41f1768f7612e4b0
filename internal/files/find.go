package files

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/glob"
	"github.com/sectile/sectile/internal/walking"
)

// Finding documents: what a person names on a command line is a file, a folder
// or a pattern. Folders are walked in the order of names, so that the same tree
// gives the same list everywhere.

// standardInput is an argument that names no file, even if there is one.
const standardInput = "-"

// IsMarkdown is that of package filenames.
func IsMarkdown(name string) bool { return filenames.IsMarkdown(name) }

// Find yields the files that the arguments name: a folder stands for the
// Markdown files in it and below, but for what is protected or left out (see WalkOptions), a pattern
// (see ParseGlob) for those of them that it matches, anything else for itself, "-" too. A
// file that two arguments name comes twice.
// With a path may come a *fileerror.Error: of a folder that can't be read, of an ignore file that
// is not obeyed, of a pattern that is none (InvalidPattern), or of an argument that names
// no file at all (NoMatches). The others are yielded all the same.
func Find(args []string, o WalkOptions) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, arg := range args {
			if !find(arg, o, yield) {
				return
			}
		}
	}
}

// IsMany reports whether an argument of Find may stand for more than one file.
func IsMany(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && info.IsDir() || err != nil && glob.HasMeta(arg)
}

// find yields the files that one argument names and reports whether to go on.
func find(arg string, o WalkOptions, yield func(string, error) bool) bool {
	if arg == standardInput {
		return yield(arg, nil)
	}
	meant, none := glob.All(arg), noneInFolder
	if info, err := os.Stat(arg); err != nil || !info.IsDir() {
		if err == nil || !glob.HasMeta(arg) {
			return yield(arg, nil) // opening it tells what is wrong
		}
		if meant, err = ParseGlob(arg); err != nil {
			return yield(arg, err)
		}
		o.Hidden, none = o.Hidden || meant.Hidden(), noneOfPattern
	}
	w := walker{meant: meant, yield: yield, left: ignoring(o)}
	return w.walk(nil) && w.tellNone(arg, none)
}

// The reasons why a folder or a pattern stands for no file.
const (
	noneInFolder  = "no Markdown file in this folder; links are not followed"
	noneOfPattern = "the pattern matches no Markdown file; links are not followed"
)

// Among returns those of some files, by their paths below a folder with forward slashes, that
// Find yields of the folder. Nothing else in there is looked at.
func Among(dir string, below []string, o WalkOptions) map[string]bool {
	found, top := map[string]bool{}, joinPath(dir, "")
	w := walker{meant: glob.All(dir), left: ignoring(o), yield: func(path string, err error) bool {
		found[filepath.ToSlash(strings.TrimPrefix(path, top))] = err == nil
		return true
	}}
	w.walk(filenames.Choose(below))
	return found
}

// walker walks the base of a pattern for the regular files that it matches, in the order of their
// names. Folders that it doesn't reach are left alone. Links are not followed: nothing comes twice and
// no walk is endless.
type walker struct {
	meant glob.Pattern
	yield func(string, error) bool
	left  walking.Ignoring
	found int

	journal *fileinfo.JournalPlace
}

// walk walks for what has some names, nil for all, and reports whether to go on.
func (w *walker) walk(only filenames.Chosen) bool {
	w.left.Begin(w.meant.Base())
	w.journal = fileinfo.FindJournal()
	return w.folder(w.meant.Base(), "", only)
}

// tell yields a path or an error and reports whether to go on.
func (w *walker) tell(path string, err error) bool {
	w.found++
	return w.yield(path, err)
}

// tellNone yields an error for arg if nothing was yielded.
func (w *walker) tellNone(arg, reason string) bool {
	return w.found > 0 || w.yield(arg, noneFound(arg, reason, w.left.LeftOut, "use --no-ignore or --hidden, or name the documents"))
}

// noneFound returns the error for a folder or pattern that stands for no file, where so
// many names were left out.
func noneFound(arg, reason string, leftOut int, hint string) *fileerror.Error {
	e := &fileerror.Error{Code: fileerror.NoMatches, Path: arg, Reason: reason}
	if leftOut > 0 {
		e.Reason += fmt.Sprintf("; left out by ignore files, or for a dot before the name: %d", leftOut)
		e.Hint = hint
	}
	return e
}

// folder walks the folder at dir, which has this name below the one where the walk is, for
// what has some names.
func (w *walker) folder(dir, name string, only filenames.Chosen) bool {
	entries, err := only.Entries(func() ([]fs.DirEntry, error) { return os.ReadDir(dir) }, func(name string) (fs.FileInfo, error) { return os.Lstat(joinPath(dir, name)) }, walking.Names()...)
	if err != nil && !w.tell(dir, fileerror.System(dir, err)) {
		return false
	}
	before, notObeyed := w.left.Come(name, entries, func() (*os.Root, error) { return fileinfo.OpenFolder(dir) })
	defer w.left.Leave(before)
	for _, e := range notObeyed {
		e.Path = joinPath(dir, filepath.FromSlash(e.Path))
		if !w.tell(e.Path, e) {
			return false
		}
	}
	above := []string{name}
	if abs, err := filepath.Abs(dir); name == "" && err == nil {
		above[0] = filepath.Base(abs)
	}
	for _, e := range entries {
		path := joinPath(dir, e.Name())
		switch p := filenames.Protected(above, e.Name()); {
		case p != nil && !p.Documents: // nobody has named it
		case e.IsDir():
			if w.meant.Reaches(path) && !w.left.LeavesOut(e.Name(), true) && !w.journal.IsEntry(e) && !w.folder(path, e.Name(), only.In(e.Name())) {
				return false
			}
		case e.Type().IsRegular() && IsMarkdown(path) && w.meant.Match(path) && !w.left.LeavesOut(e.Name(), false):
			if !w.tell(path, nil) {
				return false
			}
		}
	}
	return true
}

// joinPath is filepath.Join for a name without separators; it cleans nothing, so
// that paths are shown as the folder was named.
func joinPath(dir, name string) string {
	switch {
	case dir == ".":
		return name
	case os.IsPathSeparator(dir[len(dir)-1]):
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}

// ParseGlob is glob.Parse. The error is a *fileerror.Error with the code InvalidPattern.
func ParseGlob(pattern string) (glob.Pattern, error) {
	g, err := glob.Parse(pattern)
	if wrong, ok := errors.AsType[*glob.Error](err); ok {
		return g, &fileerror.Error{Code: fileerror.InvalidPattern, Path: fileerror.Shorten(pattern), Reason: wrong.Reason, Hint: wrong.Hint, Err: wrong}
	}
	return g, err
}

// WalkOptions say what a walk of a folder leaves out. The zero value is what people mean.
type WalkOptions = walking.Options

// ignoring returns what a walk leaves out that begins.
func ignoring(o WalkOptions) walking.Ignoring {
	return walking.Ignoring{Options: o, Open: walking.Opener{Folder: folderOrNone, File: fileOrNone}}
}

// folderOrNone is openFolder for what ignore files lie in.
func folderOrNone(in *os.Root, name string) *os.Root {
	next, _, err := openFolder(in, name)
	if err != nil {
		return nil
	}
	return next
}

// fileOrNone is openFile for an ignore file.
func fileOrNone(in *os.Root, name string) (*os.File, fs.FileInfo, error) {
	f, info, err := openFile(in, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errChanged) {
		return nil, nil, nil
	}
	return f, info, err
}
