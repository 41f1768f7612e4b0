package files

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/nearest"
)

// A path that names nothing is mostly a slip: another case, a forgotten
// extension, a letter too many, or the name of a file alone that lies in another folder.
// What was sought is compared with the names in the one folder where it is missing, and
// the file's name is looked for in all folders of the root; both in no more than some.

const (
	maxClosest   = 5    // names in an error
	maxCompared  = 1000 // names that are looked at
	maxTried     = 20   // names that are followed to see where they lead
	maxElsewhere = 5000 // names that are looked at in other folders
	maxFolders   = 500  // folders that are looked into
)

// candidate is a name that might have been meant.
type candidate struct {
	path  string
	link  bool
	other bool // it has another extension
	rank  nearest.Rank
}

// closest returns the paths of at most n files that might have been meant, the likeliest
// first: where all but case or extension is right, or a folder on the way is another; then
// those that have the file's name elsewhere; then those with names that are alike, or, if it
// is a folder that is missing, others with a slash after.
func (w *way) closest(n int) []string {
	if w.sought == "" {
		return nil
	}
	inFolder := strings.Trim(w.after, "/.") != ""
	var sure, alike []string
	for _, c := range w.candidates(inFolder) {
		path := c.path
		if inFolder {
			path += "/" + w.after
		}
		switch {
		case !inFolder && !c.link || (inFolder || c.link) && w.leads(path):
			if inFolder || c.rank.IsSame() {
				sure = append(sure, path)
			} else {
				alike = append(alike, path)
			}
		case inFolder && !c.link:
			alike = append(alike, c.path+"/")
		}
	}
	if len(sure) == 0 {
		same, others := w.elsewhere(n)
		sure = same
		if len(alike) == 0 {
			alike = others
		}
	}
	var paths []string
	for _, path := range slices.Concat(sure, alike) {
		if len(paths) < n && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// candidates returns what is named like what was sought, the likeliest first:
// folders, or files that may be read.
func (w *way) candidates(folders bool) []candidate {
	var list []candidate
	q := nearest.NewQuery(nearest.Stem(w.sought))
	consider := func(name string, mode fs.FileMode) {
		link := mode.Type() == fs.ModeSymlink
		fits := link || folders && mode.IsDir() || !folders && mode.IsRegular()
		if !fits || !folders && !w.readable(name) || checkPath(name) != nil {
			return
		}
		if p := filenames.Protected(w.above(), name); p != nil && !p.Documents {
			return
		}
		if rank := q.Rank(nearest.Stem(name)); rank.IsNear() {
			list = append(list, candidate{w.before + name, link, !strings.EqualFold(filepath.Ext(name), filepath.Ext(w.sought)), rank})
		}
	}
	there, _ := entries(w.folder(), maxCompared) // what came before an error is worth having
	for _, e := range there {
		consider(e.Name(), e.Type())
	}
	// In a large folder the likeliest may be after what was looked at.
	for _, ext := range [...]string{".md", ".markdown", ".mdx"} {
		if info, err := w.folder().Lstat(w.sought + ext); err == nil {
			consider(w.sought+ext, info.Mode())
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(a.rank.Compare(b.rank), strings.Compare(strconv.FormatBool(a.other), strconv.FormatBool(b.other)), strings.Compare(a.path, b.path))
	})
	list = slices.Compact(list)
	return list[:min(len(list), maxTried)]
}

// readable reports whether a file of this name may be read where the walk is.
func (w *way) readable(name string) bool {
	return IsMarkdown(name) || w.options.TextFiles && !filenames.HasDotName(name) && !filenames.HasDotName(strings.Join(w.names, "/"))
}

// leads reports whether a path, given in place of the one that was, leads to a
// file that may be read.
func (w *way) leads(path string) bool {
	head := len(w.path) - len(w.rest) // what is before the root's own part
	try := &way{root: w.root, options: w.options, path: path, rest: filepath.ToSlash(path[head:])}
	defer try.close()
	return try.run() == nil
}

// elsewhere returns the paths of at most n files in other folders that are called as the one
// that was sought, in folders nearer to the root first; and if there are none, those of at
// most n documents with names that are alike, the likeliest first.
func (w *way) elsewhere(n int) (same, alike []string) {
	name := nearest.Stem(path.Base(strings.TrimRight(w.rest, "/. ")))
	q := nearest.NewQuery(name)
	head := w.path[:len(w.path)-len(w.rest)]
	type place struct{ path, name string }
	folders := []place{{".", ""}}
	var near []candidate
	for looked := 0; len(folders) > 0 && looked < maxElsewhere; {
		at := folders[0]
		folders = folders[1:]
		above := w.root.called
		if at.name != "" {
			above = []string{at.name}
		}
		list := entriesAt(w.root.handle, at.path)
		for _, e := range list[:min(len(list), maxElsewhere-looked)] {
			looked++
			p := filenames.Protected(above, e.Name())
			here := path.Join(at.path, e.Name())
			switch {
			case checkPath(here) != nil, p != nil && !p.Documents:
			case e.IsDir():
				if len(folders) < maxFolders {
					folders = append(folders, place{here, e.Name()})
				}
			case !e.Type().IsRegular():
			case strings.EqualFold(nearest.Stem(e.Name()), name):
				if w.leads(head + here) {
					if same = append(same, head+here); len(same) == n {
						return same, nil
					}
				}
			case IsMarkdown(e.Name()) && !filenames.HasDotName(name):
				if rank := q.Rank(nearest.Stem(e.Name())); rank.IsNear() {
					near = append(near, candidate{path: head + here, rank: rank})
				}
			}
		}
	}
	if same != nil {
		return same, nil
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.rank.Compare(b.rank) })
	for _, c := range near[:min(len(near), maxTried)] {
		if len(alike) < n && w.leads(c.path) {
			alike = append(alike, c.path)
		}
	}
	return nil, alike
}

// entriesAt returns some entries of the folder at a path below another, in the order of
// their names; none if it can't be read.
func entriesAt(root *os.Root, path string) []fs.DirEntry {
	folder, err := root.OpenRoot(path + "/.") // which doesn't wait for what is a pipe by now
	if err != nil {
		return nil
	}
	defer folder.Close() //nolint:errcheck // nothing was written
	list, _ := entries(folder, maxCompared)
	return list
}
