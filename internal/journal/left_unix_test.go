//go:build unix

package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/journal"
)

// What the journal keeps.
const (
	littleBytes = 4096
	day         = 24 * time.Hour
)

// killedLarge kills a change of a.md and b.md that is more than its journal keeps, and returns the name of
// its record.
func killedLarge(t *testing.T) (r *files.Roots, dir string, j *journal.Journal, record string) {
	t.Helper()
	text := strings.Repeat("line\n", littleBytes)
	dir = documents{"a.md": "rw-r--r-- " + text, "b.md": "rw-r--r-- b", "other.md": "rw-r--r-- 1"}.make(t)
	r, j = openRoots(t, dir), newJournal(t).Keeping(day, littleBytes)
	killedWriting(t, j, r, map[string]string{"a.md": "a", "b.md": "b\n" + text})
	open, err := filepath.Glob(filepath.Join(j.Dir(), "open", "*"))
	if err != nil || len(open) != 1 {
		t.Fatal(open, err)
	}
	return r, dir, j, filepath.Base(open[0])
}

// areThere has the journal have all texts of a change.
func areThere(t *testing.T, j *journal.Journal, r *journal.Record) {
	t.Helper()
	for i := range r.Entries {
		if _, _, err := j.Texts(t.Context(), &r.Entries[i]); err != nil {
			t.Errorf("%s of %s: %v", r.Entries[i].Path, r.ID, err)
		}
	}
}

// TestLeftIsKept: of an interrupted change that is taken back but for some files both texts are there when
// that is told, and later, however large they are and long ago the change was; and so are those of the changes that
// are made then.
func TestLeftIsKept(t *testing.T) {
	r, dir, j, record := killedLarge(t)
	for _, name := range []string{"a.md", "b.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("foreign"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{"2", "3", "4"} {
		if noUndo := put(t, r, j, "other.md", text); noUndo != "" {
			t.Error(noUndo)
		}
		list := records(t, j)
		if len(list) < 2 || len(list[len(list)-1].Left) != 2 || len(list[0].Entries) != 1 {
			t.Fatalf("behind %s: %+v", text, list)
		}
		areThere(t, j, list[0])
		areThere(t, j, list[len(list)-1])
	}
	record = filepath.Join(j.Dir(), "done", record)
	if err := errors.Join(os.Chtimes(record, time.Time{}, time.Now().Add(-2*day)), os.Remove(filepath.Join(j.Dir(), "kept"))); err != nil {
		t.Fatal(err)
	}
	put(t, r, j, "other.md", "5")
	list := records(t, j)
	last := list[len(list)-1]
	if _, _, err := j.Texts(t.Context(), &last.Entries[0]); len(last.Left) > 0 && !journal.IsGone(err) {
		t.Errorf("what was left long ago is kept: %+v, %v", last, err)
	}
}

// TestLeftIsCleared: what left files as they are goes with all else, though the clock was ahead when it was
// taken back; until then its texts are kept.
func TestLeftIsCleared(t *testing.T) {
	r, dir, j, record := killedLarge(t)
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("foreign"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, r, j, "other.md", "2")
	if err := os.Chtimes(filepath.Join(j.Dir(), "done", record), time.Time{}, time.Now().Add(3*day)); err != nil {
		t.Fatal(err)
	}
	put(t, r, j, "other.md", "3")
	list := records(t, j)
	areThere(t, j, list[len(list)-1])
	if err := j.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, of := range []string{"done", "copies"} {
		if names, err := filepath.Glob(filepath.Join(j.Dir(), of, "*")); err != nil || len(names) > 0 {
			t.Errorf("%q, %v", names, err)
		}
	}
}

// TestStuckTakesNoRoom: a change that can't be taken back yet, and is more than the journal keeps, leaves
// others their undo.
func TestStuckTakesNoRoom(t *testing.T) {
	r, _, j, _ := killedLarge(t)
	if err := r.Update(failing(j.In(t.Context()), "a.md", "b.md"), []string{"other.md"}, func(tx *files.Tx) error {
		return tx.Write("other.md", []byte("2"))
	}); err != nil {
		t.Fatal(err)
	}
	list := records(t, j)
	if len(list) != 1 || len(list[0].Entries) != 1 || len(j.Pending(t.Context())) != 1 {
		t.Fatalf("%+v", list)
	}
	areThere(t, j, list[0])
}

// TestJustAsMuch: a change has its undo, or says that it has none, whatever number of bytes is kept.
func TestJustAsMuch(t *testing.T) {
	const size, step = 1000, 5 // less than the line behind a record that says that it is done
	r := openRoots(t, documents{"a.md": "rw-r--r-- " + strings.Repeat("a", size)}.make(t))
	states := map[bool]bool{}
	for more := 0; more < 2*size; more += step {
		j := newJournal(t).Keeping(day, int64(2*size+more))
		noUndo := put(t, r, j, "a.md", strings.Repeat(string(rune('a'+(more/step+1)%2)), size))
		list := records(t, j)
		if len(list) != 1 {
			t.Fatalf("%+v", list)
		}
		_, _, err := j.Texts(t.Context(), &list[0].Entries[0])
		if (noUndo == "") != (err == nil) {
			t.Errorf("%d bytes: %q, %v", 2*size+more, noUndo, err)
		}
		states[err == nil] = true
	}
	if len(states) != 2 {
		t.Errorf("%v", states)
	}
}
