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
	"github.com/sectile/sectile/internal/filesystem"
)

// MakeFolders makes the folders that are missing on the way to a document that is to be made,
// and returns how many they are and what removes them again as long as nothing is in them. With dry none is made,
// and what would be refused is refused. The modes are those that the folders above the document
// shall have, from its own up; the others have that of new ones. The error is that of files.Roots.MakeFolders.
func (d *Set) MakeFolders(ctx context.Context, path string, modes []fs.FileMode, dry bool) (count int, undo func(), err error) {
	if d.Workspace != nil {
		return d.Workspace.roots.MakeFolders(ctx, path, modes, dry)
	}
	missing, err := missingFolders(path)
	if err != nil {
		return 0, nil, err
	}
	if err := files.CheckWritable(path); err != nil {
		return 0, nil, err
	}
	var made []madeFolder
	undo = func() {
		for _, dir := range slices.Backward(made) {
			dir.remove()
		}
	}
	if dry {
		return 0, undo, nil
	}
	for i, dir := range slices.Backward(missing) {
		err := filesystem.StepsOf(ctx).Before("mkdir", filepath.Base(dir))
		if err == nil {
			err = makeFolder(dir, modes, i)
		}
		if err != nil {
			undo()
			return 0, nil, files.FolderFailure(path, err)
		}
		info, _ := os.Lstat(dir)
		made = append(made, madeFolder{dir, info})
	}
	return len(made), undo, nil
}

// missingFolders returns the folders that are missing on the way to a document, the innermost first. The error
// is that of what is in the place of one.
func missingFolders(path string) (missing []string, err error) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch itself, _ := os.Lstat(dir); {
		case err == nil && !info.IsDir():
			return nil, fileerror.FolderIsFile(path, func() (fs.FileInfo, error) { return info, nil })
		case err == nil, dir == filepath.Dir(dir):
			return missing, nil
		case errors.Is(err, fs.ErrNotExist) && itself != nil && itself.Mode()&fs.ModeSymlink != 0:
			return nil, &fileerror.Error{
				Code: fileerror.NotFound, Path: path, Reason: "a link in the place of its folder leads to what is not there",
				Hint: "make that, or name another path", Err: err,
			}
		case errors.Is(err, fs.ErrPermission):
			return nil, &fileerror.Error{Code: fileerror.Permission, Path: path, Reason: "its folder can't be looked at", Err: err}
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
			return nil, fileerror.System(path, err)
		}
		missing = append(missing, dir)
	}
}

// madeFolder is a folder that was made.
type madeFolder struct {
	path string
	info fs.FileInfo
}

// remove removes the folder. It stays if something is in it, or another one is there by now.
func (f madeFolder) remove() {
	if at, err := fileinfo.OpenFolder(filepath.Dir(f.path)); err == nil && f.info != nil {
		filesystem.RemoveMade(at, filepath.Base(f.path), f.info)
		_ = at.Close()
	}
}

// makeFolder is files.MakeFolder by the folder's path.
func makeFolder(dir string, modes []fs.FileMode, place int) error {
	at, err := fileinfo.OpenFolder(filepath.Dir(dir))
	if err != nil {
		return err
	}
	return errors.Join(files.MakeFolder(at, filepath.Base(dir), modes, place), at.Close())
}

// FolderModes returns the modes of so many folders above the document, from its own up; fewer
// for what can't be told.
func (d *Set) FolderModes(path string, n int) []fs.FileMode {
	if d.Workspace != nil {
		return d.Workspace.roots.FolderModes(path, n)
	}
	var modes []fs.FileMode
	for range n {
		path = filepath.Dir(path)
		info, err := os.Stat(path)
		if err != nil {
			break
		}
		modes = append(modes, info.Mode())
	}
	return modes
}
