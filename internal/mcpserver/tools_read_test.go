package mcpserver

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
)

// unread finds what the head of a reply says of sections that were not read.
var unread = regexp.MustCompile(`(?m)^(\d+ of \d+) sections? unread\n`)

func saidUnread(text string) string {
	match := unread.FindStringSubmatch(unmarked(text))
	if match == nil {
		return ""
	}
	return match[1]
}

// readingClient is a client of a server for one long document.
type readingClient struct {
	t       *testing.T
	path    string
	session *mcp.ClientSession
}

// filler makes a document so long that its map comes without the text.
var filler = strings.Repeat("More of the notes.\n", 500)

func newReading(t *testing.T, o doctor.ServerOptions) *readingClient {
	t.Helper()
	dir := docs(t, map[string]string{"guide.md": guide + filler})
	o.Roots = []string{dir}
	return &readingClient{t, filepath.Join(dir, "guide.md"), connect(t, start(t, o), "", nil)}
}

// unread asks a tool and returns what the reply says is unread.
func (r *readingClient) unread(tool string, args object) string {
	r.t.Helper()
	text, failed := ask(r.t, r.session, tool, args)
	if failed {
		r.t.Errorf("%s %v: %s", tool, args, text)
	}
	return saidUnread(text)
}

// change lets another hand change the document.
func (r *readingClient) change(from, to string) {
	r.t.Helper()
	text, err := os.ReadFile(r.path)
	if err != nil {
		r.t.Fatal(err)
	}
	if !strings.Contains(string(text), from) {
		r.t.Fatalf("%q is not there", from)
	}
	if err := os.WriteFile(r.path, []byte(strings.Replace(string(text), from, to, 1)), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// What is unread grows less over the calls of a session, whatever tool delivers;
// and a change by another hand makes unread what it has changed, and no more.
func TestUnreadOverASession(t *testing.T) {
	r := newReading(t, doctor.ServerOptions{})
	file := func(more object) object {
		args := object{"path": "guide.md"}
		maps.Copy(args, more)
		return args
	}
	steps := []struct {
		tool string
		args object
		want string
	}{
		{"read_file", file(nil), ""},     // all is
		{"markdown_tree", file(nil), ""}, // says nothing, and covers nothing
		{"mdsel_index", object{"files": "guide.md"}, ""},
		{"read_file", file(nil), ""},
		{"read_file", file(object{"heading": "Guide > Install"}), "5 of 7"},
		{"markdown_read_section", file(object{"section_name": "Usage"}), "4 of 7"},
		{"mdsel_select", object{"files": "guide.md", "selector": "h2.2?head=2"}, ""},
		{"mdsel_select", object{"files": "guide.md", "selector": "h1.0/para.0"}, ""},
		{"read_file", file(object{"start_line": 1, "end_line": 4}), "2 of 7"},
		{"read_file", file(object{"start_line": 23, "end_line": 23}), "1 of 7"},
		{"read_file", file(object{"heading": "Notes", "max_chars": 2000}), "1 of 7"},
		{"read_file", file(object{"heading": "Notes", "max_chars": 40_000}), ""},
		{"read_file", file(object{"heading": "Usage"}), ""},
	}
	for _, step := range steps {
		if diff := cmp.Diff(step.want, r.unread(step.tool, step.args)); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", step.tool, step.args, diff)
		}
	}
	r.change("Use it.", "Use it with care.")
	if got := r.unread("read_file", file(nil)); got != "1 of 7" {
		t.Errorf("after a change by another hand: %q", got)
	}
	// A section before others counts them anew and makes none of them unread.
	r.change("## Install", "## Before\n\nNew.\n\n## Install")
	if got := r.unread("read_file", file(object{"start_line": 1, "end_line": 1})); got != "2 of 8" {
		t.Errorf("after another: %q", got)
	}
	if _, err := r.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "doc:///guide.md#usage"}); err != nil {
		t.Fatal(err)
	}
	if got := r.unread("read_file", file(object{"heading": "Before"})); got != "" {
		t.Errorf("after a resource: %q", got)
	}
}

// A server keeps account for itself alone.
func TestUnreadIsOfOneServer(t *testing.T) {
	dir := docs(t, map[string]string{"guide.md": guide})
	for range 2 {
		session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}}), "", nil)
		text, _ := ask(t, session, "read_file", object{"path": "guide.md", "heading": "Notes"})
		if got := saidUnread(text); got != "5 of 7" {
			t.Errorf("unread: %q", got)
		}
	}
}

// What a session has written it has read; what another hand has changed before it
// stays unread.
func TestUnreadAfterEdits(t *testing.T) {
	r := newReading(t, doctor.ServerOptions{})
	edit := func(heading, content string) {
		t.Helper()
		args := object{"path": "guide.md", "heading": heading, "action": "replace", "content": content}
		if text, failed := ask(t, r.session, "edit_section", args); failed {
			t.Fatal(text)
		}
	}
	args := object{"path": "guide.md", "start_line": 1, "end_line": 24}
	if got := r.unread("read_file", args); got != "1 of 7" {
		t.Errorf("before: %q", got)
	}
	r.change("Text.", "Other text.")
	edit("Usage", "Done.")
	edit("Notes > Install", "Short.")
	args["end_line"] = 1
	if got := r.unread("read_file", args); got != "1 of 7" {
		t.Errorf("after: %q", got)
	}
}

// With structured content the JSON says it too.
func TestUnreadStructured(t *testing.T) {
	dir := docs(t, map[string]string{"guide.md": guide})
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}, Structured: true}), "", nil)
	result, err := session.CallTool(t.Context(), params("read_file", object{"path": "guide.md", "heading": "Guide"}))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"count": 3.0, "sections": []any{
		map[string]any{"selector": "@preamble", "title": ""},
		map[string]any{"selector": "h1.1", "title": "Notes"},
		map[string]any{"selector": "h2.2", "title": "Install"},
	}}
	if diff := cmp.Diff(want, result.StructuredContent.(map[string]any)["unread"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A plan file comes whole however long it is, and the definition of the tool asks
// clients to show it.
func TestReadComplete(t *testing.T) {
	plan := "# Plan\n\n" + strings.Repeat("- [ ] one more thing\n", 20_000)
	session := client(t, map[string]string{"plans/a.md": plan})
	text, failed := ask(t, session, "read_file", object{"file": "plans/a.md", "mode": "Complete"})
	head, body, _ := strings.Cut(text, "\n\n")
	if failed || body != plan || !strings.Contains(head, "\ncheckboxes: 20000 total, 0 done, 20000 pending") {
		t.Errorf("failed %v, %d characters: %.300s", failed, len(text), text)
	}
	for _, tool := range readFileTools() {
		if most, _ := tool.definition().Meta["anthropic/maxResultSizeChars"].(int); most < len(text) {
			t.Errorf("clients may cut a reply at %d characters", most)
		}
	}
}

// Where a reply of read_file names the call that continues, that call works.
func TestReadFileContinues(t *testing.T) {
	r := newReading(t, doctor.ServerOptions{Preset: "lean"})
	args := object{"path": "guide.md", "headings": []string{"Guide", "Notes"}, "max_chars": 1000}
	seen := 0
	for range 50 {
		text, failed := ask(t, r.session, "read_file", args)
		if failed {
			t.Fatal(text)
		}
		seen += strings.Count(text, "More of the notes.\n")
		next, more := continueCall(text, "read_file")
		if !more {
			break
		}
		args = next
	}
	if want := strings.Count(filler, "\n"); seen != want {
		t.Errorf("%d lines came, want each of %d once", seen, want)
	}
}

// TestReadFileComplete: a plan file comes whole however long it is, from the folders
// that the server was told.
func TestReadFileComplete(t *testing.T) {
	plan := "# Goal\n\n- [x] one\n- [ ] two\n\n" + strings.Repeat(filler, 5)
	dir := docs(t, map[string]string{"plans/p.md": plan, "goals/p.md": plan})
	for _, tt := range []struct {
		folders []string
		path    string
		whole   bool
	}{
		{nil, "plans/p.md", true},
		{nil, "goals/p.md", false},
		{[]string{"goals"}, "goals/p.md", true},
		{[]string{"goals"}, "plans/p.md", false},
	} {
		session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}, PlanFolders: tt.folders}), "", nil)
		text, failed := ask(t, session, "read_file", object{"path": tt.path, "mode": "complete"})
		if failed == tt.whole || strings.Contains(text, plan) != tt.whole {
			t.Errorf("%v, %s: %.300s", tt.folders, tt.path, text)
		}
		if tt.whole && !strings.Contains(text, "\ncheckboxes: 2 total, 1 done, 1 pending\n") {
			t.Errorf("receipt: %.300s", text)
		}
	}
}
