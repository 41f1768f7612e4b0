package files

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
)

// Taking back what is in place: of several files all are changed or none. What another
// program has saved since stays where it is.

// putAway gives a file that is to be removed a name that no sweep removes while what it holds
// isn't known.
func (t *Tx) putAway(f *target) error {
	held, err := filenames.AsHeld(f.old.text, f.old.text, f.name, func(held string) error { return t.renameNew(f.place, f.name, held) })
	if err != nil {
		err = f.awayAs(held, err) // somebody may have removed it, or guess names
	}
	f.held, f.placed = held, err == nil || f.doubt != nil
	if err != nil || f.isKnown() {
		return err
	}
	return t.undo(f)
}

// putBack gives a file that was removed its name again. If that stands for something newer,
// what was removed is kept by another name.
func (t *Tx) putBack(f *target) {
	for range maxSwaps {
		_, err := t.revive(f)
		if err == nil {
			err = t.renameNew(f.place, f.held, f.name)
		}
		switch {
		case err == nil, errors.Is(err, filesystem.ErrBothNames), errors.Is(err, errNotMade): // its folder is gone, too
			f.held = ""
		case errors.Is(err, fs.ErrNotExist): // it was swept
			continue
		case !errors.Is(err, fs.ErrExist):
			return
		}
		f.placed, f.doubt = false, nil
		t.keep(f)
		return
	}
}

// takeBack takes back what is in place of several files, the last first. Once one can't be, only those
// that were removed are: what others have got may be nowhere else. It returns the error of the one that
// failed: errChanged if it failed for another program's sake, and all can be done once more.
func (t *Tx) takeBack(list []*target, err error) error {
	left := false
	var ceded []*target
	for _, f := range slices.Backward(list) {
		if !f.placed || left && !f.removed {
			continue
		}
		t.back(f)
		left = left || f.placed
		if f.ceded {
			ceded = append(ceded, f)
		}
	}
	if left || t.written != nil && t.syncAll(list) != nil {
		for _, f := range list {
			f.placed = f.placed || f.ceded
			if t.written != nil || !f.placed || f.old == nil || f.rescued {
				continue // the journal has it, and the next update takes it back
			}
			if _, err := t.revive(f); err == nil {
				t.keep(f)
			}
		}
		return err
	}
	t.abandon()
	if len(ceded) > 0 {
		return cededTo(ceded, len(list))
	}
	if e, ok := errors.AsType[*fileerror.Error](err); ok && e.Code == fileerror.Conflict {
		return errChanged
	}
	return err
}

// back takes back one file that is in place. What was in one that another program has saved, moved
// or removed since is kept by a name of its own: what has the new text is the other program's.
func (t *Tx) back(f *target) {
	if f.old == nil {
		t.unmake(f)
		return
	}
	f.takeMode()
	_ = t.undo(f) // it is in place or not
}

// lacks reports whether nothing has a name in the folder.
func (p *place) lacks(name string) bool {
	_, err := p.folder.Lstat(name)
	return filesystem.IsMissing(err)
}

// cededTo returns the error for a change of so many files that is taken back but in these, the last
// first: they were written, and another program has saved, moved or removed them since.
func cededTo(list []*target, of int) *fileerror.Error {
	e := &fileerror.Error{
		Code: fileerror.Conflict, Hint: "see where it is now, and what is in it",
		Reason: "another program saved, moved or removed it when it was changed already",
	}
	if of > 1 {
		e.Reason = "several files are changed together, and " + e.Reason
	}
	for _, f := range slices.Backward(list) {
		e.Written = append(e.Written, f.path)
	}
	e.Path = e.Written[0]
	if others := e.Written[1:]; len(others) > 0 {
		e.Reason += ", and " + strings.Join(others, ", ")
	}
	if of > len(list) {
		e.Reason += "; the other files are as they were"
	}
	return e
}

// takeMode gives what a file has displaced the mode that another program has given to the file
// since it is in place.
func (f *target) takeMode() {
	now, err := f.folder.Lstat(f.name)
	if err != nil || !os.SameFile(now, f.made) || now.Mode() == f.made.Mode() || f.old.handle.Chmod(now.Mode()) != nil {
		return
	}
	if info, err := f.old.handle.Stat(); err == nil {
		f.old.stamp.FileInfo = info // which it is written anew with, if it must be
	}
}

// unmake removes a file that was made, unless another program has saved it since.
func (t *Tx) unmake(f *target) {
	if f.cleared() {
		return
	}
	if f.look(); !f.placed || f.doubt != nil {
		f.ceded = !f.placed
		return
	}
	held, err := filenames.AsHeld(f.next, f.next, f.name, func(held string) error { return t.renameNew(f.place, f.name, held) })
	if err != nil {
		f.ceded = errors.Is(err, fs.ErrNotExist)
		f.placed = !f.ceded
		return
	}
	is, open, unread := f.isWhole(held)
	known := is && !open
	f.placed, f.ceded, f.doubt = unread != nil, !known && unread == nil, unread
	if known {
		t.remove(f.place, held)
		return
	}
	if err := t.renameNew(f.place, held, f.name); errors.Is(err, fs.ErrExist) {
		f.held = held
		t.keepIn(&t.kept.Saved, f)
	}
}
