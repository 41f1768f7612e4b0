package files

import (
	"errors"
	"os"

	"github.com/sectile/sectile/internal/filelock"
	"golang.org/x/sys/unix"
)

// exchange has two files of a folder change places, in one step. The error is
// errNoExchange where there is no such step.
func exchange(l *filelock.Lock, a, b string) error { return renameNp(l, a, b, unix.RENAME_SWAP) }

// renameNew renames a file of a folder, unless there is one by the new name.
func renameNew(l *filelock.Lock, folder *os.Root, from, to string) error {
	if err := renameNp(l, from, to, unix.RENAME_EXCL); !errors.Is(err, errNoExchange) {
		return err
	}
	return linkNew(folder, from, to)
}

func renameNp(l *filelock.Lock, from, to string, flags uint32) error {
	conn, err := l.File().SyscallConn()
	if err != nil {
		return err
	}
	connErr := conn.Control(func(fd uintptr) {
		_, err = retry(func() (int, error) { return 0, unix.RenameatxNp(int(fd), from, int(fd), to, flags) })
	})
	if connErr != nil {
		return connErr
	}
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return errNoExchange
	}
	return err
}

// isOpenForWriting is not told by this system.
func isOpenForWriting(*os.File) bool { return false }
