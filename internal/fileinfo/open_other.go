//go:build !unix

package fileinfo

import (
	"os"
)

// OpenFlags open a file for reading.
const OpenFlags = os.O_RDONLY
