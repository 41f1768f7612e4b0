package documents

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
)

// Stat returns what the document at path is, without reading it. The error is an *Error.
func (d *Set) Stat(path string) (info fs.FileInfo, err error) {
	if d.Workspace != nil {
		info, err = d.Workspace.roots.Stat(path)
	} else {
		info, err = os.Stat(path)
	}
	if err != nil {
		return nil, replies.ErrorAbout(path, err)
	}
	return info, nil
}

// CheckClimb refuses paths with `..` behind a link, which may mean two files. The error is an *Error.
func (d *Set) CheckClimb(paths ...string) error {
	check := files.CheckClimb
	if d.Workspace != nil {
		check = d.Workspace.roots.CheckClimb
	}
	for _, path := range paths {
		if err := check(path); err != nil {
			return replies.ErrorAbout(path, err)
		}
	}
	return nil
}

// Straight returns the path of the file that a path leads to through links, or of one that is missing
// where it would be made; the path as it is for one that leads to no file.
func (d *Set) Straight(path string) string {
	if d.Workspace == nil {
		name, err := fileinfo.Straight(path)
		if errors.Is(err, fs.ErrNotExist) {
			return straightNew(path)
		}
		if err != nil {
			return path
		}
		return name
	}
	roots := d.Workspace.roots.Silent() // who names a missing document needs no others
	clean, err := roots.Resolve(path)
	if e, ok := errors.AsType[*fileerror.Error](err); ok && e.Code == fileerror.NotFound {
		host := d.Workspace.Host(path)
		if there := fileinfo.Destination(host); there != host {
			return roots.Listed(cmp.Or(d.Workspace.Called(there), path))
		}
	}
	if err != nil && filepath.IsAbs(path) && d.Workspace.HasSeveralRoots() {
		return cmp.Or(d.Workspace.Called(d.Workspace.Host(path)), path)
	}
	if err != nil {
		return d.Workspace.relative(path)
	}
	// Of several roots another one may have this path.
	if name, err := roots.Name(path); err == nil {
		if there, err := roots.Name(clean); err != nil || there != name {
			return path
		}
	}
	if clean != filepath.ToSlash(filepath.Clean(path)) {
		return roots.Listed(clean)
	}
	return clean
}

// straightNew is Set.Straight for a file of the host that is missing.
func straightNew(path string) string {
	full, here := path, ""
	if !filepath.IsAbs(path) {
		here = fileinfo.Destination(".")
		full = filepath.Join(here, path)
	}
	there := fileinfo.Destination(full)
	if there == filepath.Clean(full) {
		return path
	}
	if rel, err := filepath.Rel(here, there); here != "" && err == nil {
		there = rel
	}
	return fileinfo.Listed(there)
}

// Listed returns the path by the names that listings of folders have, where a system takes others
// for the same: of the file that it leads to, or of the folders in which that is missing.
func (d *Set) Listed(path string) string {
	if d.Workspace != nil {
		return d.Workspace.roots.Listed(path)
	}
	return fileinfo.Listed(path)
}

// Host returns where the file at a path is on the host, or would be made, links followed. The error is
// that of a change of the file.
func (d *Set) Host(path string) (string, error) {
	if d.Workspace != nil {
		return d.Workspace.roots.Silent().Host(path) // what is missing is told of elsewhere
	}
	return files.Host(path)
}

// AsListed returns the same request with paths as listings have them: for what changes
// documents, and compares their names with those that links have.
func (d Set) AsListed() Set {
	d.Paths = slices.Clone(d.Paths)
	for i, path := range d.Paths {
		d.Paths[i] = d.Listed(path)
	}
	return d
}

// relative returns an absolute path of what is missing below a root as one relative to that.
func (w *Workspace) relative(path string) string {
	if dir, below := w.roots.Below(path); dir != "" {
		return cmp.Or(below, ".")
	}
	return path
}
