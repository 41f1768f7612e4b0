package mcpserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/testkit"
)

// sessionLine is the line before a reply that offers a session.
var sessionLine = regexp.MustCompile(`^session: ([a-z0-9]{16}) \((.*)\)\n`)

// mapped is a document whose map comes without its text.
func mapped() map[string]string { return map[string]string{"guide.md": guide + filler} }

// told is a reply of a shared server.
type told struct {
	text    string
	failed  bool
	handle  string // in the text
	meta    string // in the metadata
	comment string // after the handle
}

// tell calls a tool of a shared server.
func tell(t testing.TB, session *mcp.ClientSession, name string, args object) told {
	t.Helper()
	result, err := session.CallTool(t.Context(), params(name, args))
	if err != nil || len(result.Content) != 1 {
		t.Fatalf("%s %v: %v, %+v", name, args, err, result)
	}
	r := told{text: result.Content[0].(*mcp.TextContent).Text, failed: result.IsError}
	r.meta, _ = result.Meta[sessionMeta].(string)
	if match := sessionLine.FindStringSubmatch(unmarked(r.text)); match != nil {
		r.handle, r.comment = match[1], match[2]
	}
	return r
}

// section reads a section with a session, if there is one.
func section(t testing.TB, session *mcp.ClientSession, heading, handle string) told {
	t.Helper()
	args := object{"path": "guide.md", "heading": heading}
	if handle != "" {
		args["session"] = handle
	}
	r := tell(t, session, toolReadFile, args)
	if r.failed {
		t.Fatal(r.text)
	}
	return r
}

// count is the number of sections that a reply says are unread.
func count(t testing.TB, r told) (n int) {
	t.Helper()
	if said := saidUnread(r.text); said != "" {
		if _, err := fmt.Sscan(said, &n); err != nil {
			t.Fatalf("%q: %v", said, err)
		}
	}
	return n
}

func TestSessions(t *testing.T) {
	session := connect(t, shared(t, mapped()), "", nil)
	first := section(t, session, "Usage", "")
	if first.handle == "" || first.handle != first.meta || first.comment != "give it with further calls" || count(t, first) != 6 {
		t.Fatalf("%+v", first)
	}
	second := section(t, session, "On Linux", first.handle)
	if second.handle != "" || second.meta != "" || count(t, second) != 5 {
		t.Errorf("it does not go on: %+v", second)
	}
	// Who gives none has another one, and they don't mix.
	other := section(t, session, "Guide > Install", "")
	if other.handle == "" || other.handle == first.handle || count(t, other) != 5 {
		t.Errorf("%+v", other)
	}
	if r := section(t, session, "Usage", other.handle); count(t, r) != 4 {
		t.Errorf("the other one's: %+v", r)
	}
	if r := section(t, session, "Guide > Install", first.handle); count(t, r) != 4 {
		t.Errorf("the first one's: %+v", r)
	}
	// One that nobody knows is replaced, and the reply says so.
	lost := section(t, session, "Usage", "aaaaaaaaaaaaaaaa")
	if lost.handle == "" || lost.handle == "aaaaaaaaaaaaaaaa" || !strings.Contains(lost.comment, "not known any more") || count(t, lost) != 6 {
		t.Errorf("%+v", lost)
	}
	if r := section(t, session, "On Linux", lost.handle); r.handle != "" || count(t, r) != 5 {
		t.Errorf("%+v", r)
	}
	// What shows nothing offers nothing, and nothing is counted as shown by it.
	if r := tell(t, session, toolReadFile, object{"path": "guide.md", "heading": "nowhere"}); !r.failed || r.handle != "" || r.meta != "" {
		t.Errorf("%+v", r)
	}
	if r := tell(t, session, toolReadFile, object{"path": "guide.md", "heading": "nowhere", "session": first.handle}); !r.failed || r.handle != "" {
		t.Errorf("%+v", r)
	}
	// Content by selector is printed as on the command line: its session is in the
	// metadata alone, and is one of reads too.
	bare := tell(t, session, "mdsel_select", object{"files": []string{"guide.md"}, "selector": "h2.1"})
	if bare.handle != "" || bare.meta == "" || strings.Contains(bare.text, "session") {
		t.Errorf("%+v", bare)
	}
	if r := section(t, session, "On Linux", bare.meta); r.handle != "" || count(t, r) != 5 {
		t.Errorf("%+v", r)
	}
	edit := tell(t, session, toolEditSection, object{"path": "guide.md", "heading": "Usage", "action": "insert_after", "content": "## New\n\nMore."})
	if edit.failed || edit.handle == "" {
		t.Errorf("%+v", edit)
	}
	if r := section(t, session, "On Linux", edit.handle); count(t, r) != 6 { // what it wrote it knows
		t.Errorf("%+v", r)
	}
}

// Tools that remember nothing take no session, and JSON has no line before it.
func TestToolsWithoutSessions(t *testing.T) {
	session := connect(t, shared(t, mapped()), "", nil)
	for name, args := range map[string]object{
		"markdown_tree": {"file_path": "guide.md"}, "markdown_list_sections": {"file_path": "guide.md"},
		"markdown_section_bounds": {"file_path": "guide.md", "section_name": "Usage"}, "mdsel_index": {"files": []string{"guide.md"}},
	} {
		r := tell(t, session, name, args)
		if r.failed || r.handle != "" || r.meta != "" || name != "mdsel_index" && !json.Valid([]byte(r.text)) {
			t.Errorf("%s: %+v", name, r)
		}
		args["session"] = "aaaaaaaaaaaaaaaa"
		if r := tell(t, session, name, args); !r.failed || !strings.Contains(r.text, "unknown argument") {
			t.Errorf("%s with a session: %+v", name, r)
		}
	}
	// A server of one client knows who calls.
	session = connect(t, start(t, doctor.ServerOptions{Roots: []string{docs(t, mapped())}}), "", nil)
	if r := section(t, session, "Usage", ""); r.handle != "" || r.meta != "" {
		t.Errorf("%+v", r)
	}
}

// What a client is told of a tool with a session, and of the session.
func TestSessionInDefinitions(t *testing.T) {
	s := shared(t, nil)
	text, err := json.MarshalIndent(s.tool(toolReadFile).definition(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("testdata", "tools", "shared", "read_file.json"), string(text)+"\n")
	for _, tool := range s.tools {
		text, err := json.Marshal(tool.definition().InputSchema)
		if got := strings.Contains(string(text), `"session":{`); err != nil || got != tool.remembers {
			t.Errorf("%s: %s", tool.name, text)
		}
	}
	for _, o := range choices() {
		o.Roots, o.Shared = []string{t.TempDir()}, true
		s := start(t, o)
		text := s.instructions()
		remembers := false
		for _, tool := range s.tools {
			remembers = remembers || tool.remembers
		}
		if n := utf8.RuneCountInString(text); n >= 2000 || strings.Contains(text, "names a session") != remembers {
			t.Errorf("%+v: %d characters:\n%s", o, n, text)
		}
	}
}

// The session that was used least recently is forgotten, when there are too many or
// they remember too much.
func TestSessionsAreForgotten(t *testing.T) {
	s := shared(t, mapped())
	session := connect(t, s, "", nil)
	known := func(r told) bool {
		t.Helper()
		return s.sessions.get(r.meta) != nil
	}
	taken := func() told {
		t.Helper()
		r := section(t, session, "Usage", "")
		section(t, session, "Usage", r.handle)
		return r
	}
	s.sessions.maxSessions = 2
	one, two := taken(), taken()
	section(t, session, "On Linux", one.handle)
	three := taken()
	if !known(one) || known(two) || !known(three) {
		t.Errorf("known: %v %v %v", known(one), known(two), known(three))
	}
	s.sessions.maxSessions = 100
	s.sessions.maxUnits = s.sessions.units + 3 // another one has more
	four := section(t, session, "Usage", three.handle)
	five := section(t, session, "Usage", "")
	if known(one) || !known(five) {
		t.Errorf("known: %v %v", known(one), known(five))
	}
	s.sessions.maxUnits = 1 // the last one is kept all the same
	section(t, session, "On Linux", five.handle)
	if known(three) || known(four) || !known(five) || len(s.sessions.named) != 1 || s.sessions.offered.Len()+s.sessions.taken.Len() != 1 {
		t.Errorf("%d sessions are left", len(s.sessions.named))
	}
	if size := s.sessions.get(five.meta).Size(); s.sessions.units != size {
		t.Errorf("%d units are counted, the session has %d", s.sessions.units, size)
	}
}

// Who never gives a session pushes out none of those who do, however many are offered
// and whatever they remember.
func TestOffersPushOutNoSession(t *testing.T) {
	s := shared(t, mapped())
	session := connect(t, s, "", nil)
	s.sessions.maxSessions, s.sessions.maxOffers = 3, 5
	mine := section(t, session, "Usage", "")
	section(t, session, "Usage", mine.handle)
	newest := ""
	offer := func() {
		t.Helper()
		for range 20 {
			newest = section(t, session, "Usage", "").handle
		}
	}
	offer()
	if n := s.sessions.offered.Len(); n != 5 || s.sessions.taken.Len() != 1 || len(s.sessions.named) != 6 {
		t.Errorf("%d offers, %d sessions", n, s.sessions.taken.Len())
	}
	s.sessions.maxUnits = s.sessions.units - 1
	offer()
	if n := s.sessions.offered.Len(); n == 0 || n >= 5 || s.sessions.taken.Len() != 1 {
		t.Errorf("%d offers, %d sessions", n, s.sessions.taken.Len())
	}
	if r := section(t, session, "On Linux", mine.handle); r.handle != "" {
		t.Errorf("it is forgotten: %+v", r)
	}
	if r := section(t, session, "On Linux", newest); r.handle != "" {
		t.Errorf("the newest offer is forgotten: %+v", r)
	}
}

// No reply is longer than it may be with the line that offers a session.
func TestSessionsWithinBudgets(t *testing.T) {
	testkit.OneGoroutine(t)
	documents := largeDocuments(400)
	session := connect(t, shared(t, documents), "", nil)
	offered := 0
	for file := range documents {
		for _, limit := range []int{0, 500, 560, 700, 10_000} {
			for _, handle := range []string{"", "aaaaaaaaaaaaaaaa"} {
				for _, c := range largeCalls(file, limit) {
					if c.tool != toolReadFile && c.tool != toolReadSection && c.tool != "mdsel_select" {
						continue
					}
					most := limit
					if limit == 0 {
						most = defaultMaxChars
					}
					if handle != "" {
						c.args["session"] = handle
					}
					r := tell(t, session, c.tool, c.args)
					if n := utf8.RuneCountInString(r.text); n > most {
						t.Errorf("%s %v: %d characters", c.tool, c.args, n)
					}
					if r.failed {
						continue
					}
					if r.meta == "" || c.tool == "mdsel_select" && r.handle != "" {
						t.Errorf("%s %v: %.100s", c.tool, c.args, r.text)
					}
					if c.tool != "mdsel_select" && limit != 500 && limit != 560 && r.handle == "" {
						t.Errorf("%s %v: there is no session in %.100s", c.tool, c.args, r.text)
					}
					if r.handle != "" {
						offered++
					}
				}
			}
		}
	}
	if offered < 100 {
		t.Errorf("a session was offered %d times", offered)
	}
	long := strings.Repeat("A line of the text.\n", 1000)
	if r := tell(t, session, toolEditSection, object{"path": "long.md", "heading": "A", "action": "append", "content": long}); r.failed || r.handle == "" || utf8.RuneCountInString(r.text) > defaultMaxChars {
		t.Errorf("%d characters: %.300s", utf8.RuneCountInString(r.text), r.text)
	}
	if r := tell(t, session, toolTasks, object{"plan": strings.Repeat("- a task with some words in it\n", 500)}); utf8.RuneCountInString(r.text) > defaultMaxChars {
		t.Errorf("%d characters: %.300s", utf8.RuneCountInString(r.text), r.text)
	}
}

// Positions of tasks are those of the plan that the session was shown: without one
// that was, a position may be another's task.
func TestSessionsOfPlans(t *testing.T) {
	session := connect(t, startTest(t, doctor.ServerOptions{Roots: []string{planned(t, "file")}, Shared: true}), "", nil)
	call := func(handle, tool string, args object) told {
		t.Helper()
		all := object{}
		maps.Copy(all, args)
		if handle != "" {
			all["session"] = handle
		}
		return tell(t, session, tool, all)
	}
	first := call("", toolGoal, storyGoal)
	if first.failed || first.handle == "" || first.handle != first.meta {
		t.Fatalf("%+v", first)
	}
	call(first.handle, toolDetail, storyDetail)
	if r := call(first.handle, toolTasks, object{"plan": "- [ ] one\n- [ ] two\n  - [ ] three\n"}); r.failed || r.handle != "" {
		t.Fatalf("%+v", r)
	}
	if r := call(first.handle, toolMark, object{"task_id": "2.1"}); r.failed || !strings.Contains(r.text, "2.1 [x] three") {
		t.Errorf("%+v", r)
	}
	refused := func(handle string) {
		t.Helper()
		r := call(handle, toolMark, object{"task_id": "1"})
		kind, metadata := planFailureOf(t, r.text)
		if !r.failed || kind != "incorrect input format" || metadata["field"] != "expected_version" || r.handle != "" || !strings.Contains(r.text, "nothing was written") {
			t.Errorf("%+v", r)
		}
	}
	refused("")
	refused("aaaaaaaaaaaaaaaa")
	section := call("", toolReadFile, object{"path": "guide.md"}) // a session that was shown no plan
	refused(section.handle)
	seen := call(section.handle, toolGather, nil)
	if seen.failed || !strings.Contains(seen.text, "1 [ ] one") {
		t.Fatalf("%+v", seen)
	}
	if r := call("", toolMark, object{"task_id": "1", "expected_version": field(seen.text, "version")}); r.failed || !strings.Contains(r.text, "1 [x] one") || r.handle == "" {
		t.Errorf("by version: %+v", r)
	}
	// What another one has changed since is not what this one was shown.
	if r := call(section.handle, toolMark, object{"task_id": "1", "completed": false}); !r.failed || !strings.Contains(r.text, "was changed") {
		t.Errorf("%+v", r)
	}
	if r := call("", toolMark, object{"task_id": "one", "completed": false}); r.failed || !strings.Contains(r.text, "1 [ ] one") {
		t.Errorf("by text: %+v", r)
	}
}
