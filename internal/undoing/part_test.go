package undoing

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
)

// TestUndoParts takes random changes back in some of their files after others, and makes them
// again the other way round: each file is as it was before or after, the others stay, and the
// change is undone when nothing of it is left.
func TestUndoParts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes there")
	}
	rounds := 12
	if testkit.Long() {
		rounds = 5000
	}
	r := rand.New(rand.NewPCG(5, 6))
	w := newWorld(t)
	for n := range rounds {
		all := []string{"a.md", "b.md", "c.md", "d.md", "e.md"}
		texts := func() map[string]string {
			texts := map[string]string{}
			for _, name := range all {
				texts[name] = fmt.Sprintf("# %s %d %d\n", name, n, r.IntN(1_000_000))
			}
			return texts
		}
		first := texts()
		w.set(t, 0o644, first)
		before := w.state(t)
		w.set(t, 0o644, texts())
		id, now := w.newest(t), w.state(t)
		after, states := w.state(t), []map[string]string{}
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for left := all; len(left) > 0; {
			part := left[:1+r.IntN(len(left))]
			left = left[len(part):]
			states = append(states, w.state(t))
			if err := w.undo(t.Context(), UndoRequest{ID: id, Paths: part}); err != nil {
				t.Fatal(err)
			}
			for _, name := range part {
				now[name] = before[name]
			}
			if diff := cmp.Diff(now, w.state(t)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", part, diff)
			}
			line := w.lineOf(t, id)
			if inPart := strings.Contains(line, "[undone in part by "); inPart != (len(left) > 0) || !strings.Contains(line, "[undone ") {
				t.Fatalf("%d files are left: %s", len(left), line)
			}
		}
		for _, want := range slices.Backward(states) {
			if err := w.undo(t.Context(), UndoRequest{Redo: true}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, w.state(t)); diff != "" {
				t.Fatalf("redo (-want +got):\n%s", diff)
			}
		}
		if line := w.lineOf(t, id); strings.Contains(line, "undone") || !cmp.Equal(after, w.state(t)) {
			t.Fatal(line)
		}
	}
}

// lineOf returns the line of a change in the list.
func (w *world) lineOf(t *testing.T, id string) string {
	t.Helper()
	r, err := w.List(t.Context(), w.docs, ListRequest{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(r.Text)) {
		if strings.HasPrefix(line, id) {
			return line
		}
	}
	t.Fatalf("no %s in %s", id, r.Text)
	return ""
}

// TestUndoPart has undo without an identifier take back what an undo of some files has left,
// and refuses files that a change hasn't, and parts of a move.
func TestUndoPart(t *testing.T) {
	w := newWorld(t)
	w.set(t, 0o644, map[string]string{"a.md": "1\n", "b.md": "1\n", "c.md": "1\n", "old.md": "moves\n"})
	w.set(t, 0o644, map[string]string{"a.md": "2\n", "b.md": "2\n", "c.md": "2\n"})
	id := w.newest(t)
	r, err := w.Undo(t.Context(), w.docs, UndoRequest{ID: id, Paths: []string{"b.md"}, Structured: true})
	if err != nil || string(r.Text) != id+" undone in 1 of 3 files by "+w.newest(t)+": change b.md\n" || !strings.Contains(string(r.Structured), `"of_files":3`) {
		t.Fatalf("%s %s, %v", r.Text, r.Structured, err)
	}
	if err := w.undo(t.Context(), UndoRequest{ID: id, Paths: []string{"b.md"}}); codeOf(err) != "no_change" {
		t.Errorf("twice: %v", err)
	}
	if r, err = w.List(t.Context(), w.docs, ListRequest{ID: id, Structured: true}); err != nil || !strings.Contains(string(r.Structured), `{"file_path":"b.md","change":"change","undone":true}`) {
		t.Errorf("%s, %v", r.Structured, err)
	}
	if err := w.undo(t.Context(), UndoRequest{}); err != nil {
		t.Fatal(err)
	}
	state := w.state(t)
	for _, name := range []string{"a.md", "b.md", "c.md"} {
		if !strings.HasSuffix(state[name], " 1\n") {
			t.Errorf("%s: %q", name, state[name])
		}
	}
	w.set(t, 0o644, map[string]string{"a.md": "3\n", "old.md": "", "new.md": "moves\n"})
	moved := w.newest(t)
	state = w.state(t)
	for path, code := range map[string]string{"new.md": "invalid_argument", "old.md": "invalid_argument", "c.md": "not_found", "../x": "not_found", "": "not_found"} {
		if err := w.undo(t.Context(), UndoRequest{ID: moved, Paths: []string{path}}); codeOf(err) != code {
			t.Errorf("%s: %v", path, err)
		}
		if diff := cmp.Diff(state, w.state(t)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	if err := w.undo(t.Context(), UndoRequest{ID: moved, Paths: []string{"new.md", "old.md"}}); err != nil {
		t.Fatal(err)
	}
	if state = w.state(t); state["old.md"] == "" || state["new.md"] != "" || !strings.HasSuffix(state["a.md"], "3\n") {
		t.Error(state)
	}
}

// TestUndoGoneOn refuses the undo of a move whose text, or whose document, has gone on since: it would
// be in two places. What an undo has put back is no hindrance.
func TestUndoGoneOn(t *testing.T) {
	for name, states := range map[string][3]map[string]string{
		"a section": {
			{"a.md": "# A\n\n## S\n", "b.md": "# B\n", "c.md": "# C\n"},
			{"a.md": "# A\n", "b.md": "# B\n\n## S\n"},
			{"b.md": "# B\n", "c.md": "# C\n\n## S\n"},
		},
		"a document":          {{"a.md": "S\n"}, {"a.md": "", "b.md": "S\n"}, {"b.md": "", "c.md": "S\n"}},
		"from another folder": {{"a.md": "S\n"}, {"a.md": "", "d/b.md": "S\n"}, {"d/b.md": "", "c.md": "S\n"}},
	} {
		w := newWorld(t)
		if err := os.MkdirAll(filepath.Join(w.dir, "d"), 0o755); err != nil {
			t.Fatal(err)
		}
		w.set(t, 0o644, states[0])
		w.set(t, 0o644, states[1])
		id := w.newest(t)
		w.set(t, 0o644, states[2])
		last := w.newest(t)
		_ = os.Remove(filepath.Join(w.dir, "d"))
		now := w.state(t)
		if states[1]["d/b.md"] != "" { // a server doesn't see what lies there
			w.docs.Workspace = nil
			t.Chdir(w.dir)
		}
		err := w.undo(t.Context(), UndoRequest{ID: id})
		if codeOf(err) != "conflict" || !strings.Contains(err.Error(), "b.md ("+whyBefore+")") {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(now, w.state(t)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for _, id := range []string{last, id} {
			if w.docs.Workspace == nil { // another folder would be in its place
				break
			}
			if err := w.undo(t.Context(), UndoRequest{ID: id}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestNoSuchFile names the files that a change has, at most ten, and first those with the name that
// was asked for.
func TestNoSuchFile(t *testing.T) {
	w := newWorld(t)
	texts := map[string]string{}
	for n := range 12 {
		texts[fmt.Sprintf("%02d.md", n)] = "1\n"
	}
	w.set(t, 0o644, texts)
	const want = " has no such file; it has 11.md, 00.md, 01.md, 02.md, 03.md, 04.md, 05.md, 06.md, 07.md, 08.md and 2 more"
	if err := w.undo(t.Context(), UndoRequest{ID: w.newest(t), Paths: []string{"src/11.md"}}); codeOf(err) != "not_found" || !strings.Contains(err.Error(), want) {
		t.Error(err)
	}
}

// TestUndoneAgain has a change be undone in part when an undo of a file of it, which a later undo
// of the rest has passed over, is taken back: then that file is left, until it is undone, too.
func TestUndoneAgain(t *testing.T) {
	for _, late := range []bool{false, true} { // the undo of the rest comes between an undo of the undo and its own undo
		w := newWorld(t)
		w.set(t, 0o644, map[string]string{"a.md": "1\n", "b.md": "1\n", "c.md": "1\n", "z.md": "1\n"})
		w.set(t, 0o644, map[string]string{"z.md": "2\n"})
		w.set(t, 0o644, map[string]string{"a.md": "2\n", "b.md": "2\n", "c.md": "2\n"})
		id := w.newest(t)
		undo := func(req UndoRequest) string {
			t.Helper()
			if err := w.undo(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			return w.newest(t)
		}
		wants := func(a, state string) {
			t.Helper()
			if now := w.state(t); !strings.HasSuffix(now["a.md"], a) || !strings.HasSuffix(now["b.md"], " 1\n") || !strings.HasSuffix(now["z.md"], " 2\n") {
				t.Error(now)
			}
			if line := w.lineOf(t, id); !strings.Contains(line, state) {
				t.Errorf("not %q: %s", state, line)
			}
		}
		first := undo(UndoRequest{ID: id, Paths: []string{"a.md"}})
		again := ""
		if late {
			again = undo(UndoRequest{ID: undo(UndoRequest{ID: first})})
		}
		rest := undo(UndoRequest{ID: id})
		wants(" 1\n", "[undone by "+rest+"]")
		if late {
			undo(UndoRequest{ID: again})
		} else {
			undo(UndoRequest{ID: first})
		}
		wants(" 2\n", "[undone in part by "+rest+"]")
		undo(UndoRequest{})
		wants(" 1\n", "[undone by "+w.newest(t)+"]")
	}
}
