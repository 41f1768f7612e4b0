package journal

import (
	"path/filepath"
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
