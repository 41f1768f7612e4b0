//go:build !unix && !windows

package files

import (
	"io/fs"
	"os"

	"github.com/sectile/sectile/internal/filelock"
)

const writeFlags = os.O_WRONLY

type ownership struct{}

func ownerOf(fs.FileInfo) ownership       { return ownership{} }
func keepOwner(*os.File, ownership) error { return nil }
func isMounted(error) bool                { return false }
func keepGroup(*os.File, ownership) error { return nil }
func isOthers(ownership) bool             { return false }
func isFull(error) bool                   { return false }
func isTooLarge(error) bool               { return false }
func isWriteProtected(error) bool         { return false }
func syncFolder(*filelock.Lock) error     { return nil }
