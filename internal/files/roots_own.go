package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filenames"
)

// What the user has for sectile itself is no document, wherever a root holds it.
//
// The journal of changes is neither read nor written: it has the texts of documents from
// anywhere, and what a record of it says is done when the user takes a change back. It is
// known by being the same folder, and a folder in it is not opened as a root.
//
// A file that says what a server may open is never written by it, or who asks for files
// would say so by changing it first. Names don't tell which file it is: links in the home
// folder lead to it, and it may lie below a root by any name. So it is known by being the
// same file, and while it is missing by its folder and the name in that.

const (
	reasonUnwritten = "it is a file that this server obeys, such as the user's own configuration, and so it is read and never written"
	hintUnwritten   = "ask the user to change it"
)

// makesJournal reports whether what is missing of this name where the walk is would be the
// journal, or a folder on the way to it.
func (w *way) makesJournal(name string) bool {
	folder, next, err := fileinfo.JournalBegin()
	return err == nil && filenames.IsSame(next, name) && isOpen(w.folder(), folder)
}

// makesUnwritten reports whether one of RootOptions.Unwritten is at the end of the first of these
// names, none of which is there, from the folder where the walk is.
func (w *way) makesUnwritten(missing []string) bool {
	return slices.ContainsFunc(w.options.Unwritten, func(path string) bool {
		if path == "" {
			return false
		}
		folder, names, err := fileinfo.Beginning(path)
		return err == nil && len(names) <= len(missing) && slices.EqualFunc(names, missing[:len(names)], filenames.IsSame) && isOpen(w.folder(), folder)
	})
}

// isUnwritten reports whether what the walk has found, or the name of a file that is
// missing, is one of RootOptions.Unwritten.
func (w *way) isUnwritten() bool {
	if len(w.options.Unwritten) == 0 {
		return false
	}
	folder, err := w.folder().Stat(".")
	if err != nil {
		return true // nobody knows
	}
	file, err := w.folder().Lstat(w.name)
	if err != nil {
		file = nil // the name may be free
	}
	return slices.ContainsFunc(w.options.Unwritten, func(path string) bool { return leadsTo(path, file, folder, w.name) })
}

// leadsTo reports whether a path of the host leads to a file, or to the name of one in a
// folder, whatever that name stands for. File is nil if there is none of that name.
func leadsTo(path string, file, folder fs.FileInfo, name string) bool {
	if there, err := os.Stat(path); err == nil && file != nil && os.SameFile(there, file) {
		return true
	}
	for range attempts {
		target, _, err := follow(path)
		switch {
		case errors.Is(err, errChanged):
			continue
		case err != nil:
			return false
		}
		in, err := os.Stat(filepath.Dir(target))
		return err == nil && os.SameFile(in, folder) && filenames.IsSame(filepath.Base(target), name)
	}
	return true // nobody knows
}
