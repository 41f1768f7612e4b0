package filesystem

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Exchange has two files of a folder change places, in one step. The error is
// ErrNoExchange where there is no such step.
func Exchange(folder *os.File, a, b string) error { return renameNp(folder, a, b, unix.RENAME_SWAP) }

// RenameNew renames a file of a folder, unless there is one by the new name. After ErrBothNames it has
// both names, or may have.
func RenameNew(folder *os.File, root *os.Root, from, to string) error {
	if err := renameNp(folder, from, to, unix.RENAME_EXCL); !errors.Is(err, ErrNoExchange) {
		return err
	}
	return renameUnless(root, numbersNames(folder), from, to)
}

func renameNp(folder *os.File, from, to string, flags uint32) error {
	conn, err := folder.SyscallConn()
	if err != nil {
		return err
	}
	connErr := conn.Control(func(fd uintptr) {
		_, err = Retry(func() (int, error) { return 0, unix.RenameatxNp(int(fd), from, int(fd), to, flags) })
	})
	if connErr != nil {
		return connErr
	}
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return ErrNoExchange
	}
	return err
}

// IsOpenForWriting is not told by this system.
func IsOpenForWriting(*os.File) bool { return false }

// KeepsNames reports whether the system lets no file of an open folder be renamed or removed, whoever
// asks, though it takes new ones. It says nothing of that here.
func KeepsNames(*os.File) bool { return false }

// HidesOpen reports whether the file system of an open file, before another one takes its name, gives it
// another name in a step of its own, for it is open: those of other machines do.
func HidesOpen(f *os.File) bool {
	var st unix.Statfs_t
	err := ask(f, func(fd int) error { return unix.Fstatfs(fd, &st) })
	return err == nil && st.Flags&unix.MNT_LOCAL == 0
}

// numbersNames reports whether each name of a file may have a number of its own in the file system of an open
// folder: in those of programs (macFUSE).
func numbersNames(folder *os.File) bool {
	var st unix.Statfs_t
	err := ask(folder, func(fd int) error { return unix.Fstatfs(fd, &st) })
	return err == nil && strings.Contains(unix.ByteSliceToString(st.Fstypename[:]), "fuse")
}
