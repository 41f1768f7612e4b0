package mcpserver

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// editingClient is a server with one document, which each call finds as it was.
type editingClient struct {
	t       *testing.T
	path    string
	session *mcp.ClientSession
}

func newEditing(t *testing.T, o doctor.ServerOptions) *editingClient {
	t.Helper()
	dir := docs(t, map[string]string{"guide.md": guide, "notes.txt": "one\n"})
	o.Roots = []string{dir}
	return &editingClient{t, filepath.Join(dir, "guide.md"), connect(t, start(t, o), "", nil)}
}

// write writes the document anew.
func (e *editingClient) write(text string) {
	e.t.Helper()
	if err := os.WriteFile(e.path, []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
}

// read returns the document.
func (e *editingClient) read() string {
	e.t.Helper()
	text, err := os.ReadFile(e.path)
	if err != nil {
		e.t.Fatal(err)
	}
	return string(text)
}

// ask calls a tool with a document as it was at the start.
func (e *editingClient) ask(tool string, args object) (text string, failed bool) {
	e.t.Helper()
	e.write(guide)
	return ask(e.t, e.session, tool, args)
}

// hashOf is the hash of a part of the document, from its start to before its end.
func hashOf(t *testing.T, start, end string) string {
	t.Helper()
	i := strings.Index(guide, start)
	n := strings.Index(guide[i:], end)
	if i < 0 || n < 0 {
		t.Fatalf("%q to %q is not in the guide", start, end)
	}
	return markdown.Hash([]byte(guide[i : i+n]))
}

// What the tools that write answer, in one golden file: each code of an error too.
func TestEditReplies(t *testing.T) {
	e := newEditing(t, doctor.ServerOptions{})
	install, usage := hashOf(t, "## Install", "## Usage"), hashOf(t, "## Usage", "# Notes")
	text := func(old, with string) object { return object{"old_string": old, "new_string": with} }
	list := func(edits ...object) object {
		return object{"path": "guide.md", "edits": append([]object{}, edits...)}
	}
	section := func(heading, action, content string, more ...any) object {
		args := object{"path": "guide.md", "heading": heading, "action": action}
		if content != "" {
			args["content"] = content
		}
		for i := 0; i < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		return args
	}
	file := func(old, with string, more ...any) object {
		args := object{"path": "guide.md", "old_string": old, "new_string": with}
		for i := 0; i < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		return args
	}
	calls := []toolCall{
		{"edit_section", section("## Usage", "replace", "Call it.")},
		{"edit_section", section("h2.1", "replace", "Call it.", "expected_hash", usage)},
		{"edit_section", section("Guide > Install", "insert_after", "## Needs\n\nMake.")},
		{"edit_section", section("On Linux", "rename", "On BSD")},
		{"edit_section", section("Notes", "remove", "")},
		{"edit_section", section("h2.0/code.0", "replace", "```sh\nninja\n```", "expected_hash", hashOf(t, "```sh", "\n\n###"))},
		{"edit_section", section("@preamble", "append", "And more.")},
		{"edit_section", section("Usage", "append", "More.", "dry_run", true)},
		{"edit_section", object{"path": "guide.md", "heading": "Usage", "action": "append", "rows": [][]any{{"Name", "n"}, {"a|b", 1.5}, {nil, true}}}},
		{"edit_section", object{"path": "guide.md", "heading": "Usage", "action": "append", "rows": "Name,n\n\"a, b\",1"}},
		{"edit_section", section("Usage", "append", "```sh", "allow_restructure", "true", "dry_run", true)},
		{"edit_file", file("Use it.", "Call it.")},
		{"edit_file", file("Use it.", "Call it.", "heading", "Usage", "dry_run", true)},
		{"edit_file", file("it", "IT", "replace_all", "yes")},
		{"edit_file", list(
			object{"heading": "h2.1", "action": "append", "content": "More.", "expected_hash": usage},
			object{"old_string": "More.", "new_string": "Less.", "heading": "Usage"},
			object{"heading": "Notes", "action": "remove"},
		)},

		{"edit_file", object{"path": ".", "old_string": "Use it.", "new_string": "Call it."}},
		{"edit_file", object{"path": ".", "old_string": "Use it.", "new_string": "Call it.", "diff": true}},
		{"edit_file", object{"path": "*.md", "old_string": "Use it.", "new_string": "Call it.", "expected_count": 1}},
		{"edit_section", object{"path": ".", "heading": "Usage", "action": "append", "content": "More.", "expected_count": 1}},
		{"edit_section", object{"path": ".", "heading": "h2.1", "action": "append", "content": "More."}},
		{"edit_file", object{"path": ".", "old_string": "Use it.", "new_string": "Call it.", "expected_count": 2}},
		{"edit_file", object{"path": ".", "old_string": "use it.", "new_string": "Call it.", "expected_count": 2}},
		{"edit_file", object{"path": "other/*.md", "old_string": "Use it.", "new_string": "Call it.", "expected_count": 2}},
		{"edit_file", list(text("Use it.", "Call it."), object{"path": "*.md", "heading": "Notes", "action": "append", "content": "More."})},
		{"edit_file", list(text("Use it.", "Call it."), object{"path": "missing.md", "heading": "Notes", "action": "append", "content": "More."})},

		{"edit_section", section("Uninstall", "append", "x")},
		{"edit_section", section("Install", "append", "x")},
		{"edit_section", section("L999", "append", "x")},
		{"edit_section", section("h2.9", "append", "x")},
		{"edit_section", section("h2.", "append", "x")},
		{"edit_section", section("h2.1", "append", "x")},
		{"edit_section", section("Usage", "append", "x", "expected_hash", install)},
		{"edit_section", section("h2.1", "append", "x", "expected_hash", install)},
		{"edit_section", section("Usage", "append", "x", "expected_hash", "0123456789abcdef")},
		{"edit_section", section("Guide", "replace", "x")},
		{"edit_section", section("Usage", "replace", "# Higher")},
		{"edit_section", section("Usage", "insert_before", "No heading.")},
		{"edit_section", section("Usage", "append", "```sh")},
		{"edit_section", section("Usage", "rename", "Usage")},
		{"edit_section", section("Usage", "rename", "Uses", "renumber", true)},
		{"edit_section", section("Usage", "append", "x", "rows", [][]any{{"a"}})},
		{"edit_section", object{"path": "guide.md", "heading": "Usage", "action": "append", "rows": [][]any{{"a", "b"}, {"c"}}}},
		{"edit_section", object{"path": "guide.md", "heading": "Usage", "action": "append", "rows": []any{"a"}}},
		{"edit_section", object{"path": "guide.md", "heading": "Usage", "action": "append", "rows": object{"a": 1}}},
		{"edit_section", section("Usage", "move", "x")},
		{"edit_section", section("Usage", "append", "")},
		{"edit_section", section("Usage", "replace", "")},
		{"edit_section", section("Usage", "replace", "x", "scope", "all")},
		{"edit_section", section("Usage", "append", "x", "occurrences", 2)},
		{"edit_section", object{"path": "guide.md"}},
		{"edit_section", object{"path": "missing.md", "heading": "Usage", "action": "remove"}},
		{"edit_section", object{"path": "../guide.md", "heading": "Usage", "action": "remove"}},
		{"edit_section", object{"path": "notes.txt", "heading": "Usage", "action": "remove"}},
		{"edit_file", file("use it.", "Call it.")},
		{"edit_file", file("Install", "x")},
		{"edit_file", file("Use it.", "Use it.")},
		{"edit_file", file("", "x")},
		{"edit_file", file("Use it.", "x", "expected_version", "0123456789abcdef")},
		{"edit_file", file("Use it.", "x", "heading", "h2.1")},
		{"edit_file", file("Use it.", "x", "edits", []object{text("a", "b")})},
		{"edit_file", object{"path": "guide.md", "old_string": "Use it."}},
		{"edit_file", object{"path": "guide.md"}},
		{"edit_file", list()},
		{"edit_file", list(object{"heading": "Usage"}, object{"heading": "Usage", "action": "remove", "old_string": "x"})},
		{"edit_file", list(
			object{"heading": "Usage", "action": "append"}, object{"heading": "Uses", "action": "fly", "content": "x"},
			object{"heading": "Uses", "action": "remove"}, object{"heading": "Usage", "action": "remove", "scope": "all"}, object{},
		)},
		{"edit_file", list(object{"occurrence": "x"}, object{"heading": "Usage", "action": "remove"}, object{"occurrence": "y"})},
		{"edit_file", list(object{"heading": "Usage", "action": "remove"}, object{"old_text": "a", "newstring": "b", "all_of_them": true})},
		{"edit_file", list(
			text("Intro.", "Preface."), text("preface.", "x"), object{"heading": "Uses", "action": "remove"},
			object{"heading": "Usage", "action": "append", "content": "x", "expected_hash": install},
		)},
	}
	var got strings.Builder
	for _, c := range calls {
		args, err := json.Marshal(c.args)
		if err != nil {
			t.Fatal(err)
		}
		text, failed := e.ask(c.tool, c.args)
		status := "ok"
		if failed {
			status = "error"
			told, _, _ := strings.Cut(text, "\ncurrent text of ")
			if n := utf8.RuneCountInString(told); n > maxErrorChars || !strings.Contains(told, "nothing was written") {
				t.Errorf("%s %s: an error of %d characters: %s", c.tool, args, n, told)
			}
		}
		if written := e.read() != guide; written != (!failed && !strings.Contains(text, "; nothing was written")) {
			t.Errorf("%s %s: the file has changed: %v; the reply:\n%s", c.tool, args, written, text)
		}
		fmt.Fprintf(&got, "==== %s %s\n---- %s\n%s\n", c.tool, args, status, text)
	}
	golden(t, filepath.Join("testdata", "edit_replies.txt"), got.String())
}

// The names that models give to arguments are taken for what they mean, and edits as
// a string that holds them.
func TestEditArguments(t *testing.T) {
	e := newEditing(t, doctor.ServerOptions{})
	want := strings.Replace(guide, "Use it.", "Call it.", 1)
	for _, c := range []toolCall{
		{"edit_section", object{"file_path": "guide.md", "section": "Usage", "action": "Replace", "text": "Call it."}},
		{"edit_section", object{"filePath": "guide.md", "section_name": "Usage", "action": "replace", "new_content": "Call it.", "dryRun": "false"}},
		{"edit_section", object{"path": "guide.md", "address": "h2.1", "action": "replace", "content": "Call it.", "expectedHash": hashOf(t, "## Usage", "# Notes")}},
		{"edit_file", object{"file_path": "guide.md", "old": "Use", "new": "Call"}},
		{"edit_file", object{"path": "guide.md", "old_text": "Use it", "new_text": "Call it", "section": "Usage"}},
		{"edit_file", object{"path": "guide.md", "oldString": "Use", "newString": "Call", "replaceAll": 1}},
		{"edit_file", object{"path": "guide.md", "edits": `[{"old_text": "Use", "newText": "Call"}]`}},
		{"edit_file", object{"path": "guide.md", "edits": object{"section": "Usage", "action": "replace", "text": "Call it."}}},
		{"edit_file", object{"path": "guide.md", "old_string": "Use", "new_string": "Call", "edits": nil}},
		{"edit_file", object{"path": "guide.md", "old_string": "Use", "new_string": "Call", "expected_version": nil}},
	} {
		text, failed := e.ask(c.tool, c.args)
		if failed || e.read() != want {
			t.Errorf("%s %v: %s\n%s", c.tool, c.args, text, e.read())
		}
	}
}

// With its version, a document is what it was when it was read, so that positions
// need no hash.
func TestEditExpectedVersion(t *testing.T) {
	e := newEditing(t, doctor.ServerOptions{})
	doc, err := markdown.Parse([]byte(guide))
	if err != nil {
		t.Fatal(err)
	}
	edits := []object{{"heading": "L19", "action": "append", "content": "More."}, {"heading": "h2.0/code.0", "action": "remove"}}
	for _, version := range []string{doc.Version(), doc.Version()[:12], " " + strings.ToUpper(doc.Version())} {
		text, failed := e.ask("edit_file", object{"path": "guide.md", "edits": edits, "expected_version": version})
		if want := strings.Replace(strings.Replace(guide, "```sh\nmake\n```\n\n", "", 1), "Use it.", "Use it.\n\nMore.", 1); failed || e.read() != want {
			t.Errorf("%q: %s\n%s", version, text, e.read())
		}
	}
	for _, version := range []string{doc.Version()[:11], doc.Version() + "0", "latest"} {
		text, failed := e.ask("edit_file", object{"path": "guide.md", "edits": edits, "expected_version": version})
		if !failed || !strings.HasPrefix(text, "conflict: guide.md: the file has version "+doc.Version()+", not "+version) || e.read() != guide {
			t.Errorf("%q: %s", version, text)
		}
	}
}

// A reply comes from the bytes that are there now, whoever wrote them.
func TestEditThenRead(t *testing.T) {
	e := newEditing(t, doctor.ServerOptions{})
	e.write(guide)
	read := func(want string) {
		t.Helper()
		text, failed := ask(t, e.session, "markdown_read_section", object{"file_path": "guide.md", "section_name": "Usage"})
		if failed || !strings.HasSuffix(text, "\n\n## Usage\n\n"+want+"\n\n") {
			t.Errorf("want %q in %s", want, text)
		}
	}
	read("Use it.")
	for i := range 5 {
		want := fmt.Sprintf("Use it %d times.", i)
		if text, failed := ask(t, e.session, "edit_section", object{
			"path": "guide.md", "heading": "Usage", "action": "replace", "content": want,
		}); failed {
			t.Fatal(text)
		}
		read(want)
		e.write(strings.Replace(e.read(), "times.", "times!", 1))
		read(strings.Replace(want, "times.", "times!", 1))
	}
}

// In structured content are the same facts, and it is never longer than a reply.
func TestEditStructured(t *testing.T) {
	e := newEditing(t, doctor.ServerOptions{Structured: true})
	e.write(guide)
	long := strings.Repeat("A line of \"text\".\n", 300)
	for _, content := range []string{"Call it.", long, strings.Repeat("\"\\", 4990)} {
		result, err := e.session.CallTool(t.Context(), params("edit_section", object{
			"path": "guide.md", "heading": "Usage", "action": "replace", "content": content, "dry_run": true,
		}))
		if err != nil || result.IsError {
			t.Fatalf("%v %+v", err, result)
		}
		raw, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			FilePath string `json:"file_path"`
			Written  *bool  `json:"written"`
			Edits    []struct {
				Action string
				Target struct{ Heading string }
				Now    struct{ Hash string }
			}
		}
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		if n := utf8.RuneCount(raw); n > defaultMaxChars || got.FilePath != "guide.md" || got.Written == nil || *got.Written || len(got.Edits) != 1 {
			t.Fatalf("%d characters: %.500s", n, raw)
		}
		if one := got.Edits[0]; one.Action != "replace" || one.Target.Heading != "## Usage" || one.Now.Hash == "" {
			t.Errorf("%+v", one)
		}
	}
}

// What a conflict quotes whole was shown to the client, and what it has cut was not.
func TestConflictCountsAsRead(t *testing.T) {
	e := newEditing(t, doctor.ServerOptions{})
	usage := strings.Repeat("Another line.\n", 2000)
	long := strings.Replace(guide, "Use it.\n", usage, 1)
	e.write(long)
	unread := func() string {
		t.Helper()
		text, failed := ask(t, e.session, "read_file", object{"path": "guide.md", "start_line": 3, "end_line": 3})
		if failed {
			t.Fatal(text)
		}
		return saidUnread(text)
	}
	refuse := func(tool string, args object) {
		t.Helper()
		args["path"] = "guide.md"
		if text, failed := ask(t, e.session, tool, args); !failed || !strings.Contains(unmarked(text), "\ncurrent text of ") {
			t.Fatal(text)
		}
	}
	const all = "" // a map says what there is
	const stale = "0123456789abcdef"
	if got := unread(); got != all {
		t.Fatal(got)
	}
	refuse("edit_section", object{"heading": "Usage", "action": "append", "content": "x", "expected_hash": stale})
	if got := unread(); got != all {
		t.Errorf("unread: %s", got)
	}
	refuse("edit_section", object{"heading": "Guide > Install", "action": "append", "content": "x", "expected_hash": stale})
	if got, want := unread(), "5 of 7"; got != want {
		t.Errorf("unread: %s", got)
	}
	refuse("edit_file", object{"edits": []object{
		{}, {"heading": "Notes", "action": "append", "content": "x", "expected_hash": stale},
	}})
	if got, want := unread(), "3 of 7"; got != want {
		t.Errorf("unread: %s", got)
	}
}

// What is no Markdown has no sections that could be unread.
func TestTextFilesAreNeverUnread(t *testing.T) {
	e := newEditing(t, doctor.ServerOptions{TextFiles: true})
	if err := os.WriteFile(filepath.Join(filepath.Dir(e.path), "notes.txt"), []byte("# one\n\ntwo\n\n# three\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []toolCall{
		{"edit_file", object{"path": "notes.txt", "old_string": "two", "new_string": "2"}},
		{"read_file", object{"path": "notes.txt", "start_line": 1, "end_line": 1}},
		{"read_file", object{"path": "notes.txt"}},
		{"edit_file", object{"path": "notes.txt", "old_string": "three", "new_string": "3"}},
	} {
		if text, failed := ask(t, e.session, c.tool, c.args); failed || strings.Contains(text, "read:") || strings.Contains(text, "warning:") {
			t.Errorf("%s: %s", c.tool, text)
		}
	}
}

// Files that are no Markdown are changed if the server may, as text alone.
func TestEditTextFiles(t *testing.T) {
	e := newEditing(t, doctor.ServerOptions{TextFiles: true})
	text, failed := ask(t, e.session, "edit_file", object{"path": "notes.txt", "old_string": "one", "new_string": "## one\n```"})
	if failed || strings.Contains(text, "heading") {
		t.Error(text)
	}
	text, failed = ask(t, e.session, "edit_section", object{"path": "notes.txt", "heading": "one", "action": "remove"})
	if !failed || !strings.HasPrefix(text, "invalid_argument: notes.txt: ") {
		t.Error(text)
	}
	got, err := os.ReadFile(filepath.Join(filepath.Dir(e.path), "notes.txt"))
	if string(got) != "## one\n```\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// Replies to changes stay within their budget, whatever the document and however
// many edits there are.
func TestEditRepliesStayWithinTheirBudget(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	documents := largeDocuments(700)
	session := client(t, documents)
	for file := range documents {
		var good, bad, conflicts []object
		for i := range 80 {
			heading := "h1." + fmt.Sprint(i%6)
			good = append(good, object{"heading": "@document", "action": "append", "content": fmt.Sprintf("# Added %d\n\nText.", i)})
			bad = append(bad, object{"heading": strings.Repeat("no such heading ", 30) + fmt.Sprint(i), "action": "remove"})
			conflicts = append(conflicts, object{"heading": heading, "action": "append", "content": "x", "expected_hash": "0123456789abcdef"})
		}
		for name, edits := range map[string][]object{"good": good, "bad": bad, "conflicts": conflicts, "mixed": append(good[:20:20], bad...)} {
			for _, dry := range []bool{true, false} {
				if !dry && name != "good" { // nothing is written either way
					continue
				}
				text, failed := ask(t, session, "edit_file", object{"path": file, "edits": edits, "dry_run": dry})
				told, quoted, _ := strings.Cut(text, "current text of ")
				told, _, _ = strings.Cut(told, "warning: ") // of what is quoted
				if n := utf8.RuneCountInString(text); n > defaultMaxChars || failed && utf8.RuneCountInString(told) > maxErrorChars {
					t.Errorf("%s of %s: %d characters, %d before what is quoted: %.300s", name, file, n, utf8.RuneCountInString(told), text)
				}
				if failed != (name != "good") || failed && quoted == "" && name == "conflicts" {
					t.Errorf("%s of %s: failed %v: %.300s", name, file, failed, text)
				}
			}
		}
		heading := "h1.0"
		for _, args := range []object{
			{"heading": heading, "action": "append", "content": "x", "expected_hash": "0123456789abcdef"},
			{"heading": heading, "action": "remove"},
			{"heading": "@document", "action": "prepend", "content": strings.Repeat("Word.\n\n", 4000), "dry_run": true},
		} {
			args["path"] = file
			text, _ := ask(t, session, "edit_section", args)
			if n := utf8.RuneCountInString(text); n > defaultMaxChars {
				t.Errorf("%v of %s: %d characters: %.300s", args["action"], file, n, text)
			}
		}
	}
}

// TestEditRepliesObeyMaxChars: tools that change something take max_chars too, and what is left
// of a difference is told.
func TestEditRepliesObeyMaxChars(t *testing.T) {
	const least = 500
	text := "# A\n\n" + strings.Repeat("Word.\n\n", 300)
	session := client(t, map[string]string{"a.md": text, "d/b.md": "# B\n"})
	for _, c := range []struct {
		tool string
		args object
	}{
		{"edit_section", object{"path": "a.md", "heading": "A", "action": "remove"}},
		{"edit_file", object{"path": "a.md", "old_string": "Word.", "new_string": "Words.", "replace_all": true}},
		{"edit_file", object{"path": ".", "old_string": "Word.", "new_string": "Words.", "expected_count": 300}},
		{"move_section", object{"path": "a.md", "heading": "A", "action": "move", "to_path": "d/b.md"}},
		{"create_document", object{"path": "c.md", "content": text}},
		{"delete_document", object{"path": "a.md"}},
	} {
		c.args["dry_run"], c.args["max_chars"] = true, least
		reply, failed := ask(t, session, c.tool, c.args)
		if n := utf8.RuneCountInString(reply); failed || n > least || !strings.Contains(reply, "left_out") {
			t.Errorf("%s: %d characters: %s", c.tool, n, reply)
		}
	}
}
