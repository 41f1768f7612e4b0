package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/textfile"
)

// A change that is open and that nobody has the lock of was interrupted, and nobody was told
// that it is done: it is taken back. A file that holds neither what it held before nor what it
// was given was changed by somebody else since: it is left alone and named, and both texts
// stay in the journal. Doing it twice does nothing.
//
// What can't be taken back now, for its disk is full or takes no writes, stays open until it can
// be, and only what is about the same files waits for it. Of changes of one file the newest is
// the first that is taken back, and the older ones after it: its text before is theirs after.

// Recovered is what was done to take back a change that was interrupted.
type Recovered struct {
	Record *Record
	// Back are the paths of files that hold again what they held before, and didn't until now.
	Back []string
	// Left are those that were left as they are; none if there is a rest.
	Left []string
	// Rest is why files of the change can't be put back yet; nil if none is left to do.
	Rest error
	// Kept are files beside them that hold what other programs saved meanwhile, or right before the
	// change was interrupted.
	Kept fileerror.Kept
}

// Stuck is a change that was interrupted and can't be taken back yet.
type Stuck struct {
	Record *Record // nil if it is damaged
	Err    error   // a *fileerror.Error with the path of the file, or what is wrong in the journal
	IsBack bool    // its files are put back, and that can't be written down
}

// patience is how long the lock of a folder is waited for, for each change: others are held up
// meanwhile.
const patience = time.Second

// Unfinished reports whether changes that were interrupted aren't taken back yet, and the number
// of the first of the sites that one of them, or one that is being taken back, is about; -1 for
// none. Where the journal can't be read there may be some. The caller has the locks of their folders,
// so that no change that goes on is about any.
func (j *Journal) Unfinished(list []files.Site) (some bool, at int) {
	var open []*openRecord
	f, err := j.open(context.Background(), false)
	if err == nil {
		defer f.Close() //nolint:errcheck // nothing was written
		open, err = f.openRecords()
	}
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrUntrusted), -1
	}
	defer closeAll(open)
	known := newSites(list)
	at = -1
	for _, r := range open {
		some = some || !r.live
		if n := known.first(r.Record); n >= 0 && (at < 0 || n < at) {
			at = n
		}
	}
	return some, at
}

// Pending returns the changes that were interrupted and aren't taken back yet. It waits a moment
// for changes that go on, and for others who look.
func (j *Journal) Pending(ctx context.Context) []*Record {
	const looks, pause = 20, 5 * time.Millisecond
	for look := 1; ; look++ {
		pending, live := j.pending(ctx)
		if !live || look == looks || ctx.Err() != nil {
			return pending
		}
		time.Sleep(pause)
	}
}

// pending is Pending at once, and reports whether somebody has one of the changes.
func (j *Journal) pending(ctx context.Context) (pending []*Record, live bool) {
	f, err := j.open(ctx, false)
	if err != nil {
		return nil, false
	}
	defer f.Close() //nolint:errcheck // nothing was written
	list, _ := f.openRecords()
	defer closeAll(list)
	for _, r := range list {
		live = live || r.live
		if !r.live && r.Record != nil && r.State == Prepared {
			pending = append(pending, r.Record)
		}
	}
	return pending, live
}

// Recover takes back what was interrupted. The error says why a change that is about one of the
// sites can't be yet, or that the journal can't be read. Roots are those of TakeBack.
func (j *Journal) Recover(ctx context.Context, list []files.Site, roots ...string) error {
	stuck, err := j.TakeBack(ctx, roots...)
	if err != nil {
		return &waiting{err: cause(err)}
	}
	known := newSites(list)
	for _, s := range stuck {
		if n := known.first(s.Record); n >= 0 {
			return &waiting{list[n].Path, s.Err, s.IsBack}
		}
	}
	return nil
}

// waiting is the error for a file that waits for a change which can't be taken back, or of which
// nobody can write down that it is.
type waiting struct {
	path   string
	err    error
	isBack bool
}

func (e *waiting) Unwrap() error { return e.err }

// Error goes on behind the word for such a change.
func (e *waiting) Error() string {
	if e.isBack {
		return "is taken back, and that can't be written down: " + e.reason()
	}
	return "must be taken back first, and can't be: " + e.reason()
}

// reason names no other file, which may be anywhere on the host.
func (e *waiting) reason() string {
	about, ok := errors.AsType[*fileerror.Error](e.err)
	switch {
	case !ok:
		return e.err.Error()
	case len(about.Written) > 0: // the sentence has their names
		return "one of its files is put back, but a crash of the system may undo that"
	case !about.Kept.None(): // and so here
		return "another program saves one of its files at the same time"
	case about.Path == e.path:
		return about.Sentence()
	}
	return about.Sentence() + "; that is about another file, which `sectile doctor` names"
}

// TakeBack takes back what was interrupted, and returns the changes that can't be yet: they stay
// as they are, and the next TakeBack does it. The error says that the journal can't be read, or is
// the context's. Roots are those that a server is confined to: what lies below is written as it
// would be by the server.
func (j *Journal) TakeBack(ctx context.Context, roots ...string) (stuck []Stuck, err error) {
	f, err := j.open(ctx, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // what was written is synced
	list, err := f.openRecords()
	if err != nil {
		return nil, err
	}
	defer closeAll(list)
	ctx = filelock.WithPatience(ctx, patience)
	var left []*openRecord
	theirs := newSites(nil)
	for _, r := range slices.Backward(list) {
		n := theirs.first(r.Record)
		switch {
		case r.live: // somebody else does it, or commits it
		case n >= 0:
			r.stuck = left[n].stuck
		default:
			if r.stuck = j.recover(ctx, f, r, roots); r.stuck == nil {
				continue
			}
		}
		if err := ctx.Err(); err != nil {
			return stuck, err
		}
		theirs.addAll(r.Record, len(left))
		left = append(left, r)
		if r.stuck != nil {
			stuck = append(stuck, Stuck{r.Record, r.stuck, r.isBack})
		}
	}
	return stuck, nil
}

// leftOf looks at the files of a change, before anything is written, for those that can't be
// taken back any more. The error is that of one that can't be for now.
func (f *folder) leftOf(ctx context.Context, r *Record, roots []string) (*moved, error) {
	rest, left := map[*Entry]bool{}, map[*Entry]error{}
	for i := range r.Entries {
		e := &r.Entries[i]
		isDue, err := f.canTakeBack(ctx, e, roots)
		switch {
		case isForGood(err):
			left[e] = err
		case err != nil:
			return nil, err
		case isDue:
			rest[e] = true
		}
	}
	m := newMoved(f, rest)
	for e, why := range left {
		m.leave(e, why)
	}
	return m, nil
}

// recover takes back one change, and tells of what it has done, also where that isn't all.
func (j *Journal) recover(ctx context.Context, f *folder, r *openRecord, roots []string) error {
	if r.isShut() {
		return r.err
	}
	if r.Record == nil || r.State != Prepared {
		err := f.putAway(r) // a damaged one is told of there
		if r.Record != nil {
			return nil // its end is written down, wherever it lies
		}
		return err
	}
	done := Recovered{Record: r.Record}
	done.Rest = f.putBack(ctx, &done, roots)
	err, isEnded := done.Rest, false
	if r.isBack = err == nil; r.isBack {
		isEnded, err = f.end(r, done.Left)
	}
	if j.options.Told != nil && (isEnded || len(done.Back) > 0 || !done.Kept.None()) {
		j.options.Told(done)
	}
	return err
}

// end writes down that a change is taken back, but for the files that are left, and reports whether
// the record says so.
func (f *folder) end(r *openRecord, left []string) (isEnded bool, err error) {
	if r.sealed != nil {
		return false, unwritten(r.sealed)
	}
	_, err = r.file.Seek(0, io.SeekEnd)
	if err == nil { // A line that a killed process has begun is ended first.
		err = f.write(r.file, append([]byte("\n"), takenBack(left)...))
	}
	if err != nil {
		return false, unwritten(err)
	}
	if err := f.syncFile(r.file); err != nil {
		return true, unwritten(err)
	}
	r.State, r.Left = TakenBack, left // nobody waits for it any more
	_ = f.putAway(r)                  // the next change does it else
	return true, nil
}

// putAway moves the record of a change that nothing is left to do for.
func (f *folder) putAway(r *openRecord) error {
	err := f.rename(path.Join(openDir, r.name), path.Join(doneDir, r.name))
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil // who has committed it has done that meanwhile
	}
	return unwritten(err)
}

// putBack gives the files of a change what they held before it, and notes what became of each. The
// error says why some can't be yet.
func (f *folder) putBack(ctx context.Context, done *Recovered, roots []string) (err error) {
	defer func() {
		if err != nil {
			done.Left = nil // the next time may tell otherwise
		}
	}()
	moved, err := f.leftOf(ctx, done.Record, roots)
	if err != nil { // such as a lock, which isn't waited for again and again
		return err
	}
	var (
		absent []error // for files whose folders aren't there
		noRoom error   // why a file can't be put back yet
	)
	emptied := map[string]bool{}                          // folders that files were taken out of, and that may have gone with them
	for i := range slices.Backward(done.Record.Entries) { // for who got lines of others was changed before these
		e := &done.Record.Entries[i]
		isMoved := moved.isIn(e)
		if moved.unread != nil {
			return moved.unread
		}
		if isMoved {
			done.Left = append(done.Left, e.Path)
			if moved.lost != nil && isNowhere(e.Path) {
				absent = append(absent, moved.lost)
			}
			continue
		}
		delete(moved.rest, e)
		back, kept, err := f.takeBack(ctx, e, roots)
		done.Kept = done.Kept.And(kept)
		switch {
		case back:
			done.Back = append(done.Back, e.Path)
			emptied[filepath.Dir(e.Path)] = e.Before == nil
			if err != nil {
				return cmp.Or(noRoom, err)
			}
		case err == nil:
		case isForGood(err):
			isGone := isAbsent(err) || isNowhere(e.Path) && (errors.Is(err, ErrElsewhere) || !e.isInFolder())
			if isGone && e.Before == nil && emptied[filepath.Dir(e.Path)] {
				continue
			}
			done.Left = append(done.Left, e.Path)
			if isGone {
				absent = append(absent, err)
			}
			moved.leave(e, err)
		case isNoRoom(err): // what others give up may be enough for the next time
			noRoom = err
			moved.leave(e, err)
		default:
			return cmp.Or(noRoom, err)
		}
	}
	if err := cmp.Or(noRoom, moved.unread); err != nil {
		return err
	}
	if len(absent) == len(done.Record.Entries) && len(absent) > 0 && time.Since(done.Record.Time) < maxAbsence {
		return absent[0]
	}
	return nil
}

// isNoRoom reports whether a file can't be taken back for want of room.
func isNoRoom(err error) bool {
	e, ok := errors.AsType[*fileerror.Error](err)
	return ok && e.Code == fileerror.NoSpace
}

// unwritten is the error for a journal in which the end of a change can't be written down.
func unwritten(err error) error {
	return fmt.Errorf("the journal of changes can't be written: %w", cause(err))
}

// errChanged says why a file is left as it is.
var errChanged = errors.New("it was changed since")

// isForGood reports whether a file can't be taken back now or later.
func isForGood(err error) bool {
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		isSystem := e.Code == fileerror.ReadOnly && e.Err != nil // and not the file alone
		return e.Code != fileerror.IOError && e.Code != fileerror.NoSpace && e.Code != fileerror.Conflict && !isSystem
	}
	return errors.Is(err, errChanged) || errors.Is(err, ErrElsewhere) || errors.Is(err, ErrProtected) || errors.Is(err, errGone)
}

// takeBack gives a file what it held before the change, if it holds what it was given, and
// reports whether it had to. The record's own word doesn't tell whether names on the path may be
// protected ones: what any update of the host may write counts, and what e.below allows.
func (f *folder) takeBack(ctx context.Context, e *Entry, roots []string) (back bool, kept fileerror.Kept, err error) {
	return f.update(ctx, e, roots, func(tx *files.Tx) error {
		tx.Folders(e.Path, e.Folders)
		return f.put(tx, e.Path, e.Before)
	})
}

// canTakeBack reports whether takeBack has to do anything, and returns its error as far as it shows before
// anything is written.
func (f *folder) canTakeBack(ctx context.Context, e *Entry, roots []string) (isDue bool, err error) {
	isDue, _, err = f.update(ctx, e, roots, func(*files.Tx) error {
		if e.Before == nil {
			return nil
		}
		_, err := f.text(e.Before)
		return err
	})
	return isDue, err
}

// update calls write, in an update of the file of an entry, if the file is to be taken back. Whether
// the file is unseen is asked before and after, for the key of its folder may come and go meanwhile.
func (f *folder) update(ctx context.Context, e *Entry, roots []string, write func(tx *files.Tx) error) (back bool, kept fileerror.Kept, err error) {
	if err := f.unseen(e.Path); err != nil {
		return false, kept, err
	}
	limit := int64(textfile.DefaultLimit)
	for _, t := range []*Text{e.Before, e.After} {
		if t != nil {
			limit = max(limit, t.Size)
		}
	}
	err = files.Update(files.WithJournal(ctx, nil), []string{e.Path}, files.UpdateOptions{Limit: limit, Below: e.below(roots)}, func(tx *files.Tx) error {
		kept = tx.Kept()
		if back, err = e.isToBeTakenBack(tx); err != nil || !back {
			return err
		}
		return write(tx)
	})
	if err != nil {
		e, ok := errors.AsType[*fileerror.Error](err)
		back = ok && len(e.Written) > 0 // it is put in place, and not sure to stay after a crash
	}
	kept = kept.And(fileerror.KeptOf(err))
	if !back {
		err = cmp.Or(f.unseen(e.Path), err)
	}
	return back, kept, err
}

// isToBeTakenBack reports whether a file holds what the change gave it, and not what it held before.
func (e *Entry) isToBeTakenBack(tx *files.Tx) (bool, error) {
	if err := e.Obeyed(tx, e.Path); err != nil {
		return false, err
	}
	now, err := Current(tx, e.Path)
	switch {
	case err != nil:
		return false, err
	case e.Before.Is(now):
		return false, nil
	case !e.After.Is(now):
		return false, errChanged
	}
	return true, nil
}

// Current returns what a file of a change holds, nil if there is none.
func Current(tx *files.Tx, path string) ([]byte, error) {
	now, err := tx.Read(path)
	if e, ok := errors.AsType[*fileerror.Error](err); ok && e.Code == fileerror.NotFound {
		return nil, nil
	}
	if err == nil && now == nil {
		now = []byte{}
	}
	return now, err
}

// put has a file hold a text that was kept, or be gone for nil.
func (f *folder) put(tx *files.Tx, path string, t *Text) error {
	if t == nil {
		return tx.Remove(path)
	}
	text, err := f.text(t)
	if err != nil {
		return err
	}
	return tx.WriteBack(path, text, t.Mode)
}
