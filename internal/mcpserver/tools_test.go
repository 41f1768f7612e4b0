package mcpserver

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/toolargs"
	"github.com/sectile/sectile/internal/undoing"
)

// What tools answer, in one golden file: the calls and their replies.
func TestReplies(t *testing.T) {
	session := client(t, map[string]string{
		"guide.md": guide, "crlf.md": "# A\r\n\r\nText.\r\n", "empty.md": "", "sub/other.md": "# Other\n\n- one\n- two\n",
		"hidden.md": "# A\u202eB\n\nText \u200bwith \u202ehidden.\n", "notes.txt": "# No Markdown\n",
		"plans/a.md": "# Plan\n\n- [x] one\n- [ ] two\n",
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
		{"markdown_section_bounds", object{"file_path": "hidden.md", "section_name": "h1.0"}},
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
		{"markdown_read_section", object{"file_path": "guide.md", "section_name": "Guide", "start_line": 3}},
		{"markdown_read_section", object{"file_path": "guide.md", "start_line": 3, "occurrence": 2}},
		{"read_file", object{"path": "guide.md"}},
		{"read_file", object{"path": "guide.md", "heading": "Guide > Install"}},
		{"read_file", object{"file_path": "sub/other.md", "headings": []string{"Other", "list.0/item.1", "Nothing"}}},
		{"read_file", object{"path": "guide.md", "start_line": 5, "end_line": 8}},
		{"read_file", object{"path": "plans/a.md", "mode": "complete"}},
		{"read_file", object{"path": "guide.md", "mode": "complete"}},
		{"read_file", object{"path": "guide.md", "mode": "whole"}},
		{"read_file", object{"path": "guide.md", "heading": "Usage", "start_line": 1}},
		{"read_file", object{"path": "guide.md", "heading": " "}},
		{"read_file", object{"path": "guide.md", "headings": []string{}}},
		{"read_file", object{"path": "guide.md", "start_line": 99}},
		{"read_file", object{"path": "guide.md", "heading": "Install"}},
		{"read_file", object{"path": "empty.md"}},
		{"mdsel_index", object{"files": []string{"guide.md"}}},
		{"mdsel_index", object{"files": "guide.md"}},
		{"mdsel_index", object{"files": []string{"guide.md", "missing.md", "sub/other.md"}}},
		{"mdsel_index", object{"files": []string{"-"}}},
		{"mdsel_index", object{"files": []string{"guides.md"}}},
		{"mdsel_index", object{"files": []string{}}},
		{"mdsel_select", object{"selector": "h2.0/code", "files": []string{"guide.md"}}},
		{"mdsel_select", object{"selector": "h2", "files": []string{"guide.md"}}},
		{"mdsel_select", object{"selector": "other::list.0/item.1", "files": []string{"guide.md", "sub/other.md"}}},
		{"mdsel_select", object{"selector": "h2.9", "files": []string{"guide.md"}}},
		{"mdsel_select", object{"selector": "h9", "files": []string{"guide.md"}}},
		{"mdsel_select", object{"selector": "h1.0", "files": []string{"hidden.md"}}},
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
	golden(t, filepath.Join("testdata", "replies.txt"), got.String())
}

// A tool that asks for an argument that it has not declared panics.
func TestArgumentsAreDeclared(t *testing.T) {
	dir := docs(t, guided(map[string]string{"guide.md": guide}))
	workspace, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = workspace.Close() }()
	guides := guiding.NewGuides(guiding.GuideOptions{Start: dir, UserFile: "-"})
	journal := filepath.Join(t.TempDir(), "journal")
	_, id := changed(t, doctor.ServerOptions{Roots: []string{dir}, Journal: journal})
	history := undoing.Open(journal, func(string) {})
	plans := planning.NewPlans(planning.PlanOptions{Start: dir, UserFile: "-"})
	values := object{
		"file_path": "guide.md", "path": "guide.md", "files": []string{"guide.md"}, "selector": "h2.0", "section_name": "Usage",
		"category": "rules", "heading": "Usage", "action": "append", "content": "More.", "old_string": "Use it.", "new_string": "Do.", "dry_run": true,
		"goal": object{"type": "docs", "scope": "guide", "title": "say it shorter"}, "query": "usage", "description": "Shorter.", "plan": "- [ ] cut", "task_id": "1",
		"id": id, "against": "guide.md",
	}
	for _, tool := range allTools() {
		values["action"], values["path"], values["to_path"] = "append", "guide.md", nil
		switch tool.name {
		case toolMoveSection:
			values["action"], values["to_path"] = "demote", ""
		case toolCreateDocument:
			values["path"] = "new.md"
		case toolMoveDocument:
			values["to_path"] = "new.md"
		}
		for _, structured := range []bool{false, true} {
			all := object{}
			for _, a := range tool.args {
				if value, ok := values[a.Name]; ok {
					all[a.Name] = value
				}
			}
			raw, _ := json.Marshal(all)
			args, err := toolargs.Decode(tool.args, raw)
			if err != nil {
				t.Fatalf("%s: %v", tool.name, err)
			}
			r, err := tool.run(t.Context(), &call{
				values: args, workspace: workspace, guides: guides, history: history, plan: plans, session: documents.NewSession(), structured: structured, offers: func(string) bool { return true },
			})
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
	dir := docs(t, guided(map[string]string{"guide.md": guide}))
	for _, structured := range []bool{false, true} {
		session, id := changed(t, doctor.ServerOptions{Roots: []string{dir}, Structured: structured, Journal: filepath.Join(t.TempDir(), "journal")})
		for _, tool := range allTools() {
			args := object{"file_path": "guide.md"}
			switch tool.name {
			case "get_category_content":
				args = object{"category": "rules"}
			case "list_categories":
				args = object{}
			case "markdown_section_bounds", "markdown_read_section":
				args["section_name"] = "Usage"
			case "mdsel_select":
				args["selector"] = "h2.0"
			case toolSearch:
				args["query"] = "usage"
			case toolUndo:
				args = object{"id": id, "dry_run": true}
			case toolList:
				args = object{"path": "."}
			case "edit_section":
				args["heading"], args["action"], args["content"], args["dry_run"] = "Usage", "append", "More.", true
			case toolDiff:
				args = object{"path": "guide.md", "against": "guide.md"}
			case toolCreateDocument:
				args = object{"path": "new.md", "content": "# New\n", "dry_run": true}
			case toolMoveDocument:
				args["to_path"], args["dry_run"] = "new.md", true
			case toolDeleteDocument:
				args["dry_run"] = true
			case toolMoveSection:
				args["heading"], args["action"], args["dry_run"] = "Usage", "demote", true
			case "edit_file":
				args["old_string"], args["new_string"], args["dry_run"] = "Use it.", "Do.", true
			}
			if tool.set == setPlan {
				args = map[string]object{
					toolGoal: storyGoal, toolDetail: storyDetail, toolTasks: {"plan": "- [ ] all of it"}, toolMark: {"task_id": "1"},
				}[tool.name]
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

// largeDocuments are documents that are longer than any reply, with so many
// headings.
func largeDocuments(headings int) map[string]string {
	var many, deep strings.Builder
	for i := range headings {
		fmt.Fprintf(&many, "# Heading number %d with some words\n\nText %d.\n\n", i, i)
		fmt.Fprintf(&deep, "%s Part %d\n\nText %d.\n\n", "######"[:1+i%6], i, i)
	}
	return map[string]string{
		"many.md": many.String(), "deep.md": deep.String(), "long.md": "# A\n\n" + strings.Repeat("ü", 70*headings) + "\n",
		"wide.md": "# " + strings.Repeat("word ", 70*headings) + "\n", "hidden.md": "# A\n\n" + strings.Repeat("hid\u202eden \u200b", 7*headings) + "\n",
	}
}

// toolCall is a call of a tool.
type toolCall struct {
	tool string
	args object
}

// largeCalls are calls about a large document, each in so many characters, 0 for
// as many as a reply has by default.
func largeCalls(file string, limit int) []toolCall {
	calls := []toolCall{
		{"markdown_tree", object{"file_path": file}},
		{"markdown_tree", object{"file_path": file, "format": "ascii"}},
		{"markdown_list_sections", object{"file_path": file}},
		{"markdown_read_section", object{"file_path": file, "section_name": "h1.0"}},
		{"markdown_read_section", object{"file_path": file, "start_line": 1}},
		{"read_file", object{"path": file}},
		{"read_file", object{"path": file, "heading": "h1.0"}},
		{"read_file", object{"path": file, "headings": []string{"h1.0", "L3", "nothing"}}},
		{"read_file", object{"path": file, "start_line": 1}},
		{"mdsel_index", object{"files": []string{file}}},
		{"mdsel_index", object{"files": []string{file, file}}},
		{"mdsel_index", object{"files": []string{file, "deep.md", "hidden.md"}}},
		{"mdsel_select", object{"files": []string{file}, "selector": "h1"}},
		{"mdsel_select", object{"files": []string{file}, "selector": "h1.0"}},
		{"mdsel_select", object{"files": []string{file}, "selector": "h1.0/para.0"}},
	}
	if limit == 0 {
		return append(calls, toolCall{"markdown_section_bounds", object{"file_path": file, "section_name": "h1.0"}})
	}
	for _, c := range calls {
		c.args["max_chars"] = limit
	}
	return calls
}

// No reply is longer than it may be, whatever the document, and none names a tool
// that the server doesn't offer.
func TestRepliesStayWithinTheirBudget(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	documents := largeDocuments(2000)
	session := client(t, documents)
	for file := range documents {
		for _, limit := range []int{0, 500, 2000, 40_000} {
			for _, c := range largeCalls(file, limit) {
				want := limit
				if limit == 0 {
					want = defaultMaxChars
				}
				text, failed := ask(t, session, c.tool, c.args)
				noParagraph := failed && c.args["selector"] == "h1.0/para.0" && file == "wide.md"
				if n := utf8.RuneCountInString(text); n > want || failed && !noParagraph {
					t.Errorf("%s %v: %d characters, want at most %d; failed %v: %.200s", c.tool, c.args, n, want, failed, text)
				}
			}
		}
	}
}

// choices are ways to offer some of the tools.
func choices() []doctor.ServerOptions {
	list := []doctor.ServerOptions{{}, {Preset: "lean"}}
	for _, set := range toolsets() {
		list = append(list, doctor.ServerOptions{Toolsets: []string{set}})
	}
	for _, tool := range allTools() {
		list = append(list, doctor.ServerOptions{Tools: []string{tool.name}}, doctor.ServerOptions{ExcludeTools: []string{tool.name}})
	}
	return list
}

// What a server says names the tools that it offers, and no others.
func TestRepliesNameOfferedTools(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	dir := docs(t, largeDocuments(150))
	all, named := allTools(), map[string]int{}
	for i, o := range choices() {
		limits := []int{500, 10_000}
		if i > 1 && !testkit.Long() {
			limits = limits[:1] // in which more is left out, and so more is named
		}
		o.Roots = []string{dir}
		s := start(t, o)
		session := connect(t, s, "", nil)
		check := func(what, text string) {
			t.Helper()
			for _, tool := range all {
				if !strings.Contains(text, tool.name) {
					continue
				}
				named[tool.name]++
				if !s.offers(tool.name) {
					t.Errorf("%+v: %s names %s: %.600s", o, what, tool.name, text)
				}
			}
		}
		for _, file := range []string{"many.md", "long.md"} {
			for _, limit := range limits {
				for _, c := range append(largeCalls(file, limit), toolCall{"markdown_read_section", object{"file_path": file}}) {
					if s.offers(c.tool) {
						text, _ := ask(t, session, c.tool, c.args)
						check(fmt.Sprint(c), text)
					}
				}
			}
		}
		for _, tool := range s.tools {
			check("the description of "+tool.name, tool.description)
		}
		prompt, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: promptReview, Arguments: map[string]string{"file_path": "many.md"}})
		if err != nil {
			t.Fatal(err)
		}
		check("the prompt", prompt.Messages[0].Content.(*mcp.TextContent).Text)
	}
	for _, tool := range []string{"markdown_tree", "markdown_list_sections", "markdown_read_section", "read_file", "mdsel_index", "mdsel_select"} {
		if named[tool] == 0 {
			t.Errorf("nothing ever names %s", tool)
		}
	}
}

// What can't be done at all is told in no more than an error may have.
func TestErrorsStayWithinTheirBudget(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	session := client(t, map[string]string{"guide.md": guide})
	var missing []string
	for i := range 1000 {
		missing = append(missing, fmt.Sprintf("missing-%d.md", i))
	}
	long := strings.Repeat("9", 5000)
	for _, c := range []toolCall{
		{"mdsel_index", object{"files": missing}},
		{"mdsel_index", object{"files": missing, "max_chars": 40_000}},
		{"mdsel_index", object{"files": []string{long}}},
		{"mdsel_select", object{"files": missing, "selector": "h1"}},
		{"mdsel_select", object{"files": missing, "selector": "h1", "full": true}},
		{"mdsel_select", object{"files": append(missing, "guide.md"), "selector": "h1.9", "max_chars": 40_000}},
		{"mdsel_select", object{"files": []string{"guide.md"}, "selector": "h1." + long}},
		{"mdsel_select", object{"files": []string{"guide.md"}, "selector": long + "::h1"}},
		{"mdsel_select", object{"files": []string{"guide.md"}, "selector": strings.Repeat("x", 5000)}},
		{"markdown_tree", object{"file_path": long}},
		{"markdown_section_bounds", object{"file_path": "guide.md", "section_name": "L" + long}},
		{"markdown_read_section", object{"file_path": "guide.md", "section_name": long}},
		{"read_file", object{"path": "guide.md", "heading": long}},
		{"read_file", object{"path": "guide.md", "headings": []string{long, long}}},
		{"read_file", object{"path": long}},
	} {
		text, failed := ask(t, session, c.tool, c.args)
		if n := utf8.RuneCountInString(text); n > maxErrorChars || !failed {
			t.Errorf("%s: failed %v, %d characters: %.300s", c.tool, failed, n, text)
		}
		if len(text) > 1000 && strings.Contains(text, "missing-1.md") && !strings.Contains(text, " more errors; ") {
			t.Errorf("%s: what is not told is not counted: %s", c.tool, text)
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
		next, more := continueCall(text, "markdown_read_section")
		if !more {
			break
		}
		args = next
	}
	if delivered != 3000 {
		t.Errorf("%d lines came, want each of 3000 once", delivered)
	}
}

// A line that no reply can hold is read in parts by another tool, if there is one.
func TestLineBeyondReplies(t *testing.T) {
	line := strings.Repeat("0123456789", 9000)
	dir := docs(t, map[string]string{"long.md": "# A\n\n" + line + "\nlast\n"})
	args := object{"files": []string{"long.md"}, "selector": "para.0", "full": true}
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}}), "", nil)
	text, failed := ask(t, session, "mdsel_select", args)
	_, text = markOf(text)
	got, note, _ := strings.Cut(text, "\n")
	for range 5 {
		call := regexp.MustCompile(`markdown_read_section\(file_path="long.md", start_line=3, (?:end_line=3, )?start_char=(\d+), max_chars=40000\)`).FindStringSubmatch(note)
		if call == nil || failed {
			break
		}
		text, failed = ask(t, session, "markdown_read_section", object{"file_path": "long.md", "start_line": "3", "start_char": call[1], "max_chars": 40_000})
		var part string
		part, note = theirs(text)
		got += strings.TrimSuffix(strings.TrimSuffix(part, "last\n"), "\n")
	}
	if got != line {
		t.Errorf("%d characters came of %d, the last reply begins with %.300s", len(got), len(line), text)
	}
	session = connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}, Tools: []string{"mdsel_select", "read_file"}}), "", nil)
	text, _ = ask(t, session, "mdsel_select", args)
	if call := `read_file(path="long.md", start_line=3, start_char=`; !strings.Contains(text, call) {
		t.Errorf("with another tool for it: %s", text[len(text)-300:])
	}
	session = connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}, Tools: []string{"mdsel_select"}}), "", nil)
	if text, _ = ask(t, session, "mdsel_select", args); !strings.Contains(text, "; no reply can hold that line; the lines behind it: ") {
		t.Errorf("without another tool: %s", text[len(text)-300:])
	}
}

// Where JSON is too long for a reply its text is there all the same, and both are
// about the same bytes.
func TestStructuredWhereItFits(t *testing.T) {
	dir := docs(t, map[string]string{
		"guide.md": guide, "quotes.md": "# A\n\n" + strings.Repeat(`"\`, 150) + "\n",
		"names.md": "# " + strings.Repeat("long ", 30) + "\n\n## " + strings.Repeat("name ", 150) + "\n\ntext\n",
	})
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}, Structured: true}), "", nil)
	there := map[bool]int{}
	for _, file := range []string{"guide.md", "quotes.md", "names.md"} {
		for _, limit := range []int{500, 600, 800, 1200, 10_000} {
			for _, c := range []toolCall{
				{"markdown_read_section", object{"file_path": file, "section_name": "h1.0"}},
				{"markdown_read_section", object{"file_path": file, "section_name": "L3"}},
				{"markdown_read_section", object{"file_path": file, "start_line": 1}},
				{"read_file", object{"path": file}},
				{"read_file", object{"path": file, "headings": []string{"h1.0", "L3"}}},
				{"mdsel_index", object{"files": []string{file}}},
				{"mdsel_select", object{"files": []string{file}, "selector": "h1.0"}},
			} {
				c.args["max_chars"] = limit
				result, err := session.CallTool(t.Context(), params(c.tool, c.args))
				if err != nil || result.IsError || len(result.Content) != 1 {
					t.Fatalf("%s %v: %v %+v", c.tool, c.args, err, result)
				}
				text, err := json.Marshal(result.StructuredContent)
				if n := utf8.RuneCount(text); err != nil || n > limit {
					t.Errorf("%s %v: JSON of %d characters (%v)", c.tool, c.args, n, err)
				}
				there[result.StructuredContent != nil]++
			}
		}
	}
	if there[true] == 0 || there[false] == 0 {
		t.Errorf("JSON is there %d times, and %d times it is not", there[true], there[false])
	}
}
