//go:build unix

package undoing

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/testkit"
)

// moveFolder moves the documents of a folder, by its path below the world's, as one change.
func (w *world) moveFolder(t *testing.T, from, to string) {
	t.Helper()
	var paths []string
	texts, folders := map[string][]byte{}, map[string]int{}
	fresh := map[string]bool{}
	for name := range readFiles(t, w.dir) {
		below, ok := strings.CutPrefix(name, from+"/")
		if !ok {
			continue
		}
		text, err := os.ReadFile(filepath.Join(w.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		into := to + "/" + below
		made, _, err := w.docs.MakeFolders(t.Context(), into, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		for dir := filepath.Dir(into); made > 0; dir, made = filepath.Dir(dir), made-1 {
			fresh[dir] = true
		}
		for dir := filepath.Dir(into); fresh[dir]; dir = filepath.Dir(dir) {
			folders[into]++
		}
		folders[name] = strings.Count(below, "/") + 1
		texts[into] = text
		paths = append(paths, name, into)
	}
	slices.Sort(paths)
	err := w.docs.Workspace.FileRoots().Update(w.For(t.Context(), documents.Reader{}, "test", nil), paths, func(tx *files.Tx) error {
		tx.Together()
		var errs []error
		for _, path := range paths {
			tx.Folders(path, folders[path])
			if text := texts[path]; text != nil {
				errs = append(errs, tx.WriteNew(path, text, 0o600))
			} else {
				errs = append(errs, tx.Remove(path))
			}
		}
		return errors.Join(errs...)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestUndoInFoldersMadeAnew moves folders, some of which are in others, and changes documents in
// them; all of it is undone and done again in the order of the changes, though undos have made the
// folders anew that the older ones were in.
func TestUndoInFoldersMadeAnew(t *testing.T) {
	worlds := 6
	if testkit.Long() {
		worlds = 100
	}
	r := rand.New(rand.NewPCG(7, 8))
	for n := range worlds {
		w := newWorld(t)
		undoes := w.docs
		if n%2 == 0 {
			undoes = documents.Set{Paths: []string{w.dir}} // a command
		}
		w.undoInFolders(t, r, undoes)
		if t.Failed() {
			return
		}
	}
}

func (w *world) undoInFolders(t *testing.T, r *rand.Rand, undoes documents.Set) {
	t.Helper()
	const changes = 40
	writeFiles(t, w.dir, map[string]string{"a/x.md": "1", "a/b/y.md": "1", "a/b/c/z.md": "1", "d/v.md": "1"})
	states, at := []map[string]string{readFiles(t, w.dir)}, 0
	for n := range changes {
		names := slices.Sorted(maps.Keys(states[at]))
		from := names[r.IntN(len(names))]
		what := r.IntN(8)
		var err error
		switch {
		case what == 0:
			w.set(t, 0o600, map[string]string{from: fmt.Sprint("text ", n)})
		case what < 4:
			for range 1 + r.IntN(2) {
				if above := filepath.Dir(from); above != "." {
					from = above
				}
			}
			to := filepath.Join(filepath.Dir(names[r.IntN(len(names))]), strings.Repeat("e/", r.IntN(3)), fmt.Sprint("f", n))
			if strings.HasPrefix(to, from+"/") {
				continue
			}
			w.moveFolder(t, from, to)
		case what < 7 && at > 0:
			_, err = w.Undo(t.Context(), undoes, UndoRequest{})
			at--
		case what == 7 && at < len(states)-1:
			_, err = w.Undo(t.Context(), undoes, UndoRequest{Redo: true})
			at++
		}
		if err != nil {
			t.Fatalf("change %d: %v", n, err)
		}
		now := readFiles(t, w.dir)
		if what < 4 {
			states, at = append(states[:at+1:at+1], now), at+1
		}
		if diff := cmp.Diff(states[at], now); diff != "" {
			t.Fatalf("change %d (-want +got):\n%s", n, diff)
		}
	}
}

// TestFoldersMadeAnewAreKnown has another folder be where an undo has made one anew, or would have:
// it isn't that one, and nothing older is undone in it.
func TestFoldersMadeAnewAreKnown(t *testing.T) {
	for name, tt := range map[string]struct {
		between, after func(dir string) error // before the folder comes back, and after it
		want           string
	}{
		"as it was":          {want: ""},
		"a copy of it":       {after: func(dir string) error { return replaced(dir + "/d") }, want: "conflict"},
		"another in between": {between: func(dir string) error { return os.Mkdir(dir+"/d", 0o700) }, want: "conflict"},
		"a link": {after: func(dir string) error {
			return errors.Join(os.Rename(dir+"/d", dir+"/other"), os.Symlink("other", dir+"/d"))
		}, want: "conflict"},
	} {
		for _, older := range []string{"move", "edit"} {
			t.Run(name+", "+older, func(t *testing.T) {
				w := newWorld(t)
				writeFiles(t, w.dir, map[string]string{"d/a.md": "1", "d/e/b.md": "1"})
				if older == "edit" {
					w.set(t, 0o600, map[string]string{"d/a.md": "2"})
				} else {
					w.moveFolder(t, "d/e", "x")
				}
				id := w.newest(t)
				w.moveFolder(t, "d", "y")
				if tt.between != nil {
					if err := tt.between(w.dir); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.undo(t.Context(), UndoRequest{}); err != nil {
					t.Fatal(err)
				}
				if tt.after != nil {
					if err := tt.after(w.dir); err != nil {
						t.Fatal(err)
					}
				}
				before := readFiles(t, w.dir)
				if _, err := w.Undo(t.Context(), documents.Set{}, UndoRequest{ID: id}); codeOf(err) != tt.want {
					t.Error(err)
				}
				if now := readFiles(t, w.dir); (tt.want == "") == cmp.Equal(before, now) {
					t.Errorf("%v", now)
				}
				r, err := w.List(t.Context(), w.docs, ListRequest{})
				if isListed := strings.Contains(string(r.Text), id); err != nil || older == "edit" && name != "a link" && isListed != (tt.want == "") {
					t.Errorf("%s, %v", r.Text, err)
				}
			})
		}
	}
}
