//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package files

import (
	"errors"
	"os"
	"syscall"
)

// The lock is a flock on the folder itself: nothing is made for it, so nothing can
// be left behind or be put in its place, and it ends with the process.

// hold is the system's lock on a folder, or an attempt at it.
type hold struct{ folder *os.File }

func newHold(folder *os.Root) (*hold, error) {
	f, err := folder.Open(".")
	if err != nil {
		return nil, err
	}
	return &hold{f}, nil
}

// take takes the lock. If another process has it, take waits or returns errHeld.
func (h *hold) take(wait bool) error {
	conn, err := h.folder.SyscallConn()
	if err != nil {
		return err
	}
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	connErr := conn.Control(func(fd uintptr) {
		_, err = retry(func() (int, error) { return 0, syscall.Flock(int(fd), how) })
	})
	switch {
	case connErr != nil:
		return connErr
	case errors.Is(err, syscall.EWOULDBLOCK):
		return errHeld
	}
	return err
}

// file is what the lock is on.
func (h *hold) file() *os.File { return h.folder }

// release gives the lock back if it was taken.
func (h *hold) release() { _ = h.folder.Close() } // nothing was written
