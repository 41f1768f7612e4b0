package files

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/linediff"
)

// Making the new files: all are written whole under names of their own, in the
// folders where they belong, and are on the disk, before the old ones are looked at
// once more and the first is put in place (install.go).

// commit writes what shall be written. The error is the context's, a *fileerror.Error or
// errChanged.
func (t *Tx) commit(ctx context.Context) (err error) {
	list := t.pending()
	if len(list) == 0 {
		return nil
	}
	if err := twice(list); err != nil {
		return err
	}
	t.stuck = nil // in all that is done from here on
	defer func() {
		if t.discard(list); err != nil { // else the next update removes them, of which nobody need know
			t.kept = t.kept.And(fileerror.Kept{Stuck: t.stuck})
		}
	}()
	if err := t.stage(ctx, list); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := t.prepare(ctx, list); err != nil {
		return err
	}
	for _, f := range list { // after all that takes time
		if err := t.verify(f); err != nil {
			return t.finish(list, f, err)
		}
	}
	return t.install(list)
}

// twice refuses a file that has two of the names: each would get a file of its own, and the first
// that is put in place changes the other one.
func twice(list []*target) error {
	var several []*target
	for _, f := range list {
		if f.old == nil || !fileinfo.HasOtherNames(f.old.stamp.FileInfo) {
			continue
		}
		for _, other := range several {
			if os.SameFile(f.old.stamp.FileInfo, other.old.stamp.FileInfo) {
				return &fileerror.Error{Code: fileerror.InvalidArgument, Path: f.path, Reason: "it is the same file as " + fileerror.Shorten(other.path) + ", by another name (a hard link)", Hint: "leave one of both out"}
			}
		}
		several = append(several, f)
	}
	return nil
}

// pending returns the files that get other bytes than they have: those to be made first, for it
// is only they that can still turn out to be there by now; those that get lines of others before
// these; those that go last. What is killed is taken back in the opposite order.
func (t *Tx) pending() []*target {
	var made, changed, gone []*target
	for _, f := range t.order {
		switch {
		case f.removed:
			gone = append(gone, f)
		case !f.written || f.old != nil && bytes.Equal(f.old.text, f.next):
		case f.old == nil:
			made = append(made, f)
		default:
			changed = append(changed, f)
		}
	}
	texts := func(f *target) (before, after []byte) { return f.old.text, f.next }
	return slices.Concat(made, linediff.ReceiversFirst(changed, texts), gone)
}

// stage writes the temporary files.
func (t *Tx) stage(ctx context.Context, list []*target) error {
	swept, before := map[filelock.ID]bool{}, len(t.kept.Left)
	for _, f := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.checkWritable(); err != nil {
			return err
		}
		if !swept[f.id] {
			swept[f.id] = true
			if filesystem.KeepsNames(t.lockOf(f.place).File()) {
				return &fileerror.Error{Code: fileerror.Permission, Path: f.path, Reason: "a file is written anew in its folder, in which no file can be renamed or removed (it is append-only)", Hint: "take that from the folder (`chattr -a`), or work on a copy elsewhere"}
			}
			t.sweep(f.place)
			t.stuck = nil // of killed processes
			if len(t.kept.Left) > before {
				return errChanged // so that whoever asked is told
			}
		}
		if f.removed {
			continue
		}
		made, err := f.writeTemp(t.steps, bytes.NewReader(f.next))
		if err != nil {
			return err
		}
		f.made = made
	}
	return nil
}

// checkWritable refuses a file that only its folder's being writable would let us
// replace.
func (f *target) checkWritable() error {
	if f.old == nil {
		return nil
	}
	if f.old.stamp.Mode().Perm()&0o222 == 0 {
		return &fileerror.Error{Code: fileerror.ReadOnly, Path: f.path, Reason: "it is write-protected", Hint: "make it writable"}
	}
	h, err := f.folder.OpenFile(f.name, filesystem.WriteFlags, 0)
	switch err = asChanged(err); {
	case err == nil:
		_ = h.Close() // nothing was written
		return nil
	case errors.Is(err, errChanged):
		return err
	case filesystem.IsLeased(err):
		return heldOpen(f.path)
	case errors.Is(err, fs.ErrPermission):
		return &fileerror.Error{Code: fileerror.Permission, Path: f.path, Reason: "permission denied", Hint: "ask for the right to write to it", Err: bare(err)}
	}
	return writeFailure(f.path, err)
}

// writeTemp writes a file that is to take the place under a name of its own, and returns what it is.
func (f *target) writeTemp(steps filesystem.Steps, from io.Reader) (fs.FileInfo, error) {
	mode := fs.FileMode(0o666) // and what the umask leaves of it
	if f.old != nil || f.modeSet {
		mode = 0o600 // until it has its owner
	}
	name := filenames.Temporary()
	if err := steps.Before("create", name); err != nil {
		return nil, writeFailure(f.path, err)
	}
	h, err := f.folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		return nil, errNotMade
	}
	if err != nil {
		return nil, writeFailure(f.path, err)
	}
	f.temp = name
	info, err := f.fill(h, steps, from)
	if closeErr := h.Close(); err == nil {
		err = closeErr
	}
	if _, ok := errors.AsType[*fileerror.Error](err); ok || err == nil {
		return info, err
	}
	return nil, writeFailure(f.path, err)
}

// fill gives the new file its owner, bytes and mode, and sees them on the disk.
func (f *target) fill(h *os.File, steps filesystem.Steps, from io.Reader) (info fs.FileInfo, err error) {
	if f.old != nil && filesystem.KeepOwner(h, f.old.stamp.owner) != nil && (!f.old.stamp.isShared() || filesystem.KeepGroup(h, f.old.stamp.owner) != nil) && !f.anyMode {
		return nil, f.unkept("its owner and group")
	}
	if err := steps.Before("write", f.temp); err != nil {
		return nil, err
	}
	if _, err := io.Copy(h, from); err != nil {
		return nil, err
	}
	if info, err = f.keepMode(h); err != nil { // behind the bytes, for writing them takes away what lets a file run as its owner
		return nil, err
	}
	if err := steps.Before("sync", f.temp); err != nil {
		return nil, err
	}
	return info, filesystem.Sync(h)
}

// keepMode gives the new file the mode that it shall have, if any, and returns what it is then.
func (f *target) keepMode(h *os.File) (fs.FileInfo, error) {
	mode := f.mode
	switch {
	case f.old != nil:
		mode = f.old.stamp.Mode()
	case !f.modeSet:
		return h.Stat()
	}
	info, err := filesystem.KeepMode(h, mode)
	switch {
	case err != nil && f.anyMode:
		return h.Stat()
	case errors.Is(err, filesystem.ErrIgnored), errors.Is(err, fs.ErrPermission):
		return nil, f.unkept("its mode")
	}
	return info, err
}

// isShared reports whether the members of the file's group may write to it and it gives
// nobody its owner's rights: then the group says who may do what, and whoever of it has
// written the file last may own it.
func (s *stamp) isShared() bool {
	return s.Mode().Perm()&0o060 == 0o060 && s.Mode()&fs.ModeSetuid == 0
}

// unkept refuses a file of which something would be lost that is no text.
func (f *target) unkept(what string) *fileerror.Error {
	e := &fileerror.Error{
		Code: fileerror.Permission, Path: f.path, Reason: "a file is written anew, and this user can't give the new one " + what,
		Hint: "change it as its owner, or make it yours first, with a copy that takes its place",
	}
	if f.old == nil {
		e.Hint = "have its file system keep modes (options of its mount), or make the file by hand"
	}
	return e
}

// verify sees that the path still leads to the file, and the file is as it was
// read. The error is a *fileerror.Error or errChanged.
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

// lookWhere sees that the paths still lead into the folders in which the files are in place, once
// for each folder. The error is a *fileerror.Error.
func (t *Tx) lookWhere(list []*target) (failed *target, err error) {
	seen := map[[2]any]bool{} // folders, by their paths and what they are
	for _, f := range list {
		folder := [2]any{f.dir, f.id}
		if !f.placed || seen[folder] {
			continue
		}
		seen[folder] = true
		seek := t.seek
		if f.roots != nil { // others may have this path by the change
			seek = f.roots.only(f.root).seek
		}
		now, err := seek(f.path)
		switch {
		case errors.Is(err, fs.ErrClosed): // the server is ending
			continue
		case err == nil:
			now.close()
			if now.id == f.id {
				continue
			}
		}
		if e, ok := errors.AsType[*fileerror.Error](err); ok && (e.Code == fileerror.Permission || e.Code == fileerror.IOError) {
			return f, e // which says nothing of where it is
		}
		return f, &fileerror.Error{Code: fileerror.Conflict, Path: f.path, Reason: "its folder was moved or replaced when it was being changed", Hint: "see where it is now"}
	}
	return nil, nil
}

// check sees that the file is as it was read, and nobody is about to write to it.
func (f *target) check() error {
	info, err := f.folder.Lstat(f.name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return systemFailure(f.path, err)
	case (err != nil) != (f.old == nil), f.old != nil && (!f.old.stamp.is(info) || filesystem.IsOpenForWriting(f.old.handle)):
		return errChanged
	}
	return nil
}

// writeFailure is systemFailure for what was to be written.
func writeFailure(path string, err error) *fileerror.Error {
	e := systemFailure(path, err)
	switch {
	case filesystem.IsWriteProtected(err):
		e.Code, e.Reason, e.Hint = fileerror.ReadOnly, "the file system is read-only", "make it writable, or work on a copy elsewhere"
	case filesystem.IsFull(err):
		e.Code, e.Reason, e.Hint = fileerror.NoSpace, "no room is left on the disk", "free some and try again"
	case filesystem.IsMounted(err):
		e.Reason, e.Hint = "it is mounted by itself, so that no file can take its place", "mount its folder instead"
	case filesystem.IsTooLong(err): // what has the path's own name was looked for before
		e.Code, e.Reason, e.Hint = fileerror.InvalidArgument, "a file beside it has a longer name meanwhile than there may be here", "work on a copy elsewhere"
	case filesystem.IsTooLarge(err):
		e.Code, e.Reason, e.Hint = fileerror.NoSpace, "it is larger than a file may be here", "raise the limit (`ulimit -f` shows that of a shell), or split it"
	case errors.Is(err, fs.ErrPermission):
		e.Reason, e.Hint = "permission denied, for a file is written anew in its folder", "ask for the right to write to the folder"
	}
	return e
}
