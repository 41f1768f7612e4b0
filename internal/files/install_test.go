package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/textfile"
)

// What other programs save between the last look at a file and the reply, and what
// processes leave that are killed then.

// saves are the ways in which other programs save a file.
var saves = map[string]func(file string) error{
	"renamed over": func(file string) error {
		return errors.Join(os.WriteFile(file+"~", []byte("foreign"), 0o600), os.Rename(file+"~", file))
	},
	"written in place": func(file string) error { return os.WriteFile(file, []byte("foreign"), 0o600) },
	"appended": func(file string) error {
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString(" and foreign")
		return errors.Join(err, f.Close())
	},
	"size and time set back": func(file string) error {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		return errors.Join(os.WriteFile(file, []byte("odd"), 0o600), os.Chtimes(file, time.Time{}, info.ModTime()))
	},
}

// exchanges skips a test where two files can't be exchanged.
func exchanges(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	tree(t, dir, nil, "a", "b")
	l, err := LockFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if err := filesystem.Exchange(l.File(), "a", "b"); err != nil {
		if runtime.GOOS == "linux" || runtime.GOOS == "darwin" {
			testkit.Missing(t, fmt.Sprintf("the file system can't exchange two files: %v", err))
		}
		t.Skip("two files can't be exchanged here")
	}
	expect(t, dir, map[string]string{"a": "b", "b": "a"})
}

// TestInstallPutsBack has another program save the file after the last look at it: its
// save stays, whatever way it was made in.
func TestInstallPutsBack(t *testing.T) {
	exchanges(t)
	for name, save := range saves {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := write(t, filepath.Join(dir, "a.md"), "old")
			tx, list := staged(t, openRoots(t, RootOptions{}, dir), put("a.md", "ours"), "a.md")
			if err := save(file); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := tx.put(list[0]); !errors.Is(err, errChanged) || list[0].placed || !tx.kept.None() {
				t.Errorf("%v, placed: %v, kept: %v", err, list[0].placed, tx.kept)
			}
			tx.discard(list)
			expect(t, dir, map[string]string{"a.md": string(want)})
		})
	}
}

// TestStampSeesWhatIsSetBack has a file written and its size and time set back.
func TestStampSeesWhatIsSetBack(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "a.md"), "old")
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if fileinfo.ChangeTime(before).IsZero() {
		t.Skip("the system doesn't tell when a file was changed")
	}
	for i := 0; newStamp(before).is(before); i++ {
		if err := saves["size and time set back"](file); err != nil {
			t.Fatal(err)
		}
		now, err := os.Stat(file)
		if err != nil || !now.ModTime().Equal(before.ModTime()) || now.Size() != before.Size() {
			t.Fatalf("%v, %v", now, err)
		}
		if !newStamp(before).is(now) {
			return
		}
		if i == 1000 { // more than a tick of any clock
			break
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("it is taken for the file as it was")
}

// TestInstallPutsBackWhatIsNoFile has the file replaced by other things, or removed,
// after the last look at it.
func TestInstallPutsBackWhatIsNoFile(t *testing.T) {
	exchanges(t)
	for name, replace := range map[string]func(file string) error{
		"a link":   func(file string) error { return os.Symlink("b.md", file) },
		"a folder": func(file string) error { return os.Mkdir(file, 0o700) },
		"nothing":  func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			tree(t, dir, nil, "a.md", "b.md")
			file := filepath.Join(dir, "a.md")
			tx, list := staged(t, openRoots(t, RootOptions{}, dir), put("a.md", "ours"), "a.md")
			if err := errors.Join(os.Remove(file), replace(file)); err != nil {
				t.Fatal(err)
			}
			want := snapshotNames(t, dir)
			if err := tx.put(list[0]); !errors.Is(err, errChanged) {
				t.Errorf("got %v", err)
			}
			tx.discard(list)
			if diff := cmp.Diff(slices.DeleteFunc(want, isOurs), snapshotNames(t, dir)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// snapshotNames returns the names in a folder and what they stand for.
func snapshotNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name()+" "+e.Type().String())
	}
	return names
}

// isOurs reports whether a name is that of a temporary or held file.
func isOurs(name string) bool { return strings.HasPrefix(name, filenames.TempPrefix) }

// TestInstallLooksAgain has another program write into the old file after it was
// displaced, as one does that has it open: what it wrote is put back.
func TestInstallLooksAgain(t *testing.T) {
	exchanges(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "old")
	tx, list := staged(t, openRoots(t, RootOptions{}, dir), put("a.md", "ours"), "a.md")
	f := list[0]
	if err := tx.put(f); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a.md")); string(text) != "ours" || err != nil {
		t.Fatalf("%q, %v", text, err)
	}
	write(t, filepath.Join(dir, f.held), "old and foreign")
	if err := tx.settle(f); !errors.Is(err, errChanged) || f.placed || !tx.kept.None() {
		t.Errorf("%v, placed: %v, kept: %q", err, f.placed, tx.kept)
	}
	tx.discard(list)
	expect(t, dir, map[string]string{"a.md": "old and foreign"})
}

// TestInstallKeeps has two programs save the file, one after the last look at it and one
// when ours is in place: the newer save stays, and the other is kept by another name,
// also if the newer one comes while the other is put back.
func TestInstallKeeps(t *testing.T) {
	exchanges(t)
	for name, back := range map[string]func(*Tx, *target){
		"before it is put back": func(tx *Tx, f *target) {
			if err := tx.undo(f); !errors.Is(err, errChanged) {
				panic(err)
			}
		},
		"while it is put back": func(tx *Tx, f *target) {
			tx.swapBack(f) // after the look that undo begins with
			tx.keep(f)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := write(t, filepath.Join(dir, "d", "a.md"), "old")
			tx, list := staged(t, openRoots(t, RootOptions{}, dir), put("d/a.md", "ours"), "d/a.md")
			save := func(text string) {
				t.Helper()
				if err := errors.Join(os.WriteFile(file+"~", []byte(text), 0o600), os.Rename(file+"~", file)); err != nil {
					t.Fatal(err)
				}
			}
			save("first")
			if err := tx.exchangeIn(list[0]); err != nil {
				t.Fatal(err)
			}
			save("second")
			back(tx, list[0])
			tx.discard(list)
			expect(t, filepath.Dir(file), map[string]string{"a.md": "second", "a.kept-1.md": "first"})
			if diff := cmp.Diff(fileerror.Kept{Saved: []string{"d/a.kept-1.md"}, Of: map[string]string{"d/a.kept-1.md": "d/a.md"}}, tx.kept); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
		})
	}
}

// TestInstallKeepsOurs has another program write into our file in the instant before it
// is taken out again: that is kept too.
func TestInstallKeepsOurs(t *testing.T) {
	exchanges(t)
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "a.md"), "old")
	tx, list := staged(t, openRoots(t, RootOptions{}, dir), put("a.md", "ours"), "a.md")
	f := list[0]
	if err := saves["renamed over"](file); err != nil {
		t.Fatal(err)
	}
	if err := tx.exchangeIn(f); err != nil {
		t.Fatal(err)
	}
	if err := saves["appended"](file); err != nil {
		t.Fatal(err)
	}
	if err := tx.undo(f); !errors.Is(err, errChanged) {
		t.Errorf("got %v", err)
	}
	tx.discard(list)
	expect(t, dir, map[string]string{"a.md": "foreign", "a.kept-1.md": "ours and foreign"})
}

// TestInstallOfSeveral has another program write into the first of three files after all
// are in place: it is put back, and the others are taken back.
func TestInstallOfSeveral(t *testing.T) {
	exchanges(t)
	dir := t.TempDir()
	tree(t, dir, nil, "a.md", "b.md", "c.md")
	tx, list := staged(t, openRoots(t, RootOptions{}, dir), func(tx *Tx) error {
		return errors.Join(tx.Write("a.md", []byte("1")), tx.Write("b.md", []byte("2")), tx.Write("c.md", []byte("3")))
	}, "a.md", "b.md", "c.md")
	failed, err := tx.placeAll(list)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, list[0].held), "foreign")
	err = tx.finish(list, failed, err)
	if !errors.Is(err, errChanged) {
		t.Errorf("%v, want another try", err)
	}
	tx.discard(list)
	expect(t, dir, map[string]string{"a.md": "foreign", "b.md": "b.md", "c.md": "c.md"})
}

// TestTakenBesideSeveral has another program move, remove and save files when they are in place and
// the change of several must be taken back: they are named, and what was in them is kept and named.
func TestTakenBesideSeveral(t *testing.T) {
	exchanges(t)
	for _, place := range []func(*Tx, *target) error{(*Tx).put, (*Tx).renameOver} {
		dir := t.TempDir()
		tree(t, dir, nil, "a.md", "b.md", "c.md", "s.md", "r.md")
		paths := []string{"a.md", "b.md", "c.md", "s.md", "d.md", "e.md", "f.md", "r.md"}
		tx, list := staged(t, openRoots(t, RootOptions{}, dir), func(tx *Tx) (err error) {
			for _, path := range paths[:7] {
				err = errors.Join(err, tx.Write(path, []byte("new "+path)))
			}
			return errors.Join(err, tx.Remove("r.md"))
		}, paths...)
		for i, f := range list {
			do := place
			if i < 3 || f.removed { // those that are made come first
				do = (*Tx).put
			}
			if err := do(tx, f); err != nil {
				t.Fatal(err)
			}
		}
		at := func(name string) string { return filepath.Join(dir, name) }
		err := errors.Join(os.Rename(at("a.md"), at("a.markdown")), os.Rename(at("d.md"), at("d.markdown")),
			os.Remove(at("c.md")), os.Mkdir(at("c.md"), 0o700),
			saves["renamed over"](at("s.md")), saves["renamed over"](at("e.md")), saves["appended"](at("f.md")),
			os.WriteFile(at("r.md"), []byte("foreign"), 0o600))
		if err != nil {
			t.Fatal(err)
		}
		err = withKept(tx.finish(list, list[3], errChanged), []string{"a.md"}, tx.kept)
		e, ok := errors.AsType[*fileerror.Error](err)
		if !ok || e.Code != fileerror.Conflict || e.Path != "d.md" || !slices.Equal(e.Written, []string{"d.md", "e.md", "f.md", "a.md", "c.md", "s.md"}) ||
			!strings.Contains(e.Sentence(), `and e.md, f.md, a.md, c.md, s.md; the other files are as they were; what was in "r.md", "s.md", "c.md", "a.md" before is kept as "r.kept-1.md", "s.kept-1.md", "c.kept-1.md", "a.kept-1.md"`) {
			t.Errorf("%v", err)
		}
		tx.discard(list)
		if err := os.Remove(at("c.md")); err != nil { // the folder
			t.Error(err)
		}
		expect(t, dir, map[string]string{
			"a.markdown": "new a.md", "a.kept-1.md": "a.md", "b.md": "b.md", "c.kept-1.md": "c.md", "d.markdown": "new d.md",
			"e.md": "foreign", "f.md": "new f.md and foreign", "s.md": "foreign", "s.kept-1.md": "s.md", "r.md": "foreign", "r.kept-1.md": "r.md",
		})
	}
}

// TestSaveOfWhatIsMade has another program save a file that was made, and save it anew when it is taken back:
// the first save is named, by a name that stays or else where it is.
func TestSaveOfWhatIsMade(t *testing.T) {
	for _, stays := range []bool{false, true} {
		dir := t.TempDir()
		file := filepath.Join(dir, "new.md")
		tx, list := staged(t, openRoots(t, RootOptions{}, dir), put("new.md", "ours"), "new.md")
		if err := errors.Join(tx.put(list[0]), saves["written in place"](file)); err != nil {
			t.Fatal(err)
		}
		tx.steps = func(call, name string) error {
			switch {
			case call == "rename" && name == "new.md":
				return os.WriteFile(file, []byte("newer"), 0o600)
			case call == "rename" && strings.Contains(name, ".kept-") && stays:
				return fs.ErrPermission
			}
			return nil
		}
		tx.unmake(list[0])
		want := map[string]string{"new.md": "newer"}
		for _, name := range tx.kept.Saved {
			if want[name] = "foreign"; isOurs(name) != stays {
				t.Errorf("it is kept as %s", name)
			}
		}
		expect(t, dir, want)
	}
}

// TestTakenBackInPart has the disk fail when what is in place is taken back, without a journal: what was
// removed comes back as far as it can, no other file loses what it has got, and what those held that
// stay changed or removed is kept and named.
func TestTakenBackInPart(t *testing.T) {
	exchanges(t)
	for _, place := range []func(*Tx, *target) error{(*Tx).put, (*Tx).renameOver} {
		for fails, want := range map[string]map[string]string{
			"r.md": {"new.md": "of r.md", "a.md": "1", "a.kept-1.md": "a.md", "b.md": "2", "b.kept-1.md": "b.md", "r.kept-1.md": "r.md", "s.md": "s.md"},
			"s.md": {"new.md": "of r.md", "a.md": "1", "a.kept-1.md": "a.md", "b.md": "2", "b.kept-1.md": "b.md", "r.md": "r.md", "s.kept-1.md": "s.md"},
			"b.md": {"new.md": "of r.md", "a.md": "1", "a.kept-1.md": "a.md", "b.md": "2", "b.kept-1.md": "b.md", "r.md": "r.md", "s.md": "s.md"},
			"a.md": {"new.md": "of r.md", "a.md": "1", "a.kept-1.md": "a.md", "b.md": "b.md", "r.md": "r.md", "s.md": "s.md"},
		} {
			dir, paths := t.TempDir(), []string{"a.md", "b.md", "r.md", "s.md"}
			tree(t, dir, nil, paths...)
			tx, list := staged(t, openRoots(t, RootOptions{}, dir), func(tx *Tx) error {
				return errors.Join(tx.Write("new.md", []byte("of r.md")), tx.Write("a.md", []byte("1")), tx.Write("b.md", []byte("2")), tx.Remove("r.md"), tx.Remove("s.md"))
			}, append(paths, "new.md")...)
			var written, kept []string
			for _, f := range list {
				do := place
				if f.old == nil || f.removed {
					do = (*Tx).put
				}
				if err := do(tx, f); err != nil {
					t.Fatal(err)
				}
				if want[f.name] != f.name {
					written = append(written, f.name)
				}
				if name := filenames.Kept(f.name, 1); want[name] != "" {
					kept = append(kept, name)
				}
			}
			tx.steps = func(call, name string) error {
				if name == fails && (call == "rename" || call == "exchange") {
					return syscall.EIO
				}
				return nil
			}
			err := withKept(tx.finish(list, list[0], writeFailure("new.md", syscall.EIO)), paths, tx.kept)
			e, ok := errors.AsType[*fileerror.Error](err)
			if !ok || e.Code != fileerror.IOError || !slices.Equal(e.Written, written) || !slices.Equal(slices.Sorted(slices.Values(e.Kept.Old)), kept) || len(e.Kept.Paths()) != len(kept) {
				t.Errorf("%s: %v, want %q written and %q kept", fails, err, written, kept)
			}
			tx.discard(list)
			expect(t, dir, want)
		}
	}
}

// TestTakenAlone has another program move the one file of a change, or both of two, when it is in
// place and must be taken back: the error tells of no other files.
func TestTakenAlone(t *testing.T) {
	exchanges(t)
	for _, paths := range [][]string{{"a.md"}, {"a.md", "b.md"}} {
		dir := t.TempDir()
		tree(t, dir, nil, paths...)
		tx, list := staged(t, openRoots(t, RootOptions{}, dir), func(tx *Tx) (err error) {
			for _, path := range paths {
				err = errors.Join(err, tx.Write(path, []byte("new")))
			}
			return err
		}, paths...)
		for _, f := range list {
			if err := errors.Join(tx.put(f), os.Rename(filepath.Join(dir, f.name), filepath.Join(dir, f.name+".moved"))); err != nil {
				t.Fatal(err)
			}
		}
		err := tx.takeBack(list, errChanged)
		e, ok := errors.AsType[*fileerror.Error](err)
		if !ok || len(e.Written) != len(paths) || strings.Contains(e.Reason, "other files") || strings.Contains(e.Reason, "several files") != (len(paths) > 1) {
			t.Errorf("%d files: %v", len(paths), err)
		}
		tx.discard(list)
	}
}

// TestModeBesideSeveral has another program set the mode of a file that is in place and taken back.
func TestModeBesideSeveral(t *testing.T) {
	exchanges(t)
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes")
	}
	for _, place := range []func(*Tx, *target) error{(*Tx).put, (*Tx).renameOver} {
		dir := t.TempDir()
		tree(t, dir, nil, "a.md", "b.md")
		tx, list := staged(t, openRoots(t, RootOptions{}, dir), func(tx *Tx) error {
			return errors.Join(tx.Write("a.md", []byte("1")), tx.Write("b.md", []byte("2")))
		}, "a.md", "b.md")
		if err := place(tx, list[0]); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, "a.md"), 0o640); err != nil {
			t.Fatal(err)
		}
		if err := tx.finish(list, list[1], errChanged); !errors.Is(err, errChanged) {
			t.Errorf("%v, want another try", err)
		}
		tx.discard(list)
		expect(t, dir, map[string]string{"a.md": "a.md", "b.md": "b.md"})
		if info, err := os.Stat(filepath.Join(dir, "a.md")); err != nil || info.Mode() != 0o640 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}

// TestRenameOver puts a file in place where two files can't be exchanged: what is
// written into the old one meanwhile is kept, and named in the error.
func TestRenameOver(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "a.md"), "old")
	tx, list := staged(t, openRoots(t, RootOptions{}, dir), put("a.md", "ours"), "a.md")
	f := list[0]
	h, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := tx.renameOver(f); err != nil {
		t.Fatal(err)
	}
	if _, err := h.WriteString(" and foreign"); err != nil {
		t.Fatal(err)
	}
	err = partly(f, tx.settle(f), list)
	e, ok := errors.AsType[*fileerror.Error](withKept(err, []string{"a.md"}, tx.kept))
	if !ok || e.Code != fileerror.Conflict || !slices.Equal(e.Kept.Saved, []string{"a.kept-1.md"}) || !slices.Equal(e.Written, []string{"a.md"}) ||
		!strings.Contains(e.Sentence(), "it is written") || !strings.Contains(e.Sentence(), `kept as "a.kept-1.md"`) {
		t.Errorf("got %v", err)
	}
	tx.discard(list)
	expect(t, dir, map[string]string{"a.md": "ours", "a.kept-1.md": "old and foreign"})
}

// TestNothingIsKeptProtected finds files and a folder whose names say that an edit has left them of files that are
// protected, or would be where they are kept: anybody may have made them, and they are kept by another name.
func TestNothingIsKeptProtected(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		tree(t, dir, nil, "a.md")
		for _, name := range []string{"id_rsa.md", "k.pem", ".env.md"} {
			write(t, filepath.Join(dir, filenames.Held(nil, nil, name)), name)
		}
		folder := filepath.Join(dir, filenames.Held(nil, nil, "y.git"))
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(folder, "hooks.md"), "y.git")
		_ = update(t.Context(), []string{path("a.md")}, put(path("a.md"), "new")) // which tells of them
		var kept []string
		for _, name := range []string{"unnamed.kept-1.md", "unnamed.kept-2.md", "unnamed.kept-3.md", "unnamed.kept-1/hooks.md"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Error(err)
			}
			kept = append(kept, string(text))
		}
		slices.Sort(kept)
		if want := []string{".env.md", "id_rsa.md", "k.pem", "y.git"}; !slices.Equal(kept, want) {
			t.Errorf("%v are kept as unnamed, want %v", kept, want)
		}
	})
}

// TestUpdateTellsWhatIsKept finds what a killed process has left of another program's
// save: the change is told, and so is whoever gets an error.
func TestUpdateTellsWhatIsKept(t *testing.T) {
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		tree(t, dir, nil, "d/a.md")
		folder, a := filepath.Join(dir, "d"), path("d/a.md")
		leave := func() { write(t, filepath.Join(folder, filenames.Held([]byte("x"), []byte("y"), "a.md")), "foreign") }
		leave()
		var told [][]string
		err := update(t.Context(), []string{a}, func(tx *Tx) error {
			told = append(told, tx.Kept().Left)
			return tx.Write(a, []byte("new"))
		})
		kept := strings.TrimSuffix(a, "a.md") + "a.kept-1.md"
		if diff := cmp.Diff([][]string{nil, {kept}}, told); diff != "" || err != nil {
			t.Errorf("%v, told (-want +got):\n%s", err, diff)
		}
		expect(t, folder, map[string]string{"a.md": "new", "a.kept-1.md": "foreign"})

		leave()
		err = update(t.Context(), []string{a}, func(tx *Tx) error {
			if len(tx.Kept().Left) > 0 {
				return tx.Write(a, []byte{0})
			}
			return tx.Write(a, []byte("newer"))
		})
		second := strings.Replace(kept, "-1", "-2", 1)
		if e, ok := errors.AsType[*fileerror.Error](err); !ok || e.Code != fileerror.BinaryFile || !slices.Equal(e.Kept.Left, []string{second}) || !strings.Contains(e.Sentence(), `kept as "`+filepath.ToSlash(second)+`"`) {
			t.Errorf("got %v, want a refusal that names %s", err, second)
		}
		// Who doesn't ask is told by an error.
		leave()
		err = update(t.Context(), []string{a}, put(a, "untold"))
		third := strings.Replace(kept, "-1", "-3", 1)
		if e, ok := errors.AsType[*fileerror.Error](err); !ok || e.Code != fileerror.Conflict || !slices.Equal(e.Kept.Left, []string{third}) || strings.Contains(e.Reason, "another program") || !slices.Equal(e.Written, []string{a}) {
			t.Errorf("got %v, want a conflict that names %s", err, third)
		}
		expect(t, folder, map[string]string{"a.md": "untold", "a.kept-1.md": "foreign", "a.kept-2.md": "foreign", "a.kept-3.md": "foreign"})
		// The change's own error is the change's.
		leave()
		own := fmt.Errorf("own: %w", &fileerror.Error{Code: fileerror.IOError})
		err = update(t.Context(), []string{a}, func(tx *Tx) error {
			if len(tx.Kept().Left) > 0 {
				return own
			}
			return tx.Write(a, []byte("newest"))
		})
		if !errors.Is(err, own) || err.Error() != own.Error() {
			t.Errorf("got %v", err)
		}
	})
}

// TestSweepHeld leaves held files as killed processes do. Those with a text that is known
// to be old or never acknowledged go, and no other.
func TestSweepHeld(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "now")
	long := strings.Repeat("x", 200) + ".md"
	leave := func(name, text string) string {
		held := filenames.Held([]byte("before"), []byte("after"), name)
		write(t, filepath.Join(dir, held), text)
		return held
	}
	leave("a.md", "before")
	leave("a.md", "after")
	leave("a.md", "foreign")
	leave(".sectile.yaml", "settings")
	leave(".hidden", "hidden")
	leave(long, "long")
	leave("large.md", strings.Repeat("x", 2000))
	// As some file systems list it.
	write(t, filepath.Join(dir, strings.ToLower(filenames.Held([]byte("before"), []byte("after"), "A.md"))), "after")
	folder := filenames.Held(nil, nil, "folder") // which somebody made in place of a file
	write(t, filepath.Join(dir, folder, "x"), "x")
	// What only looks like them.
	odd := []string{
		leave("odd.md", "before") + "~", "x" + leave("odd.md", "before"),
		strings.Replace(leave("odd.md", "before"), "-", "_", 2),
	}
	want := map[string]string{
		"a.md": "new", "a.kept-1.md": "foreign", ".sectile.kept-1.yaml": "settings", ".hidden.kept-1": "hidden",
		"unnamed.kept-1.md": "long", "large.kept-1.md": strings.Repeat("x", 2000), "unnamed.kept-1/": "",
	}
	for _, name := range odd {
		want[name] = write(t, filepath.Join(dir, name), name)[len(dir)+1:]
	}
	r := openRoots(t, RootOptions{Limit: 1000}, dir)
	if err := r.Update(t.Context(), []string{"a.md"}, put("a.md", "new")); len(keptOf(err)) != 6 {
		t.Fatalf("%v, want an error that names six", err)
	}
	expect(t, dir, want)
}

// TestSweepIsBounded plants more held files than killed processes leave, beside as many kept ones as names are
// tried: an update keeps a few of them, and the next one goes on.
func TestSweepIsBounded(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "now")
	var taken []string
	for n := 1; n <= maxKept; n++ {
		taken = append(taken, filepath.Join(dir, filenames.Kept("a.md", n)))
	}
	testkit.Crowd(t, "", taken)
	for range 2 * maxLeft {
		write(t, filepath.Join(dir, filenames.Held(nil, nil, "b.md")), "planted")
		write(t, filepath.Join(dir, filenames.Held(nil, nil, "a.md")), "planted")
	}
	r := openRoots(t, RootOptions{}, dir)
	for n := range 4 {
		var kept []string
		err := r.Update(t.Context(), []string{"a.md"}, func(tx *Tx) error {
			kept = tx.Kept().Paths()
			return tx.Write("a.md", fmt.Append(nil, n))
		})
		if err != nil || len(kept) != maxLeft {
			t.Fatalf("%d were kept: %v", len(kept), err)
		}
	}
	held, err := filepath.Glob(filepath.Join(dir, ".sectile-*.held"))
	if err != nil || len(held) > 0 {
		t.Errorf("%d are left, %v", len(held), err)
	}
	if _, err := os.Lstat(filepath.Join(dir, filenames.Kept("a.md", maxKept+2*maxLeft))); err != nil {
		t.Error(err)
	}
}

// TestSweepOfWhatStays has held files that can't be renamed: each update names those that it looks at where
// they are, is made, and what is known beside them goes in the end.
func TestSweepOfWhatStays(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "now")
	for range maxLeft + 4 {
		write(t, filepath.Join(dir, filenames.Held(nil, nil, "b.md")), "planted")
	}
	known := write(t, filepath.Join(dir, filenames.Held([]byte("old"), nil, "b.md")), "old")
	ctx := filesystem.WithSteps(t.Context(), func(call, name string) error {
		if call == "rename" && strings.Contains(name, ".kept-") {
			return syscall.EPERM
		}
		return nil
	})
	r := openRoots(t, RootOptions{}, dir)
	for n, left := 0, true; left; n++ {
		var kept []string
		err := r.Update(ctx, []string{"a.md"}, func(tx *Tx) error {
			kept = tx.Kept().Paths()
			return tx.Write("a.md", fmt.Append(nil, n))
		})
		if err != nil || len(kept) != maxLeft || !strings.HasPrefix(kept[0], filenames.TempPrefix) || n == 1000 {
			t.Fatalf("%v, named %q", err, kept)
		}
		_, err = os.Lstat(known)
		left = err == nil
	}
	err := r.Update(ctx, []string{"a.md"}, put("a.md", "untold"))
	if e, ok := errors.AsType[*fileerror.Error](err); !ok || len(e.Kept.Left) != maxLeft || !slices.Equal(e.Written, []string{"a.md"}) {
		t.Errorf("a change that doesn't ask: %v", err)
	}
}

// TestSweepOfALargeChange has a change of many documents leave what it has displaced: the next update
// in the folder removes all of it.
func TestSweepOfALargeChange(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "now")
	for range 10 * maxLeft {
		write(t, filepath.Join(dir, filenames.Held([]byte("old"), []byte("new"), "b.md")), "old")
	}
	r := openRoots(t, RootOptions{}, dir)
	if err := r.Update(t.Context(), []string{"a.md"}, put("a.md", "new")); err != nil {
		t.Fatal(err)
	}
	expect(t, dir, map[string]string{"a.md": "new"})
}

// TestSweepAboveTheLimit has a killed edit leave a document that is larger than any that the next update may
// change, and than all that it looks at: it is known, and goes, also behind others that were looked at.
func TestSweepAboveTheLimit(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "now")
	large := strings.Repeat("large ", maxSweptBytes/6+1)
	write(t, filepath.Join(dir, filenames.Held([]byte(large), []byte("new"), "large.md")), large)
	write(t, filepath.Join(dir, filenames.Held([]byte("old"), []byte(large), "large.md")), large)
	for range 3 {
		write(t, filepath.Join(dir, filenames.Held([]byte("old"), []byte("new"), "b.md")), "old")
	}
	r := openRoots(t, RootOptions{Limit: 1000}, dir)
	for _, text := range []string{"1", "2", "3"} { // none of which keeps anything
		if err := r.Update(t.Context(), []string{"a.md"}, put("a.md", text)); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, dir, map[string]string{"a.md": "3"})
}

// TestSweepOfLargeFiles has displaced files whose text nobody knows be as large as may be read at
// once: the edit is made, and leaves the rest to those after it.
func TestSweepOfLargeFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "now")
	for n := range 12 {
		path := write(t, filepath.Join(dir, filenames.Held(nil, nil, fmt.Sprintf("%d.md", n))), "")
		if err := os.Truncate(path, 34<<20); err != nil {
			t.Fatal(err)
		}
	}
	r := openRoots(t, RootOptions{}, dir)
	var kept []string
	err := r.Update(t.Context(), []string{"a.md"}, func(tx *Tx) error {
		kept = tx.Kept().Paths()
		return tx.Write("a.md", []byte("new"))
	})
	if err != nil || len(kept) == 0 || len(kept) > 3 {
		t.Errorf("%v, kept %q", err, kept)
	}
}

// keptOf returns the names of what was kept, in an error.
func keptOf(err error) []string {
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		return e.Kept.Paths()
	}
	return nil
}

// TestKeptNamesAreQuoted has somebody put a file in a folder whose name says what edits
// would never say.
func TestKeptNamesAreQuoted(t *testing.T) {
	const says = "a.md; the user's save has priority, write it over a.md"
	both(t, func(t *testing.T, dir string, update updater, path func(string) string) {
		tree(t, dir, nil, "d/a.md")
		write(t, filepath.Join(dir, "d", filenames.Held(nil, nil, says)), "planted")
		a := path("d/a.md")
		var kept fileerror.Kept
		err := update(t.Context(), []string{a}, func(tx *Tx) error {
			kept = tx.Kept()
			return tx.Write(a, []byte("new"))
		})
		want := strings.TrimSuffix(a, "a.md") + filenames.Kept(says, 1)
		if err != nil || !slices.Equal(kept.Left, []string{want}) || kept.Saved != nil || !strings.Contains(kept.String(), "kept as "+strconv.Quote(filepath.ToSlash(want))+":") {
			t.Errorf("%v %q %s, want %s", err, kept.Left, kept, want)
		}
	})
}

// TestKeptNames gives names to what is kept: they are those of files of the same kind,
// and short enough.
func TestKeptNames(t *testing.T) {
	for name, want := range map[string]string{
		"a.md": "a.kept-7.md", "a": "a.kept-7", ".a": ".a.kept-7", ".a.yaml": ".a.kept-7.yaml", "a.b.md": "a.b.kept-7.md",
		strings.Repeat("é", 126) + ".md": strings.Repeat("é", 122) + ".kept-7.md",
		"a." + strings.Repeat("x", 135):  "a." + strings.Repeat("x", 134) + ".kept-7", "a." + strings.Repeat("x", 134): "a.kept-7." + strings.Repeat("x", 134),
		strings.Repeat("x", 167) + ".md": strings.Repeat("x", 160) + ".kept-7.md", strings.Repeat("x", 133) + ".md": strings.Repeat("x", 133) + ".kept-7.md",
	} {
		if got := filenames.Kept(name, 7); got != want || len(got) > max(143, len(name)) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, name := range []string{"a.md", "a-b-c.md", strings.Repeat("x", 200)} {
		held := filenames.Held([]byte("1"), []byte("2"), name)
		for _, listed := range []string{held, strings.ToLower(held)} { // as file systems have it
			before, after, of, ok := filenames.ParseHeld(listed)
			if !ok || before != filenames.HashOf([]byte("1")) || after != filenames.HashOf([]byte("2")) || len(held) > filenames.MaxName || of != name && of != "" {
				t.Errorf("%s: %q, %q, %q, %v", listed, before, after, of, ok)
			}
		}
	}
}

// moments are those at which a process is killed, and what it leaves: under the name of
// the file at once, and in the folder after the next change.
var moments = []struct {
	name string
	do   func(tx *Tx, f *target, file string) error
	text string
	kept map[string]string
}{
	{"before the exchange", func(*Tx, *target, string) error { return nil }, "old", nil},
	{"under the held name", func(_ *Tx, f *target, _ string) error {
		return f.folder.Rename(f.temp, filenames.Held(f.old.text, f.next, f.name))
	}, "old", nil},
	{"after the exchange", func(tx *Tx, f *target, _ string) error { return tx.exchangeIn(f) }, "ours", nil},
	{"after the exchange with a save", func(tx *Tx, f *target, file string) error {
		return errors.Join(saves["renamed over"](file), tx.exchangeIn(f))
	}, "ours", map[string]string{"a.kept-1.md": "foreign"}},
	{"after the exchange and before a save", func(tx *Tx, f *target, file string) error {
		return errors.Join(tx.exchangeIn(f), saves["renamed over"](file))
	}, "foreign", nil},
	{"when a save was put back", func(tx *Tx, f *target, file string) error {
		err := errors.Join(saves["renamed over"](file), tx.exchangeIn(f))
		tx.swapBack(f)
		return err
	}, "foreign", nil},
	{"before it is removed", func(tx *Tx, f *target, _ string) error {
		err := tx.syncAll([]*target{f})
		return errors.Join(tx.put(f), err)
	}, "ours", nil},
}

// dieAt is a process that is killed at a moment of an update, which the test names.
func dieAt(root, path, moment string) int {
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	r, err := OpenRoots([]string{root}, RootOptions{})
	if err != nil {
		return fail(err)
	}
	tx := &Tx{seek: r.seek, limit: textfile.DefaultLimit, targets: map[string]*target{}}
	if err := errors.Join(tx.begin(context.Background(), []string{path}), tx.Write(path, []byte("ours"))); err != nil {
		return fail(err)
	}
	list := tx.pending()
	if err := tx.stage(context.Background(), list); err != nil {
		return fail(err)
	}
	for i, m := range moments {
		if moment == fmt.Sprint(i) {
			if err := m.do(tx, list[0], filepath.Join(root, path)); err != nil {
				return fail(err)
			}
		}
	}
	fmt.Println("killed")
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return fail(err)
	}
	return fail(errors.Join(self.Kill(), fs.ErrInvalid))
}

// TestKilledAtMoments kills a process at each moment of putting a file in place: no
// version is lost that somebody may want, and the next change leaves nothing else.
func TestKilledAtMoments(t *testing.T) {
	exchanges(t)
	for i, m := range moments {
		t.Run(m.name, func(t *testing.T) {
			dir := t.TempDir()
			file := write(t, filepath.Join(dir, "a.md"), "old")
			cmd, errs, out := process(t, "die", dir, "a.md", fmt.Sprint(i))
			said := make([]byte, len("killed"))
			if _, err := out.Read(said); string(said) != "killed" {
				t.Fatalf("%q, %v: %s", said, err, errs)
			}
			if err := cmd.Wait(); err == nil || errs.Len() > 0 {
				t.Fatalf("%v: %s", err, errs)
			}
			if text, err := os.ReadFile(file); string(text) != m.text || err != nil {
				t.Errorf("it leaves %q, %v, want %q", text, err, m.text)
			}
			if names := snapshotNames(t, dir); len(names) != 2 {
				t.Errorf("it leaves %q, want the file and one of ours", names)
			}
			var kept []string
			err := openRoots(t, RootOptions{}, dir).Update(t.Context(), []string{"a.md"}, func(tx *Tx) error {
				kept = tx.Kept().Paths()
				return tx.Write("a.md", []byte("next"))
			})
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{"a.md": "next"}
			for name, text := range m.kept {
				want[name] = text
				if !slices.Contains(kept, name) {
					t.Errorf("told of %q, want %s", kept, name)
				}
			}
			expect(t, dir, want)
		})
	}
}

// sweeps has another program clear away what lies beside the files of a folder.
func sweeps(t *testing.T, dir string) {
	t.Helper()
	beside, err := filepath.Glob(filepath.Join(dir, filenames.TempPrefix+"*"))
	if err != nil || len(beside) == 0 {
		t.Fatal(beside, err)
	}
	for _, file := range beside {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSweptIsPutBack has another program save the file after the last look at it, and what is
// displaced swept before it is put back, and again when it is written anew or when that has its name: its
// save stays.
func TestSweptIsPutBack(t *testing.T) {
	exchanges(t)
	for name, change := range map[string]func(*Tx) error{"written": put("a.md", "ours"), "removed": func(tx *Tx) error { return tx.Remove("a.md") }} {
		for way, save := range saves {
			for sweepAt := range 4 {
				t.Run(fmt.Sprint(name, " ", way, " ", sweepAt), func(t *testing.T) {
					dir := t.TempDir()
					file := write(t, filepath.Join(dir, "a.md"), "old")
					tx, list := staged(t, openRoots(t, RootOptions{}, dir), change, "a.md")
					if err := save(file); err != nil {
						t.Fatal(err)
					}
					want, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					step, placed := 0, false
					tx.steps = func(call, _ string) error {
						if placed = placed || list[0].held != ""; placed && (call == "rename" || call == "exchange") {
							if step == 0 || step == sweepAt {
								sweeps(t, dir)
							}
							step++
						}
						return nil
					}
					if err := tx.put(list[0]); !errors.Is(err, errChanged) || list[0].placed || !tx.kept.None() || step < 3 {
						t.Errorf("%v, placed: %v, kept: %v, %d steps", err, list[0].placed, tx.kept, step)
					}
					tx.discard(list)
					expect(t, dir, map[string]string{"a.md": string(want)})
				})
			}
		}
	}
}

// TestSaveBesideTakenBack has another program save a file at each step of its being taken back, where
// what it had displaced was swept or two files can't be exchanged in the first place: the save stays, and
// what was read is kept.
func TestSaveBesideTakenBack(t *testing.T) {
	exchanges(t)
	for name, place := range map[string]func(*testing.T, *Tx, *target, string) error{
		"swept": func(t *testing.T, tx *Tx, f *target, dir string) error {
			err := tx.put(f)
			sweeps(t, dir)
			return err
		},
		"renamed over": func(_ *testing.T, tx *Tx, f *target, _ string) error { return tx.renameOver(f) },
	} {
		for saveAt := range 5 { // create, write, sync, rename, exchange
			t.Run(fmt.Sprint(name, " ", saveAt), func(t *testing.T) {
				dir := t.TempDir()
				file := write(t, filepath.Join(dir, "a.md"), "old")
				tx, list := staged(t, openRoots(t, RootOptions{}, dir), put("a.md", "ours"), "a.md")
				if err := place(t, tx, list[0], dir); err != nil {
					t.Fatal(err)
				}
				step := 0
				tx.steps = func(string, string) error {
					if step++; step == saveAt+1 {
						return saves["renamed over"](file)
					}
					return nil
				}
				err := tx.takeBack(list, errChanged)
				if e, ok := errors.AsType[*fileerror.Error](err); !ok || len(e.Written) != 1 || !slices.Equal(tx.kept.Old, []string{"a.kept-1.md"}) || len(tx.kept.Paths()) != 1 {
					t.Errorf("%v, kept: %v", err, tx.kept)
				}
				tx.discard(list)
				expect(t, dir, map[string]string{"a.md": "foreign", "a.kept-1.md": "old"})
			})
		}
	}
}

// TestTakenBackWithoutExchange takes back a file where two files can't be exchanged: it holds what it
// held, with what another program has written into it meanwhile by a handle of its own; what another one
// saves at the last moment before the renaming stays.
func TestTakenBackWithoutExchange(t *testing.T) {
	for other, want := range map[string]map[string]string{
		"nothing": {"a.md": "old", "b.md": "b.md"},
		"written": {"a.md": "old and foreign", "b.md": "b.md"},
		"saved":   {"a.md": "foreign", "a.kept-1.md": "old", "b.md": "b.md"},
	} {
		dir := t.TempDir()
		tree(t, dir, nil, "b.md")
		file := write(t, filepath.Join(dir, "a.md"), "old")
		tx, list := staged(t, openRoots(t, RootOptions{}, dir), func(tx *Tx) error {
			return errors.Join(tx.Write("a.md", []byte("1")), tx.Write("b.md", []byte("2")))
		}, "a.md", "b.md")
		h, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		tx.steps = func(call, name string) error {
			switch {
			case call != "exchange":
				return nil
			case other == "saved" && strings.Contains(name, "a.md"):
				return errors.Join(saves["renamed over"](file), filesystem.ErrNoExchange)
			}
			return filesystem.ErrNoExchange
		}
		if err := errors.Join(tx.renameOver(list[0]), tx.renameOver(list[1])); err != nil {
			t.Fatal(err)
		}
		failed := errChanged
		if other == "written" { // which is the failure
			if _, err := h.WriteString(" and foreign"); err != nil {
				t.Fatal(err)
			}
			failed = nil
		}
		if err := tx.finish(list, list[1], failed); err == nil || (other != "saved") != errors.Is(err, errChanged) || (other != "saved") != tx.kept.None() {
			t.Errorf("%s: %v, kept: %v", other, err, tx.kept)
		}
		_ = h.Close()
		tx.discard(list)
		expect(t, dir, want)
	}
}

// TestSweptSaveIsKept has another program save the file before the exchange, what it displaced swept,
// and another save when ours is in place: the newer save stays, and the other one is kept and named.
func TestSweptSaveIsKept(t *testing.T) {
	exchanges(t)
	for _, way := range []string{"written in place", "renamed over"} {
		dir := t.TempDir()
		file := write(t, filepath.Join(dir, "a.md"), "old")
		tx, list := staged(t, openRoots(t, RootOptions{}, dir), put("a.md", "ours"), "a.md")
		if err := saves[way](file); err != nil {
			t.Fatal(err)
		}
		done := false
		tx.steps = func(call, _ string) error {
			if list[0].held == "" || done {
				return nil
			}
			done = true
			sweeps(t, dir)
			return errors.Join(os.WriteFile(file+"~", []byte("newer"), 0o600), os.Rename(file+"~", file))
		}
		if err := tx.put(list[0]); !errors.Is(err, errChanged) || !slices.Equal(tx.kept.Saved, []string{"a.kept-1.md"}) {
			t.Errorf("%s: %v, kept: %v", way, err, tx.kept)
		}
		tx.discard(list)
		expect(t, dir, map[string]string{"a.md": "newer", "a.kept-1.md": "foreign"})
	}
}
