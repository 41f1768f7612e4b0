package filesystem

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// FindsNames returns ErrNoKey for an open folder in which no name is found for want of its key. The system says
// so of a file without a name, which nobody sees and which goes with its handle: nothing is written. If it
// says anything else, names count as found.
func FindsNames(folder *os.File) error {
	conn, err := folder.SyscallConn()
	if err != nil {
		return nil //nolint:nilerr // it tells nothing of a key
	}
	_ = conn.Control(func(fd uintptr) { // the error is that of a folder that is closed
		var made int
		made, err = Retry(func() (int, error) {
			return unix.Openat(int(fd), ".", unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
		})
		if err == nil {
			_ = unix.Close(made) // nothing was written
		}
	})
	if errors.Is(err, unix.ENOKEY) {
		return ErrNoKey
	}
	return nil
}
