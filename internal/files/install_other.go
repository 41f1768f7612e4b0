//go:build !linux && !darwin

package files

import (
	"os"

	"github.com/sectile/sectile/internal/filelock"
)

// exchange can't be done here: ReplaceFile of Windows works by paths, which lead where
// somebody else says, and is more steps than one.
func exchange(*filelock.Lock, string, string) error { return errNoExchange }

// renameNew renames a file of a folder, unless there is one by the new name.
func renameNew(_ *filelock.Lock, folder *os.Root, from, to string) error {
	return linkNew(folder, from, to)
}

// isOpenForWriting is not told by these systems.
func isOpenForWriting(*os.File) bool { return false }
