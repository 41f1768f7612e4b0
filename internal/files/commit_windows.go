package files

import (
	"errors"
	"io/fs"
	"os"

	"github.com/sectile/sectile/internal/filelock"
	"golang.org/x/sys/windows"
)

// writeFlags open a file for writing, and change nothing.
const writeFlags = os.O_WRONLY

// ownership is whose a file is; a new file has the owner that its folder gives it.
type ownership struct{}

func ownerOf(fs.FileInfo) ownership { return ownership{} }

func keepOwner(*os.File, ownership) error { return nil }

func isMounted(error) bool { return false }

func keepGroup(*os.File, ownership) error { return nil }

func isOthers(ownership) bool { return false }

// isFull reports whether an error says that no room is left.
func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// isTooLarge reports whether an error says that the file system has no files so large.
func isTooLarge(err error) bool { return errors.Is(err, windows.ERROR_FILE_TOO_LARGE) }

// isWriteProtected reports whether an error says that a disk takes no writes at
// all.
func isWriteProtected(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

// syncFolder does nothing: the file system's journal has what was renamed.
func syncFolder(*filelock.Lock) error { return nil }
