package guide

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/textfile"
)

// All that is opened of a category is opened through these two interfaces, so that a
// test can see what that is.

// directory is an open folder.
type directory interface {
	// entries returns what is in the folder, in any order; with an error, what was
	// listed before it.
	entries(ctx context.Context) ([]files.Entry, error)
	// enter opens a folder in this one.
	enter(name string) (directory, error)
	close()
}

// root is the open folder of a category. Paths have forward slashes and begin here.
// Errors are *fileerror.Error or that of a context.
type root interface {
	directory
	stat(path string) (info, error)
	// read returns the text of a file of at most limit bytes, which is valid until
	// the next call. What the file is comes with an error too, if it is known.
	read(path string, limit int64) ([]byte, info, error)
}

// kind is what a name stands for.
type kind uint8

const (
	nothing kind = iota
	regular
	link    // what it leads to is not known
	special // a pipe, socket or device
	nested  // a folder
)

// info is what is known of a file without reading it.
type info struct {
	size     int64
	modified time.Time
}

// openedFolder is the folder of a category on disk, or one below it.
type openedFolder struct {
	folder *files.Folder
	reader *textfile.Reader
}

// opener opens the folder of a category, an absolute path, which must lie in another and
// in one of the roots, if they are given.
type opener func(roots *files.Roots, dir, within string) (root, error)

// openRoot opens the folder of a category.
func openRoot(roots *files.Roots, dir, within string) (root, error) {
	f, err := roots.OpenFolder(dir, within)
	if err != nil {
		return nil, err
	}
	return openedFolder{f, new(textfile.Reader)}, nil
}

func (o openedFolder) close() { o.folder.Close() }

func (o openedFolder) entries(ctx context.Context) ([]files.Entry, error) {
	return o.folder.Entries(ctx)
}

// kindOf returns what a name with this type stands for.
func kindOf(mode fs.FileMode) kind {
	switch mode.Type() {
	case 0:
		return regular
	case fs.ModeDir:
		return nested
	case fs.ModeSymlink:
		return link
	}
	return special
}

func (o openedFolder) enter(name string) (directory, error) {
	f, err := o.folder.Enter(name)
	if err != nil {
		return nil, err
	}
	return openedFolder{f, o.reader}, nil
}

func (o openedFolder) stat(path string) (info, error) {
	i, err := o.folder.Stat(path)
	return infoOf(i), err
}

func (o openedFolder) read(path string, limit int64) ([]byte, info, error) {
	text, i, err := o.folder.Read(o.reader, path, limit)
	return text, infoOf(i), err
}

func infoOf(i fs.FileInfo) info {
	if i == nil {
		return info{}
	}
	return info{i.Size(), i.ModTime()}
}

// notAFile says more about SkipNotAFile.
const notAFile = "it is a pipe, socket or device"

// isFolder reports whether an error says that a name stands for a folder.
func isFolder(err error) bool { return errors.Is(err, syscall.EISDIR) }

// skippedBy returns the reason for leaving out what the error is about, and more
// about it where the reason alone doesn't say enough.
func skippedBy(err error) (reason, detail string) {
	if e, ok := errors.AsType[*leftOutError](err); ok {
		return e.reason, e.detail
	}
	e, ok := errors.AsType[*fileerror.Error](err)
	if !ok {
		return SkipIOError, "it can't be read"
	}
	switch e.Code {
	case fileerror.NotFound:
		return SkipMissing, "it vanished while the category was read"
	case fileerror.Permission:
		return SkipPermission, ""
	case fileerror.TooLarge:
		return SkipTooLarge, "it is larger than guide.max_file_bytes"
	case fileerror.NotAFile:
		return SkipNotAFile, notAFile
	case fileerror.PathOutsideRoot:
		return SkipOutside, detailOf(e)
	case fileerror.BinaryFile:
		return SkipBinary, detailOf(e)
	case fileerror.EncodingError:
		return SkipEncoding, detailOf(e)
	}
	return SkipIOError, detailOf(e)
}

// detailOf returns what went wrong with a file, and the way out unless that is to name
// another file, which is for whoever asked for this one by itself.
func detailOf(e *fileerror.Error) string {
	if e.Code == fileerror.PathOutsideRoot || e.Code == fileerror.NotAFile {
		return e.Reason
	}
	return e.Sentence()
}
