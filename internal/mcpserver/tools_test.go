package mcpserver

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/app"
)

// What tools answer, in one golden file: the calls and their replies.
func TestReplies(t *testing.T) {
	session := client(t, map[string]string{
		"guide.md": guide, "crlf.md": "# A\r\n\r\nText.\r\n", "empty.md": "", "sub/other.md": "# Other\n\n- one\n- two\n",
		"hidden.md": "# A\u202eB\n\nText \u200bwith \u202ehidden.\n", "notes.txt": "# No Markdown\n",
	})
	calls := []struct {
		tool string
		args object
	}{
		{"markdown_tree", object{"file_path": "guide.md"}},
		{"markdown_tree", object{"file_path": "guide.md", "format": "ascii"}},
		{"markdown_tree", object{"path": "guide.md", "pattern": "linux"}},
		{"markdown_tree", object{"file_path": "guide.md", "pattern": "install", "keep_children": "true", "max_depth": "2"}},
		{"markdown_tree", object{"file_path": "guide.md", "pattern": "nothing"}},
		{"markdown_tree", object{"file_path": "empty.md"}},
		{"markdown_tree", object{"file_path": "hidden.md"}},
		{"markdown_tree", object{"file_path": "guide.md", "format": "xml"}},
		{"markdown_tree", object{"file_path": "missing.md"}},
		{"markdown_tree", object{"file_path": "../guide.md"}},
		{"markdown_tree", object{"file_path": "notes.txt"}},
		{"markdown_tree", object{"file_path": "sub"}},
		{"markdown_tree", object{}},
		{"markdown_tree", object{"file_path": "guide.md", "depht": 2}},
		{"markdown_list_sections", object{"file_path": "guide.md"}},
		{"markdown_list_sections", object{"file_path": "guide.md", "heading_level": "h2", "max_sections": 2}},
		{"markdown_list_sections", object{"file_path": "guide.md", "heading_level": "H9"}},
		{"markdown_list_sections", object{"file_path": "guide.md", "heading_level": "ALL", "pattern": "USAGE"}},
		{"markdown_section_bounds", object{"file_path": "guide.md", "section_name": "Usage"}},
		{"markdown_section_bounds", object{"file_path": "guide.md", "section_heading": "## Install", "occurrence": 2}},
		{"markdown_section_bounds", object{"file_path": "guide.md", "section_name": "Install"}},
		{"markdown_section_bounds", object{"file_path": "guide.md", "section_query": "Uninstall"}},
		{"markdown_section_bounds", object{"file_path": "guide.md"}},
		{"markdown_read_section", object{"file_path": "guide.md", "section_name": "Guide > Install"}},
		{"markdown_read_section", object{"file_path": "guide.md", "section_name": "h2.0", "include_subsections": false}},
		{"markdown_read_section", object{"file_path": "guide.md", "section_name": "Guide", "max_subsection_levels": 1}},
		{"markdown_read_section", object{"file_path": "guide.md", "section_name": "@preamble"}},
		{"markdown_read_section", object{"file_path": "guide.md", "section_name": "h2.0/code.0"}},
		{"markdown_read_section", object{"file_path": "guide.md", "start_line": 9, "end_line": 12}},
		{"markdown_read_section", object{"file_path": "guide.md", "start_line": 9, "end_line": 99}},
		{"markdown_read_section", object{"file_path": "guide.md"}},
		{"markdown_read_section", object{"file_path": "guide.md", "section_name": "Install"}},
		{"markdown_read_section", object{"file_path": "crlf.md", "section_name": "A"}},
		{"markdown_read_section", object{"file_path": "hidden.md", "section_name": "h1.0"}},
		{"markdown_read_section", object{"file_path": "guide.md", "section_name": "Guide", "max_chars": 100}},
		{"mdsel_index", object{"files": []string{"guide.md"}}},
		{"mdsel_index", object{"files": "guide.md"}},
		{"mdsel_index", object{"files": []string{"guide.md", "missing.md", "sub/other.md"}}},
		{"mdsel_index", object{"files": []string{"-"}}},
		{"mdsel_index", object{"files": []string{}}},
		{"mdsel_select", object{"selector": "h2.0/code", "files": []string{"guide.md"}}},
		{"mdsel_select", object{"selector": "h2", "files": []string{"guide.md"}}},
		{"mdsel_select", object{"selector": "other::list.0/item.1", "files": []string{"guide.md", "sub/other.md"}}},
		{"mdsel_select", object{"selector": "h2.9", "files": []string{"guide.md"}}},
		{"mdsel_select", object{"selector": "h9", "files": []string{"guide.md"}}},
	}
	var got strings.Builder
	for _, c := range calls {
		args, err := json.Marshal(c.args)
		if err != nil {
			t.Fatal(err)
		}
		text, failed := ask(t, session, c.tool, c.args)
		status := "ok"
		if failed {
			status = "error"
			if n := utf8.RuneCountInString(text); n > maxErrorChars {
				t.Errorf("%s %s: an error of %d characters", c.tool, args, n)
			}
		}
		fmt.Fprintf(&got, "==== %s %s\n---- %s\n%s\n", c.tool, args, status, strings.ReplaceAll(text, "\r", "\\r"))
	}
	golden := filepath.Join("testdata", "replies.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("replies (-want +got), go test -update writes them anew:\n%s", diff)
	}
}

// A tool that asks for an argument that it has not declared panics.
func TestArgumentsAreDeclared(t *testing.T) {
	dir := docs(t, map[string]string{"guide.md": guide})
	workspace, err := app.OpenWorkspace(&app.ServerOptions{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = workspace.Close() }()
	values := object{"file_path": "guide.md", "files": []string{"guide.md"}, "selector": "h2.0", "section_name": "Usage"}
	for _, tool := range allTools() {
		for _, structured := range []bool{false, true} {
			all := object{}
			for _, a := range tool.args {
				if value, ok := values[a.name]; ok {
					all[a.name] = value
				}
			}
			raw, _ := json.Marshal(all)
			args, err := decode(tool.args, raw)
			if err != nil {
				t.Fatalf("%s: %v", tool.name, err)
			}
			r, err := tool.run(t.Context(), &call{arguments: args, workspace: workspace, structured: structured})
			if err != nil {
				t.Fatalf("%s: %v", tool.name, err)
			}
			if structured && !json.Valid(r.structured) {
				t.Errorf("%s: structured content is no JSON: %s", tool.name, r.structured)
			}
			if len(r.text) == 0 {
				t.Errorf("%s: no text", tool.name)
			}
		}
	}
}

// With --structured, replies have both; by default, the text alone.
func TestStructured(t *testing.T) {
	dir := docs(t, map[string]string{"guide.md": guide})
	for _, structured := range []bool{false, true} {
		session := connect(t, start(t, app.ServerOptions{Roots: []string{dir}, Structured: structured}), "", nil)
		for _, tool := range allTools() {
			args := object{"file_path": "guide.md"}
			switch tool.name {
			case "markdown_section_bounds", "markdown_read_section":
				args["section_name"] = "Usage"
			case "mdsel_select":
				args["selector"] = "h2.0"
			}
			result, err := session.CallTool(t.Context(), params(tool.name, args))
			if err != nil || result.IsError {
				t.Fatalf("%s: %v %+v", tool.name, err, result)
			}
			if got := result.StructuredContent != nil; got != structured || len(result.Content) != 1 {
				t.Errorf("%s: structured content %v, want %v, and %d texts", tool.name, got, structured, len(result.Content))
			}
		}
	}
}

// No reply is longer than it may be, whatever the document.
func TestRepliesStayWithinTheirBudget(t *testing.T) {
	var many, deep strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "# Heading number %d with some words\n\nText %d.\n\n", i, i)
		fmt.Fprintf(&deep, "%s Part %d\n\nText %d.\n\n", "######"[:1+i%6], i, i)
	}
	session := client(t, map[string]string{
		"many.md": many.String(), "deep.md": deep.String(), "long.md": "# A\n\n" + strings.Repeat("ü", 200_000) + "\n",
		"wide.md": "# " + strings.Repeat("word ", 20_000) + "\n",
	})
	for _, file := range []string{"many.md", "deep.md", "long.md", "wide.md"} {
		for _, limit := range []int{0, 500, 2000, 40_000} {
			for _, c := range []struct {
				tool string
				args object
			}{
				{"markdown_tree", object{"file_path": file}},
				{"markdown_tree", object{"file_path": file, "format": "ascii"}},
				{"markdown_list_sections", object{"file_path": file}},
				{"markdown_read_section", object{"file_path": file, "section_name": "h1.0"}},
				{"markdown_read_section", object{"file_path": file, "start_line": 1}},
				{"mdsel_index", object{"files": []string{file, file}}},
				{"mdsel_select", object{"files": []string{file}, "selector": "h1"}},
			} {
				want := limit
				if limit > 0 {
					c.args["max_chars"] = limit
				} else {
					want = defaultMaxChars
				}
				text, failed := ask(t, session, c.tool, c.args)
				if n := utf8.RuneCountInString(text); n > want || failed {
					t.Errorf("%s %v: %d characters, want at most %d; failed %v: %.200s", c.tool, c.args, n, want, failed, text)
				}
			}
		}
	}
}

// Where a reply names the call that continues, that call works.
func TestContinuationsAreCalls(t *testing.T) {
	long := "# A\n\n" + strings.Repeat("A line of text.\n", 3000)
	session := client(t, map[string]string{"long.md": long})
	args := object{"file_path": "long.md", "section_name": "A"}
	delivered := 0
	for range 10 {
		text, failed := ask(t, session, "markdown_read_section", args)
		if failed {
			t.Fatal(text)
		}
		delivered += strings.Count(text, "A line of text.\n")
		_, after, more := strings.Cut(text, "continue: markdown_read_section(")
		if !more {
			break
		}
		spelled, _, _ := strings.Cut(after, ")\n")
		args = object{}
		for pair := range strings.SplitSeq(spelled, ", ") {
			name, value, _ := strings.Cut(pair, "=")
			args[name] = strings.Trim(value, `"`)
		}
	}
	if delivered != 3000 {
		t.Errorf("%d lines came, want each of 3000 once", delivered)
	}
}
