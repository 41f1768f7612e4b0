//go:build unix

package filesystem

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/sectile/sectile/internal/fileinfo"
)

// WriteFlags open a file for writing, and change nothing.
const WriteFlags = fileinfo.OpenFlags | os.O_WRONLY

// Owner is whose a file is.
type Owner struct{ User, Group uint32 }

// OwnerOf returns whose a file is.
func OwnerOf(info fs.FileInfo) Owner {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return Owner{st.Uid, st.Gid}
	}
	return Owner{}
}

// KeepOwner gives an open file to the owner. The error is that of the system, or ErrIgnored.
func KeepOwner(f rights, owner Owner) error {
	return give(f, int(owner.User), owner, func(now Owner) bool { return now == owner })
}

// KeepGroup gives an open file to the group of the owner. The error is that of KeepOwner.
func KeepGroup(f rights, owner Owner) error {
	return give(f, -1, owner, func(now Owner) bool { return now.Group == owner.Group })
}

// give gives an open file to a user, -1 for the one that it has, and to the group of the owner, unless
// it is theirs.
func give(f rights, user int, owner Owner, isTheirs func(Owner) bool) error {
	info, err := f.Stat()
	if err != nil || isTheirs(OwnerOf(info)) {
		return err
	}
	if err := f.Chown(user, int(owner.Group)); err != nil {
		return err
	}
	if info, err = f.Stat(); err == nil && !isTheirs(OwnerOf(info)) {
		err = ErrIgnored
	}
	return err
}

// IsFull reports whether an error says that no room is left.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// IsTooLarge reports whether an error says that a file may not be so large: the limit of
// the process, or that of the file system.
func IsTooLarge(err error) bool { return errors.Is(err, syscall.EFBIG) }

// IsMounted reports whether an error says that a file is the place of a mount, as a
// container may have one.
func IsMounted(err error) bool { return errors.Is(err, syscall.EBUSY) }

// IsWriteProtected reports whether an error says that a file system takes no
// writes at all.
func IsWriteProtected(err error) bool { return errors.Is(err, syscall.EROFS) }

// SyncFolder makes what was renamed in a folder, which its lock has open, outlast a crash. Its error is
// that of Sync.
func SyncFolder(folder *os.File) error { return Sync(folder) }
