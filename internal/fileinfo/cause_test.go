package fileinfo

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
)

// TestCause takes the paths off.
func TestCause(t *testing.T) {
	inner := &fs.PathError{Op: "open", Path: "/a/b", Err: syscall.ENOENT}
	for _, err := range []error{inner, fmt.Errorf("x: %w", inner), errors.Join(inner, nil), errors.Join(fmt.Errorf("/c: %w", inner), errors.New("/d"))} {
		if got := Cause(err).Error(); got != syscall.ENOENT.Error() {
			t.Errorf("%v: %v", err, got)
		}
	}
}
