//go:build unix

package undoing

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/testkit"
)

// edited returns the history of a command that has changed a document, whose folder it is in,
// the folder above that, and the identifier of the change.
func edited(t *testing.T, marks ...string) (h *History, above, id string) {
	t.Helper()
	above, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeFiles(t, above, map[string]string{"p/s/a.md": "before", "p/x.md": "", "other/s/a.md": "after"})
	for _, mark := range marks {
		if err := os.Mkdir(filepath.Join(above, "p", mark), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h = Open(filepath.Join(t.TempDir(), "journal"), func(string) {})
	path := filepath.Join(above, "p", "s", "a.md")
	if err := files.Update(h.For(t.Context(), documents.Reader{}, "edit", nil), []string{path}, files.UpdateOptions{}, func(tx *files.Tx) error {
		return tx.Write(path, []byte("after"))
	}); err != nil {
		t.Fatal(err)
	}
	r, err := h.List(t.Context(), documents.Set{}, ListRequest{Limit: 1, All: true})
	if err != nil {
		t.Fatal(err)
	}
	id, _, _ = strings.Cut(string(r.Text), " ")
	return h, above, id
}

// replaced puts a copy of a folder in its place, as it is.
func replaced(dir string) error {
	return errors.Join(os.CopyFS(dir+".new", os.DirFS(dir)), os.Rename(dir, dir+".old"), os.Rename(dir+".new", dir))
}

// TestUndoElsewhere has another folder, or file, be by the name that a change has: what isn't the
// place of the change isn't written to.
func TestUndoElsewhere(t *testing.T) {
	for name, tt := range map[string]struct {
		mark   string // in the project
		change func(above string) error
		want   string // the code of the error
	}{
		"as it was":                  {"", func(string) error { return nil }, ""},
		"another folder of the name": {"", func(above string) error { return replaced(above + "/p/s") }, "conflict"},
		"another one above it":       {"", func(above string) error { return replaced(above + "/p") }, "conflict"},
		"a link in the place of the folder": {"", func(above string) error {
			return errors.Join(os.Rename(above+"/p/s", above+"/t"), os.Symlink(above+"/t", above+"/p/s"))
		}, "conflict"},
		"a link in the place of the file": {"", func(above string) error {
			return errors.Join(os.Rename(above+"/p/s/a.md", above+"/p/s/b.md"), os.Symlink("b.md", above+"/p/s/a.md"))
		}, "conflict"},
		"a folder that git has made anew": {".git", func(above string) error { return replaced(above + "/p/s") }, ""},
		"one of jj":                       {".jj", func(above string) error { return replaced(above + "/p/s") }, ""},
		"a link in a repository": {".git", func(above string) error {
			return errors.Join(os.RemoveAll(above+"/p/s"), os.Symlink("../other/s", above+"/p/s"))
		}, "conflict"},
		"another clone in the place of its folder": {".git", func(above string) error {
			return errors.Join(replaced(above+"/p/s"), os.Mkdir(above+"/p/s/.git", 0o700))
		}, "conflict"},
		"another clone": {".git", func(above string) error { return replaced(above + "/p") }, "conflict"},
	} {
		t.Run(name, func(t *testing.T) {
			var marks []string
			if tt.mark != "" {
				marks = append(marks, tt.mark)
			}
			h, above, id := edited(t, marks...)
			if err := tt.change(above); err != nil {
				t.Fatal(err)
			}
			before := readFiles(t, above)
			for _, dry := range []bool{true, false} {
				_, err := h.Undo(t.Context(), documents.Set{}, UndoRequest{ID: id, DryRun: dry})
				if codeOf(err) != tt.want || tt.want != "" && !strings.Contains(err.Error(), map[bool]string{true: "a link is in its place now", false: "its folder is another one now"}[name == "a link in the place of the file"]) {
					t.Errorf("%v", err)
				}
			}
			if tt.want == "" {
				before["p/s/a.md"] = "before"
			}
			if diff := cmp.Diff(before, readFiles(t, above)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestUndoIsConfined has somebody who could write into the journal name other files in a
// record: no protected one is written, not by an undo and not when what was interrupted is
// taken back, and of none is a text kept.
func TestUndoIsConfined(t *testing.T) {
	for _, name := range []string{".env", ".ssh/authorized_keys", ".git/hooks/pre-commit", ".claude/settings.json", ".claude/commands/a.md", "id_rsa", ".bashrc", "sectile/journal/done/x"} {
		for _, in := range []string{"done", "open"} {
			h, above, id := edited(t)
			target := filepath.Join(above, "p", filepath.FromSlash(name))
			writeFiles(t, above, map[string]string{"p/" + name: "after"})
			forge(t, h.journal.Dir(), id, in, filepath.Join(above, "p", "s", "a.md"), target)
			before := readFiles(t, above)
			if in == "done" {
				if _, err := h.Undo(t.Context(), documents.Set{}, UndoRequest{ID: id}); codeOf(err) != string(fileerror.PathOutsideRoot) {
					t.Errorf("%s: %v", name, err)
				}
			}
			other := filepath.Join(above, "p", "x.md")
			if err := files.Update(h.For(t.Context(), documents.Reader{}, "edit", nil), []string{other}, files.UpdateOptions{}, func(tx *files.Tx) error {
				return tx.Write(other, []byte("other"))
			}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			before["p/x.md"] = "other"
			if diff := cmp.Diff(before, readFiles(t, above)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			err := files.Update(h.For(t.Context(), documents.Reader{}, "edit", nil), []string{target}, files.UpdateOptions{}, func(tx *files.Tx) error {
				return tx.Write(target, []byte("a secret"))
			})
			if codeOf(err) != string(fileerror.PathOutsideRoot) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// forge has the record of a change be about another file, and be in done or in open.
func forge(t *testing.T, journal, id, in, old, path string) {
	t.Helper()
	info, err := os.Stat(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	number := info.Sys().(*syscall.Stat_t).Ino //nolint:forcetypeassert // it is one
	quoted := func(s string) string { data, _ := json.Marshal(s); return string(data) }
	rewrite(t, journal, id, func(record string) string {
		record = strings.ReplaceAll(record, quoted(old), quoted(path))
		return regexp.MustCompile(`"folder":{"device":(\d+),"file":\d+[^}]*}`).ReplaceAllString(record, fmt.Sprintf(`"folder":{"device":$1,"file":%d}`, number))
	})
	if in == "done" {
		return
	}
	found, _ := filepath.Glob(filepath.Join(journal, "done", "*"+id))
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.TrimSuffix(string(text), "committed\n"))
	if err := errors.Join(os.Remove(found[0]), os.WriteFile(filepath.Join(journal, in, filepath.Base(found[0])), text, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// writeFiles writes files in a folder, and what folders they need.
func writeFiles(t *testing.T, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// readFiles returns what the files in a folder hold, links followed, by their paths.
func readFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		text, err := os.ReadFile(path)
		if err != nil { // a link to a folder
			text = []byte("folder")
		}
		texts[filepath.ToSlash(name)] = string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestListIsOfThePlace has a server read in a folder by whose path there was another one: what
// was changed in that is not its clients' business. Nor are the arguments of commands.
func TestListIsOfThePlace(t *testing.T) {
	h, above, id := edited(t)
	open := func() documents.Set {
		w, err := documents.OpenWorkspace(documents.Options{Roots: []string{filepath.Join(above, "p")}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close() })
		return documents.Set{Workspace: w}
	}
	path := filepath.Join(above, "p", "x.md")
	if err := files.Update(h.For(t.Context(), documents.Reader{Session: "of another client"}, "edit", []string{"edit", "--content-file", "/home/me/secret"}), []string{path}, files.UpdateOptions{}, func(tx *files.Tx) error {
		return tx.Write(path, []byte("x"))
	}); err != nil {
		t.Fatal(err)
	}
	r, err := h.List(t.Context(), open(), ListRequest{Structured: true})
	if err != nil || !strings.Contains(string(r.Text), id) || strings.Contains(string(r.Structured), "secret") || strings.Contains(string(r.Structured), "another client") {
		t.Errorf("%s %s, %v", r.Text, r.Structured, err)
	}
	if err := replaced(filepath.Join(above, "p", "s")); err != nil {
		t.Fatal(err)
	}
	for _, req := range []ListRequest{{}, {ID: id}, {Limit: 100}} {
		r, err := h.List(t.Context(), open(), req)
		if err == nil && strings.Contains(string(r.Text), id) || req.ID != "" && codeOf(err) != "not_found" {
			t.Errorf("%+v: %s, %v", req, r.Text, err)
		}
	}
	if _, err := h.Undo(t.Context(), open(), UndoRequest{ID: id}); codeOf(err) != "not_found" {
		t.Error(err)
	}
	if r, err := h.List(t.Context(), documents.Set{}, ListRequest{ID: id}); err != nil || !strings.Contains(string(r.Text), "-before") {
		t.Errorf("a command: %s, %v", r.Text, err)
	}
}

// TestListOfMovedRoot: a server whose root was moved away says so of changes too, and not that there
// are none; of several roots that alone counts which the request is about.
func TestListOfMovedRoot(t *testing.T) {
	h, above, id := edited(t)
	other := t.TempDir()
	for _, roots := range [][]string{{filepath.Join(above, "p")}, {filepath.Join(above, "p"), other}} {
		w, err := documents.OpenWorkspace(documents.Options{Roots: roots})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close() })
		docs := func(paths ...string) documents.Set { return documents.Set{Workspace: w, Paths: paths} }
		if err := os.Rename(filepath.Join(above, "p"), filepath.Join(above, "q")); err != nil {
			t.Fatal(err)
		}
		const want = "the folder that the server reads in was removed or replaced"
		for _, req := range []ListRequest{{}, {ID: id}} {
			if r, err := h.List(t.Context(), docs(), req); codeOf(err) != "io_error" || !strings.Contains(err.Error(), want) {
				t.Errorf("%q %+v: %v, %v", roots, req, r, err)
			}
		}
		if _, err := h.Undo(t.Context(), docs(), UndoRequest{ID: id}); codeOf(err) != "io_error" || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", roots, err)
		}
		if len(roots) > 1 {
			if r, err := h.List(t.Context(), docs(other), ListRequest{}); err != nil || !strings.HasPrefix(string(r.Text), "no changes of what is named ") {
				t.Errorf("%v, %v", r, err)
			}
		}
		if err := os.Rename(filepath.Join(above, "q"), filepath.Join(above, "p")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRootsOfAnyName has documents of servers below folders whose own path no request could name.
func TestRootsOfAnyName(t *testing.T) {
	for _, name := range []string{"p\tq", "p\nq", "p\xffq"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			continue // macOS has UTF-8 alone
		}
		for _, roots := range [][]string{{dir}, {dir, t.TempDir()}} {
			w := newWorld(t)
			open, err := documents.OpenWorkspace(documents.Options{Roots: roots})
			if err != nil {
				t.Fatal(err)
			}
			w.dir, w.docs.Workspace = dir, open
			writeFiles(t, dir, map[string]string{"s/a.md": "before"})
			w.set(t, 0o644, map[string]string{"s/a.md": "after"})
			r, err := w.List(t.Context(), w.docs, ListRequest{})
			if err != nil || !strings.Contains(string(r.Text), "change s/a.md") {
				t.Errorf("%q: %s, %v", roots, r.Text, err)
			}
			if err := w.undo(t.Context(), UndoRequest{}); err != nil {
				t.Errorf("%q: %v", roots, err)
			}
			if text, err := os.ReadFile(filepath.Join(dir, "s", "a.md")); string(text) != "before" {
				t.Errorf("%q: %s, %v", roots, text, err)
			}
			if err := open.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestListIsBounded has a change of thousands of files, that was taken back but for all of them:
// it is listed in a reply of any size, with some of their names.
func TestListIsBounded(t *testing.T) {
	w := newWorld(t)
	texts, left := map[string]string{}, []string{}
	for i := range 300 {
		texts[fmt.Sprintf("%0100d.md", i)] = "text"
		left = append(left, filepath.Join(w.dir, fmt.Sprintf("%0100d.md", i)))
	}
	w.set(t, 0o600, texts)
	id := w.newest(t)
	found, err := filepath.Glob(filepath.Join(w.journal.Dir(), "done", "*"+id))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	names, _ := json.Marshal(left)
	for _, end := range []string{"", "taken back: " + string(names) + "\n"} {
		if err := os.WriteFile(found[0], append(slices.Clip(text), end...), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, req := range []ListRequest{{MaxChars: 2000, Structured: true}, {MaxChars: 2000, Structured: true, ID: id}} {
			r, err := w.List(t.Context(), w.docs, req)
			if err != nil || !strings.HasPrefix(string(r.Text), id) || len(r.Text) > 2000 || len(r.Structured) > 40_000 || !strings.Contains(string(r.Text), "295 more") {
				t.Errorf("%d, %d characters, %v: %.300s", len(r.Text), len(r.Structured), err, r.Text)
			}
		}
		if r, err := w.List(t.Context(), w.docs, ListRequest{MaxChars: 500}); err != nil || !strings.HasPrefix(string(r.Text), id) || utf8.RuneCount(r.Text) > 500 {
			t.Errorf("%v: %s", err, r.Text)
		}
	}
}

// TestMemory has a change of which the record says that its texts are large, in little memory:
// its difference isn't made, it isn't undone, and nobody is given what was. What small changes
// take is theirs, whatever others have.
func TestMemory(t *testing.T) {
	dir := t.TempDir()
	ws, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}, MaxMemory: documents.MinMaxMemory})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	others := ws.Begin(t.Context(), nil) // which have all the memory for what is large
	defer others.End()
	for bytes := int64(documents.MinMaxMemory); bytes > 1<<10; bytes /= 2 {
		for others.HoldBytes(bytes, nil) == nil {
			continue
		}
	}
	for _, isLarge := range []bool{false, true} {
		w := &world{Open(filepath.Join(t.TempDir(), "journal"), func(string) {}), dir, documents.Set{Workspace: ws}}
		w.set(t, 0o600, map[string]string{"a.md": "before"})
		w.set(t, 0o600, map[string]string{"a.md": "after"})
		id := w.newest(t)
		if isLarge {
			rewrite(t, w.journal.Dir(), id, func(record string) string {
				return regexp.MustCompile(`"size":\d+`).ReplaceAllString(record, `"size":67108864`)
			})
		}
		work := ws.Begin(t.Context(), nil)
		w.docs.Work = work
		r, err := w.List(t.Context(), w.docs, ListRequest{ID: id})
		if text := string(r.Text); err != nil || strings.Contains(text, "--- a/a.md") == isLarge || strings.Contains(text, "warning: a.md: ") != isLarge {
			t.Errorf("large %v: %.300s, %v", isLarge, text, err)
		}
		if _, err := w.Since(t.Context(), w.docs, id); (codeOf(err) == "too_complex") != isLarge || !isLarge && err != nil {
			t.Errorf("large %v: all that was: %v", isLarge, err)
		}
		if err := w.undo(t.Context(), UndoRequest{ID: id}); (codeOf(err) == "too_complex") != isLarge || !isLarge && err != nil {
			t.Errorf("large %v: %v", isLarge, err)
		}
		work.End()
	}
}

// rewrite changes the record of a change that is done, as somebody could who may write there.
func rewrite(t *testing.T, journal, id string, change func(record string) string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(journal, "done", "*"+id))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	lines[1] = change(lines[1])
	sum := sha256.Sum256([]byte(lines[1]))
	lines[0] = lines[0][:strings.LastIndexByte(lines[0], ' ')+1] + hex.EncodeToString(sum[:])
	if err := os.WriteFile(found[0], []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestUndoInFolderOfSameNumber has a record that is of a folder with the number of the one that
// is there now, made at another time, as file systems give numbers anew: it is not obeyed, and
// not shown through a server. One that doesn't say when its folder was made is.
func TestUndoInFolderOfSameNumber(t *testing.T) {
	for name, tt := range map[string]struct {
		marks    []string
		from, to string // in the record
		want     string
	}{
		"as it was":              {nil, ``, ``, ""},
		"another folder":         {nil, `"born":\d+`, `"born":1`, "conflict"},
		"another project":        {[]string{".git"}, `"born":\d+`, `"born":1`, "conflict"},
		"a record of old":        {nil, `,"born":\d+`, ``, ""},
		"a project of old":       {[]string{".git"}, `,"born":\d+`, ``, ""},
		"made anew in a project": {[]string{".git"}, `("born":)\d+(},"before")`, `${1}1$2`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h, above, id := edited(t, tt.marks...)
			told := false
			rewrite(t, h.journal.Dir(), id, func(record string) string {
				told = strings.Contains(record, `"born":`)
				return regexp.MustCompile(tt.from).ReplaceAllString(record, tt.to)
			})
			switch {
			case told:
			case runtime.GOOS != "linux":
				t.Skip("this system doesn't tell when a folder was made")
			default:
				testkit.Missing(t, "the file system doesn't tell when a folder was made")
			}
			w, err := documents.OpenWorkspace(documents.Options{Roots: []string{filepath.Join(above, "p")}})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			r, err := h.List(t.Context(), documents.Set{Workspace: w}, ListRequest{})
			if shown := err == nil && strings.Contains(string(r.Text), id); shown != (tt.want == "") {
				t.Errorf("shown: %v, %v", shown, err)
			}
			before := readFiles(t, above)
			if _, err := h.Undo(t.Context(), documents.Set{}, UndoRequest{ID: id}); codeOf(err) != tt.want {
				t.Error(err)
			}
			if tt.want == "" {
				before["p/s/a.md"] = "before"
			}
			if diff := cmp.Diff(before, readFiles(t, above)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRecoverIsConfined has a record that somebody has forged name a root or a project in a folder
// with a protected name: nothing is written there, unless it is a project, or a root of the
// server that takes it back.
func TestRecoverIsConfined(t *testing.T) {
	for name, tt := range map[string]struct {
		file, root, project string
		mark                bool // the project is one
		server              bool // which has the root
		want                string
	}{
		"root in a folder of agents":    {file: ".claude/commands/a.md", root: ".claude/commands", want: "after"},
		"such a folder as root":         {file: ".claude/commands/a.md", root: ".claude", want: "after"},
		"half of a name":                {file: ".github/prompts/a.md", root: ".github", want: "after"},
		"root in a folder of workflows": {file: ".github/workflows/a.yml", root: ".github/workflows", want: "after"},
		"no project":                    {file: ".claude/commands/a.md", project: ".claude", want: "after"},
		"both":                          {file: ".claude/commands/a.md", root: ".claude/commands", project: ".claude", want: "after"},
		"a project":                     {file: ".claude/worktrees/w/a.md", project: ".claude/worktrees/w", mark: true, want: "before"},
		"protected in a project":        {file: ".claude/worktrees/w/.cursor/a.md", project: ".claude/worktrees/w", mark: true, want: "after"},
		"a root of the server":          {file: ".claude/skills/s/a.md", root: ".claude/skills", server: true, want: "before"},
		"protected by it":               {file: ".github/prompts/a.md", root: ".github", server: true, want: "after"},
		"no protected name":             {file: "t/a.md", root: "t", want: "before"},
	} {
		t.Run(name, func(t *testing.T) {
			h, above, id := edited(t)
			p := filepath.Join(above, "p")
			at := func(name string) string { return filepath.Join(p, filepath.FromSlash(name)) }
			writeFiles(t, p, map[string]string{tt.file: "after"})
			if tt.mark {
				writeFiles(t, at(tt.project), map[string]string{".sectile.yaml": ""})
			}
			rewrite(t, h.journal.Dir(), id, func(record string) string {
				var more string
				if tt.root != "" {
					more += fmt.Sprintf(`"root":%q,`, at(tt.root))
				}
				if tt.project != "" {
					info, err := os.Stat(at(tt.project))
					if err != nil {
						t.Fatal(err)
					}
					more += fmt.Sprintf(`"project":{"path":%q,"folder":{"device":1,"file":%d}},`, at(tt.project), info.Sys().(*syscall.Stat_t).Ino) //nolint:forcetypeassert // it is one
				}
				return strings.Replace(record, `"folder":`, more+`"folder":`, 1)
			})
			forge(t, h.journal.Dir(), id, "open", at("s/a.md"), at(tt.file))
			edit := func(path string, update func(tx *files.Tx) error) error {
				return files.Update(h.For(t.Context(), documents.Reader{}, "edit", nil), []string{path}, files.UpdateOptions{}, update)
			}
			path := at("x.md")
			if tt.server {
				writeFiles(t, at(tt.root), map[string]string{"x.md": ""})
				w, err := documents.OpenWorkspace(documents.Options{Roots: []string{at(tt.root)}})
				if err != nil {
					t.Fatal(err)
				}
				defer w.Close()
				path = "x.md"
				edit = func(path string, update func(tx *files.Tx) error) error {
					return w.FileRoots().Update(h.For(t.Context(), documents.Reader{}, "edit", nil), []string{path}, update)
				}
			}
			if err := edit(path, func(tx *files.Tx) error { return tx.Write(path, []byte("other")) }); err != nil {
				t.Fatal(err)
			}
			if now := readFiles(t, p)[tt.file]; now != tt.want {
				t.Errorf("%s holds %q", tt.file, now)
			}
			if open, err := os.ReadDir(filepath.Join(h.journal.Dir(), "open")); err != nil || len(open) > 0 {
				t.Errorf("open: %v, %v", open, err)
			}
		})
	}
}
