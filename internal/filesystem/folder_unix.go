//go:build unix

package filesystem

import (
	"cmp"
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

// ask has a call ask the system about an open file, again when a signal interrupts it.
func ask(f *os.File, call func(fd int) error) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	closed := conn.Control(func(fd uintptr) { _, err = Retry(func() (int, error) { return 0, call(int(fd)) }) })
	return cmp.Or(err, closed)
}
