package walking

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/ignore"
)

// A walk leaves out what ignore files name and folders whose names begin with a dot.
// A pattern that writes the dot out brings a folder back, a wildcard doesn't. Which files
// count, and which of them more, is as with ripgrep: .ignore before
// .gitignore before .git/info/exclude, of each kind the innermost first; and, as with
// git, no .gitignore from outside of the repository that a folder is in. Ignore files
// come from whoever made the tree: they are read as far as they are no links and not too
// large, and what they can do is to leave names out of a list, and to keep hidden folders in it.

// Options say what a walk of a folder leaves out. The zero value is what people
// mean.
type Options struct {
	NoIgnore bool // whatever ignore files say
	Hidden   bool // also folders whose names begin with a dot

	IgnoredFiles bool // also files that ignore files name, but nothing in folders that they name
}

// And returns what is left out by neither.
func (o Options) And(other Options) Options {
	return Options{NoIgnore: o.NoIgnore || other.NoIgnore, Hidden: o.Hidden || other.Hidden, IgnoredFiles: o.IgnoredFiles || other.IgnoredFiles}
}

// What of ignore files is obeyed.
const (
	MaxFile  = 256 << 10 // bytes of an ignore file
	maxFiles = 1 << 20   // bytes of those that count in a folder: its own and those of the folders above
	MaxWild  = 20_000    // parts of patterns with wildcards that count in a folder
)

// The names of ignore files.
const (
	GitIgnore = ".gitignore"
	AnyIgnore = ".ignore"
)

// Names are those of a folder that say what a walk leaves out.
func Names() []string { return []string{GitIgnore, AnyIgnore, ".git", ".jj"} }

// Opener opens what a walk finds in a folder, and no link: nil, and no error, for what isn't there.
type Opener struct {
	Folder func(in *os.Root, name string) *os.Root
	File   func(in *os.Root, name string) (*os.File, fs.FileInfo, error)
}

// Ignoring is what a walk leaves out, where it is now.
type Ignoring struct {
	Options
	ignore.Tree

	Open    Opener // of ignore files
	LeftOut int    // names that were left out so far, with all that is in them
}

// Come goes into a folder of this name, "" for the top, which has these entries. Open
// opens it if it has something to read. The errors are of ignore files that are not obeyed, each
// with the path that the file has in the folder.
func (g *Ignoring) Come(name string, entries []fs.DirEntry, open func() (*os.Root, error)) (ignore.Place, []*fileerror.Error) {
	before := g.Enter(name)
	if g.NoIgnore {
		return before, nil
	}
	var s ignore.Scope
	var found []string
	for _, e := range entries {
		switch e.Name() {
		case GitIgnore, AnyIgnore:
			if e.Type().IsRegular() {
				found = append(found, e.Name())
			}
		case ".git":
			s.Repository = true
			if e.IsDir() {
				found = append(found, e.Name())
			}
		case ".jj":
			s.Repository = true
		}
	}
	if len(found) == 0 && !s.Repository {
		return before, nil
	}
	return before, g.read(&s, found, open, false)
}

// read reads the ignore files of the folder where the walk is, and notes what they say.
// Owned says that they must be the user's or the system's.
func (g *Ignoring) read(s *ignore.Scope, found []string, open func() (*os.Root, error), owned bool) []*fileerror.Error {
	load := g.Load()
	var failed []*fileerror.Error
	if len(found) > 0 {
		folder, err := open()
		if err != nil {
			return nil // walking it tells
		}
		defer folder.Close() //nolint:errcheck // nothing was written
		for _, name := range found {
			rules, err := g.readRules(folder, name, owned, load)
			if err != nil {
				failed = append(failed, err)
			}
			load = load.With(rules)
			switch name {
			case GitIgnore:
				s.Git = rules
			case AnyIgnore:
				s.Other = rules
			default:
				s.Exclude = rules
			}
		}
	}
	g.Add(*s)
	return failed
}

// LeavesOut reports whether the walk leaves out what has this name in the folder where it
// is, and counts it.
func (g *Ignoring) LeavesOut(name string, isFolder bool) bool {
	verdict := g.Verdict(name, isFolder)
	hidden := isFolder && name[0] == '.' && !g.Hidden && verdict != ignore.KeptHidden
	if verdict == ignore.Ignored && (isFolder || !g.IgnoredFiles) || hidden {
		g.LeftOut++
		return true
	}
	return false
}

// readRules reads an ignore file of a folder, or .git/info/exclude for ".git". There are
// none in what is missing or a link. Load is of the rules that it is beside.
func (g *Ignoring) readRules(folder *os.Root, name string, owned bool, load ignore.Load) (*ignore.Rules, *fileerror.Error) {
	path := name
	if name == ".git" {
		path, name = ".git/info/exclude", "exclude"
		for _, step := range [...]string{".git", "info"} {
			next := g.Open.Folder(folder, step)
			if next == nil {
				return nil, nil // there is none
			}
			defer next.Close() //nolint:errcheck,gocritic // nothing was written, and there are two steps at most
			folder = next
		}
	}
	f, info, err := g.Open.File(folder, name)
	switch {
	case err == nil && f == nil:
		return nil, nil
	case err != nil:
		return nil, notObeyed(path, fileerror.Permission, "an ignore file that can't be read, and so is not obeyed")
	}
	defer f.Close() //nolint:errcheck // nothing was written
	if owned && !fileinfo.OwnedByUserOrRoot(info) {
		return nil, nil
	}
	room := maxFiles - load.Size
	text, err := io.ReadAll(io.LimitReader(f, int64(min(MaxFile, room))+1))
	switch {
	case err != nil:
		return nil, notObeyed(path, fileerror.IOError, "an ignore file that can't be read, and so is not obeyed")
	case len(text) > MaxFile:
		return nil, notObeyed(path, fileerror.TooLarge, "an ignore file of more than 256 KiB, which is not obeyed")
	case len(text) > room:
		return nil, notObeyed(path, fileerror.TooLarge, "an ignore file that has more than 1 MiB together with those of the folders above, and so is not obeyed")
	}
	rules := ignore.Parse(text, MaxWild-load.Wild)
	if load.With(rules).Wild > MaxWild {
		return nil, notObeyed(path, fileerror.TooLarge, "an ignore file that makes patterns with wildcards of more than 20,000 parts, and so is not obeyed")
	}
	return rules, nil
}

// notObeyed returns the error for an ignore file.
func notObeyed(path string, code fileerror.Code, reason string) *fileerror.Error {
	return &fileerror.Error{Code: code, Path: path, Reason: reason, Hint: "make it smaller or readable, or name the documents"}
}

// Begin begins a walk of a folder with what ignore files of the folders above say, from
// the top on: the nearest one upwards that is marked as a project's, the folder itself
// among them; else the working directory, if the folder lies in it.
func (g *Ignoring) Begin(dir string) {
	dir, err := filepath.Abs(dir)
	if err != nil || g.NoIgnore {
		return
	}
	top := topOf(dir)
	names, err := filepath.Rel(top, dir)
	if err != nil || !filepath.IsLocal(names) || names == "." {
		return
	}
	at := top
	for name := range strings.SplitSeq(filepath.ToSlash(names), "/") {
		s := ignore.Scope{Repository: fileinfo.HasOwn(at, ".git") || fileinfo.HasOwn(at, ".jj")}
		_ = g.read(&s, []string{GitIgnore, AnyIgnore, ".git"}, func() (*os.Root, error) { return fileinfo.OpenFolder(at) }, true) // it is not below dir
		_ = g.Enter(name)                                                                                                         // for good
		at = filepath.Join(at, name)
	}
}

// topOf returns the folder down from which ignore files count for one at an absolute path.
func topOf(dir string) string {
	if root := fileinfo.ProjectRoot(dir); root != "" {
		return root
	}
	if current, err := filepath.Abs("."); err == nil {
		if rel, err := filepath.Rel(current, dir); err == nil && filepath.IsLocal(rel) {
			return current
		}
	}
	return dir
}
