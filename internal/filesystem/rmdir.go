package filesystem

import "syscall"

// RemoveFolder removes a folder that is empty, and nothing else: no file, and no link.
func RemoveFolder(path string) error { return syscall.Rmdir(path) }
