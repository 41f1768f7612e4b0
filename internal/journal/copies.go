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

// keep keeps a text by its hash, on the disk if it must outlast a crash. A copy that is there
// is looked at: one that is damaged, or can't be read, is replaced.
func (f *folder) keep(hash string, text []byte, synced bool) (written bool, err error) {
	name := path.Join(copyDir, hash)
	if has, err := f.has(name, text, synced); has || err != nil {
		return false, err
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

// has reports whether a copy holds a text, on the disk if it must: it may be one that wasn't
// synced when it was written.
func (f *folder) has(name string, text []byte, synced bool) (bool, error) {
	flags := os.O_RDONLY
	if synced {
		flags = os.O_RDWR
	}
	h, err := f.regular(name, flags)
	if err != nil {
		return false, nil
	}
	defer h.Close() //nolint:errcheck // it is synced
	if !holds(h, text) {
		return false, nil
	}
	if synced {
		return true, f.syncFile(h)
	}
	return true, nil
}

// compared is the number of bytes that are compared at once.
const compared = 64 << 10

// holds reports whether a file holds a text and nothing else.
func holds(h *os.File, text []byte) bool {
	chunk := make([]byte, min(compared, len(text)+1))
	for {
		n, err := h.Read(chunk)
		if !bytes.HasPrefix(text, chunk[:n]) {
			return false
		}
		text = text[n:]
		if err != nil {
			return errors.Is(err, io.EOF) && len(text) == 0
		}
	}
}

// text returns a text that was kept.
func (f *folder) text(t *Text) ([]byte, error) {
	name := path.Join(copyDir, t.Hash)
	h, err := f.regular(name, os.O_RDONLY)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: what the file held is no longer in the journal", errGone)
	case errors.Is(err, errNoFile):
		return nil, fmt.Errorf("%w: what the file held is damaged in the journal: %w", errGone, err)
	case err != nil:
		return nil, &unreadable{name, err}
	}
	defer h.Close() //nolint:errcheck // nothing was written
	if err := f.steps.Before("read", name); err != nil {
		return nil, &unreadable{name, err}
	}
	text, err := io.ReadAll(io.LimitReader(h, t.Size+1))
	if err != nil {
		return nil, &unreadable{name, cause(err)}
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

// unreadable is the error for a copy that is there and can't be read, now at least.
type unreadable struct {
	name string
	err  error
}

// Error names the copy and the way out.
func (e *unreadable) Error() string {
	return "what the file held can't be read in the journal: " + e.err.Error() + "; make the journal's file " + e.name + " readable, then try again"
}

func (e *unreadable) Unwrap() error { return e.err }
