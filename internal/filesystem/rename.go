package filesystem

import (
	"errors"
	"io/fs"
)

// looks looks at what names of a folder stand for: an os.Root.
type looks interface {
	Lstat(name string) (fs.FileInfo, error)
}

// Rename has a call give a file of a folder another name. Where the call fails, what the names stand for
// tells whether it is done: an answer may be lost.
func Rename(folder looks, from, to string, call func() error) error {
	was, unknown := folder.Lstat(from)
	err := call()
	if err == nil || unknown != nil {
		return err
	}
	if _, left := folder.Lstat(from); !errors.Is(left, fs.ErrNotExist) {
		return err
	}
	if is, unknown := folder.Lstat(to); unknown == nil && IsSame(was, is) {
		return nil
	}
	return err
}
