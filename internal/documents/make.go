package documents

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/internal/files"
)

// MakeFolders makes the folders that are missing on the way to a document that is to be made,
// and returns what removes them again as long as nothing is in them. With dry none is made,
// and what would be refused is refused. The error is that of files.Roots.MakeFolders.
func (d *Set) MakeFolders(ctx context.Context, path string, dry bool) (undo func(), err error) {
	if d.Workspace != nil {
		return d.Workspace.roots.MakeFolders(ctx, path, dry)
	}
	var missing []string // the innermost first
	dir := filepath.Dir(path)
	for ; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case err == nil && !info.IsDir():
			return nil, &files.Error{Code: files.NotAFile, Path: path, Reason: "its folder is a file", Hint: "name another path"}
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, &files.Error{Code: files.Permission, Path: path, Reason: "its folder can't be looked at", Err: err}
		}
		if err == nil || dir == filepath.Dir(dir) {
			break
		}
		missing = append(missing, dir)
	}
	if files.InHistory(dir) || files.InHistory(path) {
		return nil, &files.Error{Code: files.PathOutsideRoot, Path: path, Err: files.ErrProtected, Reason: "the data of version control (.git, .jj) is never changed"}
	}
	var made []string
	undo = func() {
		for _, dir := range slices.Backward(made) {
			_ = os.Remove(dir) // it stays if something is in it
		}
	}
	if dry {
		return undo, nil
	}
	for _, dir := range slices.Backward(missing) {
		err := files.StepsOf(ctx).Before("mkdir", filepath.Base(dir))
		if err == nil {
			err = os.Mkdir(dir, 0o777) //nolint:gosec // and what the umask leaves of it
		}
		if err != nil {
			undo()
			return nil, &files.Error{Code: files.Permission, Path: path, Reason: "its folder can't be made", Err: err}
		}
		made = append(made, dir)
	}
	return undo, nil
}
