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
	"time"

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
	if err := s.checkTracked(t.Context(), at, jsonJJ); err != nil {
		t.Error(err)
	}
	// One after another they share no folder, and none is looked at anew for each.
	deep := filepath.Join(dir, filepath.FromSlash(strings.Repeat("a/", 900)))
	if err := os.MkdirAll(filepath.Join(dir, "b", "b"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	state = nil
	for i := range 6000 {
		path := [2]string{strings.Repeat("a/", 900) + "f", "b/b/f"}[i%2]
		entry := append(binary.AppendUvarint([]byte{1<<3 | 2}, uint64(len(path))), path...)
		state = append(binary.AppendUvarint(append(state, 2<<3|2), uint64(len(entry))), entry...)
	}
	write(t, filepath.Join(dir, ".jj", "working_copy", "tree_state"), string(state))
	s.program.timeout = 20 * time.Second
	if err := s.checkTracked(t.Context(), at, jsonJJ); err != nil {
		t.Error(err)
	}
	s.program.timeout = time.Nanosecond
	if err := s.checkTracked(t.Context(), at, jsonJJ); !isType(err, TypeUntrusted) {
		t.Errorf("after its time: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.checkTracked(ended, at, jsonJJ); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the call: %v", err)
	}
}

// TestTakesUp tells when Jujutsu takes up a commit of git, as people make them: what is told has to
// be what jj says of it.
func TestTakesUp(t *testing.T) {
	t.Parallel()
	jj := findJJ(t)
	v := func(s *jjStore) jjVersion {
		v, err := s.ask(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	may := func(dir string) bool {
		t.Helper()
		s := jjStoreIn(t, dir, jj).(*jjStore)
		at, err := s.place(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s.mayTakeUp(t.Context(), at, v(s))
	}
	dir := t.TempDir()
	run(t, dir, jj, "git", "init", "--colocate")
	for _, step := range []struct {
		does string
		args []string
		want bool
	}{
		{"an empty repository", []string{jj, "status"}, false},
		{"a commit of Jujutsu", []string{jj, "commit", "-m", "one"}, false},
		{"a branch", []string{"git", "checkout", "-q", "-b", "work"}, false},
		{"a commit of git", []string{"git", "commit", "-q", "--allow-empty", "-m", "two"}, true},
		{"which Jujutsu takes up", []string{jj, "status"}, false},
		{"packed refs", []string{"git", "pack-refs", "--all"}, false},
		{"the same of another name", []string{"git", "checkout", "-q", "-b", "feature/x-1"}, false},
		{"a commit before", []string{"git", "checkout", "-q", "HEAD~1"}, true},
		{"a new change", []string{jj, "new"}, false},
		{"a branch without commits", []string{"git", "symbolic-ref", "HEAD", "refs/heads/none"}, true},
		{"which is taken up", []string{jj, "status"}, false},
		{"a commit again", []string{jj, "commit", "-m", "again"}, false},
	} {
		run(t, dir, step.args[0], step.args[1:]...)
		if may(dir) != step.want {
			t.Errorf("%s: %v", step.does, !step.want)
		}
	}
	inside := t.TempDir()
	run(t, inside, jj, "git", "init", "--no-colocate")
	others := t.TempDir()
	beside := filepath.Join(others, "beside")
	run(t, dir, jj, "workspace", "add", "--config", "git.colocate=false", beside)
	for _, dir := range []string{inside, beside} {
		if may(dir) {
			t.Errorf("%s: Jujutsu shares it with no git", dir)
		}
	}
	if v(jjStoreIn(t, dir, jj).(*jjStore)).before(headsJJ) {
		return
	}
	// Newer versions take a worktree of git for the workspace in the same folder, with a HEAD of its own.
	tree := filepath.Join(others, "tree")
	run(t, dir, "git", "worktree", "add", "-q", "--detach", "--no-checkout", tree)
	if err := os.Rename(filepath.Join(tree, ".git"), filepath.Join(beside, ".git")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".git", "worktrees", "tree", "gitdir"), filepath.Join(beside, ".git")+"\n")
	for _, want := range []bool{true, false} {
		if may(beside) != want {
			t.Errorf("a worktree: %v", !want)
		}
		run(t, beside, jj, "status")
	}
	run(t, beside, "git", "commit", "-q", "--allow-empty", "-m", "three")
	if !may(beside) || may(dir) {
		t.Error("a commit of the worktree isn't its own")
	}
}
