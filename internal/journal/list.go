package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// List returns the changes that are done or were taken back, the newest first, until yield
// is false for one. The texts aren't looked at. What can't be believed has a Problem.
func (j *Journal) List(ctx context.Context, yield func(*Record) bool) error {
	f, err := j.open(ctx, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	names, err := f.finished()
	if err != nil {
		return err
	}
	known := map[string]about{}
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := f.done(name)
		if r == nil {
			continue
		}
		r.About = f.follow(r, names[i+1:], known)
		delete(known, r.ID) // no older one is about it
		if !yield(r) {
			return nil
		}
	}
	return nil
}

// about is what a record is about, and what those are that take it back.
type about struct {
	About
	whole string // the Whole of those
	files int    // how many that has
}

// follow tells what a record is about, by the older ones. Of these each is read once, for known has
// what was found out of each that was.
func (f *folder) follow(r *Record, older []string, known map[string]about) About {
	type undo struct {
		id    string
		files int
	}
	var undos []undo // on the way, each of the next
	var of about
	for {
		id, target, files := r.ID, r.Asker.Undoes, len(r.Entries)
		var isKnown bool
		if of, isKnown = known[id]; isKnown {
			break
		}
		if target == "" {
			of = about{About{Origin: id, Whole: id, OriginFiles: files}, id, files}
			known[id] = of
			break
		}
		undos = append(undos, undo{id, files})
		if of, isKnown = known[target]; isKnown {
			break
		}
		// That is gone, or nobody can tell what it was, unless it is read.
		of = about{About: About{Origin: target, Whole: target, TakesBack: r.Asker.Redo}, whole: target}
		i := slices.IndexFunc(older, func(name string) bool { return strings.HasSuffix(name, "-"+target) })
		if i < 0 {
			break
		}
		next := f.done(older[i])
		if next == nil || len(next.Entries) == 0 {
			known[target] = of
			break
		}
		r, older = next, older[i+1:]
	}
	for _, u := range slices.Backward(undos) {
		of.Whole, of.TakesBack = of.whole, !of.TakesBack
		if u.files != of.files {
			of.whole, of.files = u.id, u.files
		}
		known[u.id] = of
	}
	return of.About
}

// finished returns the names of the changes that are done, the newest first. One that is in
// open with the line that it is done counts, and so does one there of which nobody can tell.
func (f *folder) finished() ([]string, error) {
	names, err := f.names(doneDir)
	if err != nil {
		return nil, err
	}
	open, err := f.openRecords()
	if err != nil {
		return nil, err
	}
	defer closeAll(open)
	for _, r := range open {
		isOver := r.Record != nil && r.State != Prepared || r.Record == nil && !r.live
		if isOver && !slices.Contains(names, r.name) {
			names = append(names, r.name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(b, a) })
	return names, nil
}

// done reads the record of a change, nil if it has gone meanwhile.
func (f *folder) done(name string) *Record {
	at, id, ok := parseName(name)
	if !ok {
		return nil // no change of ours
	}
	h, err := f.regular(path.Join(doneDir, name), os.O_RDONLY)
	isDone := err == nil
	if errors.Is(err, fs.ErrNotExist) {
		h, err = f.regular(path.Join(openDir, name), os.O_RDONLY)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var r *Record
	if err == nil {
		defer h.Close() //nolint:errcheck // nothing was written
		r, err = f.read(name, h)
	}
	if err != nil {
		r = &Record{ID: id, Time: at, Problem: err.Error(), name: name}
		if isUnread(err) {
			r.unread = fmt.Errorf("%s can't be read: %w", path.Join(doneDir, name), cause(err))
		}
		return r
	}
	if isDone && r.State == Prepared {
		r.Problem = "how it ended is no longer written down, for the end of its record is missing"
	}
	return r
}

// Texts returns what a file held before and after a change, nil for no file. The error is
// IsGone if one isn't in the journal any more.
func (j *Journal) Texts(ctx context.Context, e *Entry) (before, after []byte, err error) {
	f, err := j.open(ctx, false)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	if e.Before != nil {
		if before, err = f.text(e.Before); err != nil {
			return nil, nil, err
		}
	}
	if e.After != nil {
		after, err = f.text(e.After)
	}
	return before, after, err
}

// Size returns how many changes are kept, and how many bytes their records and texts have. The error is that of
// opening the journal: fs.ErrNotExist if there is none.
func (j *Journal) Size(ctx context.Context) (changes int, bytes int64, err error) {
	f, err := j.open(ctx, false)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	finished, err := f.finished()
	if err != nil {
		return 0, 0, err
	}
	done, err := f.names(doneDir)
	if err != nil {
		return 0, 0, err
	}
	copies, err := f.names(copyDir)
	for dir, names := range map[string][]string{doneDir: done, copyDir: copies} {
		for _, name := range names {
			if info, err := f.Lstat(path.Join(dir, name)); err == nil {
				bytes += info.Size()
			}
		}
	}
	return len(finished), bytes, err
}
