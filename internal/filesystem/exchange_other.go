//go:build !linux && !darwin

package filesystem

import (
	"os"
)

// Exchange can't be done here: ReplaceFile of Windows works by paths, which lead where
// somebody else says, and is more steps than one.
func Exchange(*os.File, string, string) error { return ErrNoExchange }

// RenameNew renames a file of a folder, unless there is one by the new name. After ErrBothNames it has
// both names, or may have.
func RenameNew(_ *os.File, root *os.Root, from, to string) error {
	return renameUnless(root, false, from, to)
}

// IsOpenForWriting is not told by these systems.
func IsOpenForWriting(*os.File) bool { return false }

// KeepsNames reports whether the system lets no file of an open folder be renamed or removed, whoever
// asks, though it takes new ones. It says nothing of that here.
func KeepsNames(*os.File) bool { return false }

// HidesOpen reports whether the file system of an open file, before another one takes its name, gives it
// another name in a step of its own, for it is open. None is known here.
func HidesOpen(*os.File) bool { return false }
