package files

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// Windows locks no folders: the lock is on a file in it, which whoever has the
// lock removes at the end. The one that is locked may therefore be a file that
// another process has removed since; then it is the next one that counts.

// sideFile is the name of the file that is locked.
const sideFile = ".sectile.lock"

// hold is the system's lock on a folder, or an attempt at it.
type hold struct {
	folder *os.Root
	side   *os.File // nil if the lock is not taken
}

func newHold(folder *os.Root) (*hold, error) {
	own, err := folder.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	return &hold{folder: own}, nil
}

// take takes the lock. If another process has it, take waits or returns errHeld.
func (h *hold) take(wait bool) error {
	flags := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK)
	if !wait {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	for range maxSteps {
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
			return errHeld
		case err != nil:
			return err
		}
	}
	return errChanged
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
func (*hold) file() *os.File { return nil }

// release gives the lock back if it was taken.
func (h *hold) release() {
	if h.side != nil {
		_ = h.folder.Remove(sideFile) // who waits for it sees that it is gone
		_ = h.side.Close()
	}
	_ = h.folder.Close() // nothing was written
}
