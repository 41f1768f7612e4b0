package journal

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestRecordsAreReadOnce reads the records of what is done a second time: only those that have
// come meanwhile are opened, so that clearing away keeps others from writing for a moment alone.
func TestRecordsAreReadOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "journal")
	f, err := New(Options{Dir: dir}).open(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	write := func(at time.Time) string {
		r := &Record{ID: newID(), Time: at, Journal: f.id.File, Entries: []Entry{{Path: filepath.Join(dir, "a.md"), After: &Text{Hash: hashOf(nil)}}}}
		text, err := r.format()
		if err != nil {
			t.Fatal(err)
		}
		name := newName(at, r.ID)
		if err := os.WriteFile(filepath.Join(dir, doneDir, name), append(text, Committed+"\n"...), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	first := write(time.Unix(1, 0))
	read := claims{}
	if names, err := f.readDone(read); err != nil || len(names) != 1 || read[first] == nil || read[first].texts == nil {
		t.Fatalf("%v, %q, %+v", err, names, read[first])
	}
	if err := os.WriteFile(filepath.Join(dir, doneDir, first), []byte("another one"), 0o600); err != nil {
		t.Fatal(err)
	}
	second := write(time.Unix(2, 0))
	if names, err := f.readDone(read); err != nil || len(names) != 2 || read[first].texts == nil || read[second] == nil || read[second].texts == nil {
		t.Errorf("%v, %q, %+v, %+v", err, names, read[first], read[second])
	}
}
