//go:build unix

package mcpserver

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
)

// TestFolderModes is the test of this name of the command line through a server, whose folders
// are made by the handles of its roots. The owner of a folder may use it in any case.
func TestFolderModes(t *testing.T) {
	dir := docs(t, map[string]string{"old/a.md": guide, "old/in/b.md": guide})
	modes := map[string]fs.FileMode{".": fs.ModeSticky | 0o711, "in": 0o700}
	for name, mode := range modes {
		if err := os.Chmod(filepath.Join(dir, "old", name), mode); err != nil {
			t.Fatal(err)
		}
	}
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}, Journal: filepath.Join(t.TempDir(), "journal")}), "", nil)
	look := func(at string) {
		t.Helper()
		for name, want := range modes {
			if info, err := os.Stat(filepath.Join(dir, at, name)); err != nil || info.Mode()&^fs.ModeDir != want {
				t.Errorf("%s: %v, %v; it was %v", name, info, err, want)
			}
		}
	}
	for _, to := range []string{"new", "some/folders/on/the/way"} {
		if text, failed := ask(t, session, toolMoveDocument, object{"path": "old", "to_path": to}); failed {
			t.Fatal(text)
		}
		look(to)
		list, _ := ask(t, session, toolChanges, object{})
		id, _, _ := strings.Cut(list, " ")
		if text, failed := ask(t, session, toolUndo, object{"id": id}); failed {
			t.Fatal(text)
		}
		look("old")
	}
}
