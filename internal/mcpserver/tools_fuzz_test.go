package mcpserver

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
)

// FuzzDocumentTools sends any arguments to any of the tools for documents. The reply is
// one text within its limit, and only a tool that writes, and says that it has, changes
// a file.
func FuzzDocumentTools(f *testing.F) {
	s := start(f, doctor.ServerOptions{Roots: []string{docs(f, nil)}})
	var tools []*tool
	for _, t := range s.tools {
		if t.set != setPlan && t.set != setGuide {
			tools = append(tools, t)
		}
	}
	for _, raw := range []string{
		``, `{}`, `[]`, `{"file_path":"guide.md"}`, `{"path":"guide.md","heading":"Usage","action":"append","content":"more"}`,
		`{"path":"guide.md","edits":[{"old_string":"words","new_string":"text"}]}`, `{"path":"guide.md","old_string":"words","new_string":"` + "```" + `"}`,
		`{"selector":"h2.0/para","files":["."],"full":true}`, `{"files":["**/*.md"],"max_chars":500}`, `{"path":"guide.md","start_line":2,"end_line":3}`,
		`{"path":"guide.md","headings":["Usage","h2.1"],"max_chars":500}`, `{"file_path":"guide.md","section_name":"Usage > Flags","occurrence":1}`,
		`{"path":"../guide.md","heading":"@document"}`, `{"path":"guide.md","mode":"complete"}`, `{"file_path":"guide.md","cursor":"x","max_sections":1}`, "{\"path\":\"\xff\"}",
		`{"path":"guide.md","heading":"h2.0","action":"remove","expected_hash":"0123456789abcdef","dry_run":true}`,
	} {
		for i := range tools {
			f.Add(uint8(i), []byte(raw))
		}
	}
	const text = "# Guide\r\n\r\nSome words.\r\n\r\n## Usage\r\n\r\nRun it.\r\n\r\n### Flags\r\n\r\n- a\r\n- b\r\n\r\n## Usage two\r\n\r\n```sh\r\nrun\r\n```"
	path := filepath.Join(s.workspace.Roots()[0], "guide.md")
	f.Fuzz(func(t *testing.T, which uint8, raw []byte) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		called := tools[int(which)%len(tools)]
		result, err := s.handle(called)(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: called.name, Arguments: raw}})
		if err != nil || len(result.Content) != 1 {
			t.Fatalf("%s %s: %+v, %v", called.name, raw, result, err)
		}
		reply := result.Content[0].(*mcp.TextContent).Text
		if !utf8.ValidString(reply) || strings.Contains(reply, "internal_error") || strings.Contains(reply, path) {
			t.Errorf("%s %s: %s", called.name, raw, reply)
		}
		if called.set == setDocuments {
			checkDocuments(t, called, filepath.Dir(path), reply, result.IsError)
			return
		}
		now, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		told := !result.IsError && strings.Contains(reply, " edited") && !strings.Contains(reply, "nothing was written") || strings.Contains(reply, " removed, ")
		if changed := !bytes.Equal(now, []byte(text)); changed && (!called.writes || !told) {
			t.Errorf("%s %s changes the file to %q and says %s", called.name, raw, now, reply)
		}
		entries, err := os.ReadDir(filepath.Dir(path))
		if err != nil || len(entries) != 1 {
			t.Errorf("%s %s: %v %v", called.name, raw, entries, err)
		}
	})
}

// checkDocuments sees that a tool for whole documents has done what it says, and clears away
// what it made.
func checkDocuments(t *testing.T, called *tool, dir, reply string, failed bool) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	changed := len(entries) != 1 || entries[0].Name() != "guide.md"
	told := !failed && (strings.Contains(reply, " created, ") || strings.Contains(reply, " moved from ") || strings.Contains(reply, " deleted, ")) && !strings.Contains(reply, "nothing was written")
	if changed != told {
		t.Errorf("%s leaves %v and says %s", called.name, entries, reply)
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
}
