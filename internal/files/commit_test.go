package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/textfile"
)

// staged returns a transaction whose new files are written and not yet in place,
// and those files in the order in which they will be.
func staged(t *testing.T, r *Roots, change func(*Tx) error, paths ...string) (*Tx, []*target) {
	t.Helper()
	tx := &Tx{seek: r.seek, limit: textfile.DefaultLimit, targets: map[string]*target{}}
	t.Cleanup(tx.end)
	if err := tx.begin(t.Context(), paths); err != nil {
		t.Fatal(err)
	}
	if err := change(tx); err != nil {
		t.Fatal(err)
	}
	list := tx.pending()
	if err := tx.stage(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if err := tx.verify(f); err != nil {
			t.Fatal(err)
		}
	}
	return tx, list
}

// TestInstallFails has another program come between the last look and the renaming
// of the second of three files: the first is taken back.
func TestInstallFails(t *testing.T) {
	for name, meddle := range map[string]func(dir string) error{
		"changed": func(dir string) error { return os.WriteFile(filepath.Join(dir, "b.md"), []byte("foreign"), 0o600) },
		"removed": func(dir string) error { return os.Remove(filepath.Join(dir, "b.md")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			tree(t, dir, nil, "a.md", "b.md", "c.md")
			all := []string{"a.md", "b.md", "c.md"}
			tx, list := staged(t, openRoots(t, RootOptions{}, dir), func(tx *Tx) error {
				return errors.Join(tx.Write("a.md", []byte("1")), tx.Write("b.md", []byte("2")), tx.Write("c.md", []byte("3")))
			}, all...)
			if err := meddle(dir); err != nil {
				t.Fatal(err)
			}
			err := tx.install(list)
			tx.discard(list)
			if !errors.Is(err, errChanged) {
				t.Fatalf("%v, want another try", err)
			}
			want := map[string]string{"a.md": "a.md", "b.md": "foreign", "c.md": "c.md"}
			if name == "removed" {
				delete(want, "b.md")
			}
			expect(t, dir, want)
		})
	}
}

// TestInstallTakesNoPlace has a file appear after the last look: a new one never
// takes its place.
func TestInstallTakesNoPlace(t *testing.T) {
	dir := t.TempDir()
	tx, list := staged(t, openRoots(t, RootOptions{}, dir), put("new.md", "ours"), "new.md")
	write(t, filepath.Join(dir, "new.md"), "foreign")
	if err := tx.put(list[0]); !errors.Is(err, errChanged) {
		t.Errorf("got %v", err)
	}
	tx.discard(list)
	expect(t, dir, map[string]string{"new.md": "foreign"})
}

// TestInstallWithoutTemp has another program remove the temporary file.
func TestInstallWithoutTemp(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil, "a.md")
	tx, list := staged(t, openRoots(t, RootOptions{}, dir), put("a.md", "new"), "a.md")
	if err := os.Remove(filepath.Join(dir, list[0].temp)); err != nil {
		t.Fatal(err)
	}
	if err := tx.install(list); !errors.Is(err, errChanged) {
		t.Errorf("got %v", err)
	}
	expect(t, dir, map[string]string{"a.md": "a.md"})
}

// TestInstallWithoutRoots closes the roots when the files are written: they are
// put in place all the same.
func TestInstallWithoutRoots(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil, "a.md", "b.md")
	r := openRoots(t, RootOptions{}, dir)
	tx, list := staged(t, r, func(tx *Tx) error {
		return errors.Join(tx.Write("a.md", []byte("1")), tx.Write("b.md", []byte("2")))
	}, "a.md", "b.md")
	r.Close()
	if err := tx.install(list); err != nil {
		t.Error(err)
	}
	expect(t, dir, map[string]string{"a.md": "1", "b.md": "2"})
}

// TestNewFilesComeFirst has new files put in place before others, as they alone
// can turn out to be there.
func TestNewFilesComeFirst(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil, "a.md", "b.md")
	tx, list := staged(t, openRoots(t, RootOptions{}, dir), func(tx *Tx) error {
		return errors.Join(tx.Write("a.md", []byte("1")), tx.Write("new.md", []byte("2")), tx.Write("b.md", []byte("b.md")))
	}, "a.md", "b.md", "new.md")
	var order []string
	for _, f := range list {
		order = append(order, f.path)
	}
	if diff := cmp.Diff([]string{"new.md", "a.md"}, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	tx.discard(list)
	expect(t, dir, map[string]string{"a.md": "a.md", "b.md": "b.md"})
}

func TestWriteFailure(t *testing.T) {
	for _, tt := range []struct {
		err    error
		want   fileerror.Code
		reason string
	}{
		{&fs.PathError{Op: "open", Path: "/host/a", Err: fs.ErrPermission}, fileerror.Permission, "write to the folder"},
		{&os.LinkError{Op: "rename", Old: "/host/a", New: "/host/b", Err: syscall.EIO}, fileerror.IOError, "try again"},
		{&os.LinkError{Op: "rename", Old: "/host/a", New: "/host/b", Err: fs.ErrClosed}, fileerror.IOError, "ending"},
	} {
		e := writeFailure("a.md", tt.err)
		if e.Code != tt.want || !strings.Contains(e.Sentence(), tt.reason) || leaks(e, "/host", "a.md") != "" {
			t.Errorf("%v: %v, want %s and %q", tt.err, e, tt.want, tt.reason)
		}
	}
}
