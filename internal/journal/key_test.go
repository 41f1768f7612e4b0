package journal_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/journal"
)

// sealed are changes of documents that are in a folder whose key will be away, or go in or out of it, or lie
// below it.
var sealed = map[string]func(tx *files.Tx) error{
	"changed": func(tx *files.Tx) error {
		return errors.Join(tx.Write("p/a.md", []byte("1")), tx.Write("p/b.md", []byte("1")))
	},
	"below": func(tx *files.Tx) error {
		return errors.Join(tx.Write("p/below/c.md", []byte("1")), tx.Write("o.md", []byte("1")))
	},
	"moved in": func(tx *files.Tx) error {
		return errors.Join(tx.WriteNew("p/new.md", []byte("outside"), 0o600), tx.Remove("o.md"))
	},
	"moved out": func(tx *files.Tx) error {
		return errors.Join(tx.WriteNew("new.md", []byte("in"), 0o600), tx.Remove("p/a.md"))
	},
	"made": func(tx *files.Tx) error {
		return errors.Join(tx.WriteNew("p/new.md", []byte("1"), 0o600), tx.WriteNew("p/below/new.md", []byte("2"), 0o600))
	},
}

// sealedPaths are those of all of them.
var sealedPaths = []string{"p/a.md", "p/b.md", "p/new.md", "p/below/c.md", "p/below/new.md", "o.md", "new.md"}

// waitsForAKey kills each of the changes in a folder that has p, and takes it back while the key of p is away:
// the change waits, with nothing written, and another one is made; when the key is back, it is taken back.
// Both return the context for what comes then.
func waitsForAKey(t *testing.T, dir string, away, back func(t *testing.T, p string) context.Context) {
	t.Helper()
	old := documents{"p/a.md": "rw------- in", "p/b.md": "rw------- b", "p/below/c.md": "rw------- below", "o.md": "rw------- outside"}
	for name, change := range sealed {
		if err := errors.Join(os.RemoveAll(filepath.Join(dir, "p", "below")), os.RemoveAll(filepath.Join(dir, "new.md"))); err != nil {
			t.Fatal(err)
		}
		old.makeIn(t, dir)
		j, r := newJournal(t), openRoots(t, dir)
		err := r.Update(killing(j.In(t.Context())), sealedPaths, func(tx *files.Tx) error {
			tx.Together()
			return change(tx)
		})
		if !errors.Is(err, errKilled) {
			t.Fatal(name, err)
		}
		p := filepath.Join(dir, "p")
		changed := read(t, dir)
		ctx := away(t, p)
		outside := func() map[string]string {
			texts := map[string]string{}
			for _, path := range []string{"o.md", "new.md"} {
				text, err := os.ReadFile(filepath.Join(dir, path))
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
				texts[path] = string(text)
			}
			return texts
		}
		then := outside()
		elsewhere := func(text string) error {
			return openRoots(t, t.TempDir()).Update(j.In(ctx), []string{"x.md"}, func(tx *files.Tx) error { return tx.Write("x.md", []byte(text)) })
		}
		if err := elsewhere("1"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		stuck, err := j.TakeBack(ctx)
		if err != nil || len(stuck) != 1 || !errors.Is(stuck[0].Err, filesystem.ErrNoKey) {
			t.Errorf("%s: %+v, %v", name, stuck, err)
		} else if e, ok := errors.AsType[*fileerror.Error](stuck[0].Err); !ok || e.Code != fileerror.IOError || filepath.Base(e.Path) == "o.md" {
			t.Errorf("%s: %v", name, e)
		}
		if diff := cmp.Diff(then, outside()); diff != "" {
			t.Errorf("%s: (-before +now):\n%s", name, diff)
		}
		ctx = back(t, p)
		if diff := cmp.Diff(changed, read(t, dir)); diff != "" {
			t.Errorf("%s: (-changed +with its key):\n%s", name, diff)
		}
		if err := elsewhere("2"); err != nil || len(j.Pending(t.Context())) > 0 {
			t.Errorf("%s: %v", name, err)
		}
		if list := records(t, j); len(list) == 0 || list[len(list)-1].State != journal.TakenBack || len(list[len(list)-1].Left) > 0 {
			t.Errorf("%s: %+v", name, list)
		}
		got := read(t, dir)
		for path := range got { // what the kill has left goes with the next write in its folder
			if filepath.Ext(path) == ".held" {
				delete(got, path)
			}
		}
		if diff := cmp.Diff(old, got); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
	}
}

// TestStuckWithoutAKey has the names in a folder be gone while the system is said to have no key for it.
func TestStuckWithoutAKey(t *testing.T) {
	skipModes(t)
	dir, aside := documents{"p/a.md": "rw------- in"}.make(t), filepath.Join(t.TempDir(), "aside")
	move := func(from, to string) {
		list, err := os.ReadDir(from)
		if err = errors.Join(err, os.MkdirAll(to, fs.ModePerm)); err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if err := os.Rename(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	waitsForAKey(t, dir, func(t *testing.T, p string) context.Context {
		t.Helper()
		move(p, aside)
		return filesystem.WithSteps(t.Context(), func(call, name string) error {
			if call == "key" && name == p {
				return filesystem.ErrNoKey
			}
			return nil
		})
	}, func(t *testing.T, p string) context.Context {
		t.Helper()
		move(aside, p)
		return t.Context()
	})
}
