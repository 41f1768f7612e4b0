package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/sectile/sectile/internal/filelock"
)

// Whether there is something to clear away is told without a look at all of it: a file has in
// its first line what was found when that was done last and up to when changes were forgotten, and a byte for each block that was
// written since. It isn't synced: without it, all is cleared and counted anew.

// keptName is the name of that file.
const keptName = "kept"

// block is how many bytes a byte of the file stands for.
const block = 4 << 10

// kept is what the file says.
type kept struct {
	oldest, cleared time.Time // a time before which no change was made, and that of the clearing
	bytes           int64     // of records and texts then, but for those that stay in any case
	since           int64     // blocks that were written since
	// forgotten is the time of the newest change that is gone, zero if none is, as far as is known.
	forgotten time.Time
}

// kept reads the file; ok is false if it isn't there, or says nothing.
func (f *folder) kept() (k kept, ok bool) {
	h, err := f.regular(keptName, os.O_RDONLY)
	if err != nil {
		return k, false
	}
	defer h.Close() //nolint:errcheck // nothing was written
	var head [100]byte
	n, _ := h.ReadAt(head[:], 0) // the end of the file is no error
	line, _, ok := bytes.Cut(head[:n], []byte("\n"))
	info, err := h.Stat()
	if !ok || err != nil {
		return k, false
	}
	var oldest, cleared, forgotten int64
	n, _ = fmt.Sscanf(string(line), "%d %d %d %d", &oldest, &cleared, &k.bytes, &forgotten)
	switch {
	case n < 3:
		return k, false
	case n == 3: // an older sectile wrote it, which didn't say so
		k.forgotten = time.UnixMicro(oldest)
	case forgotten != 0:
		k.forgotten = time.UnixMicro(forgotten)
	}
	if now := time.Now(); k.forgotten.After(now) {
		k.forgotten = now // the clock was ahead, and what is gone was made before
	}
	k.oldest, k.cleared, k.since = time.UnixMicro(oldest), time.UnixMicro(cleared), info.Size()-int64(len(line)+1)
	return k, true
}

// setKept writes the first line anew, at once and in its place: whoever is killed, or finds the disk full,
// leaves the old one or the new one. What is left of a longer one counts as written since. Its caller has
// the lock alone.
func (f *folder) setKept(k kept) error {
	h, err := f.regular(keptName, os.O_RDWR|os.O_CREATE)
	if errors.Is(err, errNoFile) && f.remove(keptName) == nil {
		h, err = f.regular(keptName, os.O_RDWR|os.O_CREATE)
	}
	if err != nil {
		return err
	}
	defer h.Close() //nolint:errcheck // see above
	forgotten := int64(0)
	if !k.forgotten.IsZero() {
		forgotten = k.forgotten.UnixMicro()
	}
	line := fmt.Sprintf("%d %d %d %d\n", k.oldest.UnixMicro(), k.cleared.UnixMicro(), k.bytes, forgotten)
	if err := f.steps.Before("write", keptName); err != nil {
		return err
	}
	if _, err := h.WriteAt([]byte(line), 0); err != nil {
		return err
	}
	return h.Truncate(int64(len(line)))
}

// note counts what was written, if there is such a file; else it is counted anew. Its caller
// shares the lock.
func (f *folder) note(written int64) {
	h, err := f.regular(keptName, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return
	}
	defer h.Close() //nolint:errcheck // see above
	_, _ = h.Write(bytes.Repeat([]byte("."), int((written+block-1)/block)))
}

// Times and sizes of clearing away. It reads all records, which isn't worth it for each change.
const (
	mostBlocks = 32 << 20 / block       // that are written before it is done in any case
	pause      = time.Hour              // between two for what is too old
	forOthers  = 100 * time.Millisecond // how long it waits for those that write something down
)

// isDue reports whether there may be more than is kept, or something that is too old.
func (j *Journal) isDue(f *folder) bool {
	k, ok := f.kept()
	age := time.Since(k.oldest) // less than none if the clock was ahead
	tooOld := (age > j.options.MaxAge || age < 0) && time.Since(k.cleared).Abs() > pause
	return !ok || tooOld || k.since > mostBlocks || k.bytes+k.since*block > j.options.MaxBytes
}

// clearDue clears away if there may be something; what can't be cleared now, the next one does. What was
// shown goes in any case: how long changes are kept says nothing of that.
func (j *Journal) clearDue(f *folder) {
	f.forgetShown()
	if j.options.Refused == nil && !j.options.Off && j.isDue(f) {
		ctx := filelock.WithPatience(context.Background(), forOthers)
		_ = j.clear(f, func(lock *os.File) error { return filelock.WaitFile(ctx, lock, false) })
	}
}

// ClearOld forgets changes that are too old, or more than are kept, as each change does. The
// error says that the journal can't be opened.
func (j *Journal) ClearOld(ctx context.Context) error {
	f, err := j.open(ctx, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it is a handle alone
	j.clearDue(f)
	return nil
}

// Forgotten returns the time of the newest change that the journal may not have any more, as far as is
// known: it has all that were written down since. It is zero if nothing was forgotten.
func (j *Journal) Forgotten(ctx context.Context) time.Time {
	f, err := j.open(ctx, false)
	if err != nil {
		return time.Time{}
	}
	defer f.Close() //nolint:errcheck // nothing was written
	k, _ := f.kept()
	return k.forgotten
}
