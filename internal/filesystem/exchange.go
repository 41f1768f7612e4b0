package filesystem

import (
	"errors"
	"io/fs"
	"os"
)

// ErrNoExchange says that a file system can't exchange two files.
var ErrNoExchange = errors.New("two files can't be exchanged here")

// linkNew renames a file of a folder, unless there is one by the new name, where no step
// of the system does that.
func linkNew(root *os.Root, from, to string) error {
	err := root.Link(from, to) // which takes nothing's place
	switch {
	case err == nil:
		return root.Remove(from)
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist):
		return err
	}
	if _, err := root.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return root.Rename(from, to)
}
