package files

import (
	"errors"
	"io/fs"

	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
)

// The steps of an update, of which filesystem.Steps are told.

// exchange has two files of the folder of a place change places.
func (t *Tx) exchange(p *place, a, b string) error {
	return t.steps.Do("exchange", b, func() error { return filesystem.Exchange(t.lockOf(p).File(), a, b) })
}

// rename renames a file of the folder of a place, whatever has the new name.
func (t *Tx) rename(p *place, from, to string) error {
	return t.move(p, from, to, func() error { return p.folder.Rename(from, to) })
}

// move has a call give a file of the folder of a place another name.
func (t *Tx) move(p *place, from, to string, call func() error) error {
	return filesystem.Rename(p.folder, from, to, func() error { return t.steps.Do("rename", to, call) })
}

// renameNew renames a file of the folder of a place, unless there is one by the new name. After
// filesystem.ErrBothNames it has both names, or may have; one of them is ours, and stays.
func (t *Tx) renameNew(p *place, from, to string) error {
	err := t.move(p, from, to, func() error { return filesystem.RenameNew(t.lockOf(p).File(), p.folder, from, to) })
	if errors.Is(err, filesystem.ErrBothNames) {
		if _, _, _, held := filenames.ParseHeld(to); held {
			from = to
		}
		t.stuck = append(t.stuck, p.beside(from))
	}
	return err
}

// remove removes a file of ours from the folder of a place; the next update does it else.
func (t *Tx) remove(p *place, name string) {
	err := t.steps.Do("remove", name, func() error { return p.folder.Remove(name) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.stuck = append(t.stuck, p.beside(name))
	}
}

// syncFolder makes the names in the folder of a place outlast a crash.
func (t *Tx) syncFolder(p *place) error {
	return t.steps.Do("sync", ".", func() error { return filesystem.SyncFolder(t.lockOf(p).File()) })
}
