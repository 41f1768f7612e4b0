package files

import (
	"errors"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filenames"
)

// What can be said of a path by its names.

const (
	maxPath  = 4096 // bytes of a path
	maxDepth = 100  // folders below a root, each of which is an open handle
	maxLinks = 40   // links on the way to a file, as on Linux
	maxSteps = 4096 // names on the way to a file, those in links too
)

const (
	reasonNoName   = "no file can have this name"
	reasonUnnamed  = "its name has a control character, is not UTF-8 or is too long"
	hintUnnamed    = "rename it"
	reasonDeep     = "no file is read that deep"
	hintDeep       = "name one in fewer folders"
	reasonLeaves   = "it leads out of the folder that can be read"
	hintLeaves     = "name a file inside"
	reasonMarkdown = "it is no Markdown file (.md, .markdown or .mdx)"
	hintMarkdown   = "other text can be read if the server is started with --text-files"
	reasonDotText  = "files and folders whose names begin with a dot are read for Markdown alone (.md, .markdown or .mdx)"
)

// checkPath refuses what can't be the path of a file. The error is a *fileerror.Error or
// nil.
func checkPath(path string) error {
	refuse := func(code fileerror.Code, reason, hint string) error {
		return &fileerror.Error{Code: code, Path: fileerror.Shorten(path), Reason: reason, Hint: hint}
	}
	switch {
	case path == "":
		return refuse(fileerror.InvalidArgument, "the path is empty", "name a file")
	case len(path) > maxPath:
		return refuse(fileerror.NotFound, reasonNoName, "")
	case !utf8.ValidString(path):
		return refuse(fileerror.InvalidArgument, "the path is not UTF-8", "write it in UTF-8")
	case strings.ContainsFunc(path, unicode.IsControl):
		return refuse(fileerror.InvalidArgument, "the path has a control character", "write it without")
	}
	return nil
}

// errClimbs is what errors wrap about paths with `..` behind a link.
var errClimbs = errors.New("`..` behind a link")

// climbs returns the error for a path that goes up again from behind a link.
func climbs(path, link string) *fileerror.Error {
	return &fileerror.Error{
		Code: fileerror.InvalidArgument, Path: path, Err: errClimbs,
		Reason: "it has `..` behind the link `" + fileerror.Shorten(link) + "`, which may mean two files", Hint: "name it without `..`",
	}
}

// CheckClimb returns a *fileerror.Error, InvalidArgument, for a path of the host that goes up again
// from behind a link: to the system it means another file than by its words.
func CheckClimb(path string) error {
	if link := fileinfo.LinkClimbedOver(path); link != "" {
		return climbs(path, link)
	}
	return nil
}

// CheckClimb is the function CheckClimb for a path as Read takes it. Whether anything is there doesn't
// count.
func (r *Roots) CheckClimb(path string) error {
	if !strings.Contains(path, "..") {
		return nil
	}
	if _, err := r.Silent().Resolve(path); errors.Is(err, errClimbs) {
		return err
	}
	return nil
}

// isAbsolute reports whether a path with forward slashes starts elsewhere than in
// a root.
func isAbsolute(slashed string) bool {
	return strings.HasPrefix(slashed, "/") || filepath.VolumeName(filepath.FromSlash(slashed)) != ""
}

// rootPath is a root that an absolute path begins with, and the rest of that path.
type rootPath struct {
	root *root
	rest string
}

// owners returns the roots that an absolute path begins with, by any of their
// names, the longest name first.
func (r *Roots) owners(slashed string) []rootPath {
	var owners []rootPath
	for _, root := range r.roots {
		for _, dir := range root.names() {
			if rest, ok := below(slashed, filepath.ToSlash(dir)); ok {
				owners = append(owners, rootPath{root, rest})
				break
			}
		}
	}
	slices.SortStableFunc(owners, func(a, b rootPath) int { return len(a.rest) - len(b.rest) })
	return owners
}

// Covers reports whether the file at a path of the host, below folders without links, may be read as
// far as that shows without a look at it: it is below a root that is the folder still that was opened,
// none of its names is protected, and it isn't in the user's journal. Whether it is there isn't looked at.
func (r *Roots) Covers(path string) bool { return r.Covering()(path) }

// Covering returns Covers for many files of one request: no folder is looked at twice.
func (r *Roots) Covering() func(path string) bool {
	journal, inPlace := fileinfo.FindJournal(), map[*root]bool{}
	return func(path string) bool {
		owners := r.owners(filepath.ToSlash(path))
		if len(owners) == 0 || strings.Count(owners[0].rest, "/") > maxDepth || filenames.FileProtectionBelow(owners[0].root.called, owners[0].rest) != "" {
			return false
		}
		root := owners[0].root
		if _, known := inPlace[root]; !known {
			inPlace[root] = root.is(root.dir)
		}
		return inPlace[root] && !journal.Has(filepath.Dir(path))
	}
}

// Below returns the root, without links, that an absolute path begins with by any of its names, and
// what follows it there; empty for none.
func (r *Roots) Below(path string) (dir, rest string) {
	slashed := filepath.ToSlash(filepath.Clean(path))
	if owners := r.owners(slashed); isAbsolute(slashed) && len(owners) > 0 {
		return owners[0].root.real, owners[0].rest
	}
	return "", ""
}

// WriteProtection says why nothing at a path relative to a root is ever written, as far as
// its names and those of the root tell; empty if it may be.
func (r *Roots) WriteProtection(path string) string {
	for _, root := range r.roots {
		if reason := filenames.WriteProtectionBelow(root.called, path); reason != "" {
			return reason
		}
	}
	return ""
}

// below returns what follows dir in path, both with forward slashes, if the path
// begins with the names of dir. Empty names and "." between them don't count;
// ".." is no way to get there, for what it means depends on links outside.
func below(path, dir string) (rest string, ok bool) {
	for want := range strings.SplitSeq(dir, "/") {
		if want == "" {
			continue
		}
		name := ""
		for path != "" && (name == "" || name == ".") {
			name, path, _ = strings.Cut(path, "/")
		}
		if name != want && (runtime.GOOS != "windows" || !strings.EqualFold(name, want)) {
			return "", false
		}
	}
	return path, true
}

// checkName refuses a name on the way to a file, whatever it stands for.
func (w *way) checkName(name string) error {
	switch p := filenames.Protected(w.above(), name); {
	case p != nil && !p.Documents:
		return w.protect(p.Reason, p.Hint)
	case runtime.GOOS == "windows" && filenames.IsAlias(name):
		return w.fail(fileerror.NotFound, reasonNoName, "")
	}
	return nil
}

// above returns the names of the folder where the walk is: several, perhaps, of the root.
func (w *way) above() []string {
	if n := len(w.names); n > 0 {
		return w.names[n-1:]
	}
	return w.root.called
}

// ofAgents reports whether the walk is in a folder of coding agents, or with itself true
// whether the file's own name is that of one.
func (w *way) ofAgents(itself bool) bool {
	names := w.names
	if itself {
		names = append(slices.Clip(names), w.name)
	}
	_, found := filenames.ProtectedIn(w.root.called, names)
	return found || w.root.agents
}

// protect returns the error for a path that leads to what is protected.
func (w *way) protect(reason, hint string) *fileerror.Error {
	e := w.fail(fileerror.PathOutsideRoot, reason, hint)
	e.Err = ErrProtected
	return e
}

// judge refuses a file that is protected, or no Markdown unless other text may be read. Both of
// its names count, the given one and that which links lead to. For writing it refuses
// the folders of coding agents and the files of Unwritten, too.
func (w *way) judge() error {
	switch err := w.judgeNames(path.Clean(w.rest)); {
	case err != nil:
		return err
	case w.fresh && w.ofAgents(true):
		return w.protect(filenames.ReasonAgents, filenames.HintAgents)
	case w.fresh && w.isUnwritten():
		return w.protect(reasonUnwritten, hintUnwritten)
	}
	for _, path := range [...]string{w.rest, w.clean()} {
		base := path[strings.LastIndexByte(path, '/')+1:]
		if IsMarkdown(base) {
			continue
		}
		switch {
		case w.fresh && filenames.IsOurs(base):
			return w.fail(fileerror.NotAFile, filenames.ReasonOurs, "name another file")
		case w.options.TextIn != "" && strings.HasPrefix(path, w.options.TextIn+"/"):
		case !w.options.TextFiles:
			return w.fail(fileerror.NotAFile, reasonMarkdown, hintMarkdown)
		case !w.options.DotFiles && filenames.HasDotName(path):
			return w.fail(fileerror.NotAFile, reasonDotText, "")
		}
	}
	return nil
}

// judgeNames refuses a file for the names of a path to it, below the root: of the one that was
// given, or of one that a link leads on to, to what is not known to be a file yet. The walk itself
// sees to the names that it comes by.
func (w *way) judgeNames(path string) error {
	names := filenames.PathNames(path)
	closed, ofAgents := filenames.ProtectedIn(w.root.called, names)
	switch {
	case closed != nil:
		return w.protect(closed.Reason, closed.Hint)
	case ofAgents && w.fresh:
		return w.protect(filenames.ReasonAgents, filenames.HintAgents)
	case ofAgents && w.name != "" && !filenames.IsDocument(names[len(names)-1]):
		return w.protect(filenames.Agents.Reason, filenames.Agents.Hint)
	}
	return nil
}
