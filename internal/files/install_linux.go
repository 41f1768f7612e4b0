package files

import (
	"errors"
	"os"

	"github.com/sectile/sectile/internal/filelock"
	"golang.org/x/sys/unix"
)

// exchange has two files of a folder change places, in one step. The error is
// errNoExchange where there is no such step.
func exchange(l *filelock.Lock, a, b string) error { return rename2(l, a, b, unix.RENAME_EXCHANGE) }

// renameNew renames a file of a folder, unless there is one by the new name.
func renameNew(l *filelock.Lock, folder *os.Root, from, to string) error {
	if err := rename2(l, from, to, unix.RENAME_NOREPLACE); !errors.Is(err, errNoExchange) {
		return err
	}
	return linkNew(folder, from, to)
}

func rename2(l *filelock.Lock, from, to string, flags uint) error {
	conn, err := l.File().SyscallConn()
	if err != nil {
		return err
	}
	connErr := conn.Control(func(fd uintptr) {
		_, err = retry(func() (int, error) { return 0, unix.Renameat2(int(fd), from, int(fd), to, flags) })
	})
	if connErr != nil {
		return connErr
	}
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP) {
		return errNoExchange
	}
	return err
}

// isOpenForWriting reports whether a program has the file open for writing. The system
// says so to its owner, and to root, by refusing a lease; a lease that it grants is given
// back at once. If it says nothing, the file counts as closed.
func isOpenForWriting(f *os.File) bool {
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	_ = conn.Control(func(fd uintptr) { // the error is that of a file that is closed
		_, err = unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_RDLCK)
		if err == nil {
			_, _ = unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_UNLCK) // it ends with the handle else
		}
	})
	return errors.Is(err, unix.EAGAIN)
}
