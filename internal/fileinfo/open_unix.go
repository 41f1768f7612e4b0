//go:build unix

package fileinfo

import (
	"os"
	"syscall"
)

// OpenFlags open a file for reading. O_NONBLOCK keeps it from waiting for the
// other end of a pipe.
const OpenFlags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY
