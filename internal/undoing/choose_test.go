package undoing

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
)

// lose has the newest change lack the line that says how it ended.
func (w *world) lose(t *testing.T) (id string) {
	t.Helper()
	id = w.newest(t)
	cutEnd(t, w.record(t, id))
	return id
}

// record returns the path of the record of a change that is done.
func (w *world) record(t *testing.T, id string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(w.journal.Dir(), "done", "*-"+id))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

// TestNoneIsPassedOver has the newest record, of a change, an undo or a redo, lack its end: neither
// an undo nor a redo takes back an older one.
func TestNoneIsPassedOver(t *testing.T) {
	for _, undos := range [][]UndoRequest{nil, {{}}, {{}, {Redo: true}}} {
		w := newWorld(t)
		for _, text := range []string{"1", "2", "3"} {
			w.set(t, 0o644, map[string]string{"a.md": text, "b.md": text})
		}
		if err := w.undo(t.Context(), UndoRequest{}); err != nil { // one that is left to redo
			t.Fatal(err)
		}
		for _, req := range undos {
			if err := w.undo(t.Context(), req); err != nil {
				t.Fatal(err)
			}
		}
		if len(undos) == 0 {
			w.set(t, 0o644, map[string]string{"a.md": "4"})
		}
		id, now := w.lose(t), w.state(t)
		for _, req := range []UndoRequest{{}, {Redo: true}} {
			if err := w.undo(t.Context(), req); codeOf(err) != "io_error" || !strings.Contains(err.Error(), id) {
				t.Errorf("after %v, %+v: %v", undos, req, err)
			}
		}
		if diff := cmp.Diff(now, w.state(t)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestMadeAgainIsPassedOver has the record of an undo that was made again lack its end: nothing of it is
// left, so that a redo goes on to an older one, and an undo to the change.
func TestMadeAgainIsPassedOver(t *testing.T) {
	w := newWorld(t)
	w.set(t, 0o644, map[string]string{"a.md": "1", "b.md": "1"})
	for _, name := range []string{"a.md", "b.md"} {
		w.set(t, 0o644, map[string]string{name: "2"})
		if err := w.undo(t.Context(), UndoRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	now := w.state(t)
	id := w.newest(t)
	if err := w.undo(t.Context(), UndoRequest{Redo: true}); err != nil {
		t.Fatal(err)
	}
	cutEnd(t, w.record(t, id))
	if err := w.undo(t.Context(), UndoRequest{Redo: true}); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := w.undo(t.Context(), UndoRequest{}); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(now, w.state(t)); diff != "" {
		t.Error(diff)
	}
}

// TestPathForIdentifier has an undo of a path name the newest change of it that is left, and say so
// of one that can't be undone.
func TestPathForIdentifier(t *testing.T) {
	w := newWorld(t)
	w.set(t, 0o644, map[string]string{"a b.md": "1\n", "b.md": "1\n"})
	w.set(t, 0o644, map[string]string{"a b.md": "2\n", "b.md": "2\n"})
	id := w.newest(t)
	w.set(t, 0o644, map[string]string{"a b.md": "3\n"})
	if err := w.undo(t.Context(), UndoRequest{ID: w.newest(t)}); err != nil {
		t.Fatal(err)
	}
	w.set(t, 0o644, map[string]string{"-x.md": "1\n", "d.md": "1\n"})
	flag := w.newest(t)
	w.set(t, 0o644, map[string]string{"d.md": "2\n"})
	lost := w.lose(t)
	t.Chdir(w.dir)
	for _, tt := range []struct {
		docs       documents.Set
		path, want string
	}{
		{w.docs, "a b.md", `there is no change "a b.md" in the journal; of that path the newest that is left to undo is ` + id + ": give that as id, and the path in paths"},
		{documents.Set{}, "a b.md", "is " + id + ": `sectile undo " + id + " 'a b.md'`"},
		{documents.Set{}, "b.md", "is " + id + ": `sectile undo " + id + " b.md`"},
		{documents.Set{}, "-x.md", "is " + flag + ": `sectile undo " + flag + " ./-x.md`"},
		{documents.Set{}, "d.md", "is " + lost + ", which can't be undone, for "},
		{w.docs, "d.md", "is " + lost + ", which can't be undone, for "},
		{documents.Set{}, "c.md", `there is no change "c.md" in the journal; the list`},
		{w.docs, "c.md", `there is no change "c.md" in the journal that this server may show or undo; the list`},
	} {
		if _, err := w.Undo(t.Context(), tt.docs, UndoRequest{ID: tt.path}); codeOf(err) != "not_found" || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.path, err)
		}
	}
}

// TestSeveralBegin has two changes begin like a path: which of both is meant is asked, though there
// are changes of that path.
func TestSeveralBegin(t *testing.T) {
	w := newWorld(t)
	w.set(t, 0o644, map[string]string{"a.md": "1\n"})
	id := w.newest(t)
	found, err := filepath.Glob(filepath.Join(w.journal.Dir(), "done", "*-"+id))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	t.Chdir(w.dir)
	err = errors.Join(os.WriteFile(strings.TrimSuffix(found[0], id)+id[:leastID]+"2222", nil, 0o600), os.Mkdir(id[:leastID], 0o700))
	if err != nil {
		t.Fatal(err)
	}
	w.set(t, 0o644, map[string]string{id[:leastID] + "/a.md": "1\n"})
	if _, err := w.Undo(t.Context(), documents.Set{}, UndoRequest{ID: id[:leastID]}); codeOf(err) != "invalid_argument" || !strings.Contains(err.Error(), "several changes") {
		t.Error(err)
	}
}
