package journal

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/testkit"
)

// TestIsReached: the folder that is open must be the one in the entry's place, whatever its path
// leads to at that moment.
func TestIsReached(t *testing.T) {
	base, err := filepath.EvalSymlinks(testkit.Folder(t, map[string]string{"p/.git/HEAD": "", "p/d/a.md": "", "out/a.md": ""}))
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string) filelock.ID {
		t.Helper()
		root, err := fileinfo.OpenFolder(filepath.Join(base, name))
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		id, err := filelock.Identify(root)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	project, err := identify(filepath.Join(base, "p"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(base, "p", "d", "a.md")
	out := of("out")
	for name, e := range map[string]*Entry{
		"project": {Path: path, Project: &Project{Path: filepath.Join(base, "p"), Folder: project}},
		"above":   {Path: path, Folders: 1, Above: &project},
	} {
		if !e.isReached(of("p/d")) {
			t.Errorf("%s: the folder itself isn't reached", name)
		}
		if e.isReached(out) {
			t.Errorf("%s: another folder is", name)
		}
	}
	if err := os.RemoveAll(filepath.Join(base, "p", "d")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(base, "out"), filepath.Join(base, "p", "d")); err != nil {
		testkit.Missing(t, err.Error())
	}
	for name, e := range map[string]*Entry{
		"project": {Path: path, Project: &Project{Path: filepath.Join(base, "p"), Folder: project}},
		"above":   {Path: path, Folders: 1, Above: &project},
	} {
		if e.isReached(out) {
			t.Errorf("%s: a folder behind a link is", name)
		}
	}
}
