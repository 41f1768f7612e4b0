//go:build !linux && !darwin

package filesystem

import (
	"os"
)

// Exchange can't be done here: ReplaceFile of Windows works by paths, which lead where
// somebody else says, and is more steps than one.
func Exchange(*os.File, string, string) error { return ErrNoExchange }

// RenameNew renames a file of a folder, unless there is one by the new name.
func RenameNew(_ *os.File, root *os.Root, from, to string) error {
	return linkNew(root, from, to)
}

// IsOpenForWriting is not told by these systems.
func IsOpenForWriting(*os.File) bool { return false }
