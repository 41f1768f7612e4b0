package fileinfo

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestJournalDir: the journal is in the state folder that the environment names, or in the
// user's home folder, and never in a relative one.
func TestJournalDir(t *testing.T) {
	state, home := t.TempDir(), t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	if dir, err := JournalDir(); dir != filepath.Join(state, "sectile", "journal") || err != nil {
		t.Errorf("%s, %v", dir, err)
	}
	for _, name := range []string{"HOME", "USERPROFILE", "LocalAppData"} {
		t.Setenv(name, home)
	}
	for _, state := range []string{"", "here"} {
		t.Setenv("XDG_STATE_HOME", state)
		if dir, err := JournalDir(); !strings.HasPrefix(dir, home) || err != nil {
			t.Errorf("%q: %s, %v", state, dir, err)
		}
	}
}
