package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/testkit"
)

// TestNameStandsForSomething has a file system that can't exchange two files give what stands in the place
// another name first, as some do with what is open, and then fail to rename, or find nothing to rename: the
// name stands for the old file again, or for the new one.
func TestNameStandsForSomething(t *testing.T) {
	for name, test := range map[string]struct {
		fails error
		times int
		want  string
		code  fileerror.Code
	}{
		"swept once":     {syscall.ENOENT, 1, "new", ""},
		"swept always":   {syscall.ENOENT, 1000, "old", fileerror.Conflict},
		"fails":          {syscall.EIO, 1000, "old", fileerror.IOError},
		"isn't allowed":  {syscall.EACCES, 1000, "old", fileerror.Permission},
		"fails for room": {syscall.ENOSPC, 1000, "old", fileerror.NoSpace},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file, n := write(t, filepath.Join(dir, "a.md"), "old"), 0
			ctx := filesystem.WithSteps(t.Context(), func(call, name string) error {
				switch {
				case call == "exchange":
					return filesystem.ErrNoExchange
				case call != "rename" || name != "a.md":
					return nil
				}
				list, err := filepath.Glob(filepath.Join(dir, ".sectile-*"))
				text, readErr := os.ReadFile(list[0])
				if err := errors.Join(err, readErr); err != nil || len(list) != 1 || string(text) != "new" { // what puts it back
					return err
				}
				if n++; n > test.times {
					return nil
				}
				if test.fails == syscall.ENOENT { //nolint:errorlint // it is none of another's
					err = os.Remove(list[0])
				}
				if err := errors.Join(err, os.Rename(file, file+".hidden"), os.Remove(file+".hidden")); err != nil {
					t.Error(err)
				}
				return test.fails
			})
			err := Update(ctx, []string{file}, UpdateOptions{}, put(file, "new"))
			if e, ok := errors.AsType[*fileerror.Error](err); ok != (test.code != "") || ok && (e.Code != test.code || len(e.Written) > 0 || !e.Kept.None()) {
				t.Errorf("%v, want %q", err, test.code)
			}
			expect(t, dir, map[string]string{"a.md": test.want})
		})
	}
}

// TestNameStandsForSomethingTakenBack is the same for one of two files that are taken back.
func TestNameStandsForSomethingTakenBack(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil, "a.md", "b.md")
	tx, list := staged(t, openRoots(t, RootOptions{}, dir), func(tx *Tx) error {
		return errors.Join(tx.Write("a.md", []byte("1")), tx.Write("b.md", []byte("2")))
	}, "a.md", "b.md")
	if err := tx.renameOver(list[0]); err != nil {
		t.Fatal(err)
	}
	done := false
	tx.steps = func(call, name string) error {
		switch {
		case call == "exchange":
			return filesystem.ErrNoExchange
		case call == "rename" && name == "a.md" && !done:
			done = true
			sweeps(t, dir)
			if err := os.Remove(filepath.Join(dir, "a.md")); err != nil {
				t.Error(err)
			}
			return syscall.ENOENT
		}
		return nil
	}
	if err := tx.finish(list, list[1], errChanged); !errors.Is(err, errChanged) || !tx.kept.None() {
		t.Errorf("%v, kept %v", err, tx.kept)
	}
	tx.discard(list)
	expect(t, dir, map[string]string{"a.md": "a.md", "b.md": "b.md"})
}

// TestNothingIsHidden edits in a mirror of a folder that a program provides (bindfs): what it has open isn't given
// another name before the new file has its own.
func TestNothingIsHidden(t *testing.T) {
	dir, mirror := t.TempDir(), t.TempDir()
	testkit.Mirror(t, dir, mirror)
	write(t, filepath.Join(dir, "a.md"), "old")
	tx, list := staged(t, openRoots(t, RootOptions{}, mirror), put("a.md", "new"), "a.md")
	if err := tx.put(list[0]); err != nil {
		t.Fatal(err)
	}
	for _, name := range snapshotNames(t, dir) {
		if strings.HasPrefix(name, ".fuse_hidden") {
			t.Errorf("%s lies there", name)
		}
	}
	if err := tx.finish(list, nil, nil); err != nil {
		t.Error(err)
	}
	expect(t, dir, map[string]string{"a.md": "new"})
}

// TestWriteBeforeClosing writes into the old file in such a mirror after the last look at it and before it is closed for
// the renaming: what was written stays.
func TestWriteBeforeClosing(t *testing.T) {
	for name, save := range saves {
		if name == "renamed over" { // which isn't seen from then on
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir, mirror := t.TempDir(), t.TempDir()
			testkit.Mirror(t, dir, mirror)
			file := write(t, filepath.Join(mirror, "a.md"), "old")
			tx, list := staged(t, openRoots(t, RootOptions{}, mirror), put("a.md", "new"), "a.md")
			if err := save(file); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := tx.renameOver(list[0]); !errors.Is(err, errChanged) || list[0].placed {
				t.Error(err)
			}
			tx.discard(list)
			expect(t, dir, map[string]string{"a.md": string(want)})
		})
	}
}

// TestNamesWithNumbers makes and removes documents where each name of a linked file has a number of its
// own (sshfs): all is done, or taken back.
func TestNamesWithNumbers(t *testing.T) {
	dir, mirror := t.TempDir(), t.TempDir()
	testkit.NumberingMirror(t, dir, mirror)
	tree(t, dir, nil, "a.md", "b.md")
	paths := []string{filepath.Join(mirror, "a.md"), filepath.Join(mirror, "b.md"), filepath.Join(mirror, "new.md")}
	change := func(tx *Tx) error {
		return errors.Join(tx.Write(paths[2], []byte("made")), tx.Write(paths[0], []byte("changed")), tx.Remove(paths[1]))
	}
	failing := filesystem.WithSteps(t.Context(), func(call, name string) error {
		if call == "rename" && strings.HasSuffix(name, "-b.md.held") {
			return syscall.EIO
		}
		return nil
	})
	if err := Update(failing, paths, UpdateOptions{}, change); codeOf(err) != fileerror.IOError || strings.Contains(err.Error(), "another program") {
		t.Error(err)
	}
	expectReleased(t, dir, map[string]string{"a.md": "a.md", "b.md": "b.md"})
	if err := Update(t.Context(), paths, UpdateOptions{}, change); err != nil {
		t.Error(err)
	}
	expectReleased(t, dir, map[string]string{"a.md": "changed", "new.md": "made"})
}

// expectReleased is expect once such a file system has let go of what was open when it was removed, which it does behind
// our back.
func expectReleased(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	for range 500 {
		if hidden, err := filepath.Glob(filepath.Join(dir, ".fuse_hidden*")); len(hidden) == 0 || err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	expect(t, dir, want)
}

// blind is a folder whose names can't be looked at.
type blind struct {
	*os.Root
	told error
}

func (b blind) Lstat(string) (fs.FileInfo, error) { return nil, b.told }

// TestOpenFileUnseen: a name that can't be looked at once its file is open doesn't stand for another file, which
// a file of ours that is in place would be taken for.
func TestOpenFileUnseen(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "new")
	folder, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	for told, want := range map[error]error{syscall.EIO: syscall.EIO, syscall.EACCES: syscall.EACCES, syscall.ENOENT: errChanged} {
		if _, _, err := openFile(blind{folder, told}, "a.md"); !errors.Is(err, want) {
			t.Errorf("%v: %v, want %v", told, err, want)
		}
	}
}
