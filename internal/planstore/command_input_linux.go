package planstore

import (
	"os"

	"golang.org/x/sys/unix"
)

// newInput makes an empty file in memory. A system that lets no file be written (Landlock,
// a full disk, a TMPDIR that isn't there) has no say in it.
func newInput() (input, error) {
	// The second flag is asked for by newer kernels, and unknown to those before 6.3.
	for _, flags := range [...]int{unix.MFD_CLOEXEC | unix.MFD_NOEXEC_SEAL, unix.MFD_CLOEXEC} {
		if fd, err := unix.MemfdCreate("sectile-plan", flags); err == nil {
			return input{File: os.NewFile(uintptr(fd), "sectile-plan")}, nil
		}
	}
	return temporaryInput()
}
