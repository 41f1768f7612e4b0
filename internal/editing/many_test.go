package editing

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sent"
	"github.com/sectile/sectile/internal/testkit"
)

// someDocs makes three documents, of which the last lacks what the others have.
func someDocs(t *testing.T) (dir string, docs documents.Set) {
	t.Helper()
	dir = testkit.Folder(t, map[string]string{
		"a.md":     "# A\n\nold and old\n\n## Links\n\n- one\n",
		"sub/b.md": "# B\n\nold\n\n## Links\n\n- two\n",
		"sub/c.md": "# C\n\nnothing\n",
	})
	return dir, documents.Set{Paths: []string{dir}}
}

// read returns what a file holds.
func read(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// replacing returns a request for a text.
func replacing(old, now string) EditFileRequest {
	return EditFileRequest{Edit: sent.Edit{OldString: &old, NewString: &now}}
}

// TestManyPreview asks for a change of a folder without a word about what it must come to: the
// reply counts, nothing is written, and what it says makes the change.
func TestManyPreview(t *testing.T) {
	dir, docs := someDocs(t)
	preview, err := EditFile(t.Context(), docs, replacing("old", "new"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(preview.Head), "3 places in 2 of 3 documents would be edited, +2 -2; nothing was written\n") ||
		!strings.Contains(string(preview.Head), "a.md:3 2 places, +1 -1\n") || len(preview.Diff) > 0 {
		t.Errorf("the preview is %q, %q", preview.Head, preview.Diff)
	}
	if read(t, dir, "a.md") != "# A\n\nold and old\n\n## Links\n\n- one\n" {
		t.Error("the preview has written")
	}
	req := replacing("old", "new")
	said := regexp.MustCompile(`expected_version "([0-9a-f]{16})"`).FindStringSubmatch(preview.Expects.String())
	if said == nil {
		t.Fatalf("it expects %s", preview.Expects)
	}
	req.ExpectedVersion = said[1]
	reply, err := EditFile(t.Context(), docs, req)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(reply.Head), "3 places in 2 of 3 documents edited, +2 -2\n") || !reply.Expects.IsEmpty() {
		t.Errorf("the reply is %q", reply.Head)
	}
	if got := read(t, dir, "a.md") + read(t, dir, "sub/b.md"); got != "# A\n\nnew and new\n\n## Links\n\n- one\n# B\n\nnew\n\n## Links\n\n- two\n" {
		t.Errorf("the documents are %q", got)
	}
	if _, err := EditFile(t.Context(), docs, req); replies.AsError(err).Code != "conflict" {
		t.Errorf("the same version again: %v", err)
	}
}

// TestManyGuards gives what a change must come to, in the ways that there are.
func TestManyGuards(t *testing.T) {
	content, tasks := "- three", "done"
	for _, tt := range []struct {
		name string
		req  func(docs documents.Set) (*EditReply, error)
		want string // of the reply, or the code of the error
	}{
		{"right count", func(docs documents.Set) (*EditReply, error) {
			req := replacing("old", "new")
			req.ExpectedCount = 3
			return EditFile(t.Context(), docs, req)
		}, "3 places in 2 of 3 documents edited"},
		{"wrong count", func(docs documents.Set) (*EditReply, error) {
			req := replacing("old", "new")
			req.ExpectedCount = 4
			return EditFile(t.Context(), docs, req)
		}, "conflict"},
		{"nowhere", func(docs documents.Set) (*EditReply, error) {
			req := replacing("absent", "new")
			req.ExpectedCount = 1
			return EditFile(t.Context(), docs, req)
		}, "text_not_found"},
		{"nothing to do", func(docs documents.Set) (*EditReply, error) {
			return EditFile(t.Context(), docs, replacing("absent", "new"))
		}, "text_not_found"},
		{"a section", func(docs documents.Set) (*EditReply, error) {
			return EditSection(t.Context(), docs, EditSectionRequest{Heading: "## Links", Action: "append", Content: &content, ExpectedCount: 2})
		}, "2 places in 2 of 3 documents edited"},
		{"nearly a heading", func(docs documents.Set) (*EditReply, error) {
			return EditSection(t.Context(), docs, EditSectionRequest{Heading: "Link", Action: "append", Content: &content, ExpectedCount: 2})
		}, "heading_not_found"},
		{"made where it is missing", func(docs documents.Set) (*EditReply, error) {
			return EditSection(t.Context(), docs, EditSectionRequest{Heading: "## See also", Action: "append", Content: &content, ExpectedCount: 3, CreateMissing: true})
		}, "3 places in 3 of 3 documents edited"},
		{"a position with a count", func(docs documents.Set) (*EditReply, error) {
			return EditSection(t.Context(), docs, EditSectionRequest{Heading: "h1.0", Action: "append", Content: &content, ExpectedCount: 3})
		}, "hash_required"},
		{"a key", func(docs documents.Set) (*EditReply, error) {
			return EditSection(t.Context(), docs, EditSectionRequest{Heading: "@frontmatter.state", Action: "set", Content: &tasks, ExpectedCount: 3})
		}, "3 places in 3 of 3 documents edited"},
		{"a hash of one part", func(docs documents.Set) (*EditReply, error) {
			return EditSection(t.Context(), docs, EditSectionRequest{Heading: "h1.0", Action: "append", Content: &content, ExpectedHash: "5a37aa0c63633ad1"})
		}, "invalid_argument"},
		{"too short a version", func(docs documents.Set) (*EditReply, error) {
			req := replacing("old", "new")
			req.ExpectedVersion = "5a"
			return EditFile(t.Context(), docs, req)
		}, "conflict"},
		{"edits with paths", func(docs documents.Set) (*EditReply, error) {
			dir := docs.Paths[0]
			edits, err := sent.ParseEdits(fmt.Sprintf(`[
				{"path": %q, "old_string": "old and old", "new_string": "new"},
				{"path": %q, "heading": "## Links", "action": "append", "content": "- four", "expected_count": 1},
				{"path": %q, "old_string": "nothing", "new_string": "something"},
				{"path": %q, "old_string": "- ", "new_string": "* ", "expected_count": 3}]`,
				filepath.Join(dir, "a.md"), filepath.Join(dir, "sub", "b*.md"), filepath.Join(dir, "sub", "c.md"), dir))
			if err != nil {
				t.Fatal(err)
			}
			return EditFile(t.Context(), docs, EditFileRequest{Edits: edits})
		}, "6 places in 3 of 3 documents edited"},
		{"an edit that fails among them", func(docs documents.Set) (*EditReply, error) {
			dir := docs.Paths[0]
			edits, err := sent.ParseEdits(fmt.Sprintf(`[{"path": %q, "old_string": "old and old", "new_string": "new"}, {"path": %q, "old_string": "absent", "new_string": "x"}]`,
				filepath.Join(dir, "a.md"), filepath.Join(dir, "sub", "c.md")))
			if err != nil {
				t.Fatal(err)
			}
			return EditFile(t.Context(), docs, EditFileRequest{Edits: edits})
		}, "text_not_found"},
		{"no path", func(docs documents.Set) (*EditReply, error) {
			docs.Paths = nil
			edits, err := sent.ParseEdits(`[{"path": "x.md", "old_string": "a", "new_string": "b"}, {"old_string": "a", "new_string": "b"}]`)
			if err != nil {
				t.Fatal(err)
			}
			return EditFile(t.Context(), docs, EditFileRequest{Edits: edits})
		}, "invalid_argument"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, docs := someDocs(t)
			before := read(t, dir, "a.md") + read(t, dir, "sub/b.md") + read(t, dir, "sub/c.md")
			reply, err := tt.req(docs)
			now := read(t, dir, "a.md") + read(t, dir, "sub/b.md") + read(t, dir, "sub/c.md")
			if err != nil {
				if failed := replies.AsError(err); failed.Code != tt.want || before != now {
					t.Errorf("it failed as %v, %v; the documents are %q", failed, failed.Details, now)
				}
				return
			}
			if !strings.Contains(string(reply.Head), tt.want) || before == now {
				t.Errorf("the reply is %q, the documents %q", reply.Head, now)
			}
		})
	}
}

// TestManyUnlessPresent appends what some documents have already: these count as no place, beside another
// edit too, and where all have it the error doesn't say that they lack something.
func TestManyUnlessPresent(t *testing.T) {
	dir, docs := someDocs(t)
	edits, err := sent.ParseEdits(`[
		{"heading": "## Links", "action": "append", "content": "- one", "unless_present": true, "expected_count": 1},
		{"old_string": "old", "new_string": "new", "expected_count": 3}]`)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := EditFile(t.Context(), docs, EditFileRequest{Edits: edits})
	if err != nil || !strings.Contains(string(reply.Head), "4 places in 2 of 3 documents edited") {
		t.Fatalf("%v, %v", reply, err)
	}
	one := "- one"
	for path, want := range map[string]string{
		dir:                        "of 3 documents none has to be changed, for what is to be put in is there already, or has no place; ",
		filepath.Join(dir, "*.md"): "of 1 document none has to be changed, for what is to be put in is there already",
	} {
		docs.Paths = []string{path}
		_, err := EditSection(t.Context(), docs, EditSectionRequest{Heading: "## Links", Action: "append", Content: &one, UnlessPresent: true, ExpectedCount: 1})
		if e := replies.AsError(err); err == nil || !strings.HasPrefix(e.Message.String(), want) || e.Code != "no_change" {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestManyParts sets all open tasks of a folder, and a column of all tables in it.
func TestManyParts(t *testing.T) {
	const table = "\n| K | V |\n| - | - |\n| a | 1 |\n"
	dir := testkit.Folder(t, map[string]string{
		"a.md": "# A\n\n- [ ] one\n- [x] two\n- [ ] three\n" + table, "b.md": "# B\n\n- [ ] four\n", "c.md": "# C\n" + table,
	})
	docs := documents.Set{Paths: []string{filepath.Join(dir, "*.md")}}
	done, name := "done", "Value"
	if _, err := EditSection(t.Context(), docs, EditSectionRequest{Heading: "task[open]", Action: "set", Content: &done, ExpectedCount: 3}); err != nil {
		t.Fatal(err)
	}
	if _, err := EditSection(t.Context(), docs, EditSectionRequest{Heading: `table["V"]`, Action: "rename", Content: &name, ExpectedCount: 2}); err != nil {
		t.Fatal(err)
	}
	all := read(t, dir, "a.md") + read(t, dir, "b.md") + read(t, dir, "c.md")
	if strings.Contains(all, "[ ]") || strings.Count(all, "Value") != 2 {
		t.Errorf("the documents are %q", all)
	}
}

// TestManyIsOneChange changes documents with a journal: it has one change of both. One that
// can't be written among them keeps all as they were.
func TestManyIsOneChange(t *testing.T) {
	dir, docs := someDocs(t)
	j := journal.New(journal.Options{Dir: filepath.Join(t.TempDir(), "journal")})
	req := replacing("old", "new")
	req.ExpectedCount = 3
	if err := os.Chmod(filepath.Join(dir, "sub", "b.md"), 0o400); err != nil {
		t.Fatal(err)
	}
	_, err := EditFile(j.In(t.Context()), docs, req)
	failed := replies.AsError(err)
	if failed.Code != "read_only" || !strings.HasSuffix(failed.Path, "b.md") || !strings.Contains(read(t, dir, "a.md"), "old") {
		t.Errorf("with a protected document: %v", err)
	}
	if err := os.Chmod(filepath.Join(dir, "sub", "b.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := EditFile(j.In(t.Context()), docs, req); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	if err := j.List(t.Context(), func(r *journal.Record) bool { sizes = append(sizes, len(r.Entries)); return true }); err != nil {
		t.Fatal(err)
	}
	if len(sizes) != 1 || sizes[0] != 2 {
		t.Errorf("the changes of the journal have %v files", sizes)
	}
}

// TestManyUnreadable names the documents that can't be read among others, and writes nothing.
func TestManyUnreadable(t *testing.T) {
	dir, docs := someDocs(t)
	testkit.WriteFile(t, filepath.Join(dir, "d.md"), "old\xff")
	testkit.WriteFile(t, filepath.Join(dir, "e.md"), "old\x00")
	req := replacing("old", "new")
	req.ExpectedCount = 3
	_, err := EditFile(t.Context(), docs, req)
	failed := replies.AsError(err)
	if told := strings.Join(failed.Details, "\n"); !strings.Contains(told, "d.md") || !strings.Contains(told, "e.md") || !strings.Contains(read(t, dir, "a.md"), "old") {
		t.Errorf("it failed as %v, %q", err, failed.Details)
	}
}

// TestManyPages gives replies little room: they say what is left out, and are no longer.
func TestManyPages(t *testing.T) {
	all := map[string]string{}
	for i := range 60 {
		all[fmt.Sprintf("d%02d.md", i)] = fmt.Sprintf("# D\n\nold %d\n", i)
	}
	dir := testkit.Folder(t, all)
	for _, dry := range []bool{false, true} {
		req := replacing("old", "new")
		req.MaxChars, req.DryRun, req.Structured = 1500, dry, true
		reply, err := EditFile(t.Context(), documents.Set{Paths: []string{dir}}, req)
		if err != nil {
			t.Fatal(err)
		}
		text := string(reply.Text()) + reply.Expects.String()
		if n := replies.Chars([]byte(text)); n > req.MaxChars || !strings.Contains(text, "more documents]") || dry != strings.Contains(text, "+new 0") || replies.Chars(reply.JSON) > req.MaxChars {
			t.Errorf("dry %v: %d characters:\n%s\n%s", dry, n, text, reply.JSON)
		}
	}
}

// TestManyOnce names a document in two ways: it is one document, and gets both edits.
func TestManyOnce(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": "one two\n"})
	edits, err := sent.ParseEdits(fmt.Sprintf(`[{"path": %q, "old_string": "one", "new_string": "1"}, {"path": %q, "old_string": "two", "new_string": "2"}]`,
		filepath.Join(dir, "a.md"), dir+"/./a.md"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := EditFile(t.Context(), documents.Set{}, EditFileRequest{Edits: edits}); err != nil || read(t, dir, "a.md") != "1 2\n" {
		t.Errorf("the document is %q, %v", read(t, dir, "a.md"), err)
	}
}

// TestManyRenamePosition renames headings by their position: the preview has the version that
// makes the change.
func TestManyRenamePosition(t *testing.T) {
	dir, docs := someDocs(t)
	title := "New"
	req := EditSectionRequest{Heading: "h1.0", Action: "rename", Content: &title}
	preview, err := EditSection(t.Context(), docs, req)
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`expected_version "([0-9a-f]{16})"`).FindStringSubmatch(preview.Expects.String())
	if said == nil {
		t.Fatalf("it expects %s", preview.Expects)
	}
	req.ExpectedVersion = said[1]
	if _, err := EditSection(t.Context(), docs, req); err != nil || !strings.HasPrefix(read(t, dir, "sub/c.md"), "# New\n") {
		t.Errorf("with the version: %v", err)
	}
}

// TestManyWhole addresses a heading that one of three documents has, in every form that begins
// with it: the others, where it is but the beginning or a part of headings, are left as they are.
func TestManyWhole(t *testing.T) {
	const below = "\n\n- [ ] task\n\ntext\n\n| A | P |\n| - | - |\n| 1 | 2 |\n"
	dir := testkit.Folder(t, map[string]string{
		"a.md": "# A\n\n## Install" + below, "b.md": "# A\n\n## Uninstaller" + below, "c.md": "# Ab\n\n## Installed" + below + "\n## Reinstall" + below,
	})
	docs := documents.Set{Paths: []string{dir}}
	check := func(name, want string, reply *EditReply, err error) {
		t.Helper()
		if err != nil || !strings.Contains(string(reply.Head), want) {
			t.Errorf("%s: %v, %+v", name, err, reply)
		}
	}
	const one = "1 place in 1 of 3 documents would be edited"
	dry := EditOptions{DryRun: true}
	for _, tt := range []struct{ addr, action, content string }{
		{"Install", "append", "q"},
		{"## Install", "replace", "q"},
		{"A > Install", "rename", "Build"},
		{"Install/task", "set", "done"},
		{"Install/task[open]", "set", "done"},
		{`A > Install/task["task"]`, "set", "done"},
		{`Install/item["task"]`, "replace", "- q"},
		{`Install/table["P"]`, "rename", "Q"},
		{`Install/table["1", "P"]`, "replace", "3"},
		{"Install/table", "append", "| 3 | 4 |"},
		{"A > Install/table.0/row.1", "replace", "| 3 | 4 |"},
		{`## Install/para["text"]`, "replace", "q"},
		{"A > Install/para.0", "insert_after", "q"},
	} {
		req := EditSectionRequest{Heading: tt.addr, Action: tt.action, Content: &tt.content, EditOptions: dry}
		reply, err := EditSection(t.Context(), docs, req)
		check(tt.addr, one, reply, err)
		req.Occurrence = 1
		reply, err = EditSection(t.Context(), docs, req)
		check(tt.addr+", the first", one, reply, err)
	}
	for _, addr := range []string{"Install", "A > Install", "Install/para.0", `A > Install/para["text"]`} {
		req := replacing("text", "q")
		req.Heading, req.EditOptions = addr, dry
		reply, err := EditFile(t.Context(), docs, req)
		check("in "+addr, one, reply, err)
	}
	content := "q"
	made := EditSectionRequest{Heading: "## Install", Action: "append", Content: &content, CreateMissing: true, EditOptions: dry}
	reply, err := EditSection(t.Context(), docs, made)
	check("made where it is missing", "3 places in 3 of 3 documents would be edited", reply, err)

	edits, err := sent.ParseEdits(fmt.Sprintf(`[{"path": %q, "heading": "Install", "action": "append", "content": "q"}, {"path": %q, "heading": "Install", "action": "append", "content": "q"}]`,
		filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := EditFile(t.Context(), documents.Set{}, EditFileRequest{Edits: edits, EditOptions: dry}); err == nil || !strings.Contains(fmt.Sprint(err, replies.AsError(err)), "heading_not_found") {
		t.Errorf("documents by their paths: %v", err)
	}
}
