//go:build unix

package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestMakeFolderSwaps has another program put a link to a private folder in the place of one
// that was just made: the private one keeps its mode.
func TestMakeFolderSwaps(t *testing.T) {
	dir := t.TempDir()
	private, name := filepath.Join(dir, "private"), filepath.Join(dir, "new")
	if err := os.Mkdir(private, 0o700); err != nil {
		t.Fatal(err)
	}
	at, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-end:
				return
			default:
				if os.Remove(name) == nil {
					_ = os.Symlink("private", name) // the other one may have been faster
				}
			}
		}
	}()
	defer func() {
		close(end)
		<-ended
	}()
	for began := time.Now(); time.Since(began) < 300*time.Millisecond; {
		_ = MakeFolder(at, "new", []fs.FileMode{0o777}, 0) // what comes of it is up to the other one
		if info, err := os.Stat(private); err != nil || info.Mode().Perm() != 0o700 {
			t.Fatalf("%v, %v", info.Mode(), err)
		}
	}
}
