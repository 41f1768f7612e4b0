package journal

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestRecoverBesideACommit has who committed a change move its record away while another process
// recovers what was interrupted: that is no error.
func TestRecoverBesideACommit(t *testing.T) {
	j := New(Options{Dir: filepath.Join(t.TempDir(), "journal")})
	f, err := j.open(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := j.recover(t.Context(), f, &openRecord{name: newName(time.Now(), newID()), Record: &Record{State: Committed}}, nil); err != nil {
		t.Error(err)
	}
}

// TestUnfinishedUnread: where the journal can't be read there may be a change that was interrupted, so
// that it is looked at once more; there is none where there is no journal, or one that isn't believed.
func TestUnfinishedUnread(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"file", "open/open"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700), os.WriteFile(filepath.Join(dir, name), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for journal, want := range map[string]bool{"none": false, "open": false, "file/journal": runtime.GOOS != "windows"} {
		if some, at := New(Options{Dir: filepath.Join(dir, filepath.FromSlash(journal))}).Unfinished(nil); some != want || at != -1 {
			t.Errorf("%s: %t, %d", journal, some, at)
		}
	}
}
