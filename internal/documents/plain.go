package documents

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
)

// IsMarkdown reports whether a name is that of a Markdown file.
func IsMarkdown(name string) bool { return files.IsMarkdown(name) }

// IsPlain reports whether a file is no Markdown, by the name that it was given and
// by its own. What is wrong with it, opening it tells.
func (w *Workspace) IsPlain(path string) bool {
	if files.IsMarkdown(filepath.Base(filepath.FromSlash(path))) {
		return false
	}
	clean, err := w.FileRoots().Resolve(path)
	return err == nil && !files.IsMarkdown(filepath.Base(filepath.FromSlash(clean)))
}

// ClosestFiles returns the paths of at most five documents below the working directory that
// may have been meant, the likeliest first, where an error says that a path names none.
func ClosestFiles(err error) []string {
	missing, ok := errors.AsType[*fileerror.Error](err)
	if !ok || missing.Code != fileerror.NotFound {
		return nil
	}
	return ClosestTo(missing.Path)
}

// ClosestTo is [ClosestFiles] for a path that names no document.
func ClosestTo(path string) []string {
	if filepath.IsAbs(path) {
		return nil
	}
	roots, err := files.OpenRoots(nil, files.RootOptions{TextFiles: true})
	if err != nil {
		return nil
	}
	defer roots.Close() //nolint:errcheck // nothing was written
	_, err = roots.Resolve(path)
	missing, ok := errors.AsType[*fileerror.Error](err)
	if !ok {
		return nil
	}
	return missing.Closest
}

// Update changes the file at path.
func (w *Workspace) Update(ctx context.Context, path string, change func(*files.Tx) error) error {
	return w.FileRoots().Update(ctx, []string{path}, change)
}
