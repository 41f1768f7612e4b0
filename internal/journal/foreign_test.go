package journal_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/testkit"
)

// Other programs save documents while several are changed together, and between a kill and
// the change that takes back what is left of it: no save is lost.

var errSeen = errors.New("another program has saved it")

// careful is change, unless it finds that another program has saved a document.
func careful(ctx context.Context, r *files.Roots) error {
	return r.Update(ctx, paths, func(tx *files.Tx) error {
		tx.Together()
		tx.Kept() // what was kept is looked for in the folder
		for _, path := range paths {
			if text, err := tx.Read(path); err == nil && strings.Contains(string(text), "foreign") {
				return errSeen
			}
		}
		moved, err := tx.Read("moved.md")
		if err != nil {
			return err
		}
		return errors.Join(
			tx.Write("a.md", []byte("a, changed")), tx.Write("b/b.md", []byte("b, changed")),
			tx.WriteNew("b/new.md", []byte("made"), 0o644), tx.Remove("b/gone.md"),
			tx.WriteNew("c/moved.md", moved, tx.Mode("moved.md")), tx.Remove("moved.md"))
	})
}

// saves are the ways in which other programs save a file.
var saves = map[string]func(path string) error{
	"by renaming": func(path string) error {
		return errors.Join(os.WriteFile(path+"~", []byte("foreign"), 0o600), os.Rename(path+"~", path))
	},
	"in place": func(path string) error { return os.WriteFile(path, []byte("foreign"), 0o600) },
}

// TestForeignSaves has another program save each of the documents before each step of the
// change. The document has that save afterwards, or a file beside it that is kept; and but
// for it the documents are all as they were, or all as they were to be.
func TestForeignSaves(t *testing.T) {
	skipModes(t)
	stride := 5
	if testkit.Long() {
		stride = 1
	}
	for name, save := range saves {
		t.Run(name, func(t *testing.T) {
			for i, path := range paths {
				for at := i % stride; foreignSave(t, path, at, save); at += stride {
					if t.Failed() || at > 1000 {
						t.Fatalf("%s: gave up at step %d", path, at)
					}
				}
			}
		})
	}
}

// foreignSave makes the change with a save of the document before the step, and reports
// whether there is such a step.
func foreignSave(t *testing.T, path string, at int, save func(string) error) bool {
	t.Helper()
	dir, j := before.make(t), newJournal(t)
	n := 0
	err := careful(filesystem.WithSteps(j.In(t.Context()), func(string, string) error {
		if n++; n == at+1 {
			return save(filepath.Join(dir, filepath.FromSlash(path)))
		}
		return nil
	}), openRoots(t, dir))
	now := read(t, dir)
	found := false
	for name, text := range now {
		if found = found || strings.HasSuffix(text, " foreign"); strings.HasSuffix(text, " foreign") && name != path {
			delete(now, name) // it is kept
		}
	}
	if n <= at {
		return false
	}
	if !found {
		t.Errorf("%s saved before step %d: it is nowhere, and the change says %v:\n%v", path, at, err, now)
	}
	for _, d := range []documents{before, after} {
		rest, want := documents{}, documents{}
		for name := range now {
			if name != path {
				rest[name] = now[name]
			}
		}
		for name := range d {
			if name != path {
				want[name] = d[name]
			}
		}
		if cmp.Equal(rest, want) {
			return true
		}
	}
	t.Errorf("%s saved before step %d: the others are neither as they were nor as they were to be (%v):\n%v", path, at, err, now)
	return true
}

// killed makes the change and ends it before the step, as a kill does.
func killed(ctx context.Context, r *files.Roots, at int) error {
	n := 0
	return change(filesystem.WithSteps(ctx, func(string, string) error {
		if n++; n > at {
			return errKilled
		}
		return nil
	}), r)
}

// placed returns the number of the step before which all documents are in place, and nothing
// is written down of that.
func placed(t *testing.T) int {
	t.Helper()
	n, at := 0, 0
	ctx := filesystem.WithSteps(newJournal(t).In(t.Context()), func(call, name string) error {
		if n++; call == "write" && strings.Contains(name, "open") {
			at = n - 1 // the last of them is the line that it is done
		}
		return nil
	})
	if err := change(ctx, openRoots(t, before.make(t))); err != nil {
		t.Fatal(err)
	}
	return at
}

// TestLeftAlone has another program save a document after a kill, when all is in place: it is
// left as it is and named, both texts stay in the journal, and the others are taken back.
func TestLeftAlone(t *testing.T) {
	skipModes(t)
	at := placed(t)
	for name, save := range saves {
		for _, path := range []string{"a.md", "b/new.md", "b/gone.md"} {
			t.Run(name+" "+path, func(t *testing.T) {
				dir, j := before.make(t), newJournal(t)
				if err := killed(j.In(t.Context()), openRoots(t, dir), at); err == nil {
					t.Fatal("it wasn't killed")
				}
				if now := read(t, dir); now["a.md"] != after["a.md"] {
					t.Fatalf("nothing was in place: %v", now)
				}
				full := filepath.Join(dir, filepath.FromSlash(path))
				if err := save(full); err != nil {
					t.Fatal(err)
				}
				if err := touch(j.In(t.Context()), openRoots(t, dir)); err != nil {
					t.Fatal(err)
				}
				now := read(t, dir)
				if !strings.HasSuffix(now[path], " foreign") {
					t.Errorf("%s is %q", path, now[path])
				}
				want := documents{path: now[path]}
				for name, text := range before {
					if name != path {
						want[name] = text
					}
				}
				if diff := cmp.Diff(want, now); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				list := records(t, j)
				if len(list) != 3 || len(list[2].Left) != 1 || list[2].Left[0] != full {
					t.Fatalf("%+v", list)
				}
				for i := range list[2].Entries {
					if _, _, err := j.Texts(t.Context(), &list[2].Entries[i]); err != nil {
						t.Errorf("%s: %v", list[2].Entries[i].Path, err)
					}
				}
			})
		}
	}
}
