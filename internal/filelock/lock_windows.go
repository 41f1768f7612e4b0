package filelock

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// Windows locks no folders: the lock is on a file in it, which whoever has the
// lock removes at the end. The one that is locked may therefore be a file that
// another process has removed since; then it is the next one that counts.

// maxRemoved is how often the file may turn out to be removed.
const maxRemoved = 4096

// sideFile is the name of the file that is locked.
const sideFile = ".sectile.lock"

// Hold is the system's lock on a folder, or an attempt at it.
type Hold struct {
	folder *os.Root
	side   *os.File // nil if the lock is not taken
}

// NewHold returns an attempt at the lock on an open folder.
func NewHold(folder *os.Root) (*Hold, error) {
	own, err := folder.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	return &Hold{folder: own}, nil
}

// Take takes the lock. If another process has it, take waits or returns ErrHeld.
func (h *Hold) Take(wait bool) error {
	flags := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK)
	if !wait {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	for range maxRemoved {
		side, err := h.folder.OpenFile(sideFile, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		err = windows.LockFileEx(windows.Handle(side.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
		if err == nil && isNamed(side, h.folder, sideFile) {
			h.side = side
			return nil
		}
		_ = side.Close() // nothing was written
		switch {
		case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
			return ErrHeld
		case err != nil:
			return err
		}
	}
	return errors.New("the file of the lock is removed again and again")
}

// isNamed reports whether an open file is the regular file of this name.
func isNamed(f *os.File, folder *os.Root, name string) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := folder.Lstat(name)
	return err == nil && there.Mode().Type() == fs.FileMode(0) && os.SameFile(there, info)
}

// file is nothing: a lock is the process's that took it, whoever has its handle.
func (*Hold) file() *os.File { return nil }

// Release gives the lock back if it was taken.
func (h *Hold) Release() {
	if h.side != nil {
		_ = h.folder.Remove(sideFile) // who waits for it sees that it is gone
		_ = h.side.Close()
	}
	_ = h.folder.Close() // nothing was written
}

// lockFile locks an open file, for this process alone or for all that share it. The error is
// ErrHeld if another one has it. What is locked is a byte far behind the end, for others
// can't read what is locked.
func lockFile(f *os.File, shared bool) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrHeld
	}
	return err
}

// Identify returns what tells a folder from all others.
func Identify(folder *os.Root) (ID, error) {
	f, err := folder.Open(".")
	if err != nil {
		return ID{}, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return ID{}, err
	}
	return ID{uint64(info.VolumeSerialNumber), uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)}, nil
}
