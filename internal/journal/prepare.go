package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"time"

	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/files"
)

// A change is written down before the first file is put in place: the texts before and after,
// then the record in open, which says what is to be taken back if nothing more comes. When
// all files are in place a line is added, and that is what makes it done; that the record
// moves to done is tidiness. Of several files, what they held before and the record are on
// the disk first. Of one alone they need not be: it is whole in any case, and after a power
// cut it may lack its undo.

// pending is a change that is written down.
type pending struct {
	journal *Journal
	folder  *folder
	record  *os.File // locked
	id      string   // of the change
	name    string
	order   time.Time // in the name
	bytes   int64     // of new copies, and the record
	large   int64     // bytes of all that it takes, if they are more than are kept; else 0
	done    bool      // it is committed
	unnamed error     // why can't be told whether the record has its name
}

// Prepare writes down what will be done.
func (j *Journal) Prepare(ctx context.Context, changes []files.Change) (files.Pending, error) {
	switch {
	case j.options.Refused != nil:
		return nil, j.options.Refused
	case j.options.Off:
		return nil, nil //nolint:nilnil // nothing is to be written down, which is no error
	}
	for i := range changes {
		if err := protects(changes[i].Path); err != nil {
			return nil, err
		}
		// Where a file lies deep, the system takes its name alone, in its folder.
		if _, err := os.Lstat(changes[i].Path); errors.Is(err, syscall.ENAMETOOLONG) {
			return nil, errTooLong
		}
	}
	f, err := j.open(ctx, true)
	if err != nil {
		return nil, err
	}
	p := &pending{journal: j, folder: f, id: newID()}
	if err := p.write(ctx, changes); err != nil {
		_ = f.Close() // nothing that counts was written
		return nil, err
	}
	return p, nil
}

// errTooLong says that a file could be found neither for an undo nor after a kill.
var errTooLong = errors.New("a path is longer than the system takes as a whole")

// write writes copies and record.
func (p *pending) write(ctx context.Context, changes []files.Change) error {
	f := p.folder
	shared, err := f.share(ctx)
	if err != nil {
		return err
	}
	defer shared.Close() //nolint:errcheck // nothing is written to it
	defer func() { f.note(p.bytes) }()
	several := len(changes) > 1
	now := time.Now()
	if p.order, err = f.next(ctx, shared, now); err != nil {
		return err
	}
	r := &Record{ID: p.id, Time: now.UTC(), Journal: f.id.File, JournalBorn: f.id.Born, Asker: p.journal.asker}
	known := projects{}
	for i := range changes {
		c := &changes[i]
		e := Entry{Path: c.Path, Root: c.Root, Folder: newFolderID(c.Folder, c.Born), Project: known.of(filepath.Dir(c.Path))}
		if above, err := identify(aboveOf(c.Path, c.Folders)); c.Folders > 0 && err == nil {
			e.Folders, e.Modes, e.Above = c.Folders, modesAbove(c.Path, c.Folders), &above
		}
		if e.Before, err = p.keep(c.Before, c, several); err != nil {
			return err
		}
		if e.After, err = p.keep(c.After, c, false); err != nil {
			return err
		}
		r.Entries = append(r.Entries, e)
	}
	if several {
		if err := f.sync(copyDir); err != nil {
			return err
		}
	}
	return p.writeRecord(r, newName(p.order, r.ID), several)
}

// keep keeps one of the texts of a change.
func (p *pending) keep(text []byte, c *files.Change, synced bool) (*Text, error) {
	if text == nil {
		return nil, nil //nolint:nilnil // there is no file
	}
	t := &Text{Hash: hashOf(text), Size: int64(len(text)), Mode: c.Mode.Perm()}
	written, err := p.folder.keep(t.Hash, text, synced)
	if written {
		p.bytes += t.Size
	}
	if err == nil { // which tells what clears away that it may be needed
		err = p.folder.Chtimes(path.Join(copyDir, t.Hash), p.order, p.order)
	}
	return t, err
}

// unfinished ends the names of records that are being written: nothing was begun yet.
const unfinished = ".new"

// writeRecord writes the record. It has its name when it is whole, and its lock before it has its
// name.
func (p *pending) writeRecord(r *Record, name string, synced bool) error {
	text, err := r.format()
	if err != nil {
		return err
	}
	size := int64(len(text))
	p.bytes += size
	p.large = p.journal.tooLarge(&claim{size: size + int64(len(committed)), texts: r.texts()})
	f := p.folder
	p.name = path.Join(openDir, name)
	if p.record, err = f.create(p.name + unfinished); err != nil {
		return err
	}
	err = filelock.TryFile(p.record, false)
	if err == nil {
		err = f.write(p.record, text)
	}
	if err == nil && synced {
		err = f.syncFile(p.record)
	}
	named := err == nil
	if named {
		err = f.rename(p.name+unfinished, p.name)
	}
	if err == nil && synced {
		err = f.sync(openDir)
	}
	if err == nil {
		return nil
	}
	_ = f.remove(p.name + unfinished)
	left := f.remove(p.name)
	if named && !synced && left != nil && !errors.Is(left, fs.ErrNotExist) {
		p.unnamed = err // and if it has its name, what is written into it from here on says whether it counts
		return nil
	}
	_ = p.record.Close() // nothing that counts was written
	return err
}

// committed is the line that says so.
const committed = string(Committed) + "\n"

// Commit writes down that all is done. A line that is written in part doesn't count.
func (p *pending) Commit() error { return p.folder.write(p.record, []byte(committed)) }

// Sync makes what Commit has written outlast a crash, and moves the record to done. If it can't be
// synced the record stays: from open it can be abandoned, and the next change moves it else.
func (p *pending) Sync() error {
	f := p.folder
	if err := f.syncFile(p.record); err != nil {
		return err
	}
	_ = p.record.Close()                                        // it is synced
	_ = f.rename(p.name, path.Join(doneDir, path.Base(p.name))) // the next change does it else
	p.done = true
	return nil
}

// Undo returns the identifier of the change, or says that there is no room for it.
func (p *pending) Undo() files.Undo {
	switch {
	case p.unnamed != nil:
		return files.Undo{Not: "the journal of changes can't be written: " + cause(p.unnamed).Error()}
	case p.large == 0:
		return files.Undo{Change: p.id}
	}
	return files.Undo{Not: fmt.Sprintf("it takes %d bytes of the journal, which keeps %d (journal.bytes in your own configuration)", p.large, p.journal.options.MaxBytes)}
}

// Close lets go of the record. If it was neither committed nor abandoned, the next change
// takes it back; of one that is committed nobody waits for it, so that there is time to clear
// away.
func (p *pending) Close() {
	_ = p.record.Close() // what counts is synced
	if p.done {
		p.journal.clearDue(p.folder)
	}
	_ = p.folder.Close() // it is a handle alone
}

// Abandon writes down that nothing was done.
func (p *pending) Abandon() error { return p.folder.remove(p.name) }

// next returns the time that the name of a new record has: now, or what is later than all
// before it, for the clock may have gone back, and the names tell which change came first.
// The file that is locked has the time of the last one. Others share that lock, so who looks at the time
// and sets it has the folder's meanwhile.
func (f *folder) next(ctx context.Context, locked *os.File, now time.Time) (time.Time, error) {
	turn, err := filelock.Acquire(ctx, f.Root, filelock.ID{Device: f.id.Device, File: f.id.File})
	if err != nil {
		return now, err
	}
	defer turn.Release()
	info, err := locked.Stat()
	if err != nil {
		return now, err
	}
	if last := info.ModTime().Truncate(time.Microsecond).Add(time.Microsecond); last.After(now) {
		now = last
	}
	return now, f.Chtimes(lockName, now, now)
}

// share keeps others from clearing away what is being written, and returns the file whose
// lock that is. Clearing away is short.
func (f *folder) share(ctx context.Context) (*os.File, error) {
	h, err := f.lock()
	if err != nil {
		return nil, err
	}
	if err := filelock.WaitFile(ctx, h, true); err != nil {
		_ = h.Close() // nothing was written
		return nil, err
	}
	return h, nil
}
