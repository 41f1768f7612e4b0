package journal_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/textfile"
)

// records returns what is in a journal, the newest first.
func records(t testing.TB, j *journal.Journal) (list []*journal.Record) {
	t.Helper()
	if err := j.List(t.Context(), func(r *journal.Record) bool {
		list = append(list, r)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRecords writes down changes of one and of several files.
func TestRecords(t *testing.T) {
	skipModes(t)
	dir, j := before.make(t), newJournal(t)
	r := openRoots(t, dir)
	asked := j.For(journal.Asker{Tool: "edit", Command: []string{"edit", "a.md"}})
	if err := change(asked.In(t.Context()), r); err != nil {
		t.Fatal(err)
	}
	if err := r.Update(j.In(t.Context()), []string{"a.md"}, func(tx *files.Tx) error { return tx.Write("a.md", nil) }); err != nil {
		t.Fatal(err)
	}
	if err := r.Update(j.In(t.Context()), []string{"a.md"}, func(tx *files.Tx) error { return tx.Write("a.md", nil) }); err != nil {
		t.Fatal(err) // which changes nothing
	}
	list := records(t, j)
	if len(list) != 2 || list[0].State != journal.Committed || list[1].State != journal.Committed || !list[0].Time.After(list[1].Time) {
		t.Fatalf("%+v", list)
	}
	if diff := cmp.Diff(journal.Asker{Tool: "edit", Command: []string{"edit", "a.md"}}, list[1].Asker); diff != "" {
		t.Error(diff)
	}
	var kinds []string
	for i := range list[1].Entries {
		e := &list[1].Entries[i]
		name, _ := filepath.Rel(dir, e.Path)
		kinds = append(kinds, e.Kind()+" "+filepath.ToSlash(name))
		if e.Root != dir {
			t.Errorf("%s is below %s", e.Path, e.Root)
		}
	}
	want := []string{"create b/new.md", "create c/moved.md", "change a.md", "change b/b.md", "remove moved.md", "remove b/gone.md"}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	old, now, err := j.Texts(t.Context(), &list[0].Entries[0])
	if err != nil || string(old) != "a, changed" || now == nil || len(now) > 0 {
		t.Errorf("%q, %q, %v", old, now, err)
	}
	err = filepath.WalkDir(j.Dir(), func(path string, e fs.DirEntry, err error) error {
		info, infoErr := e.Info()
		if infoErr == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return errors.Join(err, infoErr)
	})
	if err != nil {
		t.Error(err)
	}
}

// TestRecoverTogether has several take back what was killed, and change documents, at once.
func TestRecoverTogether(t *testing.T) {
	skipModes(t)
	at := placed(t)
	dir, j := before.make(t), newJournal(t)
	if err := killed(j.In(t.Context()), openRoots(t, dir), at); err == nil {
		t.Fatal("it wasn't killed")
	}
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			r := openRoots(t, dir)
			err := r.Update(j.In(t.Context()), []string{"a.md"}, func(tx *files.Tx) error {
				text, err := tx.Read("a.md")
				if err != nil {
					return err
				}
				return tx.Write("a.md", append(text, byte('0'+i)))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	now := read(t, dir)
	if text := now["a.md"]; !strings.HasPrefix(text, before["a.md"]) || len(text) != len(before["a.md"])+4 {
		t.Errorf("a.md is %q", text)
	}
	now["a.md"] = before["a.md"]
	for name := range now {
		if strings.Contains(name, ".sectile-") {
			delete(now, name) // until something is written in that folder
		}
	}
	if diff := cmp.Diff(before, now); diff != "" {
		t.Errorf("(-before +now):\n%s", diff)
	}
}

// TestRecoveryOfAFolder kills a change of two documents in a new folder before each of its steps:
// what takes it back leaves neither of them, and tells of none that it has left.
func TestRecoveryOfAFolder(t *testing.T) {
	skipModes(t)
	killed := errors.New("killed")
	for at, reached := 0, true; reached; at++ {
		dir := documents{"a.md": "rw-r--r-- a"}.make(t)
		r := openRoots(t, dir)
		var told []journal.Recovered
		j := journal.New(journal.Options{Dir: filepath.Join(t.TempDir(), "journal"), Told: func(r journal.Recovered) { told = append(told, r) }})
		steps := 0
		reached = false
		paths := []string{"n/1.md", "n/2.md"}
		made, _, err := r.MakeFolders(t.Context(), paths[0], nil, false)
		if err != nil {
			t.Fatal(err)
		}
		ctx := filesystem.WithSteps(j.In(t.Context()), func(string, string) error {
			if steps++; steps > at {
				reached = true
				return killed
			}
			return nil
		})
		err = r.Update(ctx, paths, func(tx *files.Tx) error {
			tx.Together()
			for _, path := range paths {
				tx.Folders(path, made)
			}
			return errors.Join(tx.WriteNew(paths[0], []byte("1"), 0o644), tx.WriteNew(paths[1], []byte("2"), 0o644))
		})
		if _, err := j.TakeBack(t.Context()); err != nil && !errors.Is(err, fs.ErrNotExist) { // as before it has a folder
			t.Fatal(err)
		}
		for _, r := range told {
			if len(r.Left) > 0 {
				t.Errorf("step %d: %v are left", at, r.Left)
			}
		}
		if now := read(t, dir); len(told) > 0 && now[paths[0]]+now[paths[1]] != "" { // else what can be swept away
			t.Errorf("step %d, %v: there are %v", at, err, now)
		}
	}
}

// TestRecoveryTellsWhatItKeeps has another program save a document right before a change that is
// killed puts its own text in its place: what takes that back keeps the save, and tells its name.
func TestRecoveryTellsWhatItKeeps(t *testing.T) {
	skipModes(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.md")
	testkit.WriteFile(t, path, "old\n")
	var told []journal.Recovered
	j := journal.New(journal.Options{Dir: filepath.Join(t.TempDir(), "journal"), Told: func(r journal.Recovered) { told = append(told, r) }})
	exchanged := false
	ctx := filesystem.WithSteps(j.In(t.Context()), func(call, _ string) error {
		switch {
		case exchanged:
			return errors.New("killed")
		case call == "exchange":
			exchanged = true
			testkit.WriteFile(t, path+".theirs", "theirs\n")
			return os.Rename(path+".theirs", path)
		}
		return nil
	})
	err := files.Update(ctx, []string{path}, files.UpdateOptions{}, func(tx *files.Tx) error { return tx.Write(path, []byte("new\n")) })
	if !exchanged && runtime.GOOS != "linux" {
		t.Skip("no files are exchanged here:", err)
	}
	if err == nil || !exchanged {
		t.Fatalf("it was not killed, or not after an exchange: %v", err)
	}
	if stuck, err := j.TakeBack(t.Context()); err != nil || len(stuck) > 0 || len(told) != 1 {
		t.Fatalf("%v, %v, %+v", stuck, err, told)
	}
	found := false
	for _, kept := range told[0].Kept.Paths() {
		text, err := os.ReadFile(kept)
		found = found || err == nil && string(text) == "theirs\n"
	}
	if !found {
		t.Errorf("what was saved is in none of %v", told[0].Kept)
	}
}

// TestDamaged changes a journal in many ways, after a kill and after a change: what can't be
// believed is told of and obeyed nowhere, and edits go on.
func TestDamaged(t *testing.T) {
	skipModes(t)
	at := placed(t)
	for name, damage := range map[string]func(text []byte) []byte{
		"cut off":        func(text []byte) []byte { return text[:len(text)/2] },
		"empty":          func([]byte) []byte { return nil },
		"another path":   func(text []byte) []byte { return []byte(strings.ReplaceAll(string(text), "b.md", "x.md")) },
		"no longer JSON": func(text []byte) []byte { return append([]byte("{"), text...) },
		"zeros":          func(text []byte) []byte { return make([]byte, len(text)) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, dies := range []bool{true, false} {
				dir, j := before.make(t), newJournal(t)
				r := openRoots(t, dir)
				in, want := "done", after
				if dies {
					in = "open"
					_ = killed(j.In(t.Context()), r, at) // it was
				} else if err := change(j.In(t.Context()), r); err != nil {
					t.Fatal(err)
				}
				found, err := filepath.Glob(filepath.Join(j.Dir(), in, "*"))
				if err != nil || len(found) != 1 {
					t.Fatalf("%v, %v", found, err)
				}
				text, err := os.ReadFile(found[0])
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(found[0], damage(text), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := touch(j.In(t.Context()), r); err != nil {
					t.Errorf("the next change: %v", err)
				}
				if diff := cmp.Diff(want, read(t, dir)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				list := records(t, j)
				if last := list[len(list)-1]; last.Problem == "" || last.ID == "" {
					t.Errorf("it is believed: %+v", last)
				}
			}
		})
	}
}

// TestLostCopies has the texts damaged or gone: what can't be taken back is left and named.
func TestLostCopies(t *testing.T) {
	skipModes(t)
	at := placed(t)
	for name, damage := range map[string]func(path string) error{
		"changed": func(path string) error { return os.WriteFile(path, []byte("something else"), 0o600) },
		"gone":    os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			dir, j := before.make(t), newJournal(t)
			r := openRoots(t, dir)
			_ = killed(j.In(t.Context()), r, at) // it was
			copies, err := filepath.Glob(filepath.Join(j.Dir(), "copies", "*"))
			if err != nil || len(copies) == 0 {
				t.Fatal(copies, err)
			}
			for _, path := range copies {
				if err := damage(path); err != nil {
					t.Fatal(err)
				}
			}
			if err := touch(j.In(t.Context()), r); err != nil {
				t.Error(err)
			}
			if list := records(t, j); len(list) != 3 || len(list[2].Left) != len(paths) {
				t.Errorf("%+v", list)
			}
			now := read(t, dir)
			for _, path := range []string{"a.md", "c/moved.md"} { // which has the only copy
				if now[path] != after[path] {
					t.Errorf("%s is %q", path, now[path])
				}
			}
		})
	}
}

// TestUntrusted carries a journal elsewhere, as a repository could: it is not believed, and
// not written to.
func TestUntrusted(t *testing.T) {
	skipModes(t)
	at := placed(t)
	for name, carry := range map[string]func(from, to string) error{
		"a copy": func(from, to string) error {
			return errors.Join(os.CopyFS(to, os.DirFS(from)), os.Chmod(to, 0o700))
		},
		"a folder for all": func(from, to string) error { return errors.Join(os.Rename(from, to), os.Chmod(to, 0o755)) },
		"a link":           os.Symlink,
	} {
		t.Run(name, func(t *testing.T) {
			dir, j := before.make(t), newJournal(t)
			r := openRoots(t, dir)
			_ = killed(j.In(t.Context()), r, at) // it was
			state := read(t, dir)
			to := filepath.Join(t.TempDir(), "journal")
			if err := carry(j.Dir(), to); err != nil {
				t.Fatal(err)
			}
			carried := journal.New(journal.Options{Dir: to})
			if _, err := carried.TakeBack(t.Context()); name != "a copy" && !errors.Is(err, journal.ErrUntrusted) {
				t.Errorf("it is believed: %v", err)
			}
			if diff := cmp.Diff(state, read(t, dir)); diff != "" {
				t.Errorf("documents were changed (-before +now):\n%s", diff)
			}
			if name != "a copy" {
				refused(t, carried, r)
				return
			}
			if list := records(t, carried); len(list) != 1 || list[0].Problem == "" {
				t.Errorf("%+v", list)
			}
		})
	}
}

// refused checks that without a journal several files aren't changed together, and one is,
// without undo.
func refused(t *testing.T, j *journal.Journal, r *files.Roots) {
	t.Helper()
	others := []string{"other.md", "b/other.md"}
	err := r.Update(j.In(t.Context()), others, func(tx *files.Tx) error {
		tx.Together()
		return errors.Join(tx.Write(others[0], []byte("x")), tx.Write(others[1], []byte("x")))
	})
	if e, ok := errors.AsType[*fileerror.Error](err); !ok || !strings.Contains(e.Reason, "journal") || strings.Contains(e.Sentence(), j.Dir()) || len(e.Written) > 0 {
		t.Errorf("several files: %v", err)
	}
	var last *files.Tx
	err = r.Update(j.In(t.Context()), others[:1], func(tx *files.Tx) error {
		last = tx
		return tx.Write(others[0], []byte("y"))
	})
	if err != nil || last.Undo().Not == "" {
		t.Errorf("one file: %v, no undo: %q", err, last.Undo().Not)
	}
	if text, err := r.Read(&textfile.Reader{}, others[0]); string(text) != "y" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// TestUnwritable has the state folder be one that can't be written, on another file system
// in /proc where there is one, or a file.
func TestUnwritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(file, "journal"), "/proc/sectile/journal"} {
		refused(t, journal.New(journal.Options{Dir: dir}), openRoots(t, before.make(t)))
	}
}

// TestLocked has another process hold the lock of the journal: it is named to whoever waits for it
// in vain, and a file is changed all the same.
func TestLocked(t *testing.T) {
	j, r := newJournal(t), openRoots(t, before.make(t))
	write := func(ctx context.Context, paths ...string) (last *files.Tx, err error) {
		err = r.Update(j.In(ctx), paths, func(tx *files.Tx) error {
			tx.Together()
			last = tx
			for _, path := range paths {
				err = errors.Join(err, tx.Write(path, []byte(strings.Join(paths, "\n"))))
			}
			return err
		})
		return last, err
	}
	if _, err := write(t.Context(), "other.md"); err != nil {
		t.Fatal(err)
	}
	lock, err := os.OpenFile(filepath.Join(j.Dir(), "lock"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := filelock.TryFile(lock, false); err != nil {
		t.Fatal(err)
	}
	who := "locked by another program"
	if runtime.GOOS == "linux" {
		who = fmt.Sprintf("locked by another request to this process (%d)", os.Getpid())
	}
	ctx := filelock.WithPatience(t.Context(), 20*time.Millisecond)
	if last, err := write(ctx, "b/other.md"); err != nil || !strings.Contains(last.Undo().Not, who) {
		t.Errorf("one file: %v, %s", err, last.Undo().Not)
	}
	_, err = write(ctx, "other.md", "b/other.md")
	if e, ok := errors.AsType[*fileerror.Error](err); !ok || !strings.Contains(e.Reason, who) || !strings.Contains(e.Hint, "if it hangs") {
		t.Errorf("several: %v", err)
	}
	err = j.Clear(ctx)
	if e, ok := errors.AsType[*fileerror.Error](err); !ok || !strings.Contains(e.Reason, who) {
		t.Errorf("clear: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := j.Clear(filelock.WithEnd(t.Context(), ended)); !errors.Is(err, context.Canceled) {
		t.Errorf("clear at the end: %v", err)
	}
	lock.Close()
	if err := j.Clear(ctx); err != nil || len(records(t, j)) > 0 {
		t.Errorf("clear: %v", err)
	}
}

// TestClear keeps what is young and small enough, and all texts that are needed.
func TestClear(t *testing.T) {
	dir, j := before.make(t), newJournal(t)
	r := openRoots(t, dir)
	write := func(j *journal.Journal, text string) {
		t.Helper()
		if err := r.Update(j.In(t.Context()), []string{"other.md"}, func(tx *files.Tx) error { return tx.Write("other.md", []byte(text)) }); err != nil {
			t.Fatal(err)
		}
	}
	write(j, "2")
	write(j, "3")
	write(journal.New(journal.Options{Dir: j.Dir(), MaxBytes: 8000}), strings.Repeat("4", 5000)) // which clears away, for it is most of that
	list := records(t, j)
	if len(list) != 3 {
		t.Errorf("%d changes are left", len(list))
	}
	write(journal.New(journal.Options{Dir: j.Dir(), MaxBytes: 8000}), strings.Repeat("5", 5000))
	if list = records(t, j); len(list) != 4 { // the newest alone is too much: its record stays, and so do the others
		t.Fatalf("%d changes are left", len(list))
	}
	if _, _, err := j.Texts(t.Context(), &list[0].Entries[0]); !journal.IsGone(err) {
		t.Errorf("the newest: %v", err)
	}
	if before, after, err := j.Texts(t.Context(), &list[1].Entries[0]); string(before) != "3" || len(after) != 5000 || err != nil {
		t.Errorf("%q, %q, %v", before, after, err)
	}
	write(j, "6")
	write(j, "7")
	if before, after, err := j.Texts(t.Context(), &records(t, j)[0].Entries[0]); string(before) != "6" || string(after) != "7" || err != nil {
		t.Errorf("%q, %q, %v", before, after, err)
	}
	if err := j.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if copies, err := filepath.Glob(filepath.Join(j.Dir(), "copies", "*")); len(copies) > 0 || err != nil || len(records(t, j)) > 0 {
		t.Errorf("%v, %v", copies, err)
	}
	old := journal.New(journal.Options{Dir: j.Dir(), MaxAge: time.Nanosecond, MaxBytes: 1})
	write(old, "8")
	if list = records(t, j); len(list) != 0 {
		t.Errorf("%d changes are left", len(list))
	}
}

// TestClearKeeps: after each change there is no more than is kept, and the newest can be undone.
func TestClearKeeps(t *testing.T) {
	const most = 100_000
	j := newJournal(t)
	r := openRoots(t, before.make(t))
	j = journal.New(journal.Options{Dir: j.Dir(), MaxBytes: most})
	for i := range 300 {
		text := strings.Repeat(fmt.Sprint(i, " "), 1+i*i%9000)
		if i%50 == 7 {
			text = strings.Repeat("x", most/10*4) + text // half of it alone
		}
		if err := r.Update(j.In(t.Context()), []string{"other.md"}, func(tx *files.Tx) error { return tx.Write("other.md", []byte(text)) }); err != nil {
			t.Fatal(err)
		}
		if n, bytes, err := j.Size(t.Context()); err != nil || n == 0 || bytes > most {
			t.Fatalf("change %d: %d changes, %d bytes, %v", i, n, bytes, err)
		}
		if _, after, err := j.Texts(t.Context(), &records(t, j)[0].Entries[0]); err != nil || string(after) != text {
			t.Fatalf("change %d: %v", i, err)
		}
	}
}

// TestClearRecords: records count as texts do, so that long paths don't fill the disk.
func TestClearRecords(t *testing.T) {
	j, dir := newJournal(t), t.TempDir()
	few := journal.New(journal.Options{Dir: j.Dir(), MaxBytes: 1 << 20})
	changes := make([]files.Change, 200)
	for i := range changes {
		changes[i] = files.Change{Path: filepath.Join(dir, strings.Repeat("a", 200), strings.Repeat("b", 200), strings.Repeat("c", 200), fmt.Sprint(i)), Before: []byte("a"), After: []byte("b")}
	}
	for range 10 {
		pending, err := few.Prepare(t.Context(), changes)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(pending.Commit(), pending.Sync()); err != nil {
			t.Fatal(err)
		}
		pending.Close() // which clears away, for its record is a part of what is kept
	}
	n, bytes, err := j.Size(t.Context())
	if err != nil || n < 2 || n > 5 || bytes > 1<<20 || bytes < 1<<18 {
		t.Errorf("%d changes, %d bytes, %v", n, bytes, err)
	}
}

// TestSyncsOfOne: a change of one document syncs at most twice more with a journal that is there
// than without.
func TestSyncsOfOne(t *testing.T) {
	dir, j := before.make(t), newJournal(t)
	r := openRoots(t, dir)
	syncs := func(ctx context.Context, text string) (n int) {
		err := r.Update(filesystem.WithSteps(ctx, func(call, _ string) error {
			if call == "sync" {
				n++
			}
			return nil
		}), []string{"a.md"}, func(tx *files.Tx) error { return tx.Write("a.md", []byte(text)) })
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	syncs(j.In(t.Context()), "1") // makes the journal
	with, without := syncs(j.In(t.Context()), "2"), syncs(t.Context(), "3")
	if without < 1 || with > without+2 {
		t.Errorf("%d with a journal, %d without", with, without)
	}
}

// BenchmarkUpdate measures a change of one document of 2,500 lines with a journal and
// without; files are synced on both sides. Run it where syncs cost nothing, as in memory, to
// see the rest.
func BenchmarkUpdate(b *testing.B) {
	text := testkit.LargeFixture().Source
	for name, j := range map[string]*journal.Journal{"without": nil, "with": newJournal(b)} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.md"), text, 0o600); err != nil {
				b.Fatal(err)
			}
			r, err := files.OpenRoots([]string{dir}, files.RootOptions{})
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			n := byte(0)
			for b.Loop() {
				n++
				if err := r.Update(j.In(b.Context()), []string{"a.md"}, func(tx *files.Tx) error {
					now, err := tx.Read("a.md")
					if err != nil {
						return err
					}
					now[0] = 'a' + n%26
					return tx.Write("a.md", now)
				}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestPending tells of what was killed, and writes nothing.
func TestPending(t *testing.T) {
	skipModes(t)
	dir, j := before.make(t), newJournal(t)
	if list := j.Pending(t.Context()); len(list) > 0 {
		t.Errorf("without a journal: %v", list)
	}
	ctx := j.For(journal.Asker{Tool: "edit"}).In(t.Context())
	if a := journal.AskerOf(ctx); a.Tool != "edit" || journal.AskerOf(t.Context()).Tool != "" {
		t.Errorf("%+v", a)
	}
	_ = killed(ctx, openRoots(t, dir), placed(t)) // it was
	state := read(t, dir)
	if list := j.Pending(t.Context()); len(list) != 1 || len(list[0].Entries) != 6 || list[0].Asker.Tool != "edit" {
		t.Errorf("%+v", list)
	}
	if diff := cmp.Diff(state, read(t, dir)); diff != "" {
		t.Errorf("(-before +now):\n%s", diff)
	}
}

// BenchmarkSeveral measures a change of 100 documents as a whole, and the same documents
// written by themselves: a file beside each, synced and renamed, and its folder synced.
func BenchmarkSeveral(b *testing.B) {
	text := testkit.MediumFixture().Source
	dir := b.TempDir()
	var names []string
	for i := range 100 {
		names = append(names, filepath.Join(dir, strings.Repeat("x", i+1)+".md"))
		if err := os.WriteFile(names[i], text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	next := func(n int) []byte { return append([]byte{'a' + byte(n%26)}, text[1:]...) }
	b.Run("plain", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n++
			for _, name := range names {
				if err := plainly(name, next(n)); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("together", func(b *testing.B) {
		j := newJournal(b)
		n := 0
		for b.Loop() {
			n++
			err := files.Update(j.In(b.Context()), names, files.UpdateOptions{}, func(tx *files.Tx) error {
				tx.Together()
				var errs []error
				for _, name := range names {
					errs = append(errs, tx.Write(name, next(n)))
				}
				return errors.Join(errs...)
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// plainly writes a file as programs do that want it whole after a crash.
func plainly(name string, text []byte) error {
	f, err := os.Create(name + "~")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(name+"~", name); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// TestClockGoesBack has the clock be set back after a change, by years: the next change is the
// newer one all the same, and so is the one after; and none is kept for years.
func TestClockGoesBack(t *testing.T) {
	dir, j := before.make(t), newJournal(t)
	r := openRoots(t, dir)
	put := func(text string) {
		t.Helper()
		if err := r.Update(j.In(t.Context()), []string{"other.md"}, func(tx *files.Tx) error { return tx.Write("other.md", []byte(text)) }); err != nil {
			t.Fatal(err)
		}
	}
	put("2")
	found, err := filepath.Glob(filepath.Join(j.Dir(), "done", "*"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	later := time.Now().AddDate(20, 0, 0) // as it would be then
	name := fmt.Sprintf("%016x", later.UnixMicro()) + filepath.Base(found[0])[16:]
	if err := errors.Join(os.Rename(found[0], filepath.Join(j.Dir(), "done", name)), os.Chtimes(filepath.Join(j.Dir(), "lock"), later, later)); err != nil {
		t.Fatal(err)
	}
	put("3")
	put("4")
	var texts []string
	for _, r := range records(t, j) {
		_, after, err := j.Texts(t.Context(), &r.Entries[0])
		texts = append(texts, string(after))
		if err != nil || time.Since(r.Time) > time.Hour || time.Until(r.Time) > time.Hour {
			t.Errorf("%v, %v", r.Time, err)
		}
	}
	if diff := cmp.Diff([]string{"4", "3", "2"}, texts); diff != "" {
		t.Error(diff)
	}
	// How old they are goes by the clock, or they would be kept for 20 years more.
	j = journal.New(journal.Options{Dir: j.Dir(), MaxAge: time.Nanosecond, MaxBytes: 400})
	put(strings.Repeat("5", 100))
	if list := records(t, j); len(list) != 0 {
		t.Errorf("%d changes are left", len(list))
	}
}

// TestRecordTooLong: what couldn't be read is not written, so that a change that needs the
// journal isn't begun.
func TestRecordTooLong(t *testing.T) {
	testkit.OneGoroutine(t)
	j, dir := newJournal(t), t.TempDir()
	changes := make([]files.Change, 2000)
	for i := range changes {
		long := filepath.Join(dir, strings.Repeat("&", 200), strings.Repeat("&", 200), strings.Repeat("&", 200), strings.Repeat("&", 200))
		changes[i] = files.Change{Path: filepath.Join(long, fmt.Sprint(i)), Before: []byte("a"), After: []byte("b")}
	}
	if _, err := j.Prepare(t.Context(), changes); err == nil {
		t.Error("a record of more than 8 MiB is written")
	}
	if list := records(t, j); len(list) > 0 {
		t.Errorf("%d records", len(list))
	}
	pending, err := j.Prepare(t.Context(), changes[:500])
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(pending.Commit(), pending.Sync()); err != nil {
		t.Fatal(err)
	}
	pending.Close()
	if list := records(t, j); len(list) != 1 || list[0].Problem != "" || len(list[0].Entries) != 500 {
		t.Errorf("%+v", list)
	}
}
