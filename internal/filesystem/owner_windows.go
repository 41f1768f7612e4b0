package filesystem

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// WriteFlags open a file for writing, and change nothing.
const WriteFlags = os.O_WRONLY

// Owner is whose a file is; a new file has the owner that its folder gives it.
type Owner struct{}

// OwnerOf returns whose a file is.
func OwnerOf(fs.FileInfo) Owner { return Owner{} }

// KeepOwner leaves the owner as it is.
func KeepOwner(rights, Owner) error { return nil }

// IsMounted is not told by this system.
func IsMounted(error) bool { return false }

// KeepGroup leaves the group as it is.
func KeepGroup(rights, Owner) error { return nil }

// IsFull reports whether an error says that no room is left.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// IsTooLarge reports whether an error says that the file system has no files so large.
func IsTooLarge(err error) bool { return errors.Is(err, windows.ERROR_FILE_TOO_LARGE) }

// IsWriteProtected reports whether an error says that a disk takes no writes at
// all.
func IsWriteProtected(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

// SyncFolder does nothing: the file system's journal has what was renamed.
func SyncFolder(*os.File) error { return nil }
