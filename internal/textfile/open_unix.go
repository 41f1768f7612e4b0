//go:build unix

package textfile

import (
	"errors"
	"os"
	"syscall"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filesystem"
)

// A document is opened and read by the system calls themselves: os.File
// registers every file with the poller, which costs a third of the time that a
// small one takes, and a tree has thousands.

// file is an open regular file.
type file int

// open opens the regular file at path and returns its size. O_NONBLOCK keeps it
// from waiting for the other end of a pipe.
func open(path string) (file, int64, error) {
	fd, err := filesystem.Retry(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC|syscall.O_NOCTTY, 0)
	})
	if err != nil {
		return 0, 0, openError(path, err)
	}
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		file(fd).close()
		return 0, 0, fileerror.System(path, err)
	}
	if err := checkRegular(path, uint32(st.Mode)&syscall.S_IFMT); err != nil { //nolint:unconvert // 16 bits on darwin
		file(fd).close()
		return 0, 0, err
	}
	return file(fd), st.Size, nil
}

// openError turns the error of open(2) into ours: it names sockets and devices
// without a driver by errors of their own.
func openError(path string, err error) error {
	if errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.ENODEV) {
		return &fileerror.Error{Code: fileerror.NotAFile, Path: path, Reason: "it is no regular file", Hint: "name a file, or - to read standard input", Err: err}
	}
	return fileerror.System(path, err)
}

// checkRegular refuses everything but regular files by their type.
func checkRegular(path string, mode uint32) error {
	switch mode {
	case syscall.S_IFREG:
		return nil
	case syscall.S_IFDIR:
		return fileerror.System(path, syscall.EISDIR)
	}
	return &fileerror.Error{Code: fileerror.NotAFile, Path: path, Reason: "it is a pipe, socket or device", Hint: "name a file, or - to read standard input"}
}

func (f file) read(p []byte) (int, error) {
	return filesystem.Retry(func() (int, error) { return syscall.Read(int(f), p) })
}

func (f file) close() { _ = syscall.Close(int(f)) } // nothing was written

// heldFile reads from a file by the system call itself: what passes for a regular
// file and has nothing to give yet, as in /proc, is an error and no wait.
type heldFile struct{ syscall.RawConn }

// newSource returns what reads from f.
func newSource(f *os.File) (source, error) {
	conn, err := f.SyscallConn()
	return heldFile{conn}, err
}

func (h heldFile) read(p []byte) (n int, err error) {
	connErr := h.Read(func(fd uintptr) bool {
		n, err = file(fd).read(p)
		return true
	})
	if err == nil {
		err = connErr
	}
	return n, err
}
