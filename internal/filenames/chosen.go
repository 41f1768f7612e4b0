package filenames

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Chosen are the paths below a folder, with forward slashes, that a walk of it looks at; nil for
// all.
type Chosen []string

// Choose returns paths without those that are none below a folder.
func Choose(paths []string) Chosen {
	chosen := Chosen{}
	for _, p := range paths {
		if fs.ValidPath(p) && filepath.IsLocal(filepath.FromSlash(p)) {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// In returns the chosen paths below the folder of a name.
func (c Chosen) In(name string) Chosen {
	if c == nil {
		return nil
	}
	below := Chosen{}
	for _, p := range c {
		if first, rest, deeper := strings.Cut(p, "/"); deeper && first == name {
			below = append(below, rest)
		}
	}
	return below
}

// Entries returns the entries of a folder: all that are listed, or those that chosen paths lead
// to or through, and others of some names, by a look at each.
func (c Chosen) Entries(list func() ([]fs.DirEntry, error), look func(name string) (fs.FileInfo, error), others ...string) (found []fs.DirEntry, err error) {
	if c == nil {
		return list()
	}
	names := others
	for _, p := range c {
		first, _, _ := strings.Cut(p, "/")
		names = append(names, first)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if info, err := look(name); err == nil {
			found = append(found, fs.FileInfoToDirEntry(info))
		}
	}
	return found, nil
}
