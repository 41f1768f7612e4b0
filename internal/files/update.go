package files

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/textfile"
)

// One primitive writes. It holds a lock on the folder of each file, for a file
// that is replaced by renaming is no longer the one that was locked; reads what is
// there under the lock, has it changed, and puts a new file in the place of the
// old one (commit.go). All programs of ours take the same locks (lock.go), so that
// none overwrites what another has just written. Foreign programs take none: what
// they save meanwhile is found in what our file has displaced (install.go), is put
// back, and all starts over.

// UpdateOptions says how files are changed.
type UpdateOptions struct {
	Limit int64    // bytes beyond which a file is refused, before and after; 0 means DefaultLimit
	Below []string // folders by whose name and those below it CheckWritable may allow a file too
}

// Update changes the files at the paths, links followed, while no other Update, of
// this process or another, changes any file in their folders. It calls change,
// which reads and writes them by its Tx, and puts in place what that has written
// once it returns nil; what it returns else is returned, and nothing is written.
// Change may be called several times, each time with a new Tx: if another program
// has changed a file in the meantime, all starts over. It must not call Update for
// files in the same folders, and its Tx ends with it.
//
// A file that is written is a new one by the old name, with the mode, owner and
// group of the old one (the group alone if its members may write: TookOver), or is
// refused; access control lists and extended
// attributes are not kept. Other hard links keep the old bytes, and links stay
// links. What is written with the same bytes as were there is left alone. A file
// that is not there is made if its folder is.
//
// What another program saves until Update returns is not lost: what was displaced
// is compared with what was read, and put back if it differs. What can't be put back,
// for the name stands for something newer, is kept beside the file; Tx.Kept names it, and
// fileerror.KeptOf of any error that Update returns, change's too. A file that another program has open for writing is waited for,
// and refused if it stays so, where the system tells. Where the system can't exchange
// two files (Windows, and some file systems), what is saved between the last look and
// the renaming is lost; the name stands for the old file or the new one there, too.
//
// A crash leaves the old file or the new one, and no lock; the next Update in the
// folder removes what may be left of ours, and keeps what is another program's. If one of
// several files can't be put in place, those that are in place are taken back. With a
// journal (WithJournal) the next Update does so after a crash between two of them; without
// one some may be new then and the others old.
// The lock is a flock: on network file systems it is for the programs of one host.
//
// Until the first file is put in place the end of the context ends the update,
// with the context's error and nothing written; from then on it runs to its end.
// Locks are waited for as LockFolder does. Other errors are a *fileerror.Error. From finding the files: NotFound (no such folder),
// NotAFile, PathOutsideRoot (CheckWritable), Permission, IOError. From writing: ReadOnly (the file is
// write-protected or the file system is), Permission (to write to the file or to
// its folder), NoSpace, Conflict (the file was changed by other programs again and
// again, or between two renames), IOError. If some of several files were written
// all the same, Written has their paths.
func Update(ctx context.Context, paths []string, o UpdateOptions, change func(*Tx) error) error {
	u := &update{seek: seekHost(o.Below), limit: (&textfile.Reader{Limit: o.Limit}).MaxBytes()}
	return u.run(ctx, paths, change)
}

// Update is the function Update for files below the roots. Paths are those of
// Read, and so are the errors of finding the files, which name no other path. A
// path that is missing in several roots can be read for its error, and not
// written.
func (r *Roots) Update(ctx context.Context, paths []string, change func(*Tx) error) error {
	u := &update{seek: r.seek, limit: (&textfile.Reader{Limit: r.options.Limit}).MaxBytes(), roots: r.RealDirs()}
	return u.run(ctx, paths, change)
}

// update is how files are found and how large they may be.
type update struct {
	// seek finds the file at path, or the folder that it is missing in.
	seek     func(path string) (*place, error)
	limit    int64
	roots    []string      // that it is confined to; none for the host
	patience time.Duration // with programs that have a file open; 0 means writerPatience
}

// writerPatience is how long an update waits for programs that have a file open for
// writing. Those that save in place have it open for some milliseconds.
const writerPatience = 2 * time.Second

// errOpen says that another program may write to a file.
var errOpen = errors.New("another program has it open for writing, or a lease on it")

// errNotMade says that no file could be made: the folder was removed, or is one that takes none, such as /proc.
var errNotMade = fmt.Errorf("%w: no file can be made in the folder", errChanged)

// errNameless says that a path leads to what is open, such as /dev/fd/3 does, and no name of a folder stands for that.
var errNameless = fmt.Errorf("%w: it has no name", errChanged)

// run tries until no other program comes between.
func (u *update) run(ctx context.Context, paths []string, change func(*Tx) error) error {
	var kept fileerror.Kept
	sweeps, sweepBytes, recovered := maxSwept, int64(maxSweptBytes), 0
	until := time.Now().Add(cmp.Or(u.patience, writerPatience))
	recovering := time.Now().Add(filelock.Patience)
	pause := time.Millisecond
	var last error
	for tries := 0; tries < attempts; {
		tx := &Tx{
			seek: u.seek, limit: u.limit, targets: map[string]*target{}, kept: kept, sweeps: sweeps, sweepBytes: sweepBytes,
			steps: filesystem.StepsOf(ctx), journal: JournalOf(ctx), recovered: recovered, roots: u.roots,
		}
		err := u.once(ctx, tx, paths, change)
		kept, sweeps, sweepBytes = tx.kept, tx.sweeps, tx.sweepBytes
		if err == nil {
			tx.removeFolders()
		}
		switch {
		case errors.Is(err, errUnfinished):
			if err := tx.recover(ctx, recovering); err != nil {
				return withKept(err, paths, kept)
			}
			recovered++
		case errors.Is(err, errOpen) && time.Now().Before(until):
			wait(ctx, pause)
			pause = min(2*pause, 10*time.Millisecond)
		case err == nil && !tx.told && !kept.None():
			return withKept(tx.untold(), paths, kept)
		case !errors.Is(err, errChanged):
			return withKept(err, paths, kept)
		default:
			tries, last = tries+1, err
		}
	}
	e := &fileerror.Error{Code: fileerror.Conflict, Reason: "another program changed it again and again", Hint: "try again", Err: errChanged}
	if len(paths) > 1 {
		e.Reason = "another program changed it, or one of the files that change with it, again and again"
	}
	switch {
	case errors.Is(last, errNotMade):
		e = &fileerror.Error{Code: fileerror.IOError, Reason: "no file can be made in its folder", Hint: "name another folder", Err: errNotMade}
	case errors.Is(last, errNameless):
		e = &fileerror.Error{Code: fileerror.IOError, Reason: "it is open and has no name, or not any more, by which a new file could take its place", Hint: "name a file in a folder", Err: errNameless}
	}
	if len(paths) > 0 {
		e.Path = fileerror.Shorten(paths[0])
	}
	return withKept(e, paths, kept)
}

// untold returns the error for a change that is made and hasn't asked what was kept.
func (t *Tx) untold() *fileerror.Error {
	e := &fileerror.Error{Code: fileerror.Conflict, Path: t.order[0].path, Reason: "there is nothing to change any more"}
	for _, f := range t.order {
		if f.placed {
			e.Written = append(e.Written, f.path)
		}
	}
	if len(e.Written) > 0 {
		e.Path, e.Reason = e.Written[0], "the change is made"
	}
	if len(t.kept.Saved) > 0 {
		e.Reason, e.Hint = e.Reason+", and another program changed it at the same moment", "compare the two"
	}
	return e
}

// wait waits, or until the context ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// withKept returns the error of an update with the names of what was kept: whoever is told of
// the error is told of them (fileerror.KeptOf).
func withKept(err error, paths []string, kept fileerror.Kept) error {
	_, ok := errors.AsType[*fileerror.Error](err)
	if !ok && !kept.None() && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		err = &fileerror.Error{Code: fileerror.IOError, Path: fileerror.Shorten(paths[0]), Reason: "the request ended before it was written", Hint: "try again", Err: err}
	}
	return fileerror.WithKept(err, kept)
}

// once tries once. The error may be errChanged or errOpen, and then nothing was written.
func (u *update) once(ctx context.Context, tx *Tx, paths []string, change func(*Tx) error) error {
	defer tx.end()
	if err := tx.begin(ctx, paths); err != nil {
		return err
	}
	if err := tx.settled(); err != nil {
		return err
	}
	err := change(tx)
	switch {
	case tx.again != nil:
		return tx.again
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

	places   []*place           // as many as there are paths
	locks    []*filelock.Lock   // one a folder
	targets  map[string]*target // by the path as it was given; two paths may lead to one
	order    []*target          // each once, as they were given
	tookOver []string           // the paths of those that were another user's, once all is done
	again    error              // why it is to be done again: another program came between
	kept     fileerror.Kept     // files that were kept by other names
	told     bool               // the change has asked for that
	stuck    []string           // files of ours that can't be removed
	sweeps   int                // how many held files it may still look at, in all tries
	// sweepBytes is how many bytes of them it may still read, in all tries, but for the last one, which is read whole.
	sweepBytes int64

	steps     filesystem.Steps
	journal   Journal // nil for none
	roots     []string
	recovered int     // how often it has waited for what was killed to be taken back
	sites     []Site  // of the files, with a journal
	waits     int     // the number of the file that waits for that
	written   Pending // what is written down and neither done nor given up; nil for nothing
	committed bool    // it is written down that all is done
	together  bool    // all files or none, whatever ends the process
	undoing   Undo    // how it is undone
}

// target is a file of a transaction.
type target struct {
	*place
	loaded bool
	old    *oldFile // nil if there is no such file
	err    error    // of reading

	written bool
	removed bool        // there shall be no such file
	next    []byte      // what it shall hold
	mode    fs.FileMode // of one that is made, with modeSet
	modeSet bool
	anyMode bool        // where it can't have that, or its owner
	temp    string      // the name of a file that holds that and isn't in place
	made    fs.FileInfo // of that file, wherever it is
	held    string      // the name of what it has displaced
	rescued bool        // that has a name that stays
	unread  error       // of reading that again, nil if it could be
	placed  bool        // it is in place, or may be
	doubt   error       // why can't be told whether it is
	ceded   bool        // it was, and another program has saved, moved or removed it since
	folders int         // above it, that were made for it
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
	for path, f := range t.targets {
		if f.old != nil && f.made != nil && filesystem.OwnerOf(f.made) != f.old.stamp.owner {
			t.tookOver = append(t.tookOver, path)
		}
	}
	slices.Sort(t.tookOver)
	t.targets = nil
	for _, f := range t.order {
		if f.old != nil {
			_ = f.old.handle.Close() // nothing was written
		}
	}
	if t.written != nil && !t.committed {
		t.written.Close() // before another one can look at what it left
	}
	for _, l := range t.locks {
		l.Release()
	}
	if t.written != nil && t.committed {
		t.written.Close() // which may take a while
	}
	for _, p := range t.places {
		p.close()
	}
}

// Read returns what the file at path, one of those of the transaction, holds now,
// whatever was written by Write since: a copy that is the caller's. The error is
// a *fileerror.Error: NotFound (and Write makes the file), NotAFile, Permission, TooLarge,
// BinaryFile, EncodingError, IOError, or InvalidArgument (the path is none of the
// transaction's).
func (t *Tx) Read(path string) ([]byte, error) {
	f, err := t.load(path)
	switch {
	case err != nil:
		return nil, err
	case f.old == nil:
		return nil, f.absent(path)
	}
	return bytes.Clone(f.old.text), nil
}

// Kept returns the paths of files that the update has kept beside those that it changes.
// A change that doesn't ask is made all the same, and Update returns an error for it
// with Written and Kept.
func (t *Tx) Kept() fileerror.Kept {
	t.told = true
	return t.kept
}

// TookOver returns, once the transaction is done, the paths of its files that belonged to another user,
// who let their group write to them, and belong to this one now, and to the same group. Whoever asked
// for the change is to be told.
func (t *Tx) TookOver() []string { return t.tookOver }

// Write says what the file at path, one of those of the transaction, shall hold,
// in place of what an earlier Write said. It is written when the function that has
// the transaction returns nil; until then data must stay as it is. The error is an
// *fileerror.Error: TooLarge, BinaryFile or EncodingError for data, those of Read for what
// would be overwritten, or InvalidArgument (a path that is missing in several
// roots, too).
func (t *Tx) Write(path string, data []byte) error {
	f, err := t.load(path)
	switch {
	case err != nil:
		return err
	case f.old == nil && f.several:
		return &fileerror.Error{
			Code: fileerror.InvalidArgument, Path: path, Reason: "more than one root has its folder",
			Hint: "give the absolute path, which begins with one of the roots",
		}
	}
	if err := textfile.CheckNew(path, data, t.limit); err != nil {
		return err
	}
	f.written, f.removed, f.next = true, false, data
	return nil
}

// WriteNew is Write for a file that is not there, with the mode that it shall have, whatever
// the umask. One that is there keeps its own. Where the file system doesn't take the mode, Update fails
// with Permission.
func (t *Tx) WriteNew(path string, data []byte, mode fs.FileMode) error {
	if err := t.Write(path, data); err != nil {
		return err
	}
	f := t.targets[path]
	f.mode, f.modeSet, f.anyMode = mode.Perm(), f.old == nil, false
	return nil
}

// WriteBack is WriteNew for a file that would be lost else: where the file system doesn't take the
// mode, it has another one.
func (t *Tx) WriteBack(path string, data []byte, mode fs.FileMode) error {
	err := t.WriteNew(path, data, mode)
	if err == nil {
		t.targets[path].anyMode = t.targets[path].modeSet
	}
	return err
}

// Remove says that the file at path, one of those of the transaction, shall be gone. The
// error is a *fileerror.Error: those of Read, for what is not read is not removed.
func (t *Tx) Remove(path string) error {
	f, err := t.load(path)
	switch {
	case err != nil:
		return err
	case f.old == nil:
		return f.absent(path)
	}
	f.written, f.removed, f.next = true, true, nil
	return nil
}

// Together says that all files are changed or none, whatever comes between: without a
// journal that can be written, none is.
func (t *Tx) Together() { t.together = true }

// Undo returns how the change is undone. It is known when Update has returned.
func (t *Tx) Undo() Undo { return t.undoing }

// Folder returns which folder the file at path is in, one of the transaction's; nothing for
// another path.
func (t *Tx) Folder(path string) filelock.ID {
	if f := t.targets[path]; f != nil {
		return f.id
	}
	return filelock.ID{}
}

// Born returns when the folder of the file at path was made (fileinfo.BirthTime).
func (t *Tx) Born(path string) int64 {
	if f := t.targets[path]; f != nil {
		return fileinfo.BirthTime(f.folder)
	}
	return 0
}

// Host returns where the file at path is, one of the transaction's: an absolute path of no
// link; empty for another path.
func (t *Tx) Host(path string) string {
	if f := t.targets[path]; f != nil {
		return f.host
	}
	return ""
}

// Size returns how many bytes the file at path has, one of the transaction's, before it is
// read; 0 if there is none.
func (t *Tx) Size(path string) int64 {
	if f := t.targets[path]; f != nil {
		if info, err := f.folder.Lstat(f.name); err == nil {
			return info.Size()
		}
	}
	return 0
}

// Mode returns the mode of the file at path, one of the transaction's; 0 if it can't be
// read.
func (t *Tx) Mode(path string) fs.FileMode {
	if f, err := t.load(path); err == nil && f.old != nil {
		return f.old.stamp.Mode()
	}
	return 0
}

// load reads the file at path, once.
func (t *Tx) load(path string) (*target, error) {
	f := t.targets[path]
	if f == nil {
		return nil, &fileerror.Error{Code: fileerror.InvalidArgument, Path: fileerror.Shorten(path), Reason: "it is no file of this change", Hint: "name it when the change begins"}
	}
	if !f.loaded {
		f.loaded = true
		f.old, f.err = f.read(path, t.limit)
		if errors.Is(f.err, errChanged) || errors.Is(f.err, errOpen) {
			t.again = f.err
		}
	}
	return f, f.err
}
