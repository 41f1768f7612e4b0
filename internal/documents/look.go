package documents

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
)

// A link may lead to what is no document of the request: whether it is there can be told
// without opening it.

// Kind says what there is at a path.
type Kind uint8

// What there may be at a path.
const (
	Nothing Kind = iota
	AFile
	AFolder
	Unseen   // a server tells of nothing but documents; or the system doesn't say
	NoFolder // the same, but no document is below it
)

// Look says what there is at a path: below the roots of a workspace, if there is one. It
// opens nothing, so a device is a file.
func (d *Set) Look(path string) Kind {
	if d.Workspace != nil {
		return d.Workspace.look(path)
	}
	switch info, err := os.Stat(filepath.FromSlash(path)); {
	case err == nil && info.IsDir():
		return AFolder
	case err == nil:
		return AFile
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return Nothing
	}
	return Unseen
}

// look is Look below the roots.
func (w *Workspace) look(path string) Kind {
	_, err := w.roots.Silent().Resolve(path)
	e, ok := errors.AsType[*fileerror.Error](err)
	switch {
	case err == nil:
		return AFile
	case ok && e.Code == fileerror.NotFound && files.IsMarkdown(path):
		return Nothing
	case ok && e.Code == fileerror.NotFound:
		return NoFolder
	}
	return Unseen
}

// IsFolder reports whether there is a folder at a path, also below the roots of a workspace.
func (d *Set) IsFolder(path string) bool {
	if d.Workspace == nil {
		return d.Look(path) == AFolder
	}
	_, err := d.Workspace.roots.Silent().Resolve(path)
	e, ok := errors.AsType[*fileerror.Error](err)
	return ok && e.IsFolder()
}

// All returns the same request about all documents of the workspace, in the order of
// their names; itself if there is no workspace.
func (d *Set) All(ctx context.Context) Set {
	all := *d
	if d.Workspace == nil {
		return all
	}
	all.Paths = nil
	for path, err := range d.Workspace.roots.Find(ctx) {
		if err == nil {
			all.Paths = append(all.Paths, path)
		}
	}
	return all
}
