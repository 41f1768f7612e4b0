//go:build unix

package files

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/filelock"
)

// slowJournal is a journal that tells whether a folder is locked when it is let go of.
type slowJournal struct {
	dir    string
	closed []error // what locking the folder came to
}

func (j *slowJournal) Unfinished([]Site) (some bool, at int)              { return false, -1 }
func (j *slowJournal) Recover(context.Context, []Site, ...string) error   { return nil }
func (j *slowJournal) Prepare(context.Context, []Change) (Pending, error) { return j, nil }
func (j *slowJournal) Commit() error                                      { return nil }
func (j *slowJournal) Sync() error                                        { return nil }
func (j *slowJournal) Abandon() error                                     { return nil }
func (j *slowJournal) Undo() Undo                                         { return Undo{} }

func (j *slowJournal) Close() {
	f, err := os.Open(j.dir)
	if err == nil {
		err = filelock.TryFile(f, false)
		_ = f.Close()
	}
	j.closed = append(j.closed, err)
}

// TestUpdateHoldsNoLockForItsJournal: when all is done the journal may take its time to clear
// away, and nobody waits for that.
func TestUpdateHoldsNoLockForItsJournal(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.md")
	j := &slowJournal{dir: dir}
	err := Update(WithJournal(t.Context(), j), []string{path}, UpdateOptions{}, func(tx *Tx) error { return tx.Write(path, []byte("# A\n")) })
	if err != nil || len(j.closed) != 1 || j.closed[0] != nil {
		t.Errorf("%v; the journal is let go of: %v", err, j.closed)
	}
}
