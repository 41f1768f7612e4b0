// Package textfile reads one file as text: within a limit, without waiting for a pipe, and
// only if it is UTF-8. It knows nothing of folders, nor what the text is for.
//
// Which file holds what:
//
//   - read.go: files and streams, read into a buffer that is kept; text.go: what is no text, and
//     errors about sizes
//   - open_unix.go, open_other.go: opening, and reading from what is open
package textfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
)

// Reading is done into a buffer that the caller keeps, sized by what the system
// says of the file: a buffer that grows makes a file of 100 MB cost several
// times as much, and mapping small files into memory does too.

// DefaultLimit is the size in bytes beyond which a file is refused unless the
// caller says otherwise.
const DefaultLimit = 64 << 20

const (
	minBuffer = 64 << 10 // bytes; most documents fit
	maxSpare  = 4 << 20  // bytes; a larger buffer is made to measure
)

// Reader reads files one after another into the same buffer. The zero value is
// ready; it must not be used by several goroutines at once.
type Reader struct {
	// Limit is the size in bytes beyond which a file is refused; 0 means
	// DefaultLimit.
	Limit int64
	// Admit, if it is not nil, is called with the size of a file, or 0 for a stream,
	// before memory is taken to read it; then its error is that of reading.
	Admit func(size int64) error
	// Known is a text that the file may hold, nil for none. If it does, Known itself is
	// what is returned, and no memory is taken for it; else Admit is called when that
	// is known.
	Known []byte
	// Bytes takes files that are no text, too.
	Bytes bool
	// Larger, if it is not nil, is called with a file beyond the limit, which it may read
	// until it returns; then its error is that of reading, and there is no text.
	Larger func(f *os.File, size, limit int64) error

	buf []byte
}

// Swap has two readers change buffers. Who waits in Admit can do without one that way.
func (r *Reader) Swap(other *Reader) { r.buf, other.buf = other.buf, r.buf }

// MaxBytes returns the limit in force.
func (r *Reader) MaxBytes() int64 {
	if r.Limit > 0 {
		return r.Limit
	}
	return DefaultLimit
}

// Read returns the text of the regular file at path, links followed. It is valid
// until the next call. The error is a *fileerror.Error: NotFound, NotAFile (a folder, a
// pipe, a device), Permission, TooLarge, BinaryFile (it holds a NUL byte),
// EncodingError (it is not UTF-8), or IOError.
func (r *Reader) Read(path string) ([]byte, error) {
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.close()
	if size > r.MaxBytes() {
		if r.Larger == nil {
			return nil, TooLarge(path, r.MaxBytes())
		}
		return nil, r.lend(path)
	}
	return r.fill(path, f, size)
}

// lend opens the file at path once more, for Larger.
func (r *Reader) lend(path string) error {
	f, err := os.OpenFile(path, fileinfo.OpenFlags, 0)
	if err != nil {
		return fileerror.System(path, err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	info, err := f.Stat()
	switch {
	case err != nil:
		return fileerror.System(path, err)
	case !info.Mode().IsRegular():
		return &fileerror.Error{Code: fileerror.NotAFile, Path: path, Reason: "it is a pipe, socket or device", Hint: "name a file"}
	}
	return r.Larger(f, info.Size(), r.MaxBytes())
}

// ReadStream is Read for what is not a file, such as standard input; name stands
// for its path in errors.
func (r *Reader) ReadStream(name string, in io.Reader) ([]byte, error) {
	return r.fill(name, streamSource{in}, 0)
}

// source is something to read from. Read is io.Reader's, but may return 0 bytes
// and no error at the end.
type source interface {
	read(p []byte) (int, error)
}

type streamSource struct{ io.Reader }

func (s streamSource) read(p []byte) (int, error) {
	n, err := s.Read(p)
	for n == 0 && err == nil {
		n, err = s.Read(p)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// fill reads from f to its end into the buffer and checks that it is text. The
// size is what is expected, 0 if nothing is; the file may have changed since.
func (r *Reader) fill(path string, f source, size int64) ([]byte, error) {
	var read []byte // what has been read, of which all but the end is known
	same := 0       // the length of the known beginning
	if size > 0 && size == int64(len(r.Known)) {
		var err error
		if same, read, err = r.compare(f); err != nil {
			return nil, fileerror.System(path, err)
		}
		if same == len(r.Known) && len(read) == 0 {
			return r.Known, nil
		}
	}
	if r.Admit != nil {
		if err := r.Admit(size); err != nil {
			return nil, err
		}
	}
	// Some bytes more than expected, so that the end shows without growing; and
	// a good deal more than before, so that one file after another being a
	// little larger than the last does not cost a buffer each. The first text may be
	// the only one, and be kept.
	if want := max(int(size), same+len(read)) + 512; cap(r.buf) == 0 {
		r.buf = make([]byte, want)
	} else if cap(r.buf) < want {
		r.buf = make([]byte, max(want, min(2*cap(r.buf), maxSpare), minBuffer))
	}
	buf := r.buf[:cap(r.buf)]
	n := copy(buf, r.Known[:same])
	n += copy(buf[n:], read)
	for {
		if n == len(buf) {
			buf = append(buf, make([]byte, len(buf))...)
			r.buf = buf
		}
		m, err := f.read(buf[n:])
		if err != nil {
			return nil, fileerror.System(path, err)
		}
		n += m
		if int64(n) > r.MaxBytes() {
			return nil, TooLarge(path, r.MaxBytes())
		}
		// What has given all that was expected, and then less than it could, is
		// at its end: that saves asking once more, for every small file.
		if m == 0 || int64(n) == size && n < len(buf) {
			if r.Bytes {
				return buf[:n:n], nil
			}
			return buf[:n:n], CheckText(path, buf[:n])
		}
	}
}

// compared is the number of bytes that are compared with a known text at once.
const compared = 64 << 10

// compare reads from f as long as it gives the known text. It returns how much of that
// it gave, and what it gave then, nothing at its end.
func (r *Reader) compare(f source) (same int, read []byte, err error) {
	chunk := make([]byte, compared)
	for {
		n, err := f.read(chunk)
		if err != nil || n == 0 {
			return same, nil, err
		}
		if !bytes.HasPrefix(r.Known[same:], chunk[:n]) {
			return same, chunk[:n], nil
		}
		same += n
	}
}

// ReadOwned is Read for a file that is obeyed: the one that was opened must be the
// user's, as owned judges it. The error may be NotOwned, too.
func (r *Reader) ReadOwned(path string, owned func(fs.FileInfo) bool) ([]byte, error) {
	f, err := os.OpenFile(path, fileinfo.OpenFlags, 0)
	if err != nil {
		return nil, fileerror.System(path, err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fileerror.System(path, err)
	case info.IsDir():
		return nil, fileerror.System(path, syscall.EISDIR)
	case !info.Mode().IsRegular():
		return nil, &fileerror.Error{Code: fileerror.NotAFile, Path: path, Reason: "it is a pipe, socket or device", Hint: "name a file"}
	case !owned(info):
		return nil, &fileerror.Error{Code: fileerror.NotOwned, Path: path, Reason: "it belongs to " + fileinfo.OwnerName(info) + ", and so is not obeyed"}
	case info.Size() > r.MaxBytes():
		return nil, TooLarge(path, r.MaxBytes())
	}
	return r.ReadOpen(path, f, info.Size())
}

// ReadOpen is Read for an open file, of which so many bytes are expected. What passes for a
// regular file and has nothing to give yet is an error and no wait.
func (r *Reader) ReadOpen(path string, f *os.File, size int64) ([]byte, error) {
	src, err := newSource(f)
	if err != nil {
		return nil, fileerror.System(path, err)
	}
	return r.fill(path, src, size)
}
