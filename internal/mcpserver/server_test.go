package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/toolargs"
)

// revisions are those of the protocol that are served, by one code path.
var revisions = mcp.SupportedProtocolVersions()

// guide is a document that most tests ask about.
const guide = "Before all.\n\n# Guide\n\nIntro.\n\n## Install\n\nRun <it> & wait.\n\n```sh\nmake\n```\n\n### On Linux\n\nText.\n\n## Usage\n\nUse it.\n\n# Notes\n\n## Install\n\nTwice.\n"

// docs makes a folder with documents, by path.
func docs(t testing.TB, documents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range documents {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, documentTime, documentTime); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// documentTime is when the documents of tests were changed last.
var documentTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) //nolint:gochecknoglobals // a constant

// discard is a log that nobody reads.
func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// start returns a server of the options.
func start(t testing.TB, o doctor.ServerOptions) *server {
	t.Helper()
	if o.Random == nil {
		o.Random = &sameMarks{}
	}
	workspace, err := documents.OpenWorkspace(o.Documents())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = workspace.Close() })
	s, err := newServer(o, workspace, discard())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// connect returns a client of the server that speaks the revision of the
// protocol, the newest if it is empty.
func connect(t testing.TB, s *server, revision string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	ctx := context.Background()
	there, here := mcp.NewInMemoryTransports()
	serving, err := s.mcp.Connect(ctx, there, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).
		Connect(ctx, here, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		_ = serving.Wait()
	})
	return session
}

// client returns a client of a server for the documents.
func client(t testing.TB, documents map[string]string) *mcp.ClientSession {
	t.Helper()
	return connect(t, start(t, doctor.ServerOptions{Roots: []string{docs(t, documents)}}), "", nil)
}

// ask calls a tool and returns the text of its reply, and whether it is an error.
func ask(t testing.TB, session *mcp.ClientSession, name string, arguments any) (text string, failed bool) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(result.Content) != 1 {
		t.Fatalf("%s has %d contents, want one text", name, len(result.Content))
	}
	content, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("%s answers with %T, want a text", name, result.Content[0])
	}
	return content.Text, result.IsError
}

// object is JSON.
type object = map[string]any

func TestRevisions(t *testing.T) {
	if len(revisions) < 5 {
		t.Fatalf("only %d revisions of the protocol are served, want 5", len(revisions))
	}
	s := start(t, doctor.ServerOptions{Roots: []string{docs(t, map[string]string{"guide.md": guide})}, Version: "1.2.3"})
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			session := connect(t, s, revision, nil)
			init := session.InitializeResult()
			if init.ProtocolVersion != revision {
				t.Errorf("revision %s, want %s", init.ProtocolVersion, revision)
			}
			if init.ServerInfo == nil || init.ServerInfo.Name != "sectile" || init.ServerInfo.Version != "1.2.3" {
				t.Errorf("server info %+v", init.ServerInfo)
			}
			if !strings.Contains(init.Instructions, "markdown_tree") {
				t.Errorf("instructions: %q", init.Instructions)
			}
			text, failed := ask(t, session, "markdown_tree", object{"file_path": "guide.md", "max_depth": 1})
			want := `{"format":"json","tree_json":{"name":"guide.md","level":"H0","start_line":0,"end_line":0,"children":[` +
				`{"name":"Guide","level":"H1","start_line":3,"end_line":22,"children":[]},` +
				`{"name":"Notes","level":"H1","start_line":23,"end_line":27,"children":[]}]}}`
			if text != want || failed {
				t.Errorf("tree, failed %v:\n%s\nwant\n%s", failed, text, want)
			}
			list, err := session.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != len(allTools()) {
				t.Errorf("%v tools, %v", list, err)
			}
			if err := session.Ping(t.Context(), nil); err != nil && revision < "2026-07-28" {
				t.Errorf("ping: %v", err)
			}
		})
	}
}

// Capabilities name what is there and nothing else.
func TestCapabilities(t *testing.T) {
	session := client(t, nil)
	got, err := json.Marshal(session.InitializeResult().Capabilities)
	if err != nil {
		t.Fatal(err)
	}
	var c object
	if err := json.Unmarshal(got, &c); err != nil {
		t.Fatal(err)
	}
	delete(c, "extensions")
	want := object{"completions": object{}, "prompts": object{}, "resources": object{}, "tools": object{}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("capabilities (-want +got):\n%s", diff)
	}
}

// A client is told what the tools cost it: their bytes are a promise, for each toolset, for the
// preset that agents are advised to use, and for all.
func TestListBytes(t *testing.T) {
	guides, limited := map[string]string{".sectile.yaml": guideConfig}, map[string]bool{}
	for _, tt := range []struct {
		name    string
		options doctor.ServerOptions
		files   map[string]string
		limit   int
	}{
		{setFind, doctor.ServerOptions{Toolsets: []string{setFind}}, nil, 1400},
		{setNavigate, doctor.ServerOptions{Toolsets: []string{setNavigate}}, nil, 3000},
		{setSelect, doctor.ServerOptions{Toolsets: []string{setSelect}}, nil, 1180},
		{setLinks, doctor.ServerOptions{Toolsets: []string{setLinks}}, nil, 570},
		{setEdit, doctor.ServerOptions{Toolsets: []string{setEdit}}, nil, 5000},
		{setStructure, doctor.ServerOptions{Toolsets: []string{setStructure}}, nil, 1020},
		{setDocuments, doctor.ServerOptions{Toolsets: []string{setDocuments}}, nil, 1490},
		{setHistory, doctor.ServerOptions{Toolsets: []string{setHistory}}, nil, 1490},
		{setGuide, doctor.ServerOptions{Toolsets: []string{setGuide}}, nil, 1300},
		{setPlan, doctor.ServerOptions{Toolsets: []string{setPlan}}, nil, 3870},
		{"lean", doctor.ServerOptions{Preset: "lean"}, nil, 7800},
		{"lean with guides", doctor.ServerOptions{Preset: "lean"}, guides, 9100},
		{"all", doctor.ServerOptions{}, nil, 20_000},
	} {
		limited[tt.name], tt.options.Roots = true, []string{docs(t, tt.files)}
		list, err := connect(t, start(t, tt.options), "", nil).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(list.Tools)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes", tt.name, len(text))
		if len(text) > tt.limit {
			t.Errorf("%s takes %d bytes in tools/list, want at most %d", tt.name, len(text), tt.limit)
		}
	}
	for _, set := range toolsets() {
		if !limited[set] {
			t.Errorf("the toolset %s has no limit", set)
		}
	}
}

// TestToldOnce: what the schema of a tool doesn't tell of an argument, that of another tool of
// its toolset does, with the same limits.
func TestToldOnce(t *testing.T) {
	all := allTools()
	for _, tool := range all {
		for _, again := range tool.args {
			if !again.Again {
				continue
			}
			told := false
			for _, other := range all {
				told = told || other.set == tool.set && slices.ContainsFunc(other.args, func(a toolargs.Argument) bool {
					return !a.Again && a.Name == again.Name && a.Kind == again.Kind && a.Min == again.Min && a.Max == again.Max
				})
			}
			if !told {
				t.Errorf("%s: nothing tells of %s", tool.name, again.Name)
			}
		}
	}
}

// What clients are told of each tool is looked at when it changes.
func TestDefinitions(t *testing.T) {
	for _, tool := range allTools() {
		text, err := json.MarshalIndent(tool.definition(), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("testdata", "tools", tool.name+".json"), string(text)+"\n")
		if n := len(tool.description); n == 0 || n > 1000 {
			t.Errorf("%s: the description has %d bytes", tool.name, n)
		}
	}
}

// Every tool says of itself what it does to files; none has a schema that simple
// clients stumble over.
func TestAnnotationsAndSchemas(t *testing.T) {
	core := 0
	for _, tool := range allTools() {
		def := tool.definition()
		a := def.Annotations
		if a.Title == "" || a.DestructiveHint != nil || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: annotations %+v", tool.name, a)
		}
		if a.ReadOnlyHint == tool.writes {
			t.Errorf("%s: a tool that writes %v is annotated %+v", tool.name, tool.writes, a)
		}
		text, _ := json.Marshal(def.InputSchema)
		if strings.Contains(string(text), `"type":[`) || strings.Contains(string(text), "$") {
			t.Errorf("%s: schema %s", tool.name, text)
		}
		if def.OutputSchema != nil {
			t.Errorf("%s has an output schema", tool.name)
		}
		if tool.core {
			core++
		}
	}
	if core < 3 || core > 5 {
		t.Errorf("%d tools are always loaded, want three to five", core)
	}
}

func TestChooseTools(t *testing.T) {
	navigate := []string{"markdown_tree", "markdown_list_sections", "markdown_section_bounds", "markdown_read_section"}
	selects := []string{"mdsel_index", "mdsel_select"}
	guides := []string{"get_category_content", "list_categories"}
	find := []string{"search_sections", "list_documents"}
	before := slices.Concat(find, navigate, selects, []string{"list_links", "read_file"})
	reads := slices.Concat(before, []string{"list_changes", "diff_sections"}, guides, []string{"gather_requirements"})
	plans := []string{"gather_requirements", "set_overarching_goal", "set_detailed_goal", "set_plan", "mark_task", "finish_job", "new_commit"}
	all := slices.Concat(before, []string{"edit_section", "edit_file", "move_section", "create_document", "move_document", "delete_document", "list_changes", "undo_change", "diff_sections"}, guides, plans)
	tests := []struct {
		name    string
		options doctor.ServerOptions
		want    []string
		err     string
	}{
		{"guides", doctor.ServerOptions{Toolsets: []string{"guide"}}, guides, ""},
		{"guides to read", doctor.ServerOptions{Toolsets: []string{"guide"}, ReadOnly: true}, guides, ""},
		{"plans", doctor.ServerOptions{Toolsets: []string{"plan"}}, plans, ""},
		{"plans to read", doctor.ServerOptions{Toolsets: []string{"plan"}, ReadOnly: true}, plans[:1], ""},
		{"nothing said", doctor.ServerOptions{}, all, ""},
		{"toolset", doctor.ServerOptions{Toolsets: []string{"select"}}, selects, ""},
		{"toolsets", doctor.ServerOptions{Toolsets: []string{"select", "navigate"}}, slices.Concat(navigate, selects), ""},
		{"tool alone", doctor.ServerOptions{Tools: []string{"mdsel_index"}}, selects[:1], ""},
		{"tool beside toolset", doctor.ServerOptions{Tools: []string{"mdsel_index"}, Toolsets: []string{"navigate"}}, slices.Concat(navigate, selects[:1]), ""},
		{"excluded", doctor.ServerOptions{Toolsets: []string{"select"}, ExcludeTools: []string{"mdsel_select"}}, selects[:1], ""},
		{"lean", doctor.ServerOptions{Preset: "lean"}, slices.Concat(find, []string{"read_file", "edit_section", "edit_file", "move_section", "create_document"}), ""},
		{"lean to read", doctor.ServerOptions{Preset: "lean", ReadOnly: true}, slices.Concat(find, []string{"read_file"}), ""},
		{"read-only", doctor.ServerOptions{ReadOnly: true}, reads, ""},
		{"no toolset", doctor.ServerOptions{Toolsets: []string{"edits"}}, nil, "there is no toolset \"edits\"; did you mean edit? there are find, navigate, select, links, edit, structure, documents, history, guide, plan"},
		{"no tool", doctor.ServerOptions{Tools: []string{"mdsel"}}, nil, "there is no tool \"mdsel\"; did you mean mdsel_index? there are search_sections, list_documents"},
		{"no tool to exclude", doctor.ServerOptions{ExcludeTools: []string{"mdsel"}}, nil, "there is no tool \"mdsel\""},
		{"no preset", doctor.ServerOptions{Preset: "fat"}, nil, "there is no preset \"fat\"; there are lean"},
		{"none left", doctor.ServerOptions{Tools: []string{"mdsel_index"}, ExcludeTools: []string{"mdsel_index"}}, nil, "no tool is left"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tools, err := chooseTools(&tt.options, func() bool { return false }, func() bool { return false })
			if got := fmt.Sprint(err); tt.err != "" && !strings.Contains(got, tt.err) || tt.err == "" && err != nil {
				t.Errorf("error %v, want %q", err, tt.err)
			}
			var names []string
			for _, tool := range tools {
				names = append(names, tool.name)
			}
			if diff := cmp.Diff(tt.want, names); diff != "" {
				t.Errorf("tools (-want +got):\n%s", diff)
			}
		})
	}
}

// Instructions fit into what clients show, and speak of nothing that isn't there.
func TestInstructions(t *testing.T) {
	base := t.TempDir() // which is longer on some systems
	long := filepath.Join(base, strings.Repeat("l", max(1, 200-len(base))))
	longest := filepath.Join(base, strings.Repeat("l", 250)) // too long to be told with another
	other := filepath.Join(t.TempDir(), "other")
	for _, dir := range []string{long, longest, other} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Dir(other)) // roots are told as absolute paths, however they were given
	options := []doctor.ServerOptions{{}, {Preset: "lean"}, {Tools: []string{"mdsel_index"}}, {Roots: []string{long, "other"}}, {Roots: []string{"other", longest}}}
	for _, set := range toolsets() {
		options = append(options, doctor.ServerOptions{Toolsets: []string{set}})
	}
	options = append(options, choices()...)
	for _, o := range options {
		if o.Roots == nil {
			o.Roots = []string{other}
		}
		s := start(t, o)
		text := s.instructions()
		if n := utf8.RuneCountInString(text); n == 0 || n >= 2000 {
			t.Errorf("%+v: %d characters of instructions, want less than 2000", o, n)
		}
		if n := len(text); o.Preset == "lean" && n > 1250 {
			t.Errorf("%d bytes of instructions with the preset, want 1250 at most", n)
		}
		for _, tool := range allTools() {
			if strings.Contains(text, tool.name) && !s.offers(tool.name) {
				t.Errorf("%+v: the instructions name %s, which is not offered", o, tool.name)
			}
		}
		want := slices.ContainsFunc(s.tools, func(t *tool) bool { return t.set == setNavigate || t.set == setEdit })
		if got := strings.Contains(text, "'## Install'"); got != want {
			t.Errorf("%+v: sections are named by heading: %v\n%s", o, got, text)
		}
		if got := strings.Contains(text, "document"); got == !slices.ContainsFunc(s.tools, func(t *tool) bool { return t.set != setGuide && t.set != setPlan }) {
			t.Errorf("%+v: documents are spoken of: %v\n%s", o, got, text)
		}
		if got := strings.Contains(text, other) && strings.Contains(text, "absolute"); got != (len(o.Roots) > 1) {
			t.Errorf("%+v: the roots are told: %v\n%s", o, got, text)
		}
	}
}

func TestServeRefusesOptions(t *testing.T) {
	dir := t.TempDir()
	for want, o := range map[string]doctor.ServerOptions{
		"log level":        {Roots: []string{dir}, LogLevel: "loud"},
		"toolset":          {Roots: []string{dir}, Toolsets: []string{"x"}},
		"file_not_found":   {Roots: []string{filepath.Join(dir, "missing")}},
		"allow-broad-root": {Roots: []string{"/"}},
	} {
		err := Serve(t.Context(), o, strings.NewReader(""), &strings.Builder{}, &strings.Builder{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one about %q", o, err, want)
		}
	}
}

func TestLogLevel(t *testing.T) {
	dir := t.TempDir()
	for level, want := range map[string]bool{"": false, "warn": false, "ERROR": false, "info": true, "debug": true} {
		var log strings.Builder
		err := Serve(t.Context(), doctor.ServerOptions{Roots: []string{dir}, LogLevel: level}, strings.NewReader(""), &strings.Builder{}, &log)
		if got := strings.Contains(log.String(), "msg=stopped"); got != want || err != nil {
			t.Errorf("%q: %v, logs %q", level, err, log.String())
		}
	}
}
