package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"unicode/utf8"
)

// One primitive writes. It holds a lock on the folder of each file, for a file
// that is replaced by renaming is no longer the one that was locked; reads what is
// there under the lock, has it changed, and puts a new file in the place of the
// old one (commit.go). All programs of ours take the same locks (lock.go), so that
// none overwrites what another has just written. Of a foreign program we see that
// it wrote, up to the moment before the renaming, and start over.

// UpdateOptions says how files are changed.
type UpdateOptions struct {
	Limit int64 // bytes beyond which a file is refused, before and after; 0 means DefaultLimit
}

// Update changes the files at the paths, links followed, while no other Update, of
// this process or another, changes any file in their folders. It calls change,
// which reads and writes them by its Tx, and puts in place what that has written
// once it returns nil; what it returns else is returned, and nothing is written.
// Change may be called several times, each time with a new Tx: if another program
// has changed a file in the meantime, all starts over. It must not call Update for
// files in the same folders, and its Tx ends with it.
//
// A file that is written is a new one by the old name, with the mode and, as far
// as that is allowed, the owner of the old one; access control lists and extended
// attributes are not kept. Other hard links keep the old bytes, and links stay
// links. What is written with the same bytes as were there is left alone. A file
// that is not there is made if its folder is.
//
// A crash leaves the old file or the new one, and no lock; the next Update in the
// folder removes the temporary file that may be left. Of several files some may
// be new and the others old after a crash between two renames. The lock is a
// flock: on network file systems it is for the programs of one host.
//
// Until the first file is put in place the end of the context ends the update,
// with the context's error and nothing written; from then on it runs to its end.
// Other errors are an *Error. From finding the files: NotFound (no such folder),
// NotAFile, Permission, IOError. From writing: ReadOnly (the file is
// write-protected or the file system is), Permission (to write to the file or to
// its folder), NoSpace, Conflict (the file was changed by other programs again and
// again, or between two renames), IOError. If some of several files were written
// all the same, Written has their paths.
func Update(ctx context.Context, paths []string, o UpdateOptions, change func(*Tx) error) error {
	u := &update{seek: seekHost, limit: (&Reader{Limit: o.Limit}).limit()}
	return u.run(ctx, paths, change)
}

// Update is the function Update for files below the roots. Paths are those of
// Read, and so are the errors of finding the files, which name no other path. A
// path that is missing in several roots can be read for its error, and not
// written.
func (r *Roots) Update(ctx context.Context, paths []string, change func(*Tx) error) error {
	u := &update{seek: r.seek, limit: (&Reader{Limit: r.options.Limit}).limit()}
	return u.run(ctx, paths, change)
}

// update is how files are found and how large they may be.
type update struct {
	// seek finds the file at path, or the folder that it is missing in.
	seek  func(path string) (*place, error)
	limit int64
}

// run tries until no other program comes between.
func (u *update) run(ctx context.Context, paths []string, change func(*Tx) error) error {
	for range attempts {
		err := u.once(ctx, paths, change)
		if !errors.Is(err, errChanged) {
			return err
		}
	}
	e := &Error{Code: Conflict, Reason: "another program changed it again and again; try again", Err: errChanged}
	if len(paths) > 0 {
		e.Path = shorten(paths[0])
	}
	return e
}

// once tries once. The error may be errChanged, and then nothing was written.
func (u *update) once(ctx context.Context, paths []string, change func(*Tx) error) error {
	tx := &Tx{seek: u.seek, limit: u.limit, targets: map[string]*target{}}
	defer tx.end()
	if err := tx.begin(ctx, paths); err != nil {
		return err
	}
	err := change(tx)
	switch {
	case tx.changed:
		return errChanged
	case err != nil:
		return err
	}
	return tx.commit(ctx)
}

// Tx is a change of some files whose folders are locked. It must not be used by
// several goroutines at once, nor when the function that has it has returned.
type Tx struct {
	seek  func(path string) (*place, error)
	limit int64

	places  []*place           // as many as there are paths
	locks   []*lock            // one a folder
	targets map[string]*target // by the path as it was given; two paths may lead to one
	order   []*target          // each once, as they were given
	changed bool               // by another program, while it was read
}

// target is a file of a transaction.
type target struct {
	*place
	loaded bool
	text   []byte // what it holds
	file   *stamp // of what was read; nil if there is no such file
	err    error  // of reading

	written bool
	next    []byte // what it shall hold
	temp    string // the name of the temporary file, if there is one
}

// begin finds the files and locks their folders.
func (t *Tx) begin(ctx context.Context, paths []string) error {
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := t.seek(path)
		if err != nil {
			return err
		}
		t.places = append(t.places, p)
		t.add(path, p)
	}
	return t.lock(ctx)
}

// add makes a file one of the transaction.
func (t *Tx) add(path string, p *place) {
	for _, other := range t.order {
		if other.id == p.id && other.name == p.name {
			t.targets[path] = other
			return
		}
	}
	next := &target{place: p}
	t.targets[path], t.order = next, append(t.order, next)
}

// end lets go of all.
func (t *Tx) end() {
	t.targets = nil
	for _, l := range t.locks {
		l.release()
	}
	for _, p := range t.places {
		p.close()
	}
}

// Read returns what the file at path, one of those of the transaction, holds now,
// whatever was written by Write since: a copy that is the caller's. The error is
// an *Error: NotFound (and Write makes the file), NotAFile, Permission, TooLarge,
// BinaryFile, EncodingError, IOError, or InvalidArgument (the path is none of the
// transaction's).
func (t *Tx) Read(path string) ([]byte, error) {
	f, err := t.load(path)
	switch {
	case err != nil:
		return nil, err
	case f.file == nil:
		return nil, f.absent(path)
	}
	return bytes.Clone(f.text), nil
}

// Write says what the file at path, one of those of the transaction, shall hold,
// in place of what an earlier Write said. It is written when the function that has
// the transaction returns nil; until then data must stay as it is. The error is an
// *Error: TooLarge, BinaryFile or EncodingError for data, those of Read for what
// would be overwritten, or InvalidArgument (a path that is missing in several
// roots, too).
func (t *Tx) Write(path string, data []byte) error {
	f, err := t.load(path)
	switch {
	case err != nil:
		return err
	case f.file == nil && f.several:
		return &Error{Code: InvalidArgument, Path: path, Reason: "more than one root has its folder; " +
			"give the absolute path, which begins with one of the roots"}
	case int64(len(data)) > t.limit:
		return tooLarge(path, t.limit)
	case bytes.IndexByte(data, 0) >= 0:
		return &Error{Code: BinaryFile, Path: path, Reason: fmt.Sprintf(
			"the new text has a NUL byte at offset %d; write it without", bytes.IndexByte(data, 0))}
	case !utf8.Valid(data):
		return &Error{Code: EncodingError, Path: path, Reason: "the new text is not UTF-8; write it in UTF-8"}
	}
	f.written, f.next = true, data
	return nil
}

// load reads the file at path, once.
func (t *Tx) load(path string) (*target, error) {
	f := t.targets[path]
	if f == nil {
		return nil, &Error{Code: InvalidArgument, Path: shorten(path), Reason: "it is no file of this change; name it when the change begins"}
	}
	if !f.loaded {
		f.loaded = true
		f.text, f.file, f.err = f.read(path, t.limit)
		t.changed = t.changed || errors.Is(f.err, errChanged)
	}
	return f, f.err
}
