//go:build unix

package repoproof

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/testkit"
)

// BenchmarkProof examines a repository with 100,000 objects that aren't packed: for the first
// time, and later.
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
	prove := func(known *fileinfo.KnownFolders) {
		if err := proven(b, dir, known); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			prove(new(fileinfo.KnownFolders))
		}
	})
	b.Run("later", func(b *testing.B) {
		known := new(fileinfo.KnownFolders)
		prove(known)
		for b.Loop() {
			prove(known)
		}
	})
}

// TestExaminedAgain has a folder get a link after it was examined.
func TestExaminedAgain(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	known := new(fileinfo.KnownFolders)
	objects := filepath.Join(dir, ".git", "objects")
	for _, folder := range []string{objects, filepath.Join(objects, "pack")} {
		time.Sleep(fileinfo.Settled + 100*time.Millisecond)
		for range 2 {
			if err := proven(t, dir, known); err != nil {
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
		_ = foreign(t, proven(t, dir, known))
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
	known := new(fileinfo.KnownFolders)
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
		if err := proven(t, dir, known); err != nil {
			t.Error(err)
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
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(dir, &Trust{}, new(fileinfo.KnownFolders), ctx.Err).Git(false, AskGit{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	gitDir := filepath.Join(dir, ".git")
	examine := func(p Proof) error {
		p.folder, p.trust, p.known = dir, &Trust{}, new(fileinfo.KnownFolders)
		if p.ended == nil {
			p.ended = t.Context().Err
		}
		_, err := p.whole(&GitPlace{GitDir: gitDir, Common: gitDir})
		return err
	}
	looks := 0
	if err := examine(Proof{ended: func() error {
		if looks++; looks == 10 {
			return context.DeadlineExceeded
		}
		return nil
	}}); !errors.Is(err, context.DeadlineExceeded) || looks != 10 {
		t.Errorf("%v after %d", err, looks)
	}
	for _, many := range []Proof{{folders: maxExaminedFolders - 3}, {entries: maxExaminedEntries - 3}} {
		if e := foreign(t, examine(many)); !strings.Contains(e.Message, "git gc") {
			t.Error(e.Message)
		}
	}
	for i := range 3 {
		if err := os.Symlink("../../HEAD", filepath.Join(gitDir, "refs", "heads", fmt.Sprint("link", i))); err != nil {
			t.Skip(err)
		}
	}
	if err := examine(Proof{entries: maxExaminedEntries - (3+2)*linkEntries - 1000}); err != nil { // HEAD and its branch count for as much
		t.Error(err)
	}
	if e := foreign(t, examine(Proof{entries: maxExaminedEntries - 3*linkEntries})); !strings.Contains(e.Message, "1,000 links") {
		t.Error(e.Message)
	}
	over := &Proof{folder: dir, trust: &Trust{}, ended: func() error { return context.DeadlineExceeded }}
	if err := over.OwnRef(&GitPlace{GitDir: gitDir, Common: gitDir}, "HEAD"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	gone := filepath.Join(gitDir, "refs", "heads", "gone")
	write(t, filepath.Join(gone, "ref"), "")
	looks = 0
	p := &Proof{folder: dir, known: new(fileinfo.KnownFolders), ended: func() error {
		if looks++; looks == 2 { // its first entries were read
			return os.RemoveAll(gone)
		}
		return nil
	}}
	if err := p.examine(gitDir, gone, nil, true); err != nil || looks != 2 {
		t.Errorf("%v after %d", err, looks)
	}
	if _, err := os.Lstat(gone); err == nil {
		t.Error("the folder is there still")
	}
	write(t, gone, "") // a branch of the folder's name
	if err := p.examine(gitDir, filepath.Join(gone, "below"), nil, true); err != nil {
		t.Error(err)
	}
}

// TestExaminedWorktrees has git make worktrees, which count among the folders of a proof and
// end with it, and are examined once for as long as they stay as they are.
func TestExaminedWorktrees(t *testing.T) {
	t.Parallel()
	dir, theirs := newGit(t), newGit(t)
	gitDir := filepath.Join(dir, ".git")
	known := new(fileinfo.KnownFolders)
	prove := func(p *Proof) error {
		p.folder, p.trust, p.known = dir, &Trust{}, known
		if p.ended == nil {
			p.ended = t.Context().Err
		}
		_, err := p.whole(&GitPlace{GitDir: gitDir, Common: gitDir})
		return err
	}
	var before, after Proof
	if err := prove(&before); err != nil {
		t.Fatal(err)
	}
	const worktrees = 4
	for i := range worktrees {
		run(t, dir, "worktree", "add", "-q", "--detach", filepath.Join(t.TempDir(), fmt.Sprint("w", i)))
	}
	write(t, filepath.Join(gitDir, "worktrees", ".DS_Store"), "") // as file managers leave it
	if err := prove(&after); err != nil || after.folders != before.folders+worktrees {
		t.Errorf("%d folders, and %d with worktrees: %v", before.folders, after.folders, err)
	}
	if err := prove(&Proof{folders: maxExaminedFolders - after.folders}); err != nil {
		t.Error(err)
	}
	if e := foreign(t, prove(&Proof{folders: maxExaminedFolders - after.folders + 1})); !strings.Contains(e.Message, "git worktree prune") {
		t.Error(e.Message)
	}
	p := new(Proof)
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
	if err := prove(new(Proof)); err != nil {
		t.Fatal(err)
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
	_ = foreign(t, prove(new(Proof)))
}

// proven proves the repository of git in a folder.
func proven(t testing.TB, dir string, known *fileinfo.KnownFolders) error {
	t.Helper()
	_, err := New(dir, &Trust{}, known, t.Context().Err).Git(false, AskGit{})
	return err
}

// foreign fails the test unless the error is for a repository that may be another's, and
// says something useful. It returns that.
func foreign(t testing.TB, err error) *Error {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Reason != Foreign || e.Message == "" || e.Hint == "" {
		t.Fatalf("%#v", err)
	}
	return e
}

// newGit makes a repository of git with a commit.
func newGit(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	run(t, dir, "-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-q", "--allow-empty", "-m", "one")
	return dir
}

// run runs git in a folder, without the configuration of whoever runs the test.
func run(t testing.TB, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "there is no git in the PATH")
	}
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// write makes a file, and the folders that it lies in.
func write(t testing.TB, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// TestShown: what lies elsewhere is told from the folder of git on, or by its last name.
func TestShown(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "feature")
	p := &Proof{folder: folder}
	for path, want := range map[string]string{
		filepath.Join(folder, "a", ".git", "refs"):                          "a/.git/refs",
		filepath.Join(folder, "..", "main", ".git", "worktrees", "feature"): ".git/worktrees/feature",
		filepath.Join(folder, "..", "main", ".jj", "repo", "store"):         ".jj/repo/store",
		filepath.Join(folder, "..", "main"):                                 "main",
	} {
		if got := p.shown(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
