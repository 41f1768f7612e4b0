package filesystem

import (
	"errors"
	"os"
	"syscall"
)

// Sync makes what an open file holds outlast a crash. Some file systems do without, and say so.
func Sync(f *os.File) error {
	err := f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
