package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filelock"
)

// The records of changes that are prepared and not done, or whose end nobody has written down.

// openRecord is a record in open.
type openRecord struct {
	name string
	file *os.File // nil if it is no file, or can't be opened
	live bool     // another process, or request, has its lock
	*Record
	err    error // why it can't be believed, or read
	sealed error // why it can't be written
	stuck  error // why it can't be taken back yet
	isBack bool  // its files hold what they held before, but for those that are left
}

// isShut reports whether the record is there and can't be opened or read now, as one of root's.
func (r *openRecord) isShut() bool { return isUnread(r.err) }

// openRecords returns the records in open, each with its lock unless somebody has that.
func (f *folder) openRecords() ([]*openRecord, error) {
	names, err := f.names(openDir)
	if err != nil {
		return nil, err
	}
	var list []*openRecord
	for _, name := range names {
		if strings.HasSuffix(name, unfinished) {
			continue // nothing was begun
		}
		full := path.Join(openDir, name)
		r := &openRecord{name: name}
		h, err := f.regular(full, os.O_RDWR)
		if errors.Is(err, fs.ErrPermission) { // a server that is kept from writing tells of it all the same
			r.sealed = err
			h, err = f.regular(full, os.O_RDONLY)
		}
		r.file, r.err = h, err
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // somebody else is done with it
		case err != nil:
			if isUnread(err) {
				r.err = fmt.Errorf("%s can't be opened: %w", full, err)
			}
			list = append(list, r)
			continue
		}
		r.live = filelock.TryFile(h, false) != nil
		if !r.live && !f.isStill(h, full) {
			_ = h.Close() // nothing was written
			continue
		}
		if r.Record, r.err = f.read(name, h); isUnread(r.err) {
			r.err = fmt.Errorf("%s can't be read: %w", full, cause(r.err))
		}
		list = append(list, r)
	}
	return list, nil
}

// names returns the names in a folder of the journal, the oldest first.
func (f *folder) names(dir string) ([]string, error) {
	h, err := f.OpenFile(dir, fileinfo.OpenFlags, 0)
	if err != nil {
		return nil, err
	}
	defer h.Close() //nolint:errcheck // nothing was written
	names, err := h.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// isStill reports whether a name of the journal is that of an open file, as far as the system tells.
func (f *folder) isStill(h *os.File, name string) bool {
	info, err := h.Stat()
	if err != nil {
		return true
	}
	there, err := f.Lstat(name)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return os.SameFile(info, there)
}

// read reads a record. The error is isUnread if it is the system's.
func (f *folder) read(name string, h *os.File) (*Record, error) {
	if err := f.steps.Before("read", name); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(io.NewSectionReader(h, 0, maxRecord+1), maxRecord+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxRecord {
		return nil, errDamaged
	}
	return parse(name, text, f.id)
}

func closeAll(list []*openRecord) {
	for _, r := range list {
		if r.file != nil {
			_ = r.file.Close() // what was written is synced
		}
	}
}
