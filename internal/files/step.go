package files

import (
	"context"
	"errors"
	"io/fs"

	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
)

// What changes a file or folder is a step. Tests end an update before any of them, as a kill
// does, or have one fail, as a full disk has it.

// Steps is called before each step of an update with the name of the system's call and that
// of the file in its folder; an error stands in the place of the call. The nil one lets all
// be done.
type Steps func(call, name string) error

// stepsKey is the key of Steps in a context.
type stepsKey struct{}

// WithSteps returns a context whose updates tell of their steps.
func WithSteps(ctx context.Context, steps Steps) context.Context {
	return context.WithValue(ctx, stepsKey{}, steps)
}

// StepsOf returns who is told of the steps of updates, nil for nobody.
func StepsOf(ctx context.Context) Steps {
	steps, _ := ctx.Value(stepsKey{}).(Steps)
	return steps
}

// Before tells of the step that comes.
func (s Steps) Before(call, name string) error {
	if s == nil {
		return nil
	}
	return s(call, name)
}

// do tells of a step, and does it.
func (s Steps) do(call, name string, step func() error) error {
	if err := s.Before(call, name); err != nil {
		return err
	}
	return step()
}

// exchange has two files of the folder of a place change places.
func (t *Tx) exchange(p *place, a, b string) error {
	return t.steps.do("exchange", b, func() error { return filesystem.Exchange(t.lockOf(p).File(), a, b) })
}

// rename renames a file of the folder of a place, whatever has the new name.
func (t *Tx) rename(p *place, from, to string) error {
	return t.steps.do("rename", to, func() error { return p.folder.Rename(from, to) })
}

// renameNew renames a file of the folder of a place, unless there is one by the new name. After
// filesystem.ErrBothNames it has both names; one of them is ours, and stays.
func (t *Tx) renameNew(p *place, from, to string) error {
	err := t.steps.do("rename", to, func() error { return filesystem.RenameNew(t.lockOf(p).File(), p.folder, from, to) })
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
	err := t.steps.do("remove", name, func() error { return p.folder.Remove(name) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.stuck = append(t.stuck, p.beside(name))
	}
}

// syncFolder makes the names in the folder of a place outlast a crash.
func (t *Tx) syncFolder(p *place) error {
	return t.steps.do("sync", ".", func() error { return filesystem.SyncFolder(t.lockOf(p).File()) })
}
