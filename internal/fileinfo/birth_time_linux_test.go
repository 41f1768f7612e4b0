package fileinfo

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// TestBirthTime: it stays whatever becomes of a folder, and a folder that is made later has
// another one.
func TestBirthTime(t *testing.T) {
	base := t.TempDir()
	dir, moved := filepath.Join(base, "a"), filepath.Join(base, "b")
	born := func(dir string) int64 {
		t.Helper()
		folder, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Close()
		return BirthTime(folder)
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(os.Mkdir(dir, 0o700))
	first := born(dir)
	if first == 0 {
		testkit.Missing(t, "the file system doesn't tell when a folder was made")
	}
	time.Sleep(20 * time.Millisecond) // longer than a tick of the clock of file systems
	do(os.WriteFile(filepath.Join(dir, "x"), nil, 0o600))
	do(os.Chmod(dir, 0o755))
	do(os.Chtimes(dir, time.Unix(1, 0), time.Unix(1, 0)))
	do(os.Rename(dir, moved))
	if now := born(moved); now != first {
		t.Errorf("made at %d, then at %d", first, now)
	}
	do(os.RemoveAll(moved))
	do(os.Mkdir(dir, 0o700))
	if now := born(dir); now == first {
		t.Errorf("both were made at %d", first)
	}
}
