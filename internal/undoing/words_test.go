package undoing

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// listed returns all changes that are listed.
func (w *world) listed(t *testing.T) []changeData {
	t.Helper()
	r, err := w.List(t.Context(), w.docs, ListRequest{Limit: 1000, JSON: true})
	var list listData
	if err == nil {
		err = json.Unmarshal(r.Text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list.Changes
}

// TestSuperseded takes a change back anew after a redo, and then the first undo of it: the second
// is taken back with that, and a redo goes on to what is left.
func TestSuperseded(t *testing.T) {
	w := newWorld(t)
	w.set(t, 0o644, map[string]string{"a.md": "1\n", "b.md": "1\n"})
	undo := func(req UndoRequest) string {
		t.Helper()
		if err := w.undo(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		return w.newest(t)
	}
	w.set(t, 0o644, map[string]string{"b.md": "2\n"})
	undo(UndoRequest{})
	w.set(t, 0o644, map[string]string{"a.md": "2\n"})
	id := w.newest(t)
	first := undo(UndoRequest{})
	undo(UndoRequest{Redo: true})
	second := undo(UndoRequest{ID: id})
	again := undo(UndoRequest{ID: first})
	for _, undone := range []string{first, second} {
		if line := w.lineOf(t, undone); !strings.Contains(line, "[undone by "+again+"]") {
			t.Error(line)
		}
	}
	if line := w.lineOf(t, id); strings.Contains(line, "undone") {
		t.Error(line)
	}
	undo(UndoRequest{Redo: true})
	if now := w.state(t); !strings.HasSuffix(now["a.md"], "2\n") || !strings.HasSuffix(now["b.md"], "2\n") {
		t.Error(now)
	}
}

// TestSupersededWithoutFile removes a document after an undo of its move was made again and that taken
// back: the first undo, undone by its identifier, writes the other path alone, and a redo goes on to
// what is left all the same. So it is where that undo was of some files of a larger change.
func TestSupersededWithoutFile(t *testing.T) {
	for _, paths := range [][]string{nil, {"b.md", "n.md"}} {
		w := newWorld(t)
		undo := func(req UndoRequest) string {
			t.Helper()
			if err := w.undo(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			return w.newest(t)
		}
		w.set(t, 0o644, map[string]string{"b.md": "1\n", "c.md": "1\n", "d.md": "1\n"})
		w.set(t, 0o644, map[string]string{"c.md": "2\n"})
		undo(UndoRequest{})
		w.set(t, 0o644, map[string]string{"b.md": "", "n.md": "1\n", "d.md": "2\n"})
		id := w.newest(t)
		first := undo(UndoRequest{ID: id, Paths: paths})
		again := undo(UndoRequest{Redo: true})
		undo(UndoRequest{ID: again})
		w.set(t, 0o644, map[string]string{"b.md": ""})
		undo(UndoRequest{ID: first})
		if line := w.lineOf(t, id); strings.Contains(line, "undone") {
			t.Error(line)
		}
		undo(UndoRequest{Redo: true})
		if now := w.state(t); !strings.HasSuffix(now["c.md"], "2\n") {
			t.Error(now)
		}
	}
}

// TestWords takes random changes, undos and redos back, whole and in part: each change is listed as
// its files are, redos alone make all again, and undos alone take all back.
func TestWords(t *testing.T) {
	rounds := 15
	if testkit.Long() {
		rounds = 2000
	}
	r := rand.New(rand.NewPCG(7, 8))
	for round := range rounds {
		w := newWorld(t)
		files := []string{"a.md", "b.md", "c.md", "d.md"}
		all := map[string]string{}
		for _, name := range files {
			all[name] = "1\n"
		}
		w.set(t, 0o644, all)
		base := w.newest(t)
		w.set(t, 0o644, map[string]string{"a.md": "2\n", "b.md": "2\n"})
		w.set(t, 0o644, map[string]string{"c.md": "2\n", "d.md": "2\n"})
		check := func(did string) {
			t.Helper()
			now := w.state(t)
			for _, c := range w.listed(t) {
				if c.Undoes != "" || c.ID == base {
					continue
				}
				undone := 0
				for _, f := range c.Files {
					if strings.HasSuffix(now[f.Path], " 1\n") {
						undone++
					}
				}
				if want := []string{stateDone, stateUndoneInPart, stateUndone}[undone]; c.State != want {
					t.Fatalf("round %d, after %s: %s, and it is %s", round, did, want, c.State)
				}
			}
		}
		for range 12 {
			var req UndoRequest
			if list := w.listed(t); r.IntN(3) > 0 {
				c := list[r.IntN(len(list))]
				if c.ID == base {
					continue
				}
				req.ID = c.ID
				for _, f := range c.Files {
					if r.IntN(3) == 0 {
						req.Paths = append(req.Paths, f.Path)
					}
				}
			} else {
				req.Redo = r.IntN(2) == 0
			}
			if !req.Redo && req.ID == "" && !slices.ContainsFunc(w.listed(t), func(c changeData) bool { return c.ID != base && c.Undoes == "" && c.State != stateUndone }) {
				continue
			}
			if err := w.undo(t.Context(), req); err != nil && !slices.Contains([]string{"no_change", "not_found"}, codeOf(err)) {
				t.Fatalf("round %d: %+v: %v", round, req, err)
			} else if err != nil && req.ID == "" && !strings.Contains(err.Error(), "nothing is left") {
				t.Fatalf("round %d: %+v: %v", round, req, err)
			}
			check(fmt.Sprintf("%+v", req))
		}
		for n := 0; ; n++ {
			err := w.undo(t.Context(), UndoRequest{Redo: true})
			if codeOf(err) == "not_found" {
				break
			}
			if err != nil || n > 100 {
				t.Fatalf("round %d: %v", round, err)
			}
		}
		for name, text := range w.state(t) {
			if !strings.HasSuffix(text, " 2\n") {
				t.Fatalf("round %d: %s is not made again", round, name)
			}
		}
		for range 2 {
			if err := w.undo(t.Context(), UndoRequest{}); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
		for name, text := range w.state(t) {
			if !strings.HasSuffix(text, " 1\n") {
				t.Fatalf("round %d: %s is not taken back", round, name)
			}
		}
	}
}

// TestRedoneInPart takes back undos of some files of a change: the reply tells in how many of that
// change's own files it is done again.
func TestRedoneInPart(t *testing.T) {
	w := newWorld(t)
	w.set(t, 0o644, map[string]string{"a.md": "1\n", "b.md": "1\n", "c.md": "1\n"})
	w.set(t, 0o644, map[string]string{"a.md": "2\n", "b.md": "2\n", "c.md": "2\n"})
	id := w.newest(t)
	// told returns the first line of a reply without the change that it has made.
	told := func(r *Reply) string {
		first, _, _ := strings.Cut(string(r.Text), "\n")
		return strings.Replace(first, " by "+w.newest(t)+":", ":", 1)
	}
	for _, step := range []struct {
		req  UndoRequest
		want string
	}{
		{UndoRequest{ID: id, Paths: []string{"a.md"}}, "undone in 1 of 3 files: change a.md"},
		{UndoRequest{ID: id}, "undone: change b.md, change c.md"},
		{UndoRequest{Redo: true, DryRun: true}, "would be done again in 2 of 3 files: change b.md, change c.md; nothing was written"},
		{UndoRequest{Redo: true}, "done again in 2 of 3 files: change b.md, change c.md"},
		{UndoRequest{Redo: true}, "done again in 1 of 3 files: change a.md"},
		{UndoRequest{}, "undone: change a.md, change b.md, change c.md"},
		{UndoRequest{Redo: true}, "done again: change a.md, change b.md, change c.md"},
	} {
		r, err := w.Undo(t.Context(), w.docs, step.req)
		if err != nil {
			t.Fatal(err)
		}
		if first := told(r); first != id+" "+step.want {
			t.Errorf("%+v: %q", step.req, first)
		}
	}
	if err := w.undo(t.Context(), UndoRequest{}); err != nil {
		t.Fatal(err)
	}
	undo := w.newest(t)
	r, err := w.Undo(t.Context(), w.docs, UndoRequest{ID: undo, Paths: []string{"a.md"}})
	if err != nil || told(r) != id+" done again in 1 of 3 files: change a.md" {
		t.Errorf("%q, %v", r.Text, err)
	}
	redo := w.newest(t) // an undo of it, and one of that, are about the change all the same
	if err := w.undo(t.Context(), UndoRequest{ID: redo}); err != nil {
		t.Fatal(err)
	}
	r, err = w.Undo(t.Context(), w.docs, UndoRequest{Redo: true})
	if err != nil || told(r) != id+" done again in 1 of 3 files: change a.md" {
		t.Errorf("%q, %v", r.Text, err)
	}
}
