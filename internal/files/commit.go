package files

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"strings"
)

// Putting the new files in place. First all are written whole under names of
// their own, in the folders where they belong, and are on the disk; then the old
// ones are looked at once more; and only then the new ones get their names, each
// in one step.

// A temporary file has a name that no other has, and that tells it from all that
// others make.
const (
	tempPrefix = ".sectile-"
	tempSuffix = ".tmp"
	tempRandom = 26 // characters between them, of rand.Text
)

// commit writes what shall be written. The error is the context's, an *Error or
// errChanged.
func (t *Tx) commit(ctx context.Context) error {
	list := t.pending()
	if len(list) == 0 {
		return nil
	}
	defer discard(list)
	if err := t.stage(ctx, list); err != nil {
		return err
	}
	for _, f := range list {
		if err := t.verify(f); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return install(list)
}

// pending returns the files that get other bytes than they have: those to be made
// first, for it is only they that can still turn out to be there by now.
func (t *Tx) pending() []*target {
	var made, changed []*target
	for _, f := range t.order {
		switch {
		case !f.written || f.file != nil && bytes.Equal(f.text, f.next):
		case f.file == nil:
			made = append(made, f)
		default:
			changed = append(changed, f)
		}
	}
	return append(made, changed...)
}

// stage writes the temporary files.
func (t *Tx) stage(ctx context.Context, list []*target) error {
	swept := map[folderID]bool{}
	for _, f := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.checkWritable(); err != nil {
			return err
		}
		if !swept[f.id] {
			swept[f.id] = true
			sweep(f.folder)
		}
		if err := f.writeTemp(); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes the temporary files of processes that were killed. Who has the
// lock on the folder knows that nobody is writing them any more.
func sweep(folder *os.Root) {
	f, err := folder.Open(".")
	if err != nil {
		return
	}
	defer f.Close()                //nolint:errcheck // nothing was written
	names, _ := f.Readdirnames(-1) // which, unlike entries, looks at no file
	for _, name := range names {
		if !isTemp(name) {
			continue
		}
		if info, err := folder.Lstat(name); err == nil && info.Mode().IsRegular() {
			_ = folder.Remove(name) // in the way of nobody if it stays
		}
	}
}

// isTemp reports whether a name is that of a temporary file of ours.
func isTemp(name string) bool {
	if len(name) != len(tempPrefix)+tempRandom+len(tempSuffix) ||
		!strings.HasPrefix(name, tempPrefix) || !strings.HasSuffix(name, tempSuffix) {
		return false
	}
	random := name[len(tempPrefix) : len(tempPrefix)+tempRandom]
	return strings.Trim(random, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// checkWritable refuses a file that only its folder's being writable would let us
// replace.
func (f *target) checkWritable() error {
	if f.file == nil {
		return nil
	}
	if f.file.Mode().Perm()&0o222 == 0 {
		return &Error{Code: ReadOnly, Path: f.path, Reason: "it is write-protected; make it writable"}
	}
	h, err := f.folder.OpenFile(f.name, writeFlags, 0)
	if err == nil {
		_ = h.Close() // nothing was written
		return nil
	}
	err = asChanged(err)
	switch {
	case errors.Is(err, errChanged):
		return err
	case errors.Is(err, fs.ErrPermission):
		return &Error{Code: Permission, Path: f.path, Reason: "permission denied; ask for the right to write to it", Err: bare(err)}
	}
	return writeFailure(f.path, err)
}

// writeTemp writes the new file under a name of its own.
func (f *target) writeTemp() error {
	mode := fs.FileMode(0o666) // and what the umask leaves of it
	if f.file != nil {
		mode = 0o600 // until it has its owner
	}
	name := tempPrefix + rand.Text() + tempSuffix
	h, err := f.folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		return errChanged // the folder was removed, or somebody guesses names
	}
	if err != nil {
		return writeFailure(f.path, err)
	}
	f.temp = name
	err = f.fill(h)
	if closeErr := h.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return writeFailure(f.path, err)
	}
	return nil
}

// fill gives the new file its owner, mode and bytes, and sees them on the disk.
func (f *target) fill(h *os.File) error {
	if f.file != nil {
		mode, err := keepOwner(h, f.file.owner, f.file.Mode().Perm())
		if err != nil {
			return err
		}
		info, err := h.Stat()
		if err != nil {
			return err
		}
		// Where all files have the same mode it can't be set.
		if info.Mode().Perm() != mode {
			if err := h.Chmod(mode); err != nil {
				return err
			}
		}
	}
	if _, err := h.Write(f.next); err != nil {
		return err
	}
	return h.Sync()
}

// verify sees that the path still leads to the file, and the file is as it was
// read. The error is an *Error or errChanged.
func (t *Tx) verify(f *target) error {
	now, err := t.seek(f.path)
	if err != nil {
		return err
	}
	defer now.close()
	if now.id != f.id || now.name != f.name {
		return errChanged
	}
	return f.check()
}

// check sees that the file is as it was read.
func (f *target) check() error {
	info, err := f.folder.Lstat(f.name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return systemFailure(f.path, err)
	case (err != nil) != (f.file == nil), f.file != nil && !f.file.is(info):
		return errChanged
	}
	return nil
}

// install puts the files in place. Errors behind the first have Written.
func install(list []*target) error {
	var written []string
	for _, f := range list {
		err := f.check()
		if err == nil {
			err = f.install()
		}
		if err != nil {
			return partly(f.path, err, written)
		}
		written = append(written, f.path)
	}
	synced := map[folderID]bool{}
	for _, f := range list {
		if synced[f.id] {
			continue
		}
		synced[f.id] = true
		if err := syncFolder(f.folder); err != nil {
			e := writeFailure(f.path, err)
			e.Written, e.Reason = written, "it is written, but a crash of the system may undo that: "+e.Reason
			return e
		}
	}
	return nil
}

// install puts the file in place.
func (f *target) install() error {
	if f.file == nil {
		// Unlike a renaming, a link takes nothing's place.
		err := f.folder.Link(f.temp, f.name)
		if err == nil {
			return nil // and the other name goes with what is discarded
		}
		if errors.Is(err, fs.ErrExist) {
			return errChanged
		}
	}
	err := f.folder.Rename(f.temp, f.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errChanged // somebody removed the temporary file
	case err != nil:
		return writeFailure(f.path, err)
	}
	f.temp = ""
	return nil
}

// partly returns the error for a file that could not be put in place when others
// had been.
func partly(path string, err error, written []string) error {
	if len(written) == 0 {
		return err
	}
	e, ok := errors.AsType[*Error](err)
	if !ok {
		e = &Error{Code: Conflict, Path: path, Reason: "another program changed it; read it again"}
	}
	e.Written = written
	e.Reason += "; before it these were written: " + strings.Join(written, ", ")
	return e
}

// discard removes the temporary files that are left.
func discard(list []*target) {
	for _, f := range list {
		if f.temp != "" {
			_ = f.folder.Remove(f.temp) // the next update does it else
		}
	}
}

// writeFailure is systemFailure for what was to be written.
func writeFailure(path string, err error) *Error {
	e := systemFailure(path, err)
	switch {
	case isWriteProtected(err):
		e.Code, e.Reason = ReadOnly, "the file system is read-only; make it writable, or work on a copy elsewhere"
	case isFull(err):
		e.Code, e.Reason = NoSpace, "no room is left on the disk; free some and try again"
	case isTooLarge(err):
		e.Code, e.Reason = NoSpace, "it is larger than a file may be here; raise the limit (`ulimit -f` shows that of a shell), or split it"
	case errors.Is(err, fs.ErrPermission):
		e.Reason = "permission denied, for a file is written anew in its folder; ask for the right to write to the folder"
	}
	return e
}
