package files

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filelock"
)

// An update can be written down before it is made, so that one of several files that ends
// between two of them is taken back, and each can be undone. Who keeps the journal is another
// package; this one says when what is written down.

// Journal is where updates are written down.
type Journal interface {
	// Unfinished reports whether updates that were killed may not be taken back yet, and the number of
	// the first of the sites that one of them is about, or -1. Their folders are locked by the caller.
	Unfinished(sites []Site) (some bool, at int)
	// Recover takes back what was killed, with the roots that this process is confined to, none
	// for the host. The error says why one that is about these sites can't be, as what follows the
	// word for it, and names no other file; those that are about none wait by themselves. The caller has no lock.
	Recover(ctx context.Context, sites []Site, roots ...string) error
	// Prepare writes down what will be done: on the disk, if it is more than one change.
	// Everything is ready to be put in place then. It is nil where nothing is to be written down. The
	// error says why it can't, for people.
	Prepare(ctx context.Context, changes []Change) (Pending, error)
}

// Pending is an update that is written down.
type Pending interface {
	// Commit writes down that all of it is done, for good: Recover leaves it as it is from then on.
	// With an error that isn't written down.
	Commit() error
	// Sync makes that outlast a crash.
	Sync() error
	// Abandon writes down that nothing of it is.
	Abandon() error
	// Undo says how it is undone when it is done.
	Undo() Undo
	// Close lets go of it. If neither was written down, it is taken back by Recover. After
	// Commit it may take a while: no folder is locked then.
	Close()
}

// Undo says how an update is undone: nothing for one without a journal, and for one that has
// changed nothing.
type Undo struct {
	Change string // its identifier in the journal; empty if it can't be undone
	Not    string // why it can't, for people
	Off    bool   // it can't, for the user has nothing written down
}

// Warnings returns the warning that the update can't be undone; none if it can.
func (u Undo) Warnings() []string {
	if u.Not == "" {
		return nil
	}
	return []string{"no undo: " + u.Not}
}

// Site is where a file is, or a folder that may go.
type Site struct {
	Path   string      // absolute, of no link
	Folder filelock.ID // of a file
	Born   int64       // when that was made (fileinfo.BirthTime)
}

// Change is what becomes of one file.
type Change struct {
	Path   string      // absolute, of no link
	Root   string      // the root that it lies below, absolute; empty for a path of the host
	Folder filelock.ID // of the file
	Born   int64       // when that was made (fileinfo.BirthTime)
	Before []byte      // what it holds; nil if there is no such file
	After  []byte      // what it will hold; nil if it is removed
	Mode   fs.FileMode // before, or if there was none, after
	// Folders is how many folders above the file were made for it, or go with it.
	Folders int
}

// journalKey is the key of the journal in a context.
type journalKey struct{}

// WithJournal returns a context whose updates are written down in a journal; nil for none.
func WithJournal(ctx context.Context, j Journal) context.Context {
	return context.WithValue(ctx, journalKey{}, j)
}

// JournalOf returns the journal of a context, nil for none.
func JournalOf(ctx context.Context) Journal {
	j, _ := ctx.Value(journalKey{}).(Journal)
	return j
}

// errUnfinished says that updates are to be taken back first that were killed.
var errUnfinished = errors.New("a change that was interrupted is not taken back yet")

// settled sees that nothing that was killed is to be taken back first. The error is
// errUnfinished.
func (t *Tx) settled() error {
	if t.journal == nil {
		return nil
	}
	for _, f := range t.order {
		t.sites = append(t.sites, Site{f.host, f.id, fileinfo.BirthTime(f.folder)})
	}
	some, at := t.journal.Unfinished(t.sites)
	if t.waits = max(at, 0); at >= 0 || some && t.recovered == 0 {
		return errUnfinished
	}
	return nil
}

// recover takes back what was killed, and waits a moment for another process that does it.
// The error is a *fileerror.Error: it can't be, and a file of this change waits for it.
func (t *Tx) recover(ctx context.Context, until time.Time) error {
	err := t.journal.Recover(ctx, t.sites, t.roots...)
	switch {
	case t.recovered == 0:
		return nil // the next look tells whether it matters here
	case (err == nil || errors.Is(err, context.DeadlineExceeded)) && time.Now().Before(until): // a lock, if any, is waited for again
		wait(ctx, time.Millisecond)
		return ctx.Err()
	}
	const what = "a change of several files that was interrupted "
	e := &fileerror.Error{Code: fileerror.IOError, Path: t.order[t.waits].path, Err: err, Reason: what + "is being taken back by another process", Hint: "try again"}
	if err != nil {
		e.Reason = what + err.Error()
	}
	if cause, ok := errors.AsType[*fileerror.Error](err); ok && cause.Code == fileerror.NoSpace {
		e.Code = cause.Code
	}
	return e
}

// prepare writes down what will be done. Without a journal that can be written, one file is
// changed all the same, and of several none that are to be changed together.
func (t *Tx) prepare(ctx context.Context, list []*target) error {
	if t.journal == nil {
		return nil
	}
	changes := make([]Change, len(list))
	for i, f := range list {
		c := Change{Path: f.host, Root: f.root, Folder: f.id, Born: fileinfo.BirthTime(f.folder), After: notNil(f.next), Folders: f.folders}
		if f.old != nil {
			c.Before, c.Mode = notNil(f.old.text), f.old.stamp.Mode()
		} else {
			c.Mode = f.made.Mode()
		}
		if f.removed {
			c.After = nil
		}
		changes[i] = c
	}
	pending, err := t.journal.Prepare(ctx, changes)
	switch {
	case err == nil && pending == nil:
		t.undoing = Undo{Off: true}
	case err == nil:
		t.written, t.undoing = pending, pending.Undo()
	case ctx.Err() != nil:
		return ctx.Err()
	case t.together && len(list) > 1:
		e := unjournaled(list[0].path, err)
		e.Reason = "several files are changed together, and then " + e.Reason
		return e
	default:
		t.undoing = Undo{Not: unjournaled(list[0].path, err).Reason}
	}
	return nil
}

// unjournaled returns the error for a journal that can't be written. It names no other place of the host.
func unjournaled(path string, err error) *fileerror.Error {
	e := writeFailure(path, err)
	e.Reason = "the journal of changes can't be written: " + bare(err).Error()
	if locked, ok := errors.AsType[*filelock.Error](err); ok {
		e.Code, e.Hint = fileerror.IOError, locked.Hint
	} else if e.Code != fileerror.NoSpace {
		e.Code, e.Hint = fileerror.IOError, "give it a place that can be written (XDG_STATE_HOME), or change the files one by one"
	}
	return e
}

// notNil returns a text that is there, if only an empty one.
func notNil(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

// commitJournal writes down that all is done. With err that isn't written down, and the update can
// be taken back yet; with unsynced it is, and stays done unless the system crashes. One file is left
// in place if the journal can be told that it wasn't begun: it can't be undone then.
func (t *Tx) commitJournal(f *target) (unsynced, err error) {
	if t.written == nil {
		return nil, nil
	}
	err = t.written.Commit()
	if t.committed = err == nil; t.committed {
		err = t.written.Sync()
	}
	if err == nil {
		return nil, nil
	}
	e := unjournaled(f.path, err)
	switch {
	case !t.together && t.written.Abandon() == nil:
		t.committed, t.undoing = true, Undo{Not: e.Reason}
		return nil, nil
	case t.committed:
		return onlyWritten(e), nil
	}
	return nil, e
}

// abandon writes down that nothing was done.
func (t *Tx) abandon() {
	if t.written != nil {
		_ = t.written.Abandon() // the next update finds it, and nothing to take back
		t.written.Close()
		t.written = nil
	}
}
