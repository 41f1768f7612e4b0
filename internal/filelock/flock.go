//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// The lock is a flock on the folder itself: nothing is made for it, so nothing can
// be left behind or be put in its place, and it ends with the process.

// Hold is the system's lock on a folder, or an attempt at it.
type Hold struct{ folder *os.File }

// NewHold returns an attempt at the lock on an open folder.
func NewHold(folder *os.Root) (*Hold, error) {
	f, err := folder.Open(".")
	if err != nil {
		return nil, err
	}
	return &Hold{f}, nil
}

// Take takes the lock. If another process has it, Take waits or returns ErrHeld.
func (h *Hold) Take(wait bool) error {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	return flock(h.folder, how)
}

// lockFile locks an open file, for this process alone or for all that share it. The error is
// ErrHeld if another one has it.
func lockFile(f *os.File, shared bool) error {
	if shared {
		return flock(f, syscall.LOCK_SH|syscall.LOCK_NB)
	}
	return flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
}

// flock calls flock(2). The error is ErrHeld if another process has the lock.
func flock(f *os.File, how int) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	connErr := conn.Control(func(fd uintptr) {
		for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
			err = syscall.Flock(int(fd), how)
		}
	})
	switch {
	case connErr != nil:
		return connErr
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrHeld
	}
	return err
}

// file is what the lock is on.
func (h *Hold) file() *os.File { return h.folder }

// Release gives the lock back if it was taken.
func (h *Hold) Release() { _ = h.folder.Close() } // nothing was written
