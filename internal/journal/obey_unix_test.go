//go:build unix

package journal_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/journal"
)

// TestIsThereWaitsForNothing has special files, pipes among them, in the places of the folders
// that an entry is told by: none of them is waited for, and the entry is elsewhere.
func TestIsThereWaitsForNothing(t *testing.T) {
	for what, place := range special {
		dir := t.TempDir()
		for _, name := range []string{"project", "above"} {
			if err := place(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		e := &journal.Entry{
			Path: filepath.Join(dir, "above", "made", "a.md"), Folder: journal.FolderID{File: 1},
			Folders: 1, Above: &journal.FolderID{File: 1}, Project: &journal.Project{Path: filepath.Join(dir, "project")},
		}
		right := &journal.Entry{Path: filepath.Join(dir, "above", "a.md"), Folder: journal.FolderID{File: 1}}
		done := make(chan bool)
		go func() { done <- e.IsThere() || right.IsThere() }()
		select {
		case there := <-done:
			if there {
				t.Errorf("%s: it is the folder of the change", what)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: it is waited for", what)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	}
}
