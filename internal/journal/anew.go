package journal

import "path/filepath"

// A folder that a change has taken away with its files, and that an undo of it has made again,
// has another number, though nobody but sectile had a hand in that. Changes that were made in the
// first one are undone in the second: both say in their records which folder it was, and the
// second that it made it. What anybody else has put there in between or since is neither.

// anew are the folders that undos have made again, as far as a list of records, the newest first,
// has told of them.
type anew struct {
	made  map[madeFor]FolderID  // the newest, or what stands for it
	stand map[folderAt]FolderID // for the folders that were there before
}

// madeFor is a folder at a path, made again for a change that was taken back, or made again itself.
type madeFor struct{ origin, path string }

// folderAt is a folder that was at a path, without its device, of which the number changes.
type folderAt struct {
	path string
	file uint64
	born int64
}

func newAnew() *anew { return &anew{map[madeFor]FolderID{}, map[folderAt]FolderID{}} }

// follow has the entries of a record be in the folders that stand for theirs now, and takes in what
// the record tells for the older ones.
func (a *anew) follow(r *Record) {
	for i := range r.Entries {
		e := &r.Entries[i]
		if r.State == Committed {
			a.note(r, e)
		}
		e.Folder = a.now(filepath.Dir(e.Path), e.Folder)
		if e.Above != nil {
			above := a.now(aboveOf(e.Path, e.Folders), *e.Above)
			e.Above = &above
		}
	}
}

// note takes in which folders a change has made again, or taken away.
func (a *anew) note(r *Record, e *Entry) {
	path := e.Path
	for _, id := range e.FolderIDs {
		path = filepath.Dir(path)
		at := madeFor{r.Origin, path}
		now, isMade := a.made[at]
		switch {
		case e.After == nil && isMade:
			a.stand[folderAt{path, id.File, id.Born}] = now
		case e.Before == nil && !isMade:
			a.made[at] = a.now(path, id)
		}
	}
}

// now returns the folder that stands for one that was at a path.
func (a *anew) now(path string, was FolderID) FolderID {
	if now, ok := a.stand[folderAt{path, was.File, was.Born}]; ok {
		return now
	}
	return was
}
