//go:build unix

package planstore

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/testkit"
)

// BenchmarkProof examines a repository with 100,000 objects that aren't packed: at the
// first command of a store, and at each later one.
func BenchmarkProof(b *testing.B) {
	dir := newGit(b)
	objects := filepath.Join(dir, ".git", "objects")
	for i := range 256 {
		if err := os.MkdirAll(filepath.Join(objects, fmt.Sprintf("%02x", i)), 0o755); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 100_000 {
		name := fmt.Sprintf("%x", sha1.Sum([]byte{byte(i), byte(i >> 8), byte(i >> 16)}))
		if err := os.WriteFile(filepath.Join(objects, name[:2], name[2:]), nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	time.Sleep(fileinfo.Settled) // as a repository that nobody has just made
	prove := func(s *gitStore) {
		if _, err := s.place(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			prove(gitStoreIn(b, dir).(*gitStore))
		}
	})
	b.Run("later", func(b *testing.B) {
		s := gitStoreIn(b, dir).(*gitStore)
		prove(s)
		for b.Loop() {
			prove(s)
		}
	})
}

// TestExaminedAgain has a folder get a link after it was examined.
func TestExaminedAgain(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	s := gitStoreIn(t, dir).(*gitStore)
	objects := filepath.Join(dir, ".git", "objects")
	for _, folder := range []string{objects, filepath.Join(objects, "pack")} {
		time.Sleep(fileinfo.Settled + 100*time.Millisecond)
		for range 2 {
			if _, err := s.place(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		info, err := os.Lstat(folder)
		if err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(folder, "x")
		if err := os.Symlink(t.TempDir(), link); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(folder, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		_, err = s.place(t.Context())
		wantType(t, err, TypeUntrusted)
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
}

// TestExaminedBesideGit has folders of refs come and go, and files of their names, while
// the repository is examined: 600 times, with SECTILE_LONG 3,000.
func TestExaminedBesideGit(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	s := gitStoreIn(t, dir).(*gitStore)
	a := filepath.Join(dir, ".git", "refs", "heads", "a")
	done, ended := make(chan struct{}), make(chan error)
	go func() {
		for {
			select {
			case <-done:
				ended <- nil
				return
			default:
			}
			err := errors.Join(
				os.MkdirAll(filepath.Join(a, "b", "c"), 0o700), os.Remove(filepath.Join(a, "b", "c")), os.Remove(filepath.Join(a, "b")), os.Remove(a),
				os.WriteFile(a, nil, 0o600), os.Remove(a),
			)
			if err != nil {
				ended <- err
				return
			}
		}
	}()
	rounds := 600
	if testkit.Long() {
		rounds = 3000
	}
	for range rounds {
		if _, err := s.place(t.Context()); err != nil {
			t.Error(detail(err))
			break
		}
	}
	close(done)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestExaminedEnds has the context end, a folder go away, and too much be there, while a
// repository is examined.
func TestExaminedEnds(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	s := gitStoreIn(t, dir).(*gitStore)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.place(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	gitDir := filepath.Join(dir, ".git")
	examine := func(p proof) error {
		p.folder, p.trust, p.examined = dir, &Trust{}, new(fileinfo.KnownFolders)
		if p.ended == nil {
			p.ended = t.Context().Err
		}
		_, err := p.whole(&gitPlace{gitDir: gitDir, common: gitDir})
		return err
	}
	looks := 0
	if err := examine(proof{ended: func() error {
		if looks++; looks == 10 {
			return context.DeadlineExceeded
		}
		return nil
	}}); !errors.Is(err, context.DeadlineExceeded) || looks != 10 {
		t.Errorf("%v after %d", err, looks)
	}
	for _, many := range []proof{{folders: maxExaminedFolders - 3}, {entries: maxExaminedEntries - 3}} {
		if e := typed(t, examine(many), TypeUntrusted); !strings.Contains(e.Message, "git gc") {
			t.Error(e.Message)
		}
	}
	gone := filepath.Join(gitDir, "refs", "heads", "gone")
	write(t, filepath.Join(gone, "ref"), "")
	looks = 0
	p := &proof{folder: dir, examined: new(fileinfo.KnownFolders), ended: func() error {
		if looks++; looks == 2 { // its first entries were read
			return os.RemoveAll(gone)
		}
		return nil
	}}
	if err := p.examine(gitDir, gone, nil, true); err != nil || looks != 2 || exists(gone) {
		t.Errorf("%s after %d", detail(err), looks)
	}
	write(t, gone, "") // a branch of the folder's name
	if err := p.examine(gitDir, filepath.Join(gone, "below"), nil, true); err != nil {
		t.Error(detail(err))
	}
}

// TestExaminedWorktrees has git make worktrees, which count among the folders of a proof and
// end with it, and are examined once for as long as they stay as they are.
func TestExaminedWorktrees(t *testing.T) {
	t.Parallel()
	dir, theirs := newGit(t), newGit(t)
	gitDir := filepath.Join(dir, ".git")
	known := new(fileinfo.KnownFolders)
	prove := func(p *proof) error {
		p.folder, p.trust, p.examined = dir, &Trust{}, known
		if p.ended == nil {
			p.ended = t.Context().Err
		}
		_, err := p.whole(&gitPlace{gitDir: gitDir, common: gitDir})
		return err
	}
	var before, after proof
	if err := prove(&before); err != nil {
		t.Fatal(detail(err))
	}
	const worktrees = 4
	for i := range worktrees {
		run(t, dir, "git", "worktree", "add", "-q", "--detach", filepath.Join(t.TempDir(), fmt.Sprint("w", i)))
	}
	write(t, filepath.Join(gitDir, "worktrees", ".DS_Store"), "") // as file managers leave it
	if err := prove(&after); err != nil || after.folders != before.folders+worktrees {
		t.Errorf("%d folders, and %d with worktrees: %s", before.folders, after.folders, detail(err))
	}
	if err := prove(&proof{folders: maxExaminedFolders - after.folders}); err != nil {
		t.Error(detail(err))
	}
	if e := typed(t, prove(&proof{folders: maxExaminedFolders - after.folders + 1}), TypeUntrusted); !strings.Contains(e.Message, "git worktree prune") {
		t.Error(e.Message)
	}
	p := new(proof)
	p.ended = func() error {
		if p.folders == after.folders { // it is at the last worktree
			return context.DeadlineExceeded
		}
		return nil
	}
	if err := prove(p); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("not ended: %v", err)
	}

	time.Sleep(fileinfo.Settled + 100*time.Millisecond)
	if err := prove(new(proof)); err != nil {
		t.Fatal(detail(err))
	}
	head := filepath.Join(gitDir, "worktrees", "w1", "HEAD")
	info, err := os.Lstat(filepath.Dir(head))
	if err != nil {
		t.Fatal(err)
	}
	if _, is := known.Names(head, info); !is {
		t.Error("a worktree is examined again")
	}
	if _, is := known.Names(filepath.Dir(head), info); is {
		t.Error("of a worktree more is known than was examined")
	}
	if err := errors.Join(os.Remove(head), os.Symlink(filepath.Join(theirs, ".git", "HEAD"), head)); err != nil {
		t.Fatal(err)
	}
	wantType(t, prove(new(proof)), TypeUntrusted)
}

// TestBareError takes the paths off.
func TestBareError(t *testing.T) {
	inner := &fs.PathError{Op: "open", Path: "/a/b", Err: syscall.ENOENT}
	for _, err := range []error{inner, fmt.Errorf("x: %w", inner), errors.Join(inner, nil), errors.Join(fmt.Errorf("/c: %w", inner), errors.New("/d"))} {
		if got := bareError(err).Error(); got != syscall.ENOENT.Error() {
			t.Errorf("%v: %v", err, got)
		}
	}
}
