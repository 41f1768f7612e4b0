package files

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
)

// Putting the new files in place. Other programs take no lock, so one may save a file
// between our last look at it and the moment when ours takes its name. Ours therefore
// changes places with the old one, in one step, under a name that no sweep removes
// (held.go). What came out is compared with what was read: if it is something else, it
// is put back, and the update starts over; nobody was told yet that it was made. Before
// whoever asked is told, what came out is looked at once more, for a program that has
// it open may have written into it meanwhile. Only then it is removed.

// install puts the files in place. The error is errChanged, and then none is, or an
// *fileerror.Error, with Written if some of them are.
func (t *Tx) install(list []*target) error {
	failed, err := t.placeAll(list)
	if err == nil {
		failed, err = t.lookWhere(list)
		if err != nil && t.written == nil && len(list) == 1 {
			err = t.takeBack(list, err) // which finish does else
		}
	}
	return t.finish(list, failed, err)
}

// finish is install after the first step, which may have failed for one of the files.
func (t *Tx) finish(list []*target, failed *target, err error) error {
	if err == nil && (t.written != nil || len(list) > 1) {
		failed, err = t.lookAll(list)
	}
	if err == nil {
		unsynced := t.syncAll(list)
		late, uncommitted := t.commitJournal(list[0])
		failed, err = list[0], cmp.Or(uncommitted, unsynced, late)
	}
	if err != nil && !t.committed && (t.written != nil || len(list) > 1) {
		err = t.takeBack(list, err)
	}
	for _, f := range list {
		if !f.placed {
			continue
		}
		if late := t.settle(f); late != nil && err == nil {
			failed, err = f, late
		}
	}
	if err == nil {
		return nil
	}
	return partly(failed, err, list)
}

// lookAll looks at what all files have displaced, before it is written down that they are in
// place: what another program has saved there is put back.
func (t *Tx) lookAll(list []*target) (failed *target, err error) {
	for _, f := range list {
		switch {
		case f.old == nil, f.held != "" && f.isKnown():
			continue
		case f.held != "", !f.isSameText():
			err = t.undo(f)
		}
		if err != nil {
			return f, err
		}
	}
	return nil, nil
}

// placeAll puts the files in place, up to the first that can't be.
func (t *Tx) placeAll(list []*target) (failed *target, err error) {
	for _, f := range list {
		err := f.check()
		if err == nil {
			err = t.put(f)
		}
		if err != nil {
			return f, err
		}
	}
	return nil, nil
}

// syncAll makes the names outlast a crash, whether the files are in place or taken back.
func (t *Tx) syncAll(list []*target) error {
	synced := map[filelock.ID]bool{}
	for _, f := range list {
		if synced[f.id] {
			continue
		}
		synced[f.id] = true
		if err := t.syncFolder(f.place); err != nil {
			return onlyWritten(writeFailure(f.path, err))
		}
	}
	return nil
}

// onlyWritten returns the error for what is in place or removed, and isn't sure to outlast a crash.
func onlyWritten(e *fileerror.Error) *fileerror.Error {
	e.Reason, e.Hint = "the change is made, but a crash of the system may undo that: "+e.Reason, "look at the disk before you go on"
	return e
}

// lockOf returns the lock on the folder of a place.
func (t *Tx) lockOf(p *place) *filelock.Lock {
	for _, l := range t.locks {
		if l.ID() == p.id {
			return l
		}
	}
	return nil // not reached: all folders are locked
}

// put puts one file in place.
func (t *Tx) put(f *target) error {
	if f.removed {
		return t.putAway(f)
	}
	if f.old == nil {
		return f.landed(t.renameNew(f.place, f.temp, f.name)) // which somebody else may have made, or ours removed
	}
	switch err := t.exchangeIn(f); {
	case errors.Is(err, filesystem.ErrNoExchange):
		return t.renameOver(f)
	case err != nil:
		return err
	case !f.isKnown():
		return t.undo(f)
	}
	return nil
}

// exchangeIn has our file and the old one change places, whatever the old one is by
// now.
func (t *Tx) exchangeIn(f *target) error {
	held, err := filenames.AsHeld(f.old.text, f.next, f.name, func(held string) error { return t.rename(f.place, f.temp, held) })
	if err == nil {
		f.temp = held
		err = t.exchange(f.place, held, f.name)
	}
	if errors.Is(err, filesystem.ErrNoExchange) {
		return err
	}
	err = f.landed(err) // somebody may have removed it, or ours
	if f.placed {
		f.held = held // which isn't ours to remove any more, whoever's it is
	}
	return err
}

// renameOver puts the file in place where two files can't be exchanged: what another
// program has saved since the last look is gone.
func (t *Tx) renameOver(f *target) error {
	if filesystem.HidesOpen(f.old.handle) { // else the name would stand for nothing meanwhile
		if !f.isSameText() { // nobody looks at it later
			return f.changed()
		}
		_ = f.old.handle.Close() // nothing was written
		f.old.handle = nil
	}
	err := f.landed(t.rename(f.place, f.temp, f.name)) // somebody may have removed the temporary file
	if err != nil && !f.placed && f.lacks(f.name) {
		t.remove(f.place, f.temp)
		f.temp, f.placed = "", true // in the sense that what was there is not
		t.putBack(f)
	}
	return err
}

// isKnown reports whether what was displaced is what was read, and stays it: nobody
// has it open to write more into it, as far as the system tells. Its text is compared,
// for size and times may have been set back, and change by the exchange itself.
func (f *target) isKnown() bool {
	f.unread = nil
	switch info, err := f.folder.Lstat(f.held); {
	case errors.Is(err, fs.ErrNotExist): // somebody has removed it
	case err != nil:
		f.unread = err
		return false
	case !f.old.stamp.isSame(info):
		f.hold()
		return false
	}
	return !filesystem.IsOpenForWriting(f.old.handle) && f.isSameText()
}

// hold opens what was displaced, if it is another file than was read: it is at hand then, whatever
// becomes of its name.
func (f *target) hold() {
	if h, info, err := openFile(f.folder, f.held); err == nil {
		_ = f.old.handle.Close() // nothing was written
		f.old.handle, f.old.stamp = h, newStamp(info)
	}
}

// isSameText reports whether what was displaced still has the text that was read, as far as it
// can be read again.
func (f *target) isSameText() (is bool) {
	if f.unread = nil; f.old.handle == nil { // renameOver
		return true
	}
	is, f.unread = holds(f.old.handle, f.old.text)
	return is
}

// holds reports whether an open file holds this text. The error is that of reading it.
func holds(f *os.File, text []byte) (bool, error) {
	buf := make([]byte, min(len(text)+1, 64<<10))
	for off := int64(0); ; {
		n, err := f.ReadAt(buf, off)
		off += int64(n)
		if n > len(text) || !bytes.Equal(buf[:n], text[:n]) {
			return false, nil
		}
		text = text[n:]
		if err == io.EOF {
			return len(text) == 0, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// settle looks at what a file has displaced for the last time, and removes it.
func (t *Tx) settle(f *target) error {
	switch {
	case f.old == nil:
		return nil
	case f.held != "" && f.isKnown():
		t.remove(f.place, f.held)
		f.held = ""
		return nil
	case f.held != "" && t.committed: // nothing is taken back any more
		if _, err := t.revive(f); err != nil {
			return err
		}
		t.keep(f)
		return f.savedToo()
	case f.held != "":
		return t.undo(f)
	case f.rescued, f.isSameText():
		return nil
	}
	// It has no name any more, and is written by somebody who has it open.
	return t.rescue(f)
}

// changed returns the error for a file that is not written, for what was displaced isn't what was
// read: errChanged, or a *fileerror.Error if nobody can read what it is.
func (f *target) changed() error {
	if f.unread != nil {
		return systemFailure(f.path, f.unread)
	}
	return errChanged
}

// savedToo returns the error for a file that is written, and was saved by another program at
// the same moment.
func (f *target) savedToo() *fileerror.Error {
	if f.unread != nil {
		return f.untold("saved it at the same moment")
	}
	return &fileerror.Error{Code: fileerror.Conflict, Path: f.path, Reason: "it is written, and another program saved it at the same moment", Hint: "compare the two"}
}

// untold returns the error for a file that is written, of which can't be read what another program
// did to the old one.
func (f *target) untold(what string) *fileerror.Error {
	e := systemFailure(f.path, f.unread)
	e.Reason = "it is written, and whether another program " + what + " can't be read: " + e.Reason
	return e
}

// undo puts back what was displaced, as it isn't what was read. If the name stands for
// something newer by then, that stays, and what was displaced is kept by another name.
// The error is that of changed, for the file is not ours then; or a *fileerror.Error if it is.
func (t *Tx) undo(f *target) error {
	if f.cleared() {
		t.keep(f)
		return f.changed()
	}
	if f.removed {
		t.putBack(f)
		return f.changed()
	}
	f.look()
	back := f.placed && f.doubt == nil && t.swapBack(f)
	if f.placed = false; !back || f.held != "" { // else ours is no more, and what is there may have got its number
		f.look()
	}
	if f.doubt != nil {
		return f.changed()
	}
	f.ceded = !f.placed && !back
	if !back {
		if _, err := t.revive(f); err != nil {
			return err
		}
	}
	t.keep(f)
	if f.placed {
		return f.savedToo()
	}
	return f.changed()
}

// maxSwaps is how often files are exchanged to have the newest in place. Each time but
// the first another program has saved in the instant between two system calls.
const maxSwaps = 10

// swapBack exchanges what was displaced with what stands under the name, until that is
// the newest that was saved there. It reports whether what came out is ours, and nothing else.
func (t *Tx) swapBack(f *target) bool {
	last := f.made // what was put under the name by us
	for n := range maxSwaps {
		next, err := t.revive(f)
		if err == nil {
			err = t.exchange(f.place, f.held, f.name)
		}
		is, unseen := f.folder.Lstat(f.name)
		switch {
		case errors.Is(err, filesystem.ErrNoExchange):
			return t.renameBack(f)
		case unseen == nil && os.SameFile(is, next): // whatever was answered
		case errors.Is(err, fs.ErrNotExist) && !errors.Is(unseen, fs.ErrNotExist): // it was swept
			continue
		case err != nil:
			return false
		}
		out, err := f.folder.Lstat(f.held)
		if n == 0 && (err != nil || os.SameFile(out, f.made)) {
			return true // nobody came between
		}
		f.hold()
		if err != nil || os.SameFile(out, last) || os.SameFile(out, f.made) { // or what has got its number since
			return false
		}
		last = next // what came out is newer, and goes back
	}
	return false
}

// revive sees that what was displaced has a name, whether that was swept or never was: it is written
// anew as it is by now, which its open handle tells, or else as it was read. It returns what has the name.
// The error is a *fileerror.Error or errNotMade.
func (t *Tx) revive(f *target) (info fs.FileInfo, err error) {
	switch info, err = f.folder.Lstat(f.held); {
	case f.held == "", errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, systemFailure(f.path, err)
	default:
		return info, nil
	}
	f.anyMode = true // rather than that it is lost
	for range maxSwaps {
		var from io.Reader = bytes.NewReader(f.old.text)
		if !f.isSameText() && f.unread == nil {
			from = io.NewSectionReader(f.old.handle, 0, math.MaxInt64)
		}
		if info, err = f.writeTemp(t.steps, from); err != nil {
			break
		}
		var held string
		held, err = filenames.AsHeld(f.old.text, f.next, f.name, func(held string) error { return t.rename(f.place, f.temp, held) })
		if err == nil {
			f.temp, f.held = "", held
			return info, nil
		}
		if !errors.Is(err, fs.ErrNotExist) { // else that was swept, too
			err = writeFailure(f.path, err)
			break
		}
	}
	return nil, err
}

// keep gives what is under the name of a displaced file a name that says whose it is
// and is never swept, unless it is known: our own file, or what the journal has while ours is in place.
// What can't be read is left as it is, to the next update.
func (t *Tx) keep(f *target) {
	if f.held == "" {
		return
	}
	list := &t.kept.Saved
	h, info, err := openFile(f.folder, f.held)
	if err != nil { // then it may be known by its number
		if info, err = f.folder.Lstat(f.held); err == nil && os.SameFile(info, f.old.stamp.FileInfo) {
			h = f.old.handle
		}
	}
	open := filesystem.IsOpenForWriting(h) // before what it holds is looked at, which it then stays
	isOurs, unread := holds(h, f.next)
	isOld, unreadToo := holds(h, f.old.text)
	if h != f.old.handle {
		_ = h.Close() // nothing was written
	}
	switch ours := os.SameFile(info, f.made); {
	case open, h == nil && !ours: // keepIn sees whether it is there
	case unread != nil, unreadToo != nil:
		if ours {
			t.stuck = append(t.stuck, f.beside(f.held))
		}
		f.held = ""
		return
	case ours && isOurs, isOld && f.placed && t.written != nil:
		t.remove(f.place, f.held)
		f.held = ""
		return
	case isOld:
		list = &t.kept.Old
	}
	t.keepIn(list, f)
}

// keepIn is keep for what is known to be one of those of a list.
func (t *Tx) keepIn(list *[]string, f *target) {
	if name := t.keepAs(f.place, f.held, f.name, beside{next: map[string]int{}}); name != "" {
		t.kept.Add(list, f.path, f.beside(name))
		f.rescued = true
	}
	f.held = ""
}

// rescue keeps what was displaced, and has no name any more, in a file beside it.
func (t *Tx) rescue(f *target) error {
	if _, err := t.revive(f); err != nil {
		return err
	}
	list := &t.kept.Saved
	if f.unread != nil { // as far as it was read before
		list = &t.kept.Old
	}
	t.keepIn(list, f)
	if f.unread != nil {
		return f.untold("wrote into the old file meanwhile")
	}
	return &fileerror.Error{Code: fileerror.Conflict, Path: f.path, Reason: "it is written, and another program wrote into the old file meanwhile", Hint: "compare the two"}
}

// partly returns the error for a file that could not be put in place when others
// are, or when it is itself.
func partly(failed *target, err error, list []*target) error {
	var all, written, doubted []string
	for _, f := range list {
		switch {
		case !f.placed:
			continue
		case f.doubt != nil:
			doubted = append(doubted, f.path)
		default:
			written = append(written, f.path)
		}
		all = append(all, f.path)
	}
	if len(all) == 0 {
		return err
	}
	e, ok := errors.AsType[*fileerror.Error](err)
	switch {
	case failed.placed && failed.doubt != nil:
		e = systemFailure(failed.path, failed.doubt)
		e.Reason, e.Hint = "whether it is written can't be told: "+e.Reason, "see what is in it when its folder can be read again"
	case !ok:
		e = &fileerror.Error{Code: fileerror.Conflict, Path: failed.path, Reason: "another program changed it", Hint: "read it again"}
	}
	e.Written = all
	if len(written) > 0 {
		e.Reason += "; these were changed: " + strings.Join(written, ", ")
	}
	if len(doubted) > 0 {
		e.Reason += "; these may have been changed: " + strings.Join(doubted, ", ")
	}
	return e
}

// discard removes the temporary files that are left.
func (t *Tx) discard(list []*target) {
	for _, f := range list {
		if f.temp != "" {
			t.remove(f.place, f.temp)
		}
	}
}
