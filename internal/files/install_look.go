package files

import (
	"cmp"
	"errors"
	"io/fs"
	"os"

	"github.com/sectile/sectile/internal/filesystem"
)

// Whose file stands in the place. A call that puts a file there may fail when it is done: an
// answer of a network file system is lost, a disk is pulled. So the place is looked at then.
// Where that fails too, as when the rights on the folder are taken away, the file counts as
// written: it is named so, and the journal keeps the change for the next one to take back.

// isOurs reports whether the name stands for the file that was put there. With an error that
// can't be told.
func (f *target) isOurs() (is bool, err error) {
	now, err := f.folder.Lstat(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && now.Mode().IsRegular() && os.SameFile(now, f.made), err // a folder may have got its number
}

// look sees whether the file is in place.
func (f *target) look() {
	is, err := f.isOurs()
	f.placed, f.doubt = is || err != nil, err
}

// lookInside is look after a call that has failed: where our file was removed, one that another
// program has made since may have got its number.
func (f *target) lookInside() {
	if f.look(); !f.placed || f.doubt != nil {
		return
	}
	is, _, err := f.isWhole(f.name)
	f.placed, f.doubt = is || err != nil, err
}

// isWhole reports whether a name stands for the file that was made, with what it was given, and whether a
// program has that open for writing. With an error that can't be told.
func (f *target) isWhole(name string) (is, open bool, err error) {
	h, info, err := openFile(f.folder, name)
	if errors.Is(err, errChanged) {
		return false, false, nil
	}
	if err != nil {
		return false, false, err
	}
	defer h.Close()                       //nolint:errcheck // nothing was written
	open = filesystem.IsOpenForWriting(h) // before what it holds is looked at, which it then stays
	is, err = holds(h, f.next)
	return is && os.SameFile(info, f.made), open, err
}

// cleared reports whether a file of which couldn't be told whether it is in place isn't, for what was read
// is there, or what was to be made is not.
func (f *target) cleared() bool {
	if f.doubt == nil {
		return false
	}
	now, err := f.folder.Lstat(f.name)
	if f.old == nil && !errors.Is(err, fs.ErrNotExist) || f.old != nil && (err != nil || !f.old.stamp.isSame(now)) {
		return false
	}
	f.placed, f.doubt = false, nil
	return true
}

// landed notes that the file is in place, after the call that puts it there, and returns the error of failed for
// one that isn't, or may not be.
func (f *target) landed(err error) error {
	if f.placed = err == nil; !f.placed {
		f.lookInside()
	}
	if f.placed {
		f.temp = "" // what has its name may be what was in place
	}
	if f.placed && f.doubt == nil { // whatever was answered
		return nil
	}
	return f.failed(err)
}

// failed returns the error for a call that was to give the file a name, or to take it from it: errChanged if
// something wasn't there, or was. Whether the call is done is told when nothing more can be taken back (partly).
func (f *target) failed(err error) error {
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return errChanged
	}
	return writeFailure(f.path, err)
}

// awayAs returns the error of failed for a call that was to give a file the name of a held one, nil if it has
// that all the same.
func (f *target) awayAs(held string, failed error) error {
	_, err := f.folder.Lstat(held)
	_, left := f.folder.Lstat(f.name)
	if err == nil && filesystem.IsMissing(left) { // the answer was lost, of whichever file had the name
		return nil
	}
	if err = cmp.Or(err, left); err != nil && !filesystem.IsMissing(err) {
		f.doubt = err
	}
	return f.failed(failed)
}

// renameBack gives what was displaced its name again where two files can't be exchanged, if that stands for
// ours, and reports whether it has it.
func (t *Tx) renameBack(f *target) bool {
	if is, err := f.isOurs(); !is || err != nil {
		return false
	}
	err := t.rename(f.place, f.held, f.name)
	switch {
	case err == nil:
		f.held = ""
		return true
	case f.lacks(f.name): // the file system has moved ours out of the way, for somebody has it open
		t.putBack(f)
		return !f.placed
	}
	return false
}
