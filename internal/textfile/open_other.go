//go:build !unix

package textfile

import (
	"errors"
	"io"
	"os"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
)

// file is an open regular file.
type file struct{ *os.File }

// open opens the regular file at path and returns its size.
func open(path string) (file, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return file{}, 0, fileerror.System(path, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fileerror.Error{Code: fileerror.NotAFile, Path: path, Reason: "it is a folder or device", Hint: "name a document"}
	}
	if err != nil {
		file{f}.close()
		var ours *fileerror.Error
		if errors.As(err, &ours) {
			return file{}, 0, err
		}
		return file{}, 0, fileerror.System(path, err)
	}
	return file{f}, info.Size(), nil
}

func (f file) read(p []byte) (int, error) {
	n, err := f.Read(p)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (f file) close() { _ = f.Close() } // nothing was written

// heldFile reads from a file.
type heldFile struct{ file }

// newSource returns what reads from f.
func newSource(f *os.File) (source, error) { return heldFile{file{f}}, nil }

func (h heldFile) read(p []byte) (int, error) {
	n, err := h.file.read(p)
	return n, fileinfo.Cause(err)
}
