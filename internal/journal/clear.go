package journal

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filelock"
)

// Clear forgets all changes that are done, and what was shown. Texts stay that a change needs which is
// open, and may need whose record can't be opened or read.
func (j *Journal) Clear(ctx context.Context) error {
	f, err := j.open(ctx, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // nothing is written to it
	none := New(j.options)
	none.options.MaxAge, none.options.MaxBytes = -1, -1
	wait := func(lock *os.File) error { return filelock.WaitFile(ctx, lock, false) }
	err = none.clear(f, wait)
	if locked, ok := errors.AsType[*filelock.Error](err); ok && locked.Reason != "" {
		return &fileerror.Error{Code: fileerror.IOError, Reason: "the journal of changes can't be cleared: " + locked.Reason, Hint: locked.Hint, Err: err}
	}
	left, _ := errors.AsType[*leftError](err)
	if err != nil && left == nil {
		return err
	}
	if err := f.RemoveAll(shownDir); err != nil {
		left = left.and("notes of what was shown", err)
	}
	if left == nil {
		return nil
	}
	return &fileerror.Error{
		Code: fileerror.IOError, Reason: left.Error() + "; what else was to be forgotten is", Err: left,
		Hint: "see that the files in the journal's folder, which `sectile doctor` names, can be removed, then clear again",
	}
}

// leftError is the error of files that were to be forgotten and can't be removed; nil for none.
type leftError struct {
	what []string
	err  error // the first
}

// and returns the error with more files.
func (e *leftError) and(what string, err error) *leftError {
	if e == nil {
		return &leftError{[]string{what}, cause(err)}
	}
	e.what = append(e.what, what)
	return e
}

// Error says what can't be removed, and why.
func (e *leftError) Error() string {
	return strings.Join(e.what, " and ") + " in the journal can't be removed: " + e.err.Error()
}

// Unwrap returns the reason.
func (e *leftError) Unwrap() error { return e.err }

// maxRecords is the number of changes that are kept.
const maxRecords = 20_000

// clear forgets changes that are too old or have too much text, the oldest first, if it gets the
// lock of the file that whoever writes one down shares. What is open stays beside what is kept, and all does, with
// an error, while the record of such a change, or of one that is kept, can't be opened or read; where all
// is to be forgotten, what was kept before that change goes. Of
// a change that alone has more text than is kept the text is forgotten and the record stays: so
// others keep theirs, and an undo doesn't pass it over. Whoever writes one down waits, with folders
// locked, until it is done: so records, which don't change, are read before.
func (j *Journal) clear(f *folder, lock func(*os.File) error) error {
	if _, _, err := j.openClaims(f); err != nil {
		return err
	}
	read := claims{}
	if _, err := f.readDone(read); err != nil {
		return err
	}
	alone, err := f.lock()
	if err != nil {
		return err
	}
	defer alone.Close() //nolint:errcheck // nothing is written to it
	if err := lock(alone); err != nil {
		return err
	}
	open, unread, err := j.openClaims(f)
	if err != nil {
		return err
	}
	names, err := f.readDone(read)
	if err != nil {
		return err
	}
	stay, names := j.left(names, read)
	stay = append(stay, open...)
	done, old, found, full := j.sorted(stay, names, read, j.options.MaxBytes)
	if full { // more goes, so that there is room for some changes
		done, old, found, _ = j.sorted(stay, names, read, j.options.MaxBytes/8*7)
	}
	for _, c := range done {
		if c.unread != nil {
			return c.unread
		}
	}
	before, _ := f.kept()
	found.forgotten = before.forgotten
	for _, name := range old {
		at, _, ok := parseName(name)
		if now := time.Now(); at.After(now) {
			at = now // the clock was ahead at a change before it
		}
		if ok && at.After(found.forgotten) {
			found.forgotten = at
		}
	}
	if len(old) > 0 { // whoever is killed amid this has said what may be gone, and the next one goes on
		if err := f.setKept(kept{forgotten: found.forgotten}); err != nil {
			return &fileerror.Error{Code: fileerror.IOError, Reason: "nothing is forgotten, for that can't be noted in the journal of changes: " + cause(err).Error(), Err: err}
		}
	}
	left := f.forget(old)
	left = f.sweep(append(stay, done...), unread, left)
	_ = f.setKept(found) // the next one counts anew else
	if left == nil {     // which as an error were one
		return nil
	}
	return left
}

// openClaims returns what the changes take that are open, and when the first of those was begun whose
// record can't be opened or read; zero for none. What these need nobody knows, so that is an error unless
// all is to be forgotten.
func (j *Journal) openClaims(f *folder) (list []*claim, unread time.Time, err error) {
	open, err := f.openRecords()
	if err != nil {
		return nil, unread, err
	}
	defer closeAll(open)
	for _, r := range open {
		if r.isShut() {
			if j.options.MaxAge >= 0 {
				return nil, unread, r.err
			}
			if at, _, ok := parseName(r.name); ok && (unread.IsZero() || at.Before(unread)) {
				unread = at
			}
		}
		list = append(list, f.claim(r.Record, path.Join(openDir, r.name)))
	}
	return list, unread, nil
}

// claim is what a change takes of the journal.
type claim struct {
	time  time.Time // when it was made; zero if nobody knows
	size  int64     // of its record, in bytes
	texts []*Text   // that it needs
	// left is when it was taken back, if that left files as they are; else zero.
	left time.Time
	// unread is why its record can't be read now, so that nobody knows these.
	unread error
}

// claim returns what a change takes, whose record has a name; r may be nil, for one of which
// nothing can be read.
func (f *folder) claim(r *Record, name string) *claim {
	c := &claim{}
	var changed time.Time
	if info, err := f.Lstat(name); err == nil {
		c.size, changed = info.Size(), info.ModTime()
	}
	if r != nil {
		c.time, c.texts, c.unread = r.Time, r.texts(), r.unread
		if len(r.Left) > 0 {
			c.left = changed // its last line says so
		}
	}
	return c
}

// texts returns the texts that a change has, one several times if it has.
func (r *Record) texts() []*Text {
	var list []*Text
	for i := range r.Entries {
		for _, t := range []*Text{r.Entries[i].Before, r.Entries[i].After} {
			if t != nil {
				list = append(list, t)
			}
		}
	}
	return list
}

// need adds the texts, and returns the bytes of those that weren't there yet.
func (c *claim) need(needed map[string]bool) (bytes int64) {
	for _, t := range c.texts {
		if !needed[t.Hash] {
			needed[t.Hash] = true
			bytes += t.Size
		}
	}
	return bytes
}

// claims are those of changes that are done, by the names of their records.
type claims map[string]*claim

// readDone reads the records of changes that are done and aren't among those that were read, one
// after the other, and returns the names of all there are.
func (f *folder) readDone(read claims) (names []string, err error) {
	names, err = f.names(doneDir)
	for _, name := range names {
		if c := read[name]; c == nil || c.unread != nil {
			if r := f.done(name); r != nil {
				read[name] = f.claim(r, path.Join(doneDir, name))
			}
		}
	}
	return names, err
}

// left returns the changes that were taken back but for some files not too long ago, and the names of
// the others. Who was told of these files finds their texts here, and lines of them nowhere else: however
// large they are, and however long it took until somebody took the change back.
func (j *Journal) left(names []string, read claims) (left []*claim, others []string) {
	for _, name := range names {
		if c := read[name]; c != nil && !c.left.IsZero() && !j.isOld(c.left) {
			left = append(left, c)
		} else {
			others = append(others, name)
		}
	}
	return left, others
}

// isOld reports whether what was done at a time is to be forgotten: all is where nothing is kept, for the clock
// may have been ahead, and a time to come counts as now.
func (j *Journal) isOld(at time.Time) bool { return max(time.Since(at), 0) > j.options.MaxAge }

// sorted returns the changes that are done and whose texts are kept, beside those that stay in any case,
// and the names of the records that are old. What is kept of all but these is their records and texts, at
// most so many bytes, but for the newest; full is true if there is more.
func (j *Journal) sorted(stay []*claim, names []string, read claims, most int64) (done []*claim, old []string, found kept, full bool) {
	needed, larger := map[string]bool{}, 0
	found = kept{oldest: time.Now(), cleared: time.Now()}
	for _, c := range stay {
		c.need(needed)
		if !c.left.IsZero() && c.left.Before(found.oldest) {
			found.oldest = c.left
		}
	}
	for i, name := range slices.Backward(names) { // the newest first
		at, _, ok := parseName(name)
		c := read[name]
		if !ok || c == nil { // it has come, or gone, just now
			continue
		}
		if !c.time.IsZero() && c.time.Before(at) {
			at = c.time // by the clock, and not by the order
		}
		if j.isOld(at) {
			old = append(old, name)
			continue
		}
		large := j.tooLarge(c) > 0 && larger < maxRecords && found.bytes+c.size <= most
		bytes := c.size
		if !large {
			bytes += c.need(needed)
		}
		limit := most
		if len(done) == 0 {
			limit = j.options.MaxBytes
		}
		if found.bytes+bytes > limit || len(done) == maxRecords {
			return done, append(old, names[:i+1]...), found, true
		}
		found.bytes += bytes
		if at.Before(found.oldest) {
			found.oldest = at
		}
		if large {
			larger++
			continue
		}
		done = append(done, c)
	}
	return done, old, found, false
}

// tooLarge returns the bytes of a change that has more than are kept of all, 0 of others.
func (j *Journal) tooLarge(c *claim) int64 {
	if bytes := c.size + c.need(map[string]bool{}); j.options.MaxBytes >= 0 && bytes > j.options.MaxBytes {
		return bytes
	}
	return 0
}

// forget removes the records of changes that are done, as many as it can.
func (f *folder) forget(names []string) (left *leftError) {
	return f.removeAll(doneDir, names, "records of changes", nil)
}

// removeAll removes files of a folder, as many as it can, and adds the others to those that are left.
func (f *folder) removeAll(dir string, names []string, what string, left *leftError) *leftError {
	var first error
	for _, name := range names {
		if err := f.remove(path.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			first = cmp.Or(first, err)
		}
	}
	if first == nil {
		return left
	}
	return left.and(what, first)
}

// sweep removes the texts that none of the changes has, but for those that were kept at a time or
// later, if that isn't zero, and records that nobody has ended to write. What can't be removed it adds to
// what is left.
func (f *folder) sweep(kept []*claim, since time.Time, left *leftError) *leftError {
	const what = "copies of texts"
	needed := map[string]bool{}
	for _, c := range kept {
		c.need(needed)
	}
	begun, _ := f.names(openDir) // the next one does it else
	for _, name := range begun {
		name = path.Join(openDir, name)
		if info, err := f.Lstat(name); err == nil && strings.HasSuffix(name, unfinished) && time.Since(info.ModTime()) > time.Hour {
			_ = f.remove(name) // the next one does it else
		}
	}
	copies, err := f.names(copyDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return left.and(what, err)
	}
	copies = slices.DeleteFunc(copies, func(name string) bool {
		return needed[name] || !isHash(name) && !strings.HasPrefix(name, temporary) || !since.IsZero() && !f.isKeptBefore(name, since)
	})
	return f.removeAll(copyDir, copies, what, left)
}

// isKeptBefore reports whether each change that has a text was written down before a time: the newest
// gives its copy the time in the name of its record.
func (f *folder) isKeptBefore(hash string, at time.Time) bool {
	const coarse = 2 * time.Second // of file systems whose times have whole seconds
	if lock, err := f.Lstat(lockName); err != nil || lock.ModTime().Nanosecond() == 0 {
		at = at.Add(-coarse)
	}
	info, err := f.Lstat(path.Join(copyDir, hash))
	return err == nil && info.ModTime().Before(at)
}
