//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"os"
)

// Systems without locks that end with the process are read from, not written to.

// Hold is no lock.
type Hold struct{}

// NewHold returns an attempt at the lock on an open folder.
func NewHold(*os.Root) (*Hold, error) { return &Hold{}, nil }

// Take is refused.
func (*Hold) Take(bool) error { return errors.ErrUnsupported }

func (*Hold) file() *os.File { return nil }

// Release does nothing.
func (*Hold) Release() {}

func lockFile(*os.File, bool) error { return errors.ErrUnsupported }
