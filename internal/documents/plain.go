package documents

import (
	"context"
	"path/filepath"

	"github.com/sectile/sectile/internal/files"
)

// IsPlain reports whether a file is no Markdown, by the name that it was given and
// by its own. What is wrong with it, opening it tells.
func (w *Workspace) IsPlain(path string) bool {
	if files.IsMarkdown(filepath.Base(filepath.FromSlash(path))) {
		return false
	}
	clean, err := w.FileRoots().Resolve(path)
	return err == nil && !files.IsMarkdown(filepath.Base(filepath.FromSlash(clean)))
}

// Update changes the file at path.
func (w *Workspace) Update(ctx context.Context, path string, change func(*files.Tx) error) error {
	return w.FileRoots().Update(ctx, []string{path}, change)
}
