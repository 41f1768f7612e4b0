package undoing

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUnreadUndo has nothing left of the record of an undo that was made again: the redo is one still,
// and no redo takes it back.
func TestUnreadUndo(t *testing.T) {
	w := newWorld(t)
	w.set(t, 0o644, map[string]string{"a.md": "1"})
	w.set(t, 0o644, map[string]string{"a.md": "2"})
	if err := w.undo(t.Context(), UndoRequest{}); err != nil {
		t.Fatal(err)
	}
	id := w.newest(t)
	if err := w.undo(t.Context(), UndoRequest{Redo: true}); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(w.record(t, id), 0); err != nil {
		t.Fatal(err)
	}
	now := w.state(t)
	if line := w.lineOf(t, w.newest(t)); !strings.Contains(line, " redo of "+id) {
		t.Error(line)
	}
	if err := w.undo(t.Context(), UndoRequest{Redo: true}); codeOf(err) != "io_error" || !strings.Contains(err.Error(), id) {
		t.Error(err)
	}
	if diff := cmp.Diff(now, w.state(t)); diff != "" {
		t.Error(diff)
	}
}

// TestUndoneFileByFile takes a change of many files back in some of them, one after the other: what a
// list allocates grows by the undos, and not by the change for each of them.
func TestUndoneFileByFile(t *testing.T) {
	w := newWorld(t)
	for _, text := range []string{"1", "2"} {
		texts := map[string]string{}
		for i := range 300 {
			texts[fmt.Sprintf("%d.md", i)] = text
		}
		w.set(t, 0o644, texts)
	}
	id := w.newest(t)
	list := func() float64 {
		return testing.AllocsPerRun(1, func() { w.listed(t) })
	}
	one := list()
	for i := range 20 {
		if err := w.undo(t.Context(), UndoRequest{ID: id, Paths: []string{fmt.Sprintf("%d.md", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if all := list(); all > 4*one {
		t.Errorf("a list of two changes makes %.0f allocations, with 20 undos of a file each %.0f", one, all)
	}
}
