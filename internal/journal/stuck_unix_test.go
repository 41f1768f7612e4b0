//go:build unix

package journal_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/journal"
)

// aside moves the records of changes that were interrupted out of their folder, or back.
func aside(t *testing.T, j *journal.Journal, away bool) {
	t.Helper()
	from, to := filepath.Join(j.Dir(), "open"), filepath.Join(filepath.Dir(j.Dir()), "aside")
	if !away {
		from, to = to, from
	}
	list, err := os.ReadDir(from)
	err = errors.Join(err, os.MkdirAll(to, 0o700))
	for _, e := range list {
		err = errors.Join(err, os.Rename(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// failing returns a context in which no document of these names can be put in place.
func failing(ctx context.Context, names ...string) context.Context {
	return filesystem.WithSteps(ctx, func(call, name string) error {
		for _, n := range names {
			if name == n && (call == "exchange" || call == "rename" || call == "link") {
				return syscall.ENOSPC
			}
		}
		return nil
	})
}

// killedWriting writes texts into documents as one change that is killed.
func killedWriting(t *testing.T, j *journal.Journal, r *files.Roots, texts map[string]string) {
	t.Helper()
	var paths []string
	for path := range texts {
		paths = append(paths, path)
	}
	if err := r.Update(killing(j.In(t.Context())), paths, func(tx *files.Tx) error {
		tx.Together()
		var errs []error
		for path, text := range texts {
			errs = append(errs, tx.Write(path, []byte(text)))
		}
		return errors.Join(errs...)
	}); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
}

// TestStuckInOrder has three changes be interrupted, of which each but the first is about a
// document of the one before. The newest is taken back first; an older one waits for it if it
// can't be; and a newer one doesn't wait for an older one.
func TestStuckInOrder(t *testing.T) {
	old := map[string]string{"a.md": "a0", "b.md": "b0", "c.md": "c0", "d.md": "d0"}
	changes := []map[string]string{{"a.md": "a1", "b.md": "b1"}, {"b.md": "b2", "c.md": "c2"}, {"c.md": "c3", "d.md": "d3"}}
	for name, tt := range map[string]struct {
		fails string            // whose document can't be put back
		stuck int               // how many changes
		want  map[string]string // what the others come to
	}{
		"none":       {"", 0, old},
		"the oldest": {"a.md", 1, map[string]string{"a.md": "a1", "b.md": "b1", "c.md": "c0", "d.md": "d0"}},
		"the newest": {"d.md", 3, map[string]string{"a.md": "a1", "b.md": "b2", "c.md": "c3", "d.md": "d3"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			state := func() map[string]string {
				now := map[string]string{}
				for name := range old {
					text, err := os.ReadFile(filepath.Join(dir, name))
					if err != nil {
						t.Fatal(err)
					}
					now[name] = string(text)
				}
				return now
			}
			for name, text := range old {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			j, r := newJournal(t), openRoots(t, dir)
			for _, texts := range changes {
				killedWriting(t, j, r, texts)
				aside(t, j, true)
			}
			aside(t, j, false)
			stuck, err := j.TakeBack(failing(t.Context(), tt.fails))
			if err != nil || len(stuck) != tt.stuck {
				t.Errorf("%+v, %v", stuck, err)
			}
			now := state()
			if tt.fails == "d.md" {
				now["c.md"] = tt.want["c.md"] // of the same change, in any order
			}
			if tt.fails == "a.md" {
				now["b.md"] = tt.want["b.md"]
			}
			if diff := cmp.Diff(tt.want, now); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if stuck, err := j.TakeBack(t.Context()); err != nil || len(stuck) > 0 {
				t.Errorf("%+v, %v", stuck, err)
			}
			if diff := cmp.Diff(old, state()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, r := range records(t, j) {
				if r.State != journal.TakenBack || len(r.Left) > 0 {
					t.Errorf("%+v", r)
				}
			}
		})
	}
}

// TestStuckKeepsFolders has a change that has removed a document be stuck, and another one remove
// the last document that is in its folder, which was made for that: the folder stays until the
// first one is put back.
func TestStuckKeepsFolders(t *testing.T) {
	skipModes(t)
	dir, j := before.make(t), newJournal(t)
	r := openRoots(t, dir)
	remove := func(ctx context.Context, paths ...string) error {
		return r.Update(ctx, paths, func(tx *files.Tx) error {
			tx.Together()
			var errs []error
			for _, path := range paths {
				tx.Folders(path, 1)
				errs = append(errs, tx.Remove(path))
			}
			return errors.Join(errs...)
		})
	}
	if err := remove(killing(j.In(t.Context())), "b/b.md", "b/gone.md"); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	if n := len(j.Pending(t.Context())); n != 1 {
		t.Fatalf("%d changes are to be taken back: %v", n, read(t, dir))
	}
	if err := remove(failing(j.In(t.Context()), "b.md", "gone.md"), "b/other.md"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if stuck, err := j.TakeBack(t.Context()); err != nil || len(stuck) > 0 {
		t.Errorf("%+v, %v", stuck, err)
	}
	if now := read(t, dir); now["b/b.md"] != before["b/b.md"] || now["b/gone.md"] != before["b/gone.md"] {
		t.Error(now)
	}
}

// TestStuckByALock has another program hold the lock of a folder in which a document is to be put
// back: changes elsewhere wait for it a moment, those of the document until it is free.
func TestStuckByALock(t *testing.T) {
	skipModes(t)
	dir, other, j := before.make(t), before.make(t), newJournal(t)
	r := openRoots(t, dir)
	if err := change(killing(j.In(t.Context())), r); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	lock, err := files.LockFolder(t.Context(), filepath.Join(dir, "b"))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	put(t, openRoots(t, other), j, "a.md", "elsewhere")
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	time.AfterFunc(1500*time.Millisecond, lock.Release)
	put(t, r, j, "a.md", "later") // which is in another folder than that
	want := maps.Clone(before)
	want["a.md"] = "rw-r----- later"
	if diff := cmp.Diff(want, read(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStuckWhereNothingIsThere has the folder of an interrupted change be away when it is to be
// taken back, as on a disk that isn't mounted. What is there still is taken back at once.
func TestStuckWhereNothingIsThere(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"docs/a.md", "docs/b.md", "other/c.md"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path(name)), 0o700), os.WriteFile(path(name), []byte("old"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	move := func(from, to string) {
		if err := os.Rename(path(from), path(to)); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(want map[string]string) {
		t.Helper()
		for name, text := range want {
			if got, err := os.ReadFile(path(name)); err != nil || string(got) != text {
				t.Errorf("%s: %q, %v; want %q", name, got, err, text)
			}
		}
	}
	j, r := newJournal(t), openRoots(t, dir)
	killedWriting(t, j, r, map[string]string{"docs/a.md": "new", "docs/b.md": "new"})
	move("docs", "away")
	for range 2 {
		if stuck, err := j.TakeBack(t.Context()); err != nil || len(stuck) != 1 {
			t.Errorf("%+v, %v", stuck, err)
		}
	}
	// Whoever has given the folder another name goes on there.
	if err := r.Update(j.In(t.Context()), []string{"away/b.md"}, func(tx *files.Tx) error { return tx.Write("away/b.md", []byte("theirs")) }); err != nil {
		t.Error(err)
	}
	move("away", "docs")
	if stuck, err := j.TakeBack(t.Context()); err != nil || len(stuck) != 0 {
		t.Errorf("%+v, %v", stuck, err)
	}
	holds(map[string]string{"docs/a.md": "old", "docs/b.md": "theirs"})

	// An empty folder in its place, as where a disk was mounted, is nothing either, in a project too.
	for _, text := range []string{"newer", "newest"} {
		if text == "newest" {
			if err := os.Mkdir(path(".git"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		killedWriting(t, j, r, map[string]string{"docs/a.md": text, "docs/b.md": text})
		move("docs", "away")
		if err := os.Mkdir(path("docs"), 0o700); err != nil {
			t.Fatal(err)
		}
		if stuck, err := j.TakeBack(t.Context()); err != nil || len(stuck) != 1 {
			t.Errorf("%+v, %v", stuck, err)
		}
		if err := os.Remove(path("docs")); err != nil {
			t.Fatal(err)
		}
		move("away", "docs")
		if stuck, err := j.TakeBack(t.Context()); err != nil || len(stuck) != 0 {
			t.Errorf("%+v, %v", stuck, err)
		}
		holds(map[string]string{"docs/a.md": "old", "docs/b.md": "theirs"})
	}

	killedWriting(t, j, r, map[string]string{"docs/a.md": "new", "other/c.md": "new"})
	move("docs", "away")
	if stuck, err := j.TakeBack(t.Context()); err != nil || len(stuck) != 0 {
		t.Errorf("%+v, %v", stuck, err)
	}
	holds(map[string]string{"away/a.md": "new", "other/c.md": "old"})
}

// TestMovedStays kills a move when all is in place. What has become of the folder that the document
// was in, or of its name, the document is still there after the next change: at its new path, if it
// can't be put back at the old one.
func TestMovedStays(t *testing.T) {
	skipModes(t)
	for name, do := range map[string]func(old string) error{
		"gone":         os.RemoveAll,
		"made anew":    func(old string) error { return errors.Join(os.RemoveAll(old), os.Mkdir(old, 0o700)) },
		"a file":       func(old string) error { return errors.Join(os.RemoveAll(old), os.WriteFile(old, nil, 0o600)) },
		"a link":       func(old string) error { return errors.Join(os.RemoveAll(old), os.Symlink("new", old)) },
		"another text": func(old string) error { return os.WriteFile(filepath.Join(old, "x.md"), []byte("other"), 0o600) },
		"nothing":      func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			dir, j := t.TempDir(), newJournal(t)
			for path, text := range map[string]string{"old/x.md": "the [document](y.md)", "new/y.md": "", "links.md": "to old"} {
				if err := errors.Join(os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o700), os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			r := openRoots(t, dir)
			err := r.Update(killing(j.In(t.Context())), []string{"old/x.md", "new/name.md", "links.md"}, func(tx *files.Tx) error {
				tx.Together()
				return errors.Join(tx.WriteNew("new/name.md", []byte("the [document](../old/y.md)"), 0o600), tx.Remove("old/x.md"), tx.Write("links.md", []byte("to new")))
			})
			if !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			if err := do(filepath.Join(dir, "old")); err != nil {
				t.Fatal(err)
			}
			put(t, openRoots(t, before.make(t)), j, "a.md", "elsewhere")
			left := records(t, j)[1].Left
			holds := func(path, want string) bool {
				text, err := os.ReadFile(filepath.Join(dir, path))
				return err == nil && string(text) == want
			}
			switch isBack := holds("old/x.md", "the [document](y.md)"); {
			case isBack && name == "nothing" && len(left) == 0:
			case isBack && name != "a link", !holds("new/name.md", "the [document](../old/y.md)"), !slices.Contains(left, filepath.Join(dir, "new", "name.md")):
				t.Errorf("it was put back: %v, left %q", isBack, left)
			}
		})
	}
}

// TestMovedSectionStays kills a change that has put a section of one document into another one, both
// being in place. Where the first is saved by another program, or removed, the section stays in the
// second, which another section of its own goes back from, and a document that has nothing of the
// first is as it was.
func TestMovedSectionStays(t *testing.T) {
	const one, two = "# One\n\n- text\n", "# Two\n\n- other\n"
	sections := map[string]string{ // and what they are behind the other document
		"\n## Section\n\nof [its](a.md) own\n":                    "\n## Section\n\nof [its](../a.md) own\n",
		"\n## First idea\n\n### Second\n":                         "\n### First idea\n\n#### Second\n", // another level
		"\n## Tuesday\n\n- text\n":                                "\n### Tuesday\n\n- text\n",         // a line that is there twice
		"\n> [x]: pic.png\n\n<a href=keep.md>![](a\\).png)</a>\n": "\n> [x]: a/pic.png\n\n<a href=a/keep.md>![](a/a%29.png)</a>\n",
	}
	for name, do := range map[string]func(path string) error{
		"saved":   func(path string) error { return os.WriteFile(path, []byte(one+"more\n"), 0o600) },
		"gone":    os.Remove,
		"nothing": func(string) error { return nil },
	} {
		for section, moved := range sections {
			for _, made := range []bool{false, true} {
				dir, j := t.TempDir(), newJournal(t)
				for path, text := range map[string]string{"one.md": one + section, "two.md": two, "other.md": "as it was"} {
					if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				to := map[bool]string{false: "two.md", true: "new.md"}[made]
				r := openRoots(t, dir)
				err := r.Update(killing(j.In(t.Context())), []string{to, "one.md", "other.md"}, func(tx *files.Tx) error {
					tx.Together()
					write := func() error { return tx.Write(to, []byte(two+moved)) }
					if made {
						write = func() error { return tx.WriteNew(to, []byte(moved), 0o600) }
					}
					return errors.Join(write(), tx.Write("one.md", []byte(one)), tx.Write("other.md", []byte("changed")))
				})
				if !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
				if err := do(filepath.Join(dir, "one.md")); err != nil {
					t.Fatal(err)
				}
				put(t, openRoots(t, before.make(t)), j, "a.md", "elsewhere")
				told := records(t, j)
				if len(told) < 2 {
					t.Fatalf("%s, made %v: what was interrupted isn't taken back: %+v", name, made, told)
				}
				now, left := read(t, dir), told[1].Left
				if now["other.md"] != "rw------- as it was" || strings.Contains(now[to], moved) != (name != "nothing") || slices.Contains(left, filepath.Join(dir, to)) != (name != "nothing") {
					t.Errorf("%s, made %v: %q, left %q", name, made, now, left)
				}
			}
		}
	}
}

// TestDoneThoughItStays: a change whose end is written down is not one that was interrupted, though its
// record can't be moved to those that are done: not one that is made, nor one that is taken back.
func TestDoneThoughItStays(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, ctx context.Context, j *journal.Journal, r *files.Roots){
		"made": func(t *testing.T, ctx context.Context, _ *journal.Journal, r *files.Roots) {
			t.Helper()
			if err := r.Update(ctx, []string{"a.md"}, func(tx *files.Tx) error { return tx.Write("a.md", []byte("new")) }); err != nil {
				t.Fatal(err)
			}
		},
		"taken back": func(t *testing.T, _ context.Context, j *journal.Journal, r *files.Roots) {
			t.Helper()
			killedWriting(t, j, r, map[string]string{"a.md": "new", "b/b.md": "new"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			j, told := newJournal(t), 0
			j = j.Telling(func(journal.Recovered) { told++ })
			r := openRoots(t, before.make(t))
			ctx := filesystem.WithSteps(j.In(t.Context()), func(call, name string) error {
				if call == "rename" && filepath.Base(filepath.Dir(name)) == "done" {
					return os.ErrPermission
				}
				return nil
			})
			end(t, ctx, j, r)
			for range 2 {
				if stuck, err := j.TakeBack(ctx); err != nil || len(stuck) > 0 {
					t.Errorf("%+v, %v", stuck, err)
				}
			}
			if list := records(t, j); len(list) != 1 || list[0].State == journal.Prepared {
				t.Errorf("%+v", list)
			}
			if n, _, err := j.Size(t.Context()); err != nil || n != 1 {
				t.Errorf("%d changes, %v", n, err)
			}
			if want := map[string]int{"made": 0, "taken back": 1}[name]; told != want {
				t.Errorf("told of %d times", told)
			}
		})
	}
}
