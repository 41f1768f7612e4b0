package fileinfo

import (
	"os"
	"path/filepath"
)

// OpenFolder is os.OpenRoot that doesn't wait for a pipe in the place of the folder, nor opens a
// device: with "/." the path is opened as a folder or not at all.
func OpenFolder(dir string) (*os.Root, error) {
	return os.OpenRoot(dir + string(filepath.Separator) + ".")
}
