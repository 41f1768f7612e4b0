//go:build !unix && !windows

package files

import (
	"errors"
	"io/fs"
	"os"
)

const writeFlags = os.O_WRONLY

type ownership struct{}

func ownerOf(fs.FileInfo) ownership { return ownership{} }

func keepOwner(*os.File, ownership) error { return nil }

func isMounted(error) bool { return false }

func keepGroup(*os.File, ownership) error { return nil }

func isOthers(ownership) bool { return false }

func identify(*os.Root) (folderID, error) { return folderID{}, errors.ErrUnsupported }

func isFull(error) bool { return false }

func isTooLarge(error) bool { return false }

func isWriteProtected(error) bool { return false }

func syncFolder(*lock) error { return nil }
