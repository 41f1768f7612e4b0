//go:build unix

package filesystem

import (
	"errors"
	"syscall"
)

// Retry repeats a system call that a signal interrupted.
func Retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
