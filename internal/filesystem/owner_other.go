//go:build !unix && !windows

package filesystem

import (
	"io/fs"
	"os"
)

// WriteFlags open a file for writing, and change nothing.
const WriteFlags = os.O_WRONLY

// Owner is whose a file is.
type Owner struct{}

// OwnerOf returns whose a file is.
func OwnerOf(fs.FileInfo) Owner { return Owner{} }

// KeepOwner leaves the owner as it is.
func KeepOwner(rights, Owner) error { return nil }

// IsMounted is not told by this system.
func IsMounted(error) bool { return false }

// KeepGroup leaves the group as it is.
func KeepGroup(rights, Owner) error { return nil }

// IsFull is not told by this system.
func IsFull(error) bool { return false }

// IsTooLarge is not told by this system.
func IsTooLarge(error) bool { return false }

// IsWriteProtected is not told by this system.
func IsWriteProtected(error) bool { return false }

// SyncFolder does nothing.
func SyncFolder(*os.File) error { return nil }
