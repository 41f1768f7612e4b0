//go:build unix

package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filesystem"
)

// TestUpdateKeepsOwner changes a file of somebody else.
func TestUpdateKeepsOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may give files away")
	}
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		file := write(t, filepath.Join(dir, "a.md"), "old")
		if err := errors.Join(os.Chown(file, 1234, 2345), os.Chmod(file, 0o640)); err != nil {
			t.Fatal(err)
		}
		if err := update(t.Context(), []string{path("a.md")}, put(path("a.md"), "new")); err != nil {
			t.Fatal(err)
		}
		expect(t, dir, map[string]string{"a.md": "new"})
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := filesystem.OwnerOf(info); got != (filesystem.Owner{User: 1234, Group: 2345}) || info.Mode() != 0o640 {
			t.Errorf("owner %v and mode %v, want 1234, 2345 and 0640", got, info.Mode())
		}
	})
}

// TestUpdateFollowsLinks writes through links: they stay what they are, and what
// they lead to is written, made too if it is not there.
func TestUpdateFollowsLinks(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		links := map[string]string{
			"link.md": "docs/a.md", "docs/up.md": "../link.md", "folder": "docs/deep", "docs/deep/back": "../../docs",
			"docs/new.md": "deep/../made.md", "far.md": "folder/back/new2.md", "docs/new2.md": "deep/made2.md",
		}
		tree(t, dir, nil, "docs/a.md", "docs/deep/b.md")
		tree(t, dir, links)
		for _, tt := range [][2]string{
			{"link.md", "docs/a.md"},
			{"docs/up.md", "docs/a.md"},
			{"folder/b.md", "docs/deep/b.md"},
			{"folder/back/a.md", "docs/a.md"},
			{"docs/new.md", "docs/made.md"},
			{"far.md", "docs/deep/made2.md"},
		} {
			given, want := tt[0], "by "+tt[0]
			if err := update(t.Context(), []string{path(given)}, put(path(given), want)); err != nil {
				t.Errorf("%s: %v", given, err)
			}
			if text, err := os.ReadFile(filepath.Join(dir, tt[1])); string(text) != want || err != nil {
				t.Errorf("%s: %s has %q, %v", given, tt[1], text, err)
			}
		}
		for name, want := range links {
			if target, err := os.Readlink(filepath.Join(dir, name)); target != want || err != nil {
				t.Errorf("%s leads to %q, %v, want %q", name, target, err, want)
			}
		}
	})
}

// TestUpdateHostLinks follows links that only the host form follows, and those
// that lead nowhere.
func TestUpdateHostLinks(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{
		"absolute.md": filepath.Join(dir, "d", "a.md"), "new.md": filepath.Join(dir, "d", "new.txt"),
		"circle.md": "circle.md", "ping.md": "pong.md", "pong.md": "./ping.md", "nowhere.md": "none/a.md", "slash.md": "none/",
	}, "d/a.md")
	for path, want := range map[string]fileerror.Code{
		"absolute.md": "", "new.md": "", "circle.md": fileerror.NotFound, "ping.md": fileerror.NotFound, "nowhere.md": fileerror.NotFound, "slash.md": fileerror.NotFound,
		"": fileerror.NotFound, ".": fileerror.NotAFile, "d/..": fileerror.NotAFile, "/": fileerror.NotAFile,
	} {
		if path != "" && path != "/" {
			path = dir + "/" + path
		}
		if err := Update(t.Context(), []string{path}, UpdateOptions{}, put(path, "new")); codeOf(err) != want {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	expect(t, filepath.Join(dir, "d"), map[string]string{"a.md": "new", "new.txt": "new"})
	// Relative to the working directory.
	t.Chdir(dir)
	for _, path := range []string{"here.md", "./here.md", "d/../here.md"} {
		if err := Update(t.Context(), []string{path}, UpdateOptions{}, put(path, path)); err != nil {
			t.Error(err)
		}
		if text, err := os.ReadFile("here.md"); string(text) != path || err != nil {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}

// TestUpdateHardLinks changes one name of a file: what has the other name keeps
// its bytes, outside of the root too.
func TestUpdateHardLinks(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		write(t, filepath.Join(dir, "a.md"), "old")
		outside := filepath.Join(t.TempDir(), "b.md")
		if err := errors.Join(os.Link(filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")),
			os.Link(filepath.Join(dir, "a.md"), outside)); err != nil {
			t.Skip("no hard links here: ", err)
		}
		if err := update(t.Context(), []string{path("a.md")}, put(path("a.md"), "new")); err != nil {
			t.Fatal(err)
		}
		expect(t, dir, map[string]string{"a.md": "new", "b.md": "old"})
		if text, err := os.ReadFile(outside); string(text) != "old" || err != nil {
			t.Errorf("outside: %q, %v", text, err)
		}
	})
}

// TestUpdateStaysInside writes to all that must not be read: nothing in and around
// the root changes, and nothing is left there.
func TestUpdateStaysInside(t *testing.T) {
	base := stronghold(t)
	before := snapshot(t, base)
	for _, o := range []RootOptions{{}, {TextFiles: true}} {
		r := openRoots(t, o, filepath.Join(base, "ws"))
		for _, a := range attacks(base) {
			err := r.Update(t.Context(), []string{a.path}, func(tx *Tx) error {
				text, err := tx.Read(a.path)
				if err == nil || len(text) > 0 {
					t.Errorf("%q gives %q", a.path, text)
				}
				if a.want != fileerror.NotFound {
					return tx.Write(a.path, []byte("new"))
				}
				return err
			})
			if codeOf(err) != a.want || leaks(err, base, a.path) != "" {
				t.Errorf("%q: %v, want %s", a.path, err, a.want)
			}
		}
		// New files where none may be.
		for path, want := range map[string]fileerror.Code{
			".git/new.md": fileerror.PathOutsideRoot, "docs/.git/new.md": fileerror.PathOutsideRoot, "git/new.md": fileerror.PathOutsideRoot,
			"out/new.md": fileerror.PathOutsideRoot, "../new.md": fileerror.PathOutsideRoot, base + "/new.md": fileerror.PathOutsideRoot,
			".git": fileerror.PathOutsideRoot, "docs/.jj": fileerror.PathOutsideRoot, ".new": fileerror.NotFound, "docs/.hidden/new.txt": fileerror.NotFound,
			"circle.md": fileerror.NotFound, "guide.md/new.md": fileerror.NotFound, "none/new.md": fileerror.NotFound, strings.Repeat("x", 300) + ".md": fileerror.NotFound,
		} {
			err := r.Update(t.Context(), []string{path}, put(path, "new"))
			if codeOf(err) != want || leaks(err, base, path) != "" {
				t.Errorf("new file %.40q: %v, want %s", path, err, want)
			}
		}
	}
	if after := snapshot(t, base); !slices.Equal(before, after) {
		t.Errorf("before:\n%s\nafter:\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
}

// snapshot returns what is below a folder: names, types and texts.
func snapshot(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		text := ""
		if err == nil && e.Type().IsRegular() {
			var b []byte
			b, err = os.ReadFile(path)
			text = string(b)
		}
		list = append(list, path+" "+e.Type().String()+" "+text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestUpdateSpecialFiles writes to what is no file, and blocks on none.
func TestUpdateSpecialFiles(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		if err := syscall.Mkfifo(filepath.Join(dir, "fifo.md"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := update(t.Context(), []string{path("fifo.md")}, put(path("fifo.md"), "new")); codeOf(err) != fileerror.NotAFile {
			t.Errorf("a pipe: %v", err)
		}
		// A file that becomes one while it is changed.
		file := write(t, filepath.Join(dir, "a.md"), "old")
		err := update(t.Context(), []string{path("a.md")}, func(tx *Tx) error {
			err := tx.Write(path("a.md"), []byte("new"))
			return errors.Join(err, os.Remove(file), syscall.Mkfifo(file, 0o600))
		})
		if codeOf(err) != fileerror.NotAFile {
			t.Errorf("what became a pipe: %v", err)
		}
		if info, err := os.Lstat(file); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
			t.Errorf("the pipe was replaced: %v, %v", info, err)
		}
	})
}

// TestUpdateOfWhatBecomesALink has a file become a link before it is read: what the
// change makes of that does not count.
func TestUpdateOfWhatBecomesALink(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		tree(t, dir, nil, "a.md", "b.md", "c.md")
		var codes []fileerror.Code
		err := update(t.Context(), []string{path("a.md"), path("b.md")}, func(tx *Tx) error {
			if len(codes) == 0 {
				file := filepath.Join(dir, "a.md")
				if err := errors.Join(os.Remove(file), os.Symlink("c.md", file)); err != nil {
					t.Fatal(err)
				}
			}
			text, err := tx.Read(path("a.md"))
			codes = append(codes, codeOf(err))
			return tx.Write(path("b.md"), text)
		})
		if diff := cmp.Diff([]fileerror.Code{fileerror.Conflict, ""}, codes); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		expect(t, dir, map[string]string{"a.md": "c.md", "b.md": "c.md", "c.md": "c.md"})
	})
}

// TestUpdateFolderSwapped has the folder of a file replaced while it is changed:
// the change fails, or is made in what has the name now, and nothing is written
// where the folder has gone, nor outside.
func TestUpdateFolderSwapped(t *testing.T) {
	for name, tt := range map[string]struct {
		swap      func(ws string) error
		want      fileerror.Code
		text      string         // of ws/d/a.md afterwards
		hostWants fileerror.Code // which follows links wherever they lead, but not to version control
		hostText  string
	}{
		"for a link that leaves": {
			swap: func(ws string) error { return os.Symlink("../out", filepath.Join(ws, "d")) },
			want: fileerror.PathOutsideRoot, text: "out", hostText: "out!",
		},
		"for a link into .git": {
			swap: func(ws string) error { return os.Symlink(".git", filepath.Join(ws, "d")) },
			want: fileerror.PathOutsideRoot, text: "git", hostWants: fileerror.PathOutsideRoot, hostText: "git",
		},
		"for a link inside": {
			swap: func(ws string) error { return os.Symlink("e", filepath.Join(ws, "d")) },
			text: "e!", hostText: "e!",
		},
		"for another folder": {
			swap: func(ws string) error {
				return errors.Join(os.Mkdir(filepath.Join(ws, "d"), 0o750), os.WriteFile(filepath.Join(ws, "d", "a.md"), []byte("x"), 0o600))
			},
			text: "x!", hostText: "x!",
		},
		"for a folder without the file": {
			swap: func(ws string) error { return os.Mkdir(filepath.Join(ws, "d"), 0o750) },
			want: fileerror.NotFound, hostWants: fileerror.NotFound,
		},
		"for nothing": {
			swap: func(string) error { return nil },
			want: fileerror.NotFound, hostWants: fileerror.NotFound,
		},
	} {
		for _, host := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", host"}[host], func(t *testing.T) {
				base := t.TempDir()
				ws := filepath.Join(base, "ws")
				for path, text := range map[string]string{"ws/d/a.md": "old", "ws/e/a.md": "e", "out/a.md": "out", "ws/.git/a.md": "git"} {
					write(t, filepath.Join(base, path), text)
				}
				path, update := "d/a.md", openRoots(t, RootOptions{}, ws).Update
				if host {
					path, tt.want, tt.text = filepath.Join(ws, path), tt.hostWants, tt.hostText
					update = func(ctx context.Context, paths []string, change func(*Tx) error) error {
						return Update(ctx, paths, UpdateOptions{}, change)
					}
				}
				calls := 0
				err := update(t.Context(), []string{path}, func(tx *Tx) error {
					err := add(path, "!")(tx)
					if calls++; calls == 1 {
						err = errors.Join(err, os.Rename(filepath.Join(ws, "d"), filepath.Join(base, "away")), tt.swap(ws))
					}
					return err
				})
				if codeOf(err) != tt.want {
					t.Errorf("%v, want %q", err, tt.want)
				}
				if text, _ := os.ReadFile(filepath.Join(ws, "d", "a.md")); string(text) != tt.text {
					t.Errorf("%q where the file was, want %q", text, tt.text)
				}
				expect(t, filepath.Join(base, "away"), map[string]string{"a.md": "old"})
				if !host {
					expect(t, filepath.Join(base, "out"), map[string]string{"a.md": "out"})
					expect(t, filepath.Join(ws, ".git"), map[string]string{"a.md": "git"})
				}
			})
		}
	}
}

// TestUpdateSwaps swaps a folder for links and back again and again while a file
// in it is changed: every change that succeeds is there, and no other place is
// written to or has a temporary file left.
func TestUpdateSwaps(t *testing.T) {
	base := t.TempDir()
	ws := filepath.Join(base, "ws")
	write(t, filepath.Join(ws, "d", "a.md"), "")
	write(t, filepath.Join(base, "out", "a.md"), "out")
	write(t, filepath.Join(ws, ".git", "a.md"), "git")
	for i, target := range []string{"../out", ".git"} {
		if err := os.Symlink(target, filepath.Join(base, "other"+string(rune('0'+i)))); err != nil {
			t.Fatal(err)
		}
	}
	r := openRoots(t, RootOptions{}, ws)
	var good, bad atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for ctx.Err() == nil {
				if err := r.Update(t.Context(), []string{"d/a.md"}, add("d/a.md", "x")); err == nil {
					good.Add(1)
				} else {
					bad.Add(1)
				}
			}
		})
	}
	for i := 0; i < 500 || good.Load() == 0 || bad.Load() == 0; i++ {
		if err := replace(base, "d", "other"+string(rune('0'+i%2))); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	all.Wait()
	if text, err := os.ReadFile(filepath.Join(ws, "d", "a.md")); err != nil || int64(len(text)) != good.Load() {
		t.Errorf("%d changes went well, and %d are there; %v", good.Load(), len(text), err)
	}
	expect(t, filepath.Join(base, "out"), map[string]string{"a.md": "out"})
	expect(t, filepath.Join(ws, ".git"), map[string]string{"a.md": "git"})
	t.Logf("%d changes went well, %d did not", good.Load(), bad.Load())
}

// movingJournal is a journal that can't be written, and takes its time.
type movingJournal struct{ meanwhile func() }

func (movingJournal) Unfinished([]Site) (some bool, at int)            { return false, -1 }
func (movingJournal) Recover(context.Context, []Site, ...string) error { return nil }

func (j movingJournal) Prepare(context.Context, []Change) (Pending, error) {
	j.meanwhile()
	return nil, fs.ErrPermission
}

// TestUpdateStaysInItsFolder has another program move the folder of a file out of the root while the
// file is changed, made or removed, before the journal is written or right before the file is put in
// place: nothing of it stays in the folder that was moved, and no other way leads there.
func TestUpdateStaysInItsFolder(t *testing.T) {
	exchanges(t)
	replaced := func(folder, moved string) error {
		return errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, "a.md"), []byte("other"), 0o600))
	}
	for name, tt := range map[string]struct {
		change func(path string) func(*Tx) error // of d/a.md and d/new.md
		after  func(folder, moved string) error
		want   map[string]string // in the folder; nil if there is none
	}{
		"changed":          {func(dir string) func(*Tx) error { return add(dir+"a.md", "!") }, replaced, map[string]string{"a.md": "other!"}},
		"made":             {func(dir string) func(*Tx) error { return put(dir+"new.md", "new") }, replaced, map[string]string{"a.md": "other", "new.md": "new"}},
		"removed":          {func(dir string) func(*Tx) error { return func(tx *Tx) error { return tx.Remove(dir + "a.md") } }, replaced, map[string]string{}},
		"not there":        {func(dir string) func(*Tx) error { return add(dir+"a.md", "!") }, func(string, string) error { return nil }, nil},
		"a link, in roots": {func(dir string) func(*Tx) error { return add(dir+"a.md", "!") }, func(folder, moved string) error { return os.Symlink(moved, folder) }, nil},
	} {
		for _, when := range []string{"journal", "put"} {
			t.Run(name+", "+when, func(t *testing.T) {
				both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
					if strings.HasSuffix(t.Name(), "host") && strings.HasSuffix(name, "roots") {
						t.Skip("links are followed there")
					}
					tree(t, dir, nil, "d/a.md")
					folder, moved := filepath.Join(dir, "d"), filepath.Join(t.TempDir(), "d")
					move := sync.OnceFunc(func() {
						if err := errors.Join(os.Rename(folder, moved), tt.after(folder, moved)); err != nil {
							t.Error(err)
						}
					})
					ctx := WithJournal(t.Context(), movingJournal{move})
					if when == "put" {
						ctx = filesystem.WithSteps(t.Context(), func(call, _ string) error {
							if call == "rename" || call == "exchange" {
								move()
							}
							return nil
						})
					}
					slashed := path("d/a.md")
					err := update(ctx, []string{slashed, path("d/new.md")}, tt.change(strings.TrimSuffix(slashed, "a.md")))
					expect(t, moved, map[string]string{"a.md": "d/a.md"})
					if e, ok := errors.AsType[*fileerror.Error](err); tt.want == nil && (!ok || len(e.Written) > 0) || tt.want != nil && err != nil {
						t.Errorf("got %v", err)
					}
					if tt.want != nil {
						expect(t, folder, tt.want)
					}
				})
			})
		}
	}
}

// TestUpdateOutOfItsFolder has another program move the folder of a file away, and the disk fail when
// the file is to be taken back: the error names it, and what is kept of what it held.
func TestUpdateOutOfItsFolder(t *testing.T) {
	exchanges(t)
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		tree(t, dir, nil, "d/a.md")
		moved := filepath.Join(t.TempDir(), "d")
		exchanged := 0
		ctx := filesystem.WithSteps(t.Context(), func(call, _ string) error {
			if call != "exchange" {
				return nil
			}
			if exchanged++; exchanged > 1 {
				return syscall.EIO
			}
			return os.Rename(filepath.Join(dir, "d"), moved)
		})
		err := update(ctx, []string{path("d/a.md")}, put(path("d/a.md"), "new"))
		e, ok := errors.AsType[*fileerror.Error](err)
		if !ok || e.Code != fileerror.Conflict || !slices.Equal(e.Written, []string{path("d/a.md")}) || !strings.Contains(e.Sentence(), "its folder was moved") || len(e.Kept.Old) != 1 {
			t.Errorf("got %v", err)
		}
		expect(t, moved, map[string]string{"a.md": "new", "a.kept-1.md": "d/a.md"})
	})
}

// TestUpdateOfWhatCannotBeReadAgain has the disk fail when what a file has displaced is looked at: that
// is told, and of no other program, and nothing is kept.
func TestUpdateOfWhatCannotBeReadAgain(t *testing.T) {
	exchanges(t)
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		tree(t, dir, nil, "a.md")
		var tx *Tx
		ctx := filesystem.WithSteps(t.Context(), func(call, _ string) error {
			if f := tx.order[0]; call == "exchange" && f.unread == nil {
				_ = f.old.handle.Close()
				f.old.handle, _ = os.Open(dir) // of which there is nothing to read
			}
			return nil
		})
		err := update(ctx, []string{path("a.md")}, func(now *Tx) error {
			tx = now
			return put(path("a.md"), "new")(now)
		})
		e, ok := errors.AsType[*fileerror.Error](err)
		if !ok || e.Code == fileerror.Conflict || len(e.Written) > 0 || !fileerror.KeptOf(err).None() || !errors.Is(err, syscall.EISDIR) {
			t.Errorf("got %v", err)
		}
		expect(t, dir, map[string]string{"a.md": "a.md"})
	})
}
