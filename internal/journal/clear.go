package journal

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/filelock"
)

// Clear forgets all changes that are done, and what was shown.
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
	return cmp.Or(none.clear(f), f.RemoveAll(shownDir))
}

// maxRecords is the number of changes that are kept.
const maxRecords = 20_000

// clear forgets changes that are too old or have too much text, the oldest first, unless
// somebody writes one down just now. What is open stays, and all does, with
// an error, while the record of such a change can't be opened. Of a change that alone has more
// text than is kept the text is forgotten and the record stays: so others keep theirs, and an
// undo doesn't pass it over. Whoever writes one down waits, with folders locked, until it is
// done: so records, which don't change, are read before.
func (j *Journal) clear(f *folder) error {
	read := records{}
	if _, err := f.readDone(read); err != nil {
		return err
	}
	alone, err := f.lock()
	if err != nil {
		return err
	}
	defer alone.Close() //nolint:errcheck // nothing is written to it
	if err := filelock.TryFile(alone, false); err != nil {
		return err
	}
	open, err := f.openRecords()
	if err != nil {
		return err
	}
	closeAll(open)
	var kept []*Record
	for _, r := range open {
		if r.isShut() {
			return r.err // nobody knows which texts it needs
		}
		kept = append(kept, r.Record)
	}
	names, err := f.readDone(read)
	if err != nil {
		return err
	}
	done, old := j.sorted(kept, names, read)
	return cmp.Or(f.forget(old), j.sweep(f, append(kept, done...)))
}

// records are those of changes that are done, by the names of their files.
type records map[string]*Record

// readDone reads the records of changes that are done and aren't among those that were read,
// and returns the names of all there are.
func (f *folder) readDone(read records) (names []string, err error) {
	names, err = f.names(doneDir)
	for _, name := range names {
		if read[name] == nil {
			if r := f.done(name); r != nil {
				read[name] = r
			}
		}
	}
	return names, err
}

// sorted returns the changes that are done and whose texts are kept, beside those that are open,
// and the names of the records that are old.
func (j *Journal) sorted(open []*Record, names []string, read records) (done []*Record, old []string) {
	needed, total, large := map[string]bool{}, int64(0), 0
	for _, r := range open {
		total += need(needed, r)
	}
	for i, name := range slices.Backward(names) { // the newest first
		at, _, ok := parseName(name)
		if !ok {
			continue
		}
		r := read[name]
		if r != nil && r.Time.Before(at) {
			at = r.Time // by the clock, and not by the order
		}
		if time.Since(at) > j.options.MaxAge {
			old = append(old, name)
			continue
		}
		if j.tooLarge(r) > 0 && large < maxRecords {
			large++
			continue
		}
		total += need(needed, r)
		if total > j.options.MaxBytes || len(done) == maxRecords {
			return done, append(old, names[:i+1]...)
		}
		done = append(done, r)
	}
	return done, old
}

// tooLarge returns the bytes of the texts of a change that has more than are kept of all, 0 of
// others.
func (j *Journal) tooLarge(r *Record) int64 {
	if bytes := need(map[string]bool{}, r); j.options.MaxBytes >= 0 && bytes > j.options.MaxBytes {
		return bytes
	}
	return 0
}

// need adds the texts of a change, or of nil, and returns the bytes of those that weren't
// there yet.
func need(needed map[string]bool, r *Record) (bytes int64) {
	if r == nil {
		return 0
	}
	for i := range r.Entries {
		for _, t := range []*Text{r.Entries[i].Before, r.Entries[i].After} {
			if t != nil && !needed[t.Hash] {
				needed[t.Hash] = true
				bytes += t.Size
			}
		}
	}
	return bytes
}

// forget removes the records of changes that are done.
func (f *folder) forget(names []string) error {
	for _, name := range names {
		if err := f.remove(path.Join(doneDir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// sweep removes the texts that none of the changes has, and records that nobody has ended to
// write.
func (j *Journal) sweep(f *folder, kept []*Record) error {
	needed := map[string]bool{}
	for _, r := range kept {
		need(needed, r)
	}
	begun, err := f.names(openDir)
	if err != nil {
		return err
	}
	for _, name := range begun {
		name = path.Join(openDir, name)
		if info, err := f.Lstat(name); err == nil && strings.HasSuffix(name, unfinished) && time.Since(info.ModTime()) > time.Hour {
			_ = f.remove(name) // the next one does it else
		}
	}
	copies, err := f.names(copyDir)
	if err != nil {
		return err
	}
	for _, name := range copies {
		if needed[name] || !isHash(name) && !strings.HasPrefix(name, temporary) {
			continue
		}
		if err := f.remove(path.Join(copyDir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
