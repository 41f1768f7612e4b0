package journal

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/sectile/sectile/internal/files"
)

// Whether a change is about a file is told by the path of that, and by its folder, for more paths
// may lead there. Names in a folder are compared without case: too much waits where the file
// system tells cases apart, and nothing too little where it doesn't.

// sites are numbers of files, and of folders that may go.
type sites struct {
	paths map[string]int
	names map[name]numbered
}

// name is a name in a folder.
type name struct {
	folder uint64
	lower  string
}

type numbered struct {
	folder FolderID
	number int
}

func newSites(list []files.Site) *sites {
	s := &sites{map[string]int{}, map[name]numbered{}}
	for i, at := range list {
		s.add(at.Path, newFolderID(at.Folder, at.Born), i)
	}
	return s
}

// add gives a file a number, unless it has one.
func (s *sites) add(path string, folder FolderID, number int) {
	if _, known := s.paths[samePath(path)]; !known {
		s.paths[samePath(path)] = number
	}
	n := nameIn(folder, path)
	if _, known := s.names[n]; !known {
		s.names[n] = numbered{folder, number}
	}
}

// addAll gives the files of a change a number.
func (s *sites) addAll(r *Record, number int) {
	if r == nil || r.State != Prepared {
		return
	}
	for i := range r.Entries {
		s.add(r.Entries[i].Path, r.Entries[i].Folder, number)
	}
}

// first returns the smallest number of the files that a change, or nil, may yet give another text,
// and of the folders that those are right in; -1 for none.
func (s *sites) first(r *Record) int {
	least := -1
	if r == nil || r.State != Prepared || len(s.paths) == 0 {
		return least
	}
	for i := range r.Entries {
		e := &r.Entries[i]
		found := func(number int, ok bool) {
			if ok && (least < 0 || number < least) {
				least = number
			}
		}
		number, ok := s.paths[samePath(e.Path)]
		found(number, ok)
		number, ok = s.paths[samePath(filepath.Dir(e.Path))]
		found(number, ok)
		n, ok := s.names[nameIn(e.Folder, e.Path)]
		found(n.number, ok && e.Folder.is(n.folder) && isThere(filepath.Dir(e.Path)))
	}
	return least
}

// isThere reports whether something has a path. Where a folder has another name now, nothing is
// taken back in it, and nothing waits for that.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func nameIn(folder FolderID, path string) name {
	return name{folder.File, strings.ToLower(filepath.Base(path))}
}

// samePath returns what is equal for two paths without links that have the same names.
func samePath(path string) string {
	if runtime.GOOS == "windows" {
		return strings.ToLower(path)
	}
	return path
}
