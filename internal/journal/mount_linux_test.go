package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/testkit"
)

// TestMountPointIsElsewhere kills a move of a document out of a disk in a project, and takes it back while
// the disk is away: the folder that it is mounted on isn't that of the document, so that both stay as they
// are. The other way round, what was in the folder doesn't come back onto a disk.
func TestMountPointIsElsewhere(t *testing.T) {
	if !testkit.WithMounts(t) {
		return
	}
	for name, isDisk := range map[string]bool{"a disk that is away": true, "a disk that has come": false} {
		dir, j := t.TempDir(), newJournal(t)
		disk, at := testkit.Mount(t, "mode=700"), filepath.Join(dir, "mnt")
		same := filepath.Join(t.TempDir(), "same") // a bind mount of the same file system, whose number it has
		if err := errors.Join(os.Mkdir(at, 0o700), os.Mkdir(filepath.Join(dir, ".git"), 0o700), os.Mkdir(same, 0o700)); err != nil {
			t.Fatal(err)
		}
		for _, disk := range []string{disk, same} {
			mount := func() {
				t.Helper()
				if err := syscall.Mount(disk, at, "", syscall.MS_BIND, ""); err != nil {
					t.Skip("nothing can be mounted: ", err)
				}
			}
			if isDisk {
				mount()
			}
			if err := os.WriteFile(filepath.Join(at, "b.md"), []byte("precious"), 0o600); err != nil {
				t.Fatal(err)
			}
			err := openRoots(t, dir).Update(killing(j.In(t.Context())), []string{"mnt/b.md", "a.md"}, func(tx *files.Tx) error {
				tx.Together()
				return errors.Join(tx.Remove("mnt/b.md"), tx.WriteNew("a.md", []byte("precious"), 0o600))
			})
			if !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			if err = nil; isDisk {
				err = syscall.Unmount(at, 0)
			} else {
				mount()
			}
			if err != nil {
				t.Fatal(err)
			}
			put(t, openRoots(t, before.make(t)), j, "a.md", "elsewhere")
			text, err := os.ReadFile(filepath.Join(dir, "a.md"))
			if _, wrong := os.Lstat(filepath.Join(at, "b.md")); string(text) != "precious" || err != nil || wrong == nil {
				t.Errorf("%s: a.md has %q, %v; mnt/b.md: %v", name, text, err, wrong)
			}
			if !isDisk {
				err = syscall.Unmount(at, 0)
			}
			if err := errors.Join(err, os.Remove(filepath.Join(dir, "a.md"))); err != nil {
				t.Fatal(err)
			}
		}
	}
}
