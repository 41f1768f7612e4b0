package documents

import (
	"errors"
	"path"
	"path/filepath"

	"github.com/sectile/sectile/internal/fileerror"
)

// A path that is relative to a root says too little where there are several: what lies below
// any of them has a place on the host, which is not to be shown.

// HasSeveralRoots reports whether a path may be relative to more than one root.
func (w *Workspace) HasSeveralRoots() bool { return len(w.roots.Dirs()) > 1 }

// Host returns where on the host, links resolved, the file or folder is that a path leads to; of
// what is missing, where it would be made.
func (w *Workspace) Host(name string) string {
	if host, err := w.roots.Silent().Name(name); err == nil {
		return host
	}
	if dir, below := w.roots.Below(name); dir != "" {
		return filepath.Join(dir, filepath.FromSlash(below))
	}
	dirs := w.roots.RealDirs()
	for _, folder := range []string{name, path.Dir(filepath.ToSlash(name))} {
		for _, dir := range dirs {
			if w.isFolder(filepath.Join(dir, filepath.FromSlash(folder))) {
				return filepath.Join(dir, filepath.FromSlash(name))
			}
		}
	}
	return filepath.Join(dirs[0], filepath.FromSlash(name))
}

// Called returns the path by which requests name what Host has placed, as Find does: relative to
// the innermost root around it, absolute where another root has something at that path, or could
// have what is missing; empty if it lies in no root.
func (w *Workspace) Called(host string) string {
	root, below := -1, ""
	dirs := w.roots.RealDirs()
	for i, dir := range dirs {
		if rel, err := filepath.Rel(dir, host); err == nil && filepath.IsLocal(rel) && (root < 0 || len(dir) > len(dirs[root])) {
			root, below = i, filepath.ToSlash(rel)
		}
	}
	switch {
	case root < 0:
		return ""
	case len(dirs) == 1:
		return below
	}
	there, err := w.roots.Silent().Name(below)
	e, failed := errors.AsType[*fileerror.Error](err)
	fits, folder := err == nil && there == host, ""
	switch {
	case failed && e.IsFolder():
		fits, folder = true, below
	case failed && e.Code == fileerror.NotFound:
		fits, folder = true, path.Dir(below)
	}
	for i, dir := range dirs {
		if fits && folder != "" && i != root {
			fits = folder != "." && !w.isFolder(filepath.Join(dir, filepath.FromSlash(folder)))
		}
	}
	if fits {
		return below
	}
	return path.Join(filepath.ToSlash(w.Roots()[root]), below)
}
