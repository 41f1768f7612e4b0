package fileinfo

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// JournalDir returns the folder of the user's journal of changes, an absolute path, whether or
// not it is there: sectile/journal in $XDG_STATE_HOME, if that is an absolute path, and
// otherwise where the system keeps such things. The error says why there is no place for one.
func JournalDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "sectile", "journal"), nil
	}
	if runtime.GOOS == "windows" {
		if dir := os.Getenv("LocalAppData"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "sectile", "journal"), nil
		}
	}
	home, err := HomeDir()
	switch {
	case err != nil:
		return "", err
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Application Support", "sectile", "journal"), nil
	}
	return filepath.Join(home, ".local", "state", "sectile", "journal"), nil
}

// IsJournal reports whether a folder is the user's journal of changes, by whatever name.
func IsJournal(folder fs.FileInfo) bool {
	dir, err := JournalDir()
	if err != nil {
		return false // there is no place for one
	}
	there, err := os.Stat(dir)
	return err == nil && os.SameFile(there, folder)
}

// InJournal reports whether a folder of the host, an absolute path without links, is the user's
// journal of changes or lies in it.
func InJournal(dir string) bool { return FindJournal().Has(dir) }

// JournalPlace is where the user's journal of changes is, or would be. It is for one request, and
// not safe for concurrent use.
type JournalPlace struct {
	journal fs.FileInfo     // nil while it isn't there
	folder  fs.FileInfo     // then the innermost folder on the way, if that is known
	names   []string        // and those that lead on from there
	has     map[string]bool // of folders that were looked at
}

// FindJournal looks for the user's journal of changes.
func FindJournal() *JournalPlace {
	p := &JournalPlace{has: map[string]bool{}}
	dir, err := JournalDir()
	if err != nil {
		return p // there is no place for one
	}
	if p.journal, err = os.Stat(dir); err != nil {
		p.journal = nil
		if p.folder, p.names, err = Beginning(dir); err != nil {
			p.folder = nil
		}
	}
	return p
}

// Has reports whether a folder of the host, an absolute path without links, is the journal or lies
// in it, whether or not it is there. No folder is looked at twice.
func (p *JournalPlace) Has(dir string) bool {
	has, known := p.has[dir]
	if !known {
		above := filepath.Dir(dir)
		has = p.is(dir) || above != dir && p.Has(above)
		p.has[dir] = has
	}
	return has
}

// IsEntry reports whether an entry of a folder is the journal, which is there.
func (p *JournalPlace) IsEntry(e fs.DirEntry) bool {
	if p.journal == nil {
		return false
	}
	info, err := e.Info()
	return err == nil && os.SameFile(info, p.journal)
}

// is reports whether a folder is the journal, or would be.
func (p *JournalPlace) is(dir string) bool {
	is := p.journal
	if is == nil {
		for _, name := range slices.Backward(p.names) {
			if !strings.EqualFold(filepath.Base(dir), name) {
				return false
			}
			dir = filepath.Dir(dir)
		}
		is = p.folder
	}
	there, err := os.Stat(dir)
	return err == nil && is != nil && os.SameFile(there, is)
}

// JournalBegin returns the innermost folder on the way to the user's journal of changes, and the
// name in it that leads on there, whether or not anything has it.
func JournalBegin() (folder fs.FileInfo, name string, err error) {
	dir, err := JournalDir()
	if err != nil {
		return nil, "", err
	}
	folder, names, err := Beginning(dir)
	return folder, names[0], err
}

// Beginning returns the innermost folder that is there on the way to a file or folder of the
// host, an absolute path, and the names that lead on from it, at least one. Links are followed,
// to what is not there too.
func Beginning(path string) (folder fs.FileInfo, names []string, err error) {
	for path = Destination(path); ; {
		dir, name := filepath.Dir(path), filepath.Base(path)
		names = append([]string{name}, names...)
		if folder, err = os.Stat(dir); err == nil || filepath.Dir(dir) == dir {
			return folder, names, err
		}
		path = dir
	}
}
