//go:build unix

package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// writeFlags open a file for writing, and change nothing.
const writeFlags = openFlags | os.O_WRONLY

// ownership is whose a file is.
type ownership struct{ user, group uint32 }

// ownerOf returns whose a file is.
func ownerOf(info fs.FileInfo) ownership {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return ownership{st.Uid, st.Gid}
	}
	return ownership{}
}

// keepOwner gives an open file to the owner, as far as that is allowed, and
// returns the mode that is right for it. If the group can't be kept, the other one
// gets the rights that its members had before, those of all others.
func keepOwner(f *os.File, owner ownership, mode fs.FileMode) (fs.FileMode, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	have := ownerOf(info)
	switch {
	case have == owner,
		f.Chown(int(owner.user), int(owner.group)) == nil,
		have.group == owner.group,
		f.Chown(-1, int(owner.group)) == nil:
		return mode, nil
	}
	return mode&^0o070 | mode&0o007<<3, nil
}

// identify returns what tells a folder from all others.
func identify(folder *os.Root) (folderID, error) {
	info, err := folder.Stat(".")
	if err != nil {
		return folderID{}, err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return folderID{}, errors.ErrUnsupported
	}
	return folderID{uint64(st.Dev), st.Ino}, nil //nolint:unconvert // signed on some systems; any number will do
}

// isFull reports whether an error says that no room is left.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// isTooLarge reports whether an error says that a file may not be so large: the limit of
// the process, or that of the file system.
func isTooLarge(err error) bool { return errors.Is(err, syscall.EFBIG) }

// isWriteProtected reports whether an error says that a file system takes no
// writes at all.
func isWriteProtected(err error) bool { return errors.Is(err, syscall.EROFS) }

// syncFolder makes what was renamed in a folder outlast a crash. Some file systems
// do without, and say so.
func syncFolder(folder *os.Root) error {
	f, err := folder.Open(".")
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	if err = f.Sync(); errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
