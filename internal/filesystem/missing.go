package filesystem

import (
	"errors"
	"io/fs"
	"syscall"
)

// IsMissing reports whether an error says that nothing is by a name: that nothing is there, or nothing can be, for it is
// too long.
func IsMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || IsTooLong(err)
}

// IsTooLong reports whether an error says that a name is longer than the file system has them.
func IsTooLong(err error) bool { return errors.Is(err, syscall.ENAMETOOLONG) }

// IsLeased reports whether an error of opening a file says that another program has a lease on it, and
// is asked to give that back.
func IsLeased(err error) bool { return errors.Is(err, syscall.EAGAIN) }
