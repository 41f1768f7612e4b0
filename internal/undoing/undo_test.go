package undoing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// world is a folder with a history.
type world struct {
	*History

	dir  string
	docs documents.Set
}

func newWorld(t testing.TB) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	h := Open(filepath.Join(t.TempDir(), "journal"), func(sentence string) { t.Error(sentence) })
	return &world{h, dir, documents.Set{Workspace: w}}
}

// set changes files: a text, or "" to remove one.
func (w *world) set(t testing.TB, mode fs.FileMode, texts map[string]string) {
	t.Helper()
	var paths []string
	for path := range texts {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	err := w.docs.Workspace.FileRoots().Update(w.For(t.Context(), documents.Reader{}, "test", nil), paths, func(tx *files.Tx) error {
		tx.Together()
		var errs []error
		for _, path := range paths {
			if texts[path] == "" {
				if err := tx.Remove(path); codeOf(err) != string(fileerror.NotFound) {
					errs = append(errs, err)
				}
				continue
			}
			errs = append(errs, tx.WriteNew(path, []byte(texts[path]), mode))
		}
		return errors.Join(errs...)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return replies.AsError(err).Code
}

// state returns the files with their modes.
func (w *world) state(t testing.TB) map[string]string {
	t.Helper()
	state := map[string]string{}
	list, err := os.ReadDir(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		text, err := os.ReadFile(filepath.Join(w.dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		state[e.Name()] = info.Mode().String() + " " + string(text)
	}
	return state
}

func (w *world) undo(ctx context.Context, req UndoRequest) error {
	_, err := w.Undo(ctx, w.docs, req)
	return err
}

// TestUndoRedo makes random changes of several documents, takes back some and makes some
// again: each state is one that was there, bytes and modes.
func TestUndoRedo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes there")
	}
	changes := 120
	if testkit.Long() {
		changes = 100_000
	}
	const perWorld = 60
	r := rand.New(rand.NewPCG(3, 4))
	for range changes / perWorld {
		undoRedo(t, r, perWorld)
		if t.Failed() {
			return
		}
	}
}

func undoRedo(t *testing.T, r *rand.Rand, changes int) {
	t.Helper()
	w := newWorld(t)
	states := []map[string]string{w.state(t)}
	at := 0 // the state that the folder is in
	for n := range changes {
		what := r.IntN(6)
		switch {
		case what < 3:
			texts := map[string]string{}
			for range 1 + r.IntN(3) {
				text := fmt.Sprintf("text %d.%d\n", n, r.IntN(1000))
				if r.IntN(4) == 0 {
					text = ""
				}
				texts[fmt.Sprintf("%c.md", 'a'+r.IntN(4))] = text
			}
			w.set(t, []fs.FileMode{0o600, 0o644, 0o640}[r.IntN(3)], texts)
			if now := w.state(t); !cmp.Equal(now, states[at]) {
				states, at = append(states[:at+1:at+1], now), at+1
			}
		case what < 5 && at > 0:
			if err := w.undo(t.Context(), UndoRequest{}); err != nil {
				t.Fatalf("change %d: undo: %v", n, err)
			}
			at--
		case what == 5 && at < len(states)-1:
			if err := w.undo(t.Context(), UndoRequest{Redo: true}); err != nil {
				t.Fatalf("change %d: redo: %v", n, err)
			}
			at++
		}
		if diff := cmp.Diff(states[at], w.state(t)); diff != "" {
			t.Fatalf("change %d (-want +got):\n%s", n, diff)
		}
	}
}

// TestUndoOne takes back changes by their identifiers: each is taken back as a whole, or it is
// refused and nothing is written.
func TestUndoOne(t *testing.T) {
	w := newWorld(t)
	w.set(t, 0o644, map[string]string{"a.md": "# A\n\na\n\n## B\n\nb\n", "b.md": "# Other\n"})
	w.set(t, 0o644, map[string]string{"a.md": "# A\n\nchanged\n\n## B\n\nb\n", "b.md": "# Other, changed\n", "c.md": "new\n"})
	id := w.newest(t)
	w.set(t, 0o644, map[string]string{"a.md": "# A\n\nchanged\n\n## B\n\nsince\n"})
	r, err := w.Undo(t.Context(), w.docs, UndoRequest{ID: id, DryRun: true})
	if err != nil || !strings.Contains(string(r.Text), "-changed\n+a\n") || !strings.Contains(string(r.Text), "nothing was written") {
		t.Errorf("%s, %v", r.Text, err)
	}
	if r, err = w.Undo(t.Context(), w.docs, UndoRequest{ID: id, JSON: true}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.md": "-rw-r--r-- # A\n\na\n\n## B\n\nsince\n", "b.md": "-rw-r--r-- # Other\n"}
	if diff := cmp.Diff(want, w.state(t)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", r.Text, diff)
	}
	if err := w.undo(t.Context(), UndoRequest{ID: id}); codeOf(err) != "no_change" && codeOf(err) != "conflict" {
		t.Errorf("twice: %v", err)
	}
	if err := w.undo(t.Context(), UndoRequest{Redo: true}); err != nil {
		t.Errorf("redo: %v", err)
	}
	for name, change := range map[string]map[string]string{
		"the section": {"a.md": "# A\n\nchanged again\n\n## B\n\nsince\n"}, "removed": {"b.md": ""}, "the new one": {"c.md": "old by now\n"},
	} {
		w.set(t, 0o644, change)
		now := w.state(t)
		err := w.undo(t.Context(), UndoRequest{ID: id})
		if e := replies.AsError(err); e.Code != "conflict" || e.Written || !strings.Contains(e.Message.String(), "since") {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(now, w.state(t)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if err := w.undo(t.Context(), UndoRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"abc", "zzzzzzzz", "../../x", ""} {
		if err := w.undo(t.Context(), UndoRequest{ID: id, Redo: id == ""}); id != "" && codeOf(err) != "not_found" {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// newest returns the identifier of the newest change.
func (w *world) newest(t *testing.T) string {
	t.Helper()
	r, err := w.List(t.Context(), w.docs, ListRequest{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	id, _, _ := strings.Cut(string(r.Text), " ")
	return id
}

// TestScope has changes in and outside of the roots: those outside aren't listed, shown or
// undone, nor is one that is partly outside.
func TestScope(t *testing.T) {
	w := newWorld(t)
	other := t.TempDir()
	in, out := filepath.Join(w.dir, "a.md"), filepath.Join(other, "secret.md")
	for _, paths := range [][]string{{in}, {out}, {in, out}} {
		err := files.Update(w.For(t.Context(), documents.Reader{}, "test", nil), paths, files.UpdateOptions{}, func(tx *files.Tx) error {
			var errs []error
			for _, path := range paths {
				errs = append(errs, tx.Write(path, fmt.Appendf(nil, "%d %d\n", len(paths), rand.Int())))
			}
			return errors.Join(errs...)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := w.List(t.Context(), w.docs, ListRequest{Structured: true})
	if err != nil || strings.Contains(string(r.Text)+string(r.Structured), "secret") || strings.Count(string(r.Text), "\n") != 2 || !strings.Contains(string(r.Text), "1 file elsewhere") {
		t.Errorf("%s %s, %v", r.Text, r.Structured, err)
	}
	id := w.newest(t)
	if r, err = w.List(t.Context(), w.docs, ListRequest{ID: id}); err != nil || strings.Contains(string(r.Text), "secret") || strings.Contains(string(r.Text), other) {
		t.Errorf("%s, %v", r.Text, err)
	}
	if err := w.undo(t.Context(), UndoRequest{ID: id}); codeOf(err) != "permission" || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	var all []string
	outside := Open(w.journal.Dir(), func(string) {})
	if err := outside.walk(t.Context(), &scope{dir: other, all: true}, func(c *seen) bool { all = append(all, c.ID); return true }); err != nil || len(all) != 3 {
		t.Errorf("%v, %v", all, err)
	}
	if err := w.undo(t.Context(), UndoRequest{ID: all[1]}); codeOf(err) != "not_found" {
		t.Errorf("a change outside: %v", err)
	}
}

// TestPathsOfARequest names a document and its folder in each way that leads to them: the
// history knows them by all.
func TestPathsOfARequest(t *testing.T) {
	w := newWorld(t)
	for _, folder := range []string{"docs", "docsx"} {
		if err := os.Mkdir(filepath.Join(w.dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.set(t, 0o644, map[string]string{"docs/a.md": "# A\n"})
	ways := map[string]bool{
		".": true, "./docs": true, "docs/": true, "docs/a.md": true, "docs/../docs/a.md": true,
		w.dir: true, filepath.Join(w.dir, "docs", "a.md"): true, "docsx": false, "docs/b.md": false,
	}
	if err := os.Symlink("docs", filepath.Join(w.dir, "link")); err == nil { // on Windows that takes a privilege
		ways["link"], ways["link/a.md"] = true, true
	}
	for path, want := range ways {
		docs := w.docs
		docs.Paths = []string{path}
		was, err := w.Since(t.Context(), docs, "1h")
		if (err == nil && len(was.Texts) == 1) != want {
			t.Errorf("since, %s: %v, %v", path, was, err)
		}
		r, err := w.List(t.Context(), docs, ListRequest{})
		if err != nil || strings.Contains(string(r.Text), "docs/a.md") != want {
			t.Errorf("list, %s: %s, %v", path, r.Text, err)
		}
	}
}

// TestSameNameInTwoRoots takes back a change of a document whose path another root has, too: it is
// listed by a name that leads to it.
func TestSameNameInTwoRoots(t *testing.T) {
	first, second := testkit.Folder(t, map[string]string{"x.md": "# X\n"}), testkit.Folder(t, map[string]string{"x.md": "# X\n"})
	ws, err := documents.OpenWorkspace(documents.Options{Roots: []string{first, second}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	w := &world{Open(filepath.Join(t.TempDir(), "journal"), func(sentence string) { t.Error(sentence) }), second, documents.Set{Workspace: ws}}
	path := filepath.Join(second, "x.md")
	w.set(t, 0o600, map[string]string{path: "# New\n"})
	r, err := w.List(t.Context(), w.docs, ListRequest{})
	if err != nil || !strings.Contains(string(r.Text), "change "+filepath.ToSlash(path)) {
		t.Errorf("%s, %v", r.Text, err)
	}
	named := w.docs
	named.Paths = []string{"x.md"}
	if r, err := w.List(t.Context(), named, ListRequest{}); err != nil || !strings.Contains(string(r.Text), "x.md") {
		t.Errorf("by the path in a root: %s, %v", r.Text, err)
	}
	if err := w.undo(t.Context(), UndoRequest{ID: w.newest(t)}); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "# X\n" {
		t.Errorf("%q, %v", text, err)
	}
	w.set(t, 0o600, map[string]string{path: "# New\n", filepath.Join(first, "x.md"): "# New\n"})
	if err := w.undo(t.Context(), UndoRequest{ID: w.newest(t), Paths: []string{"x.md"}}); codeOf(err) != "invalid_argument" {
		t.Errorf("a path in both roots: %v", err)
	}
	if err := w.undo(t.Context(), UndoRequest{ID: w.newest(t), Paths: []string{path}}); err != nil {
		t.Error(err)
	}
}

// TestEndIsMissing has the newest change lack the line that says how it ended: it is listed
// with its problem, also by a server, and no undo passes it over in silence.
func TestEndIsMissing(t *testing.T) {
	w := newWorld(t)
	for _, text := range []string{"1", "2", "3"} {
		w.set(t, 0o644, map[string]string{"a.md": text})
	}
	id, older := w.newest(t), ""
	found, err := filepath.Glob(filepath.Join(w.journal.Dir(), "done", "*"))
	if err != nil || len(found) != 3 {
		t.Fatal(found, err)
	}
	for i, path := range found {
		if strings.HasSuffix(path, id) {
			cutEnd(t, path)
			older = filepath.Base(found[i-1])[len("0123456789abcdef-"):]
		}
	}
	now := w.state(t)
	r, err := w.List(t.Context(), w.docs, ListRequest{})
	if line, _, _ := strings.Cut(string(r.Text), "\n"); err != nil || !strings.HasPrefix(line, id) || !strings.Contains(line, "can't be undone") || !strings.Contains(line, "change a.md") {
		t.Errorf("%s, %v", r.Text, err)
	}
	for _, req := range []UndoRequest{{}, {ID: id}, {DryRun: true}} {
		if err := w.undo(t.Context(), req); codeOf(err) != "io_error" || !strings.Contains(err.Error(), id) || !strings.Contains(err.Error(), "name an older change") {
			t.Errorf("%+v: %v", req, err)
		}
	}
	if diff := cmp.Diff(now, w.state(t)); diff != "" {
		t.Error(diff)
	}
	for _, since := range []string{"1h", id} { // what a document held before it is known all the same
		was, err := w.Since(t.Context(), w.docs, since)
		if want := map[string]string{"1h": "", id: "2"}[since]; err != nil || len(was.Texts) != 1 || string(was.Texts[0].Text) != want {
			t.Errorf("since %s it was %+v, %v", since, was, err)
		}
	}
	w.set(t, 0o644, map[string]string{"a.md": "2"})
	if err := w.undo(t.Context(), UndoRequest{ID: older}); err != nil {
		t.Error(err)
	}
}

// TestUnread has nothing left of the newest record, as after a power cut: nobody knows whose files
// it was about, no list below a root has it, and no undo or redo passes it over.
func TestUnread(t *testing.T) {
	w := newWorld(t)
	for _, text := range []string{"1", "2"} {
		w.set(t, 0o644, map[string]string{"a.md": text})
	}
	older := w.newest(t)
	if err := errors.Join(w.undo(t.Context(), UndoRequest{}), w.undo(t.Context(), UndoRequest{Redo: true})); err != nil {
		t.Fatal(err)
	}
	w.set(t, 0o644, map[string]string{"b.md": "1"})
	id := w.newest(t)
	found, err := filepath.Glob(filepath.Join(w.journal.Dir(), "done", "*-"+id))
	if err != nil || len(found) != 1 || os.Truncate(found[0], 0) != nil {
		t.Fatal(found, err)
	}
	now := w.state(t)
	if newest := w.newest(t); newest == id {
		t.Errorf("%s is listed", id)
	}
	for _, req := range []UndoRequest{{}, {Redo: true}, {DryRun: true}} {
		if err := w.undo(t.Context(), req); codeOf(err) != "io_error" || !strings.Contains(err.Error(), id) || !strings.Contains(err.Error(), "name an older change") {
			t.Errorf("%+v: %v", req, err)
		}
	}
	if diff := cmp.Diff(now, w.state(t)); diff != "" {
		t.Error(diff)
	}
	if err := w.undo(t.Context(), UndoRequest{ID: older}); err != nil {
		t.Error(err)
	}
}

// cutEnd cuts the last line of a file.
func cutEnd(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, text[:len(text)-3], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestUndoWarnsOfLinks: links that were made to what an undo takes away are told of, those that
// come back with it and those that never led anywhere aren't.
func TestUndoWarnsOfLinks(t *testing.T) {
	w := newWorld(t)
	const (
		own    = "of what was changed led to what is gone, or is another's now"
		others = "of other documents led to what is gone, or is another's now"
	)
	undo := func(dry bool, want ...string) {
		t.Helper()
		reply, err := w.Undo(t.Context(), w.docs, UndoRequest{DryRun: dry})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(string(reply.Text)) {
			if warning, ok := strings.CutPrefix(strings.TrimSpace(line), "warning: "); ok {
				got = append(got, warning)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	// A renaming with the links of both documents, as they are taken back together.
	w.set(t, 0o600, map[string]string{"a.md": "# Old\n\n[1](#old)\n", "b.md": "[2](a.md#old) [3](a.md#none)\n"})
	w.set(t, 0o600, map[string]string{"a.md": "# New\n\n[1](#new)\n", "b.md": "[2](a.md#new) [3](a.md#none)\n"})
	undo(true)
	// Somebody has linked to the new name since, in a third document.
	path := filepath.Join(w.dir, "c.md")
	if err := os.WriteFile(path, []byte("[4](a.md#new) [5](a.md)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	undo(true, "1 link "+others)
	undo(false, "1 link "+others)
	// The first of two headings of one text goes, and its name is that of the second.
	w.set(t, 0o600, map[string]string{"a.md": "# A\n\n[1](#x-1)\n\n# X\n"})
	w.set(t, 0o600, map[string]string{"a.md": "# A\n\n[1](#x-1)\n\n# X\n\n# X\n"})
	undo(false, "1 link "+own)
	// A section comes back below the element that names it, with the link that led to that.
	w.set(t, 0o600, map[string]string{"a.md": "# A\n\n<a id=\"i\"></a>\n## I\n", "b.md": "[2](a.md#i)\n"})
	w.set(t, 0o600, map[string]string{"a.md": "# A\n\n<a id=\"i\"></a>\n", "b.md": "[2](#i)\n\n## I\n"})
	undo(false)
	// A document that goes with the change that made it.
	w.set(t, 0o600, map[string]string{"d.md": "# D\n"})
	if err := os.WriteFile(path, []byte("[4](d.md#d) [5](d.md)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	undo(false, "2 links "+others)
}

// TestClearOld: a command that lists, and a server that writes, have the journal cleared of what is
// old, which they count anew; a server that lists doesn't.
func TestClearOld(t *testing.T) {
	w := newWorld(t)
	w.set(t, 0o600, map[string]string{"a.md": "1"})
	list := func(docs documents.Set) {
		if _, err := w.List(t.Context(), docs, ListRequest{}); err != nil {
			t.Error(err)
		}
	}
	counted := filepath.Join(w.Dir(), "kept")
	for name, tt := range map[string]struct {
		do   func()
		want bool
	}{
		"a command":           {func() { list(documents.Set{}) }, true},
		"a server that lists": {func() { list(w.docs) }, false},
		"a server":            {func() { w.Follow(w.docs.Workspace) }, true},
	} {
		if err := os.Remove(counted); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		tt.do()
		if _, err := os.Lstat(counted); (err == nil) != tt.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
