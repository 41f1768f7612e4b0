package files

import (
	"errors"
	"io/fs"
	"os"

	"github.com/sectile/sectile/internal/fileerror"
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
	h, _, err := openFile(f.folder, f.name)
	if err == nil {
		f.placed, err = holds(h, f.next)
		_ = h.Close() // nothing was written
	}
	switch {
	case errors.Is(err, errChanged):
		f.placed = false
	case err != nil:
		f.placed, f.doubt = true, err
	}
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

// doubted returns the error for a file of which can't be told whether it is in place.
func (f *target) doubted() *fileerror.Error {
	e := systemFailure(f.path, f.doubt)
	e.Reason, e.Hint = "whether it is written can't be told: "+e.Reason, "see what is in it when its folder can be read again"
	return e
}

// landed notes that the file is in place, after the call that puts it there, and returns the error for one
// that isn't, or may not be: errChanged if something wasn't there, or was.
func (f *target) landed(err error) error {
	if f.placed = err == nil; !f.placed {
		f.lookInside()
	}
	if f.placed {
		f.temp = "" // what has its name may be what was in place
	}
	switch {
	case f.doubt != nil:
		return f.doubted()
	case f.placed: // whatever was answered
		return nil
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist):
		return errChanged
	}
	return writeFailure(f.path, err)
}

// awayAs returns the error for a file that a call which failed was to give the name of a held one: nil if it has that all the
// same, errChanged if something wasn't there, or was.
func (f *target) awayAs(held string, failed error) error {
	_, err := f.folder.Lstat(held)
	if err == nil {
		if f.lacks(f.name) { // the answer was lost, of whichever file had the name
			return nil
		}
		_, err = f.folder.Lstat(f.name)
	}
	switch {
	case err != nil && !filesystem.IsMissing(err):
		f.doubt = err
		return f.doubted()
	case errors.Is(failed, fs.ErrNotExist), errors.Is(failed, fs.ErrExist):
		return errChanged
	}
	return writeFailure(f.path, failed)
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
