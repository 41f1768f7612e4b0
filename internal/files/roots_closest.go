package files

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// A path that names nothing is mostly a slip: another case, a forgotten
// extension, a letter too many. What was sought is compared with the names in the
// one folder where it is missing, and with no more than some of them.

const (
	maxClosest  = 5    // names in an error
	maxCompared = 1000 // names that are looked at
	maxTried    = 20   // names that are followed to see where they lead
	maxMeasured = 100  // bytes of a name whose distance is measured, in quadratic time
)

// candidate is a name that might have been meant.
type candidate struct {
	path string
	link bool
	cost int // how far it is from what was sought
}

// closest returns the paths of at most n files that might have been meant; if it
// is a folder that is missing, paths through others, or the others themselves
// with a slash behind.
func (w *way) closest(n int) []string {
	if w.sought == "" {
		return nil
	}
	inFolder := strings.Trim(w.after, "/.") != ""
	var paths []string
	for _, c := range w.candidates(inFolder) {
		path := c.path
		if inFolder {
			path += "/" + w.after
		}
		switch {
		case len(paths) == n:
			return paths
		case !inFolder && !c.link || (inFolder || c.link) && w.leads(path):
			paths = append(paths, path)
		case inFolder && !c.link:
			paths = append(paths, c.path+"/")
		}
	}
	return paths
}

// candidates returns what is named like what was sought, the likeliest first:
// folders, or files that may be read.
func (w *way) candidates(folders bool) []candidate {
	var list []candidate
	consider := func(name string, mode fs.FileMode) {
		link := mode.Type() == fs.ModeSymlink
		fits := link || folders && mode.IsDir() || !folders && mode.IsRegular()
		if !fits || !folders && !w.readable(name) || checkPath(name) != nil {
			return
		}
		if p := protectedUnder(w.above(), name); p != nil && !p.documents {
			return
		}
		if cost, near := likeness(w.sought, name); near {
			list = append(list, candidate{w.before + name, link, cost})
		}
	}
	for _, e := range entries(w.folder(), maxCompared) {
		consider(e.Name(), e.Type())
	}
	// In a large folder the likeliest may be behind what was looked at.
	for _, ext := range [...]string{".md", ".markdown", ".mdx"} {
		if info, err := w.folder().Lstat(w.sought + ext); err == nil {
			consider(w.sought+ext, info.Mode())
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), strings.Compare(a.path, b.path))
	})
	list = slices.Compact(list)
	return list[:min(len(list), maxTried)]
}

// readable reports whether a file of this name may be read where the walk is.
func (w *way) readable(name string) bool {
	return IsMarkdown(name) || w.options.TextFiles && !hasDotName(name) && !hasDotName(strings.Join(w.names, "/"))
}

// leads reports whether a path, given in place of the one that was, leads to a
// file that may be read.
func (w *way) leads(path string) bool {
	head := len(w.path) - len(w.rest) // what is before the root's own part
	try := &way{root: w.root, options: w.options, path: path, rest: filepath.ToSlash(path[head:])}
	defer try.close()
	return try.run() == nil
}

// likeness returns how far a name is from the one that was sought, and whether it
// is near enough to be worth naming.
func likeness(sought, name string) (cost int, near bool) {
	sought, name = strings.ToLower(sought), strings.ToLower(name)
	if sought == name {
		return 0, true
	}
	a, b := stem(sought), stem(name)
	switch {
	case a == b:
		return 1, true
	case len(a) > maxMeasured || len(b) > maxMeasured:
		return 0, false
	}
	from, to := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if cost = levenshtein.ComputeDistance(a, b); cost <= max(2, from/2) {
		return 1 + cost, true
	}
	// Longer than the whole of any distance: a name that begins as it should.
	return maxMeasured + to, from > 2 && strings.HasPrefix(b, a)
}

// stem returns a name without its extension, and without dots and blanks at the
// end.
func stem(name string) string {
	name = strings.TrimRight(name, ". ")
	if s := strings.TrimSuffix(name, filepath.Ext(name)); s != "" {
		return s
	}
	return name
}
