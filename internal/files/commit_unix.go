//go:build unix

package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filelock"
)

// writeFlags open a file for writing, and change nothing.
const writeFlags = fileinfo.OpenFlags | os.O_WRONLY

// ownership is whose a file is.
type ownership struct{ user, group uint32 }

// ownerOf returns whose a file is.
func ownerOf(info fs.FileInfo) ownership {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return ownership{st.Uid, st.Gid}
	}
	return ownership{}
}

// keepOwner gives an open file to the owner.
func keepOwner(f *os.File, owner ownership) error {
	info, err := f.Stat()
	if err != nil || ownerOf(info) == owner {
		return err
	}
	return f.Chown(int(owner.user), int(owner.group))
}

// keepGroup gives an open file to the group of the owner.
func keepGroup(f *os.File, owner ownership) error {
	info, err := f.Stat()
	if err != nil || ownerOf(info).group == owner.group {
		return err
	}
	return f.Chown(-1, int(owner.group))
}

// isOthers reports whether a file belongs to another user, and can't be given to them.
func isOthers(owner ownership) bool {
	user := os.Geteuid()
	return user != 0 && int(owner.user) != user
}

// isFull reports whether an error says that no room is left.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// isTooLarge reports whether an error says that a file may not be so large: the limit of
// the process, or that of the file system.
func isTooLarge(err error) bool { return errors.Is(err, syscall.EFBIG) }

// isMounted reports whether an error says that a file is the place of a mount, as a
// container may have one.
func isMounted(err error) bool { return errors.Is(err, syscall.EBUSY) }

// isWriteProtected reports whether an error says that a file system takes no
// writes at all.
func isWriteProtected(err error) bool { return errors.Is(err, syscall.EROFS) }

// syncFolder makes what was renamed in a folder, which its lock has open, outlast a
// crash. Some file systems do without, and say so.
func syncFolder(l *filelock.Lock) error {
	err := l.File().Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
