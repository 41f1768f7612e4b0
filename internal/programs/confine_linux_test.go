package programs

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// TestWrites has a program write in a folder that it may write in, and by all ways that lead out of
// it, and says which of them it could.
func TestWrites(t *testing.T) {
	t.Parallel()
	if version, err := landlock.LandlockGetABIVersion(); err != nil || version < 2 {
		t.Skip("the kernel has no Landlock, or an old one:", version, err)
	}
	dir := t.TempDir()
	mine, theirs := filepath.Join(dir, "mine"), filepath.Join(dir, "theirs")
	for _, folder := range []string{mine, theirs} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(theirs, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"link": filepath.Join(theirs, "file"), "folder": theirs} {
		if err := os.Symlink(to, filepath.Join(mine, name)); err != nil {
			t.Fatal(err)
		}
	}
	if !isItself("/usr/bin/cp") {
		t.Skip("here cp is a link to another program, which is let be")
	}
	cp := func(from, to string, writes []string) bool {
		t.Helper()
		r, err := Run(t.Context(), &Call{Program: "/usr/bin/cp", Args: []string{from, to}, Writes: writes, Timeout: time.Minute})
		if err != nil {
			t.Error(err)
		}
		return r.Exit == 0
	}
	source := filepath.Join(dir, "source")
	if err := os.WriteFile(source, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]bool{
		filepath.Join(mine, "new"): true, os.DevNull: true,
		filepath.Join(mine, "link"): false, filepath.Join(mine, "folder", "new"): false, filepath.Join(theirs, "new"): false, filepath.Join(dir, "new"): false,
	} {
		if got := cp(source, to, []string{mine, filepath.Join(dir, "absent")}); got != want {
			t.Errorf("%s: written: %t", to, got)
		}
		if !cp(source, to, nil) {
			t.Errorf("%s can't be written by a program that may write anywhere", to)
		}
	}
	if cp(source, filepath.Join(mine, "other"), []string{}) {
		t.Error("a program that may write nowhere writes")
	}
	// This process may still write everywhere.
	if err := os.WriteFile(filepath.Join(theirs, "file"), []byte("mine"), 0o600); err != nil {
		t.Error(err)
	}
}
