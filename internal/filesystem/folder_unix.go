//go:build unix

package filesystem

import (
	"os"

	"golang.org/x/sys/unix"
)

// WithoutRoot returns a handle of the same open folder that package os does not take
// for one below an os.Root: of those it asks the system about every name when they are
// listed, which takes longer than all the rest.
func WithoutRoot(d *os.File) (*os.File, error) {
	conn, err := d.SyscallConn()
	if err != nil {
		return nil, err
	}
	var number int
	var dupErr error
	if err := conn.Control(func(fd uintptr) { number, dupErr = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0) }); err != nil {
		return nil, err
	}
	if dupErr != nil {
		return nil, dupErr
	}
	return os.NewFile(uintptr(number), "."), nil
}
