package filesystem

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrNoExchange says that a file system can't exchange two files.
var ErrNoExchange = errors.New("two files can't be exchanged here")

// ErrBothNames says that a file has got its new name, and has or may have its old one, too.
var ErrBothNames = errors.New("the file has both names now, and neither can be removed")

// names are those of the files of a folder: an os.Root.
type names interface {
	Link(from, to string) error
	Rename(from, to string) error
	Remove(name string) error
	Lstat(name string) (fs.FileInfo, error)
}

// renameUnless renames a file of a folder, unless there is one by the new name, where no step of the system does
// that. With an error that is not ErrBothNames it has its old name alone. Where each name of a file may have a
// number of its own, the file would be another one by a second name, so nothing but a look comes before.
func renameUnless(root names, numbersNames bool, from, to string) error {
	if numbersNames {
		return renameUnseen(root, from, to)
	}
	err := root.Link(from, to) // which takes nothing's place
	switch {
	case err == nil, isOne(root, from, to): // whatever was answered
		return removeOld(root, from, to)
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist):
		return err
	}
	return renameUnseen(root, from, to)
}

// renameUnseen renames a file of a folder, unless there was one by the new name a moment before.
func renameUnseen(root names, from, to string) error {
	if _, err := root.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(err, fs.ErrExist)
	}
	return root.Rename(from, to)
}

// isOne reports whether two names stand for one file.
func isOne(root names, a, b string) bool {
	one, err := root.Lstat(a)
	other, errToo := root.Lstat(b)
	return err == nil && errToo == nil && IsSame(one, other)
}

// IsSame reports whether two looks found the same file, with what it held. A new file may have got the number of
// one that is gone.
func IsSame(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// removeOld removes the old name of a file that has a new one, or else the new one. Whether a call has done
// that is seen by the names, for the answer to it may be lost.
func removeOld(root names, from, to string) error {
	err := root.Remove(from)
	if err == nil {
		return nil
	}
	file, unknown := root.Lstat(to)
	if unknown == nil {
		var old fs.FileInfo
		old, unknown = root.Lstat(from)
		if errors.Is(unknown, fs.ErrNotExist) || unknown == nil && !os.SameFile(old, file) {
			return nil
		}
	}
	if unknown == nil {
		_ = root.Remove(to)
		if _, left := root.Lstat(to); errors.Is(left, fs.ErrNotExist) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", ErrBothNames, err)
}
