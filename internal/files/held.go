package files

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
)

// Names beside a file while it is changed, and what is done with what a killed process
// leaves under them. There are three kinds.
//
// A temporary file holds nothing but what we are writing. The next update in its folder
// removes it.
//
// A held file holds, before the exchange, what we have written, and after it what was
// displaced. Its name has the hashes of what was read and of what we have written. If
// it holds either, nothing is lost with it, and the next update removes it; anything
// else is what another program has saved, and is kept.
//
// A kept file has a name that people can read, of the same kind as that of the file. No
// update touches it again.

// maxKept is the number of names that are tried for a file that is kept.
const maxKept = 1000

// beside are the names in a folder.
type beside struct {
	taken map[string]bool
	next  map[string]int // the number of the first kept file of a name that may be free
}

// keepAs gives a held file a name that stays, and returns that. If it can't, the file
// stays what it is: a held file whose text is not known is never removed. If there is none, the name is empty.
// Names that are known to be taken aren't tried.
func (t *Tx) keepAs(p *place, held, name string, known beside) (kept string) {
	info, err := p.folder.Lstat(held)
	name = filenames.Keepable(filepath.Base(filepath.Dir(p.host)), name, err == nil && info.IsDir())
	n := known.next[name]
	for range maxKept {
		for n++; known.taken[filenames.Kept(name, n)]; {
			n++
		}
		kept := filenames.Kept(name, n)
		known.next[name] = n
		if err = t.renameNew(p, held, kept); err == nil || errors.Is(err, filesystem.ErrBothNames) {
			return kept
		}
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if p.lacks(held) {
		return ""
	}
	return held
}

// sweep removes what processes that were killed have left in a folder, and keeps what
// is not theirs. Who has the lock on the folder knows that nobody is writing there any
// more.
func (t *Tx) sweep(p *place) {
	f, err := p.folder.Open(".")
	if err != nil {
		return
	}
	defer f.Close()                //nolint:errcheck // nothing was written
	names, _ := f.Readdirnames(-1) // which, unlike entries, looks at no file
	known := beside{make(map[string]bool, len(names)), map[string]int{}}
	for _, name := range names {
		known.taken[name] = true
	}
	first := 0
	if len(names) > 0 { // where those that stay are more than are looked at, all others have their turn
		first = rand.IntN(len(names)) //nolint:gosec // nothing is kept secret by it
	}
	for _, name := range slices.Concat(names[first:], names[:first]) {
		if filenames.IsTemporary(name) {
			if info, err := p.folder.Lstat(name); err == nil && info.Mode().IsRegular() {
				t.remove(p, name)
			}
			continue
		}
		if before, after, of, ok := filenames.ParseHeld(name); ok {
			t.sweepHeld(p, known, name, of, before, after)
		}
	}
}

// What one update does about held files. A change of many documents that was killed leaves as
// many whose text is known; anybody may have put more of them there, and they must not hold up
// every edit in the folder.
const (
	maxSwept      = 2_000    // that it looks at
	maxLeft       = 16       // of them whose text isn't known
	maxSweptBytes = 64 << 20 // of them that it reads, and the rest of the last one
	maxDisplaced  = 2 << 30  // bytes of one; a larger document is never changed (markdown.MaxSize)
)

// sweepHeld removes a held file if its text has one of the hashes, and keeps it else.
// While another program has it open for writing, it is left to the next update; if it can't be
// renamed, it is named where it is. Its size is no matter: what an edit of one document leaves may be larger
// than the limit of the next edit.
func (t *Tx) sweepHeld(p *place, known beside, held, name string, hashes ...string) {
	if t.sweeps--; t.sweeps < 0 || t.sweepBytes <= 0 {
		return
	}
	f, info, err := openFile(p.folder, held)
	if err == nil {
		open, isOurs := filesystem.IsOpenForWriting(f), false
		if !open && info.Size() <= maxDisplaced {
			t.sweepBytes -= info.Size()
			isOurs = hasHash(f, info.Size(), hashes)
		}
		_ = f.Close() // nothing was written
		if isOurs {
			t.remove(p, held)
		}
		if open || isOurs {
			return
		}
	}
	t.sweeps -= maxSwept / maxLeft
	kept := t.keepAs(p, held, name, known)
	if path := p.beside(kept); kept != "" && !slices.Contains(t.kept.Left, path) {
		t.kept.Left = append(t.kept.Left, path)
	}
}

// hasHash reports whether what an open file of so many bytes holds has one of the hashes.
func hasHash(f *os.File, size int64, hashes []string) bool {
	h := sha256.New()
	_, err := io.Copy(h, io.LimitReader(f, size+1))
	return err == nil && slices.Contains(hashes, filenames.HashText(h.Sum(nil)))
}
