package filesystem

import (
	"errors"
	"fmt"
	"io/fs"
)

// ErrNoExchange says that a file system can't exchange two files.
var ErrNoExchange = errors.New("two files can't be exchanged here")

// ErrBothNames says that a file has got its new name, and that neither of both can be removed.
var ErrBothNames = errors.New("the file has both names now, and neither can be removed")

// names are those of the files of a folder: an os.Root.
type names interface {
	Link(from, to string) error
	Rename(from, to string) error
	Remove(name string) error
	Lstat(name string) (fs.FileInfo, error)
}

// linkNew renames a file of a folder, unless there is one by the new name, where no step
// of the system does that. With an error that is not ErrBothNames it has its old name alone.
func linkNew(root names, from, to string) error {
	err := root.Link(from, to) // which takes nothing's place
	switch {
	case err == nil:
		if err = root.Remove(from); err != nil && root.Remove(to) != nil {
			err = fmt.Errorf("%w: %w", ErrBothNames, err)
		}
		return err
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist):
		return err
	}
	if _, err := root.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return root.Rename(from, to)
}
