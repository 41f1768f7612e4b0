//go:build !unix && !windows

package filelock

import (
	"errors"
	"os"
)

// Identify is refused: nothing tells folders apart.
func Identify(*os.Root) (ID, error) { return ID{}, errors.ErrUnsupported }
