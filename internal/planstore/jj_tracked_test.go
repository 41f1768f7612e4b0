//go:build unix

package planstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// TestTrackedEndsWithItsCall has Jujutsu track files below more folders than there are: the look at
// them is no longer than the paths, and ends with the call.
func TestTrackedEndsWithItsCall(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	s := jjStoreIn(t, dir, jj).(*jjStore)
	at, err := s.place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var state []byte
	for i := range 2000 { // each file a message with its path
		path := fmt.Sprintf("%04d/", i) + strings.Repeat("a/", 1000) + "f"
		entry := append(binary.AppendUvarint([]byte{1<<3 | 2}, uint64(len(path))), path...)
		state = append(binary.AppendUvarint(append(state, 2<<3|2), uint64(len(entry))), entry...)
	}
	write(t, filepath.Join(dir, ".jj", "working_copy", "tree_state"), string(state))
	if err := s.checkTracked(t.Context(), at); err != nil {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.checkTracked(ended, at); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the call: %v", err)
	}
}

func TestSharedFolders(t *testing.T) {
	t.Parallel()
	for paths, want := range map[[2]string]int{
		{"", "a"}: 0, {"a", "b"}: 0, {"a", "a"}: 1, {"a", "ab"}: 0, {"a", "a/b"}: 1, {"a/b", "a"}: 1, {"a/b/c", "a/b/d"}: 3, {"a/bc", "a/b"}: 1, {"a/b", "a/bc"}: 1, {"x/y", "a/y"}: 0,
	} {
		if got := sharedFolders(paths[0], paths[1]); got != want {
			t.Errorf("%q share %d, want %d", paths, got, want)
		}
	}
}
