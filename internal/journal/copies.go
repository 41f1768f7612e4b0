package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// Texts are kept whole, each once, by their hashes. What is read is compared with its name, so
// that a copy which is cut off or changed is never put anywhere.

// temporary begins the names of copies that are being written.
const temporary = "new-"

// keep keeps a text by its hash, on the disk if it must outlast a crash.
func (f *folder) keep(hash string, text []byte, synced bool) (written bool, err error) {
	name := path.Join(copyDir, hash)
	if info, err := f.Lstat(name); err == nil && info.Mode().IsRegular() && info.Size() == int64(len(text)) {
		if !synced {
			return false, nil
		}
		return false, f.syncCopy(name, text)
	}
	temp := path.Join(copyDir, temporary+newID())
	h, err := f.create(temp)
	if err != nil {
		return false, err
	}
	if err = f.write(h, text); err == nil && synced {
		err = f.syncFile(h)
	}
	if closeErr := h.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = f.rename(temp, name)
	}
	if err != nil {
		_ = f.remove(temp) // clearing away does it else
		return false, err
	}
	return true, nil
}

// syncCopy sees that a copy is there as a whole and on the disk: it may be one that wasn't
// synced when it was written.
func (f *folder) syncCopy(name string, text []byte) error {
	h, err := f.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer h.Close() //nolint:errcheck // it is synced
	now, err := io.ReadAll(io.LimitReader(h, int64(len(text))+1))
	if err != nil {
		return err
	}
	if !bytes.Equal(now, text) { // it was cut off by a crash
		if err := h.Truncate(0); err != nil {
			return err
		}
		if _, err := h.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := f.write(h, text); err != nil {
			return err
		}
	}
	return f.syncFile(h)
}

// text returns a text that was kept.
func (f *folder) text(t *Text) ([]byte, error) {
	h, err := f.Open(path.Join(copyDir, t.Hash))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: what the file held is no longer in the journal", errGone)
	case err != nil:
		return nil, err
	}
	defer h.Close() //nolint:errcheck // nothing was written
	text, err := io.ReadAll(io.LimitReader(h, t.Size+1))
	if err != nil {
		return nil, err
	}
	if !t.Is(text) {
		return nil, fmt.Errorf("%w: what the file held is damaged in the journal", errGone)
	}
	return text, nil
}

// errGone says that a text isn't in the journal any more.
var errGone = errors.New("it can't be put back")

// IsGone reports whether an error says that a text isn't in the journal any more.
func IsGone(err error) bool { return errors.Is(err, errGone) }
