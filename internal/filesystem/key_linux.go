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
	err := ask(folder, func(fd int) error {
		made, err := unix.Openat(fd, ".", unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
		if err == nil {
			_ = unix.Close(made) // nothing was written
		}
		return err
	})
	if errors.Is(err, unix.ENOKEY) {
		return ErrNoKey
	}
	return nil
}
