package editing

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/documents"
)

// diffLabel is how a difference calls the file, so that `patch -p1` finds it: the
// path as it was given. Programs for patches refuse one that is absolute or goes up:
// then it is the path from the working directory, or from the root of a workspace,
// and of a file that is not below it the name alone.
func (e *editing) diffLabel() string { return labelOf(&e.docs, e.path) }

// labelOf returns how a difference calls the file at a path.
func labelOf(docs *documents.Set, path string) string {
	goesUp := slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "..")
	if filepath.IsLocal(filepath.FromSlash(path)) && !goesUp {
		return filepath.ToSlash(filepath.Clean(path))
	}
	if docs.Workspace != nil {
		if clean, err := docs.Workspace.FileRoots().Resolve(path); err == nil {
			return clean
		}
		return filepath.Base(filepath.FromSlash(path))
	}
	dir, name := filepath.Split(path)
	if below, ok := fromHere(dir); ok {
		return filepath.ToSlash(filepath.Join(below, name))
	}
	return name
}

// fromHere returns the path of a folder from the working directory, and whether it
// is that or below it, whatever links lead to either.
func fromHere(dir string) (path string, ok bool) {
	target, err := filepath.EvalSymlinks(dir) // as it is: what goes up behind a link doesn't lead back
	if err != nil {
		return "", false
	}
	here, err := os.Getwd()
	if err != nil {
		return "", false
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		return "", false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(here, target)
	}
	path, err = filepath.Rel(here, target)
	return path, err == nil && filepath.IsLocal(path)
}
