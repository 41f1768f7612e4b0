package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
)

// What is left in a folder from which nothing can be removed.

// TestStuckCopyIsNamed: the error of an update that fails names its copy if that can't be removed, and
// the next update removes it.
func TestStuckCopyIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a.md", "old")
	ctx := filesystem.WithSteps(t.Context(), func(call, _ string) error {
		if call == "rename" || call == "remove" {
			return fs.ErrPermission
		}
		return nil
	})
	err := Update(ctx, []string{"a.md"}, UpdateOptions{}, put("a.md", "new"))
	stuck := fileerror.KeptOf(err).Stuck
	if len(stuck) != 1 || !filenames.IsTemporary(stuck[0]) || !strings.Contains(err.Error(), stuck[0]) {
		t.Fatalf("%q: %v", stuck, err)
	}
	if text, err := os.ReadFile(stuck[0]); err != nil || string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
	if err := Update(t.Context(), []string{"a.md"}, UpdateOptions{}, put("a.md", "new")); err != nil {
		t.Error(err)
	}
	expect(t, ".", map[string]string{"a.md": "new"})
}

// TestBothNames: where a file can't be renamed but by a second name, and the first can't be removed,
// what is made is there, what is to go stays, and an error names what else does.
func TestBothNames(t *testing.T) {
	for name, test := range map[string]struct {
		change func(tx *Tx) error
		failed bool
	}{
		"made": {func(tx *Tx) error { return tx.Write("new.md", []byte("new")) }, false},
		"gone": {func(tx *Tx) error { return tx.Remove("a.md") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "a.md", "old")
			ctx := filesystem.WithSteps(t.Context(), func(call, to string) error {
				switch call {
				case "rename":
					from := "a.md"
					if made, _ := filepath.Glob(filenames.TempPrefix + "*"); len(made) > 0 {
						from = made[0]
					}
					return errors.Join(os.Link(from, to), filesystem.ErrBothNames, fs.ErrPermission)
				case "remove":
					return fs.ErrPermission
				}
				return nil
			})
			err := Update(ctx, []string{"a.md", "new.md"}, UpdateOptions{}, test.change)
			stuck := fileerror.KeptOf(err).Stuck
			if (err != nil) != test.failed || (len(stuck) == 1) != test.failed {
				t.Errorf("%v, which names %q", err, stuck)
			}
			if e, ok := errors.AsType[*fileerror.Error](err); ok && len(e.Written) > 0 {
				t.Errorf("%q were written", e.Written)
			}
			if names, err := filepath.Glob("*"); err != nil || len(names) != 3-len(stuck) || !slices.Contains(names, "a.md") {
				t.Errorf("there are %q, %v", names, err)
			}
			want := map[string]string{"a.md": "older", "new.md": "new"}
			if test.failed {
				delete(want, "new.md")
			}
			if err := Update(t.Context(), []string{"a.md"}, UpdateOptions{}, put("a.md", "older")); err != nil {
				t.Error(err)
			}
			expect(t, ".", want)
		})
	}
}

// TestRemovedAndNotSynced: of a file that is gone isn't said that it is written.
func TestRemovedAndNotSynced(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a.md", "old")
	ctx := filesystem.WithSteps(t.Context(), func(call, to string) error {
		if call == "sync" && to == "." {
			return fs.ErrInvalid
		}
		return nil
	})
	err := Update(ctx, []string{"a.md"}, UpdateOptions{}, func(tx *Tx) error { return tx.Remove("a.md") })
	if err == nil || strings.Contains(err.Error(), "written") || !strings.Contains(err.Error(), "the change is made") {
		t.Error(err)
	}
	expect(t, ".", map[string]string{})
}
