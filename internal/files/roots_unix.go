//go:build unix

package files

import (
	"os"
	"syscall"
)

// heldFile reads from a file by the system call itself: what passes for a regular
// file and has nothing to give yet, as in /proc, is an error and no wait.
type heldFile struct{ syscall.RawConn }

// newSource returns what reads from f.
func newSource(f *os.File) (source, error) {
	conn, err := f.SyscallConn()
	return heldFile{conn}, err
}

func (h heldFile) read(p []byte) (n int, err error) {
	connErr := h.Read(func(fd uintptr) bool {
		n, err = file(fd).read(p)
		return true
	})
	if err == nil {
		err = connErr
	}
	return n, err
}
