package filesystem

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Exchange has two files of a folder change places, in one step. The error is
// ErrNoExchange where there is no such step.
func Exchange(folder *os.File, a, b string) error { return rename2(folder, a, b, unix.RENAME_EXCHANGE) }

// RenameNew renames a file of a folder, unless there is one by the new name. After ErrBothNames it has
// both names, or may have.
func RenameNew(folder *os.File, root *os.Root, from, to string) error {
	if err := rename2(folder, from, to, unix.RENAME_NOREPLACE); !errors.Is(err, ErrNoExchange) {
		return err
	}
	return renameUnless(root, isOfProgram(kindOf(folder)), from, to)
}

func rename2(folder *os.File, from, to string, flags uint) error {
	conn, err := folder.SyscallConn()
	if err != nil {
		return err
	}
	connErr := conn.Control(func(fd uintptr) {
		_, err = Retry(func() (int, error) { return 0, unix.Renameat2(int(fd), from, int(fd), to, flags) })
	})
	if connErr != nil {
		return connErr
	}
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP) {
		return ErrNoExchange
	}
	return err
}

// IsOpenForWriting reports whether a program has the file open for writing. The system
// says so to its owner, and to root, by refusing a lease; a lease that it grants is given
// back at once. If it says nothing, the file counts as closed.
func IsOpenForWriting(f *os.File) bool {
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

// KeepsNames reports whether the system lets no file of an open folder be renamed or removed, whoever
// asks, though it takes new ones.
func KeepsNames(folder *os.File) bool {
	var st unix.Statx_t
	err := ask(folder, func(fd int) error { return unix.Statx(fd, "", unix.AT_EMPTY_PATH, 0, &st) })
	return err == nil && st.Attributes&unix.STATX_ATTR_APPEND != 0
}

// HidesOpen reports whether the file system of an open file, before another one takes its name, gives it
// another name in a step of its own, for it is open: network file systems do, and those of programs (FUSE).
func HidesOpen(f *os.File) bool {
	switch kind := kindOf(f); kind {
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.V9FS_MAGIC, unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC, unix.CODA_SUPER_MAGIC:
		return true
	default:
		return isOfProgram(kind)
	}
}

// isOfProgram reports whether a file system is that of a program (FUSE). Many of them number each name of a file.
func isOfProgram(kind uint32) bool { return kind == unix.FUSE_SUPER_MAGIC }

// kindOf returns what kind of file system an open file or folder is in, 0 if it doesn't say.
func kindOf(f *os.File) uint32 {
	var st unix.Statfs_t
	if ask(f, func(fd int) error { return unix.Fstatfs(fd, &st) }) != nil {
		return 0
	}
	return uint32(st.Type) //nolint:gosec // it has 32 bits, and the sign of none
}
