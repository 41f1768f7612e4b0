package documents

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
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
	kind, _ := d.Own(path)
	return kind
}

// Own says what there is at a path, as Look does, and the path of what a symbolic link leads to
// from there: the path itself if it is none. Those of folders on the way are followed in a
// workspace alone, where it is as cheap; below several roots the path is one of the host.
func (d *Set) Own(path string) (kind Kind, own string) {
	if d.Workspace != nil {
		return d.Workspace.own(path)
	}
	name := filepath.FromSlash(path)
	info, err := os.Lstat(name)
	if err == nil && info.Mode().Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0 { // the second are junctions
		path = fileinfo.Destination(name)
		info, err = os.Stat(name)
	}
	switch {
	case err == nil && info.IsDir():
		return AFolder, path
	case err == nil:
		return AFile, path
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return Nothing, path
	}
	return Unseen, path
}

// own is Set.Own below the roots.
func (w *Workspace) own(path string) (kind Kind, own string) {
	find := w.roots.Silent().Resolve
	if w.HasSeveralRoots() { // of which another one may have the same path
		find = w.roots.Silent().Name
	}
	clean, err := find(path)
	e, ok := errors.AsType[*fileerror.Error](err)
	switch {
	case err == nil:
		return AFile, clean
	case ok && e.Code == fileerror.NotFound && files.IsMarkdown(path):
		return Nothing, path
	case ok && e.Code == fileerror.NotFound:
		return NoFolder, path
	}
	return Unseen, path
}

// IsFolder reports whether there is a folder at a path, also below the roots of a workspace.
func (d *Set) IsFolder(path string) bool {
	if d.Workspace == nil {
		return d.Look(path) == AFolder
	}
	return d.Workspace.isFolder(path)
}

// isFolder is Set.IsFolder below the roots.
func (w *Workspace) isFolder(path string) bool {
	_, err := w.roots.Silent().Resolve(path)
	e, ok := errors.AsType[*fileerror.Error](err)
	return ok && e.IsFolder()
}

// All returns the same request about all documents of the workspace, in the order of their names, and
// why others, such as those of a folder or root that can't be read, aren't among them; itself if there
// is no workspace.
func (d *Set) All(ctx context.Context) (all Set, unread []*replies.Error) {
	all = *d
	if d.Workspace == nil {
		return all, nil
	}
	all.Paths = nil
	for path, err := range d.Workspace.roots.Find(ctx) {
		if err != nil {
			unread = append(unread, replies.ErrorAbout(path, err))
			continue
		}
		all.Paths = append(all.Paths, path)
	}
	return all, unread
}

// IsBelow reports whether a path, of which the last names may be missing, leads to below a folder, by
// whatever names and links.
func (d *Set) IsBelow(folder, path string) bool {
	if d.Workspace != nil {
		folder, path = d.Workspace.Host(folder), d.Workspace.Host(path)
	}
	for above := range fileinfo.WithParents(filepath.Dir(fileinfo.Destination(path))) {
		if fileinfo.IsSame(above, folder) {
			return true
		}
	}
	return false
}

// LinksBeside returns the paths of the symbolic links in the folder of the document at a path that lead to it by
// nothing but each other, in their order.
func (d *Set) LinksBeside(ctx context.Context, path string) (links []string) {
	var roots *files.Roots
	if d.Workspace != nil {
		roots = d.Workspace.roots
	}
	host, _ := d.Host(path)
	folder, err := roots.OpenFolder(filepath.Dir(host), "")
	if err != nil {
		return nil
	}
	defer folder.Close()
	entries, _ := folder.Entries(ctx)
	to := map[string][]string{} // the links' names, by the paths of the host in them
	for _, e := range entries {
		if e.Type != fs.ModeSymlink {
			continue
		}
		target, err := os.Readlink(filepath.Join(filepath.Dir(host), e.Name))
		if err == nil && !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(host), target)
		}
		to[filepath.Clean(target)] = append(to[filepath.Clean(target)], e.Name)
	}
	for next := []string{host}; len(next) > 0; next = next[1:] {
		named := to[next[0]]
		delete(to, next[0]) // what has the document's place may lead to itself by now
		for _, name := range named {
			links = append(links, filepath.Join(filepath.Dir(path), name))
			next = append(next, filepath.Join(filepath.Dir(host), name))
		}
	}
	slices.Sort(links)
	return links
}
