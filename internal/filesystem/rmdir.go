package filesystem

import (
	"io/fs"
	"os"
	"syscall"
)

// RemoveFolder removes a folder that is empty, and nothing else: no file, and no link.
func RemoveFolder(path string) error { return syscall.Rmdir(path) }

// RemoveMade removes a folder of another one. It stays if something is in it, or if it is known and
// another one is by its name now.
func RemoveMade(at *os.Root, name string, known fs.FileInfo) {
	if info, err := at.Lstat(name); err == nil && info.IsDir() && (known == nil || os.SameFile(info, known)) {
		_ = at.Remove(name)
	}
}
