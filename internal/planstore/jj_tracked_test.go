//go:build unix

package planstore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestTrackedBehindLinks: Jujutsu is not started to look at its files where it would look through a
// link in the place of one of their folders, of those that it tracks and those of git's commit.
func TestTrackedBehindLinks(t *testing.T) {
	t.Parallel()
	jj := findJJ(t)
	outside := testkit.Folder(t, map[string]string{"secret": "SECRET\n"})
	link := func(dir string) {
		t.Helper()
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, dir); err != nil {
			testkit.Missing(t, err.Error())
		}
	}
	look := func(dir string) error {
		_, err := jjStoreIn(t, dir, jj).(*jjStore).run(t.Context(), &call{args: []string{"status"}})
		return err
	}
	t.Run("tracked", func(t *testing.T) {
		dir := t.TempDir()
		initJJ(t, dir)
		put(t, dir, map[string]string{"in/keys/secret": "old\n", "top/secret": "old\n"})
		run(t, dir, jj, "new")
		put(t, dir, map[string]string{".gitignore": "in/\n"})
		link(filepath.Join(dir, "top"))
		if err := look(dir); err != nil {
			t.Errorf("a link in the project's folder itself: %v", err)
		}
		link(filepath.Join(dir, "in", "keys"))
		if err := look(dir); !isType(err, TypeUntrusted) {
			t.Errorf("a link in an ignored folder: %v", err)
		}
	})
	t.Run("known to Jujutsu", func(t *testing.T) {
		dir := t.TempDir()
		initJJ(t, dir)
		put(t, dir, map[string]string{"in/keys/secret": "old\n"})
		run(t, dir, jj, "new")
		link(filepath.Join(dir, "in", "keys"))
		if err := look(dir); !isType(err, TypeUntrusted) {
			t.Error(err)
		}
		run(t, dir, jj, "status")
		if err := look(dir); err != nil {
			t.Error(err)
		}
	})
	t.Run("of git", func(t *testing.T) {
		dir := t.TempDir()
		initBoth(t, dir)
		run(t, dir, jj, "status")
		put(t, dir, map[string]string{"in/keys/secret": "old\n", ".gitignore": "in/\n"})
		run(t, dir, "git", "add", "-f", ".")
		run(t, dir, "git", "commit", "-qm", "two")
		link(filepath.Join(dir, "in", "keys"))
		if err := look(dir); !isType(err, TypeUntrusted) {
			t.Error(err)
		}
	})
}
