package repoproof

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filenames"
)

// Jujutsu looks for a file that it tracks in an ignored folder by its path alone, through links in
// the place of the folders above it. One in the project's folder itself is no such link: it isn't in
// an ignored folder.

// isLink are the types of what may lead elsewhere: links, and junctions of Windows.
const isLink = fs.ModeSymlink | fs.ModeIrregular

// ErrTooMany is the error for a working tree in which more would have to be looked at than is.
var ErrTooMany = errors.New("there are too many folders and links to look at")

// What is looked at: names of all paths together, entries of folders, and folders that are kept.
const (
	maxSteps   = 50_000_000
	maxEntries = 2_000_000
	maxKept    = 50_000
)

// Folders are those of a working tree that were looked at, whose paths anybody may have chosen.
type Folders struct {
	top   string
	ended func() error
	root  *looked
	kept  int
	steps int // names of paths that the system has followed
}

// looked is a folder by what was looked at in it.
type looked struct{ below map[string]*looked }

// FoldersOf returns the folders of a working tree. Ended returns the error of the caller's context
// once nobody waits any longer.
func FoldersOf(top string, ended func() error) *Folders {
	return &Folders{top: top, ended: ended, root: &looked{}}
}

// LinkIn returns the first part of the path of a folder from the top, with slashes, that is a link
// in the place of a folder, "" for none. The error is that of the context, or ErrTooMany.
func (f *Folders) LinkIn(dir string) (link string, err error) {
	if err := f.ended(); err != nil {
		return "", err
	}
	if f.kept > maxKept { // paths come in order, but for those that somebody has chosen
		f.root, f.kept = &looked{}, 0
	}
	at, end := f.root, -1
	for depth := 1; end < len(dir); depth++ {
		begin := end + 1
		if next := strings.IndexByte(dir[begin:], '/'); next < 0 {
			end = len(dir)
		} else {
			end = begin + next
		}
		name := dir[begin:end]
		if below := at.below[name]; below != nil {
			at = below
			continue
		}
		if f.steps += depth; f.steps > maxSteps {
			return "", ErrTooMany
		}
		if f.steps%1024 < depth {
			if err := f.ended(); err != nil {
				return "", err
			}
		}
		info, err := os.Lstat(filepath.Join(f.top, filepath.FromSlash(dir[:end])))
		switch {
		case err != nil: // it is nothing to Jujutsu either
			return "", nil //nolint:nilerr // as here
		case depth > 1 && info.Mode()&isLink != 0:
			return dir[:end], nil
		}
		if at.below == nil {
			at.below = map[string]*looked{}
		}
		below := &looked{}
		at.below[strings.Clone(name)] = below
		at = below
		f.kept++
	}
	return "", nil
}

// LinkOut returns the path from the top of a link that stands in a folder of the working tree and
// leads to a folder that isn't one of its own, or whose files have protected names, or in which they
// would lose them; "" if there is none. The error is that of the context, ErrTooMany or the system's.
func LinkOut(top string, ended func() error) (link string, err error) {
	whole, err := fileinfo.Resolved(top)
	if err != nil {
		return "", err
	}
	w := walk{top: whole, ended: ended}
	err = w.folder("", 0)
	return w.found, err
}

// walk is a look at a working tree.
type walk struct {
	top            string
	ended          func() error
	found          string // a link that leads out
	entries, steps int
}

// linkSteps is the number of entries that a link counts for: to follow it takes as long.
const linkSteps = 20

// batch is how many entries of a folder are looked at before the next are read.
const batch = 1024

// folder looks at what is in a folder, by its path from the top. It ends with the first link that
// leads out.
func (w *walk) folder(below string, depth int) error {
	path := filepath.Join(w.top, below)
	dir, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENAMETOOLONG): // Jujutsu can't open what is in there either
		return nil
	case errors.Is(err, fs.ErrPermission):
		if _, err := os.Lstat(path + string(filepath.Separator) + "."); err != nil {
			return nil // nor by a name
		}
	}
	if err != nil {
		return err
	}
	defer dir.Close() //nolint:errcheck // it was read alone
	var folders []string
	for {
		list, err := dir.ReadDir(batch)
		if w.entries += len(list); w.entries > maxEntries {
			return ErrTooMany
		}
		if err := w.ended(); err != nil {
			return err
		}
		for _, e := range list {
			name := filepath.Join(below, e.Name())
			switch {
			case e.IsDir() && (depth > 0 || e.Name() != ".git" && e.Name() != ".jj"): // these were proven
				folders = append(folders, name)
			case depth > 0 && e.Type()&isLink != 0:
				w.entries += linkSteps
				if w.leadsOut(name) {
					w.found = filepath.ToSlash(name)
					return nil
				}
			}
		}
		if err == io.EOF {
			break
		} else if err != nil {
			return err
		}
	}
	if err := dir.Close(); err != nil { // not one for each folder of a path
		return err
	}
	for _, name := range folders {
		if w.steps += depth; w.steps > maxSteps {
			return ErrTooMany
		}
		if err := w.folder(name, depth+1); err != nil || w.found != "" {
			return err
		}
	}
	return nil
}

// leadsOut reports whether a link leads to a folder in which Jujutsu must look for nothing.
func (w *walk) leadsOut(name string) bool {
	path := filepath.Join(w.top, name)
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeIrregular != 0 { // which Resolved doesn't follow
		to, err := os.Readlink(path)
		if err != nil {
			return false // it is no junction
		}
		path = fileinfo.From(filepath.Dir(path), to)
	}
	to, err := fileinfo.Resolved(path)
	if err != nil {
		leadsNowhere := errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
		return !leadsNowhere
	}
	if info, err := os.Stat(to); err != nil || !info.IsDir() {
		return false
	}
	below, err := filepath.Rel(w.top, to)
	return err != nil || !filepath.IsLocal(below) || below == "." ||
		filenames.WriteProtection(below) != "" || filenames.IsPlaceOfProtected(filepath.Base(below))
}
