package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filesystem"
)

// A file that isn't found is gone, or its disk, or the folder that it was in, is away for a while; or it is
// where it was, and its name can't be read.

// maxAbsence is how long a change waits of which no file's folder is there: its disk may be
// mounted again, and its project may get its name back.
const maxAbsence = 7 * 24 * time.Hour

// isNowhere reports whether nothing has a path, as where an empty folder has taken the place of one:
// the place at which a disk was mounted, say.
func isNowhere(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// isAbsent reports whether a file can't be taken back because its folder isn't there.
func isAbsent(err error) bool {
	e, ok := errors.AsType[*fileerror.Error](err)
	return ok && e.Code == fileerror.NotFound
}

// unseen returns the error for a path that isn't found because its folder, or the last one on the way to it that is
// found, is encrypted and its key is away. What is there can't be told before that is back: the change waits, as for
// a disk that takes no writes.
func (f *folder) unseen(path string) error {
	if !isNowhere(path) {
		return nil
	}
	dir := filepath.Dir(path)
	for isNowhere(dir) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	root, err := fileinfo.OpenFolder(dir)
	if err != nil {
		return nil // it tells nothing of a key
	}
	defer root.Close() //nolint:errcheck // it is a handle alone
	around, err := root.Open(".")
	if err != nil {
		return nil // nor does that
	}
	defer around.Close() //nolint:errcheck // nothing was written
	err = f.steps.Do("key", dir, func() error { return filesystem.FindsNames(around) })
	if !errors.Is(err, filesystem.ErrNoKey) {
		return nil
	}
	return &fileerror.Error{Code: fileerror.IOError, Path: path, Reason: "its folder is encrypted, and the key of that isn't there", Hint: "unlock it", Err: err}
}
