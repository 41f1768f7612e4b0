package files

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/filesystem"
)

// Folders may be made for a file, and then they go with it.

// Folders says that so many folders above the file at path, from its own up, were made for it.
// If the change removes the file, those of them are removed that are empty then.
func (t *Tx) Folders(path string, n int) {
	if f := t.targets[path]; f != nil {
		f.folders = n
	}
}

// removeFolders removes the folders that have become empty by the change, the innermost first.
// One that stays is no harm; so does one in which files are to be put back yet.
func (t *Tx) removeFolders() {
	var gone []*target
	for _, f := range t.order {
		if f.removed && f.folders > 0 {
			gone = append(gone, f)
		}
	}
	slices.SortStableFunc(gone, func(a, b *target) int { return cmp.Compare(depth(b.host), depth(a.host)) })
	for _, f := range gone {
		dir := filepath.Dir(f.host)
		for range f.folders {
			waits := -1
			if t.journal != nil {
				_, waits = t.journal.Unfinished([]Site{{Path: dir}})
			}
			if waits >= 0 || t.steps.Do("rmdir", filepath.Base(dir), func() error { return filesystem.RemoveFolder(dir) }) != nil {
				break
			}
			dir = filepath.Dir(dir)
		}
	}
}

func depth(path string) int { return strings.Count(path, string(filepath.Separator)) }
