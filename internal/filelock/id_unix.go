//go:build unix

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Identify returns what tells a folder from all others.
func Identify(folder *os.Root) (ID, error) {
	info, err := folder.Stat(".")
	if err != nil {
		return ID{}, err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ID{}, errors.ErrUnsupported
	}
	return ID{uint64(st.Dev), st.Ino}, nil //nolint:unconvert // signed on some systems; any number will do
}
