package files

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/testkit"
)

// File systems that encrypt names have shorter ones than others, and what they say of that isn't true.

// refusing has no file get a name longer than so many bytes, as such a file system does, and no two exchanged if
// that is said.
func refusing(longest int, exchanges bool) filesystem.Steps {
	return func(call, name string) error {
		switch {
		case call == "exchange" && !exchanges:
			return filesystem.ErrNoExchange
		case call == "rename" && len(name) > longest:
			return syscall.ENAMETOOLONG
		}
		return nil
	}
}

// TestShortNames changes, takes back and removes documents where names are short, of names up to the longest
// there: all is done. What another program saves meanwhile is kept by a name that stands for it.
func TestShortNames(t *testing.T) {
	t.Run("exchanged", func(t *testing.T) { shortNames(t, t.TempDir(), refusing(143, true), 143) })
	t.Run("renamed", func(t *testing.T) { shortNames(t, t.TempDir(), refusing(143, false), 143) })
	t.Run("gocryptfs", func(t *testing.T) {
		top := t.TempDir()
		shortNames(t, top, nil, testkit.ShortNames(t, top))
	})
}

func shortNames(t *testing.T, dir string, steps filesystem.Steps, longest int) {
	t.Helper()
	for _, length := range []int{48, 49, 100, longest - 1, longest} {
		t.Run(strconv.Itoa(length), func(t *testing.T) { shortName(t, dir, steps, length) })
	}
}

// shortName is shortNames for names of so many bytes.
func shortName(t *testing.T, dir string, steps filesystem.Steps, length int) {
	t.Helper()
	name := strings.Repeat("n", length-len(".md")) + ".md"
	path, made := write(t, filepath.Join(dir, name), "old"), filepath.Join(dir, "m"+name[1:])
	ctx := filesystem.WithSteps(t.Context(), steps)
	if err := Update(ctx, []string{path}, UpdateOptions{}, put(path, "new")); err != nil {
		t.Fatal(err)
	}
	expect(t, dir, map[string]string{name: "new"})

	change := func(tx *Tx) error { return errors.Join(tx.Write(made, []byte("made")), tx.Remove(path)) }
	failed := false // where the old one is put away
	failing := filesystem.WithSteps(t.Context(), func(call, to string) error {
		if err := steps.Before(call, to); err != nil || failed || call != "rename" || !strings.HasSuffix(to, ".held") {
			return err
		}
		failed = true
		return syscall.EIO
	})
	if err := Update(failing, []string{path, made}, UpdateOptions{}, change); codeOf(err) != fileerror.IOError || !fileerror.KeptOf(err).None() {
		t.Error(err)
	}
	expect(t, dir, map[string]string{name: "new"})
	if err := Update(ctx, []string{path, made}, UpdateOptions{}, change); err != nil {
		t.Error(err)
	}
	expect(t, dir, map[string]string{filepath.Base(made): "made"})

	tx, list := staged(t, openRoots(t, RootOptions{}, dir), put(made, "newer"), made)
	tx.steps = steps
	if err := tx.put(list[0]); err != nil {
		t.Error(err)
	}
	want := map[string]string{filepath.Base(made): "newer"}
	if list[0].held != "" { // exchanged: what is written into the old file, before another one takes the name
		write(t, filepath.Join(dir, list[0].held), "saved")
		write(t, filepath.Join(dir, "t"), "saved later")
		if err := os.Rename(filepath.Join(dir, "t"), made); err != nil {
			t.Fatal(err)
		}
		want = map[string]string{filepath.Base(made): "saved later", filenames.Kept(filepath.Base(made), 1): "saved"}
	}
	if err := tx.finish(list, nil, nil); errors.Is(err, errChanged) != (len(want) > 1) {
		t.Error(err)
	}
	expect(t, dir, want)
	if len(tx.kept.Saved) != len(want)-1 {
		t.Errorf("%q is told", tx.kept.Saved)
	}
	for name := range want {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestMissingIsNotKept: where no file can have the names of those beside a document, it is refused truthfully,
// and nothing is told to be kept.
func TestMissingIsNotKept(t *testing.T) {
	for name, change := range map[string]func(*Tx) error{
		"changed": func(tx *Tx) error { return tx.Write("a.md", []byte("new")) },
		"removed": func(tx *Tx) error { return tx.Remove("a.md") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "a.md", "old")
			err := Update(filesystem.WithSteps(t.Context(), refusing(60, true)), []string{"a.md"}, UpdateOptions{}, change)
			if codeOf(err) != fileerror.InvalidArgument || !fileerror.KeptOf(err).None() {
				t.Errorf("%v", err)
			}
			expect(t, ".", map[string]string{"a.md": "old"})
		})
	}
}
