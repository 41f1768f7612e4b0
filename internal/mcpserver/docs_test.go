package mcpserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/toolargs"
)

// docs/tools.md is made from the tools themselves: what they say of themselves
// and what they answer. go test -update writes it anew.

// toolExamples are calls that the page shows with their replies.
var toolExamples = map[string][]object{
	"search_sections": {
		{"query": "install linux"}, {"query": "make", "match": "text", "path": []string{"guide.md"}}, {"query": "instal", "limit": 1}, {"query": "*"},
	},
	"list_documents":          {{}, {"sort": "age"}},
	"markdown_tree":           {{"file_path": "guide.md", "max_depth": 2}, {"file_path": "guide.md", "format": "ascii", "pattern": "linux"}},
	"markdown_list_sections":  {{"file_path": "guide.md", "heading_level": "H2", "max_sections": 2}},
	"markdown_section_bounds": {{"file_path": "guide.md", "section_name": "Usage"}, {"file_path": "guide.md", "section_name": "Install"}},
	"markdown_read_section":   {{"file_path": "guide.md", "section_name": "Guide > Install"}},
	"list_links":              {{"path": "guide.md"}, {"path": "guide.md#on-linux", "direction": "in"}, {"broken": true}},
	"read_file":               {{"path": "guide.md"}, {"path": "guide.md", "headings": []string{"Usage", "Notes"}}},
	"edit_section": {
		{"path": "guide.md", "heading": "Guide > Install", "action": "append", "content": "Then wait.", "dry_run": true},
		{"path": "guide.md", "heading": "h2.1", "action": "remove"},
		{"path": "guide.md", "heading": "Usage", "action": "replace", "content": "Call it.", "expected_hash": "0123456789ab"},
	},
	"edit_file": {
		{"path": "guide.md", "old_string": "Install", "new_string": "Set up"},
		{"path": "guide.md", "edits": []object{
			{"old_string": "Use it.", "new_string": "Call it."}, {"heading": "On Linux", "action": "rename", "content": "On BSD"},
		}},
	},
	"move_section": {
		{"path": "guide.md", "heading": "Usage", "action": "move", "to": "Guide > Install", "where": "before"},
		{"path": "guide.md", "heading": "Guide", "action": "promote"},
	},
	"create_document": {{"path": "docs/new.md", "content": "# New\n\nSee [the guide](../guide.md).\n"}},
	"move_document":   {{"path": "docs/new.md", "to_path": "new.md"}},
	"delete_document": {{"path": "guide.md"}, {"path": "new.md"}},
	"list_changes":    {{}},
	"undo_change":     {{"id": "k3f9x2ab"}},
	"diff_sections":   {{"path": "guide.md", "against": "guide.md"}},
	"get_category_content": {
		{"category": "rules", "pattern": "style.md"}, {"category": "start"}, {"category": "rules", "pattern": "*.txt"},
	},
	"list_categories":     {{}},
	"gather_requirements": {{}},
	"set_overarching_goal": {
		{"goal": object{"type": "feat", "scope": "parser", "title": "read nested tasks"}}, {"goal": object{"type": "feature", "scope": "parser", "title": "read nested tasks"}},
	},
	"set_detailed_goal": {{"description": "Plans have more than one level.", "constraints": []string{"Never: parse twice"}}},
	"set_plan":          {{"plan": []object{{"text": "read", "subtasks": []object{{"text": "measure the indentation"}, {"text": "build the tree"}}}, {"text": "write"}}}},
	"mark_task":         {{"task_id": "1.1"}, {"task_id": "1"}, {"task_id": "the tree"}},
	"finish_job":        {{}},
	"new_commit":        {{"force": true}},
	"mdsel_index":       {{"files": []string{"guide.md"}}},
	"mdsel_select":      {{"selector": "h2.0/code.0", "files": []string{"guide.md"}}, {"selector": "h2.9", "files": []string{"guide.md"}}},
}

// pageGuide is the document of the examples.
const pageGuide = guide + "\nSee [Linux](#on-linux) and [Windows](#on-windows).\n"

const toolsPage = `# Tools of the MCP server

<!-- Made by: go test ./internal/mcpserver -run ToolsPage -update -->

What ` + "`sectile mcp`" + ` offers to a model. This page is made from the program and checked by a test.

Every argument is forgiving in form and strict in meaning: ` + "`\"2\"`" + ` is taken for 2, a string that holds an array for the array, ` + "`filePath`" + ` for ` + "`file_path`" + `; an argument that a tool doesn't have is refused with those that it has. Paths are relative to a root, with forward slashes. Lines are counted from 1 and inclusive. A reply has at most 10,000 characters unless ` + "`max_chars`" + ` (500 to 40,000) says otherwise, and says what it leaves out.

An error is a reply with the protocol's error flag: a code, the path, what is wrong and what to do; then what might have been meant, a line each. The line that tells of a change of documents ends with ` + "`; change ID`" + `, and that of an undo names the change that the undo is before its files (` + "`by ID:`" + `): ` + "`undo_change`" + ` takes both. None is named where nothing was written or it can't be undone, nor by the tools of a plan, whose changes ` + "`list_changes`" + ` has where the plan is a file.

The examples are about this document, guide.md:

` + "````markdown\n" + pageGuide + "````\n" + `
and those of the toolset guide about a project with this configuration, .sectile.yaml:

` + "```yaml\n" + guideConfig + "```\n" + `
Those of the toolset plan are calls one after the other, in a project without version control. Errors of this toolset have a form of their own: the type, what belongs to it as JSON, and what to do. One that begins its last sentence with "This is a CRITICAL ISSUE" is for people; all others an agent can mend.
`

func TestToolsPage(t *testing.T) {
	session := client(t, guided(map[string]string{"guide.md": pageGuide}))
	var b strings.Builder
	b.WriteString(toolsPage)
	for _, set := range toolsets() {
		fmt.Fprintf(&b, "\n## Toolset %s\n", set)
		for _, tool := range allTools() {
			if tool.set == set {
				writeTool(t, &b, session, tool)
			}
		}
	}
	b.WriteString("\n## Resources\n\n")
	for r, err := range session.ResourceTemplates(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "- `%s` (%s): %s\n", r.URITemplate, cmp.Or(r.MIMEType, "by its extension"), r.Description)
	}
	for r, err := range session.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "- `%s` (%s): %s\n", r.URI, r.MIMEType, r.Description)
	}
	b.WriteString("\n## Prompts\n\n")
	for p, err := range session.Prompts(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "- `%s`: %s Arguments: %s.\n", p.Name, p.Description, promptArguments(p))
	}
	b.WriteString("\n## Instructions\n\nWhat a model is told when it connects, with all toolsets:\n\n```text\n")
	b.WriteString(session.InitializeResult().Instructions)
	b.WriteString("```\n")

	golden(t, filepath.Join("..", "..", "docs", "tools.md"), b.String())
}

// writeTool writes what the page says of a tool.
func writeTool(t *testing.T, b *strings.Builder, session *mcp.ClientSession, tool *tool) {
	t.Helper()
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n", tool.name, tool.description)
	var notes []string
	if tool.lean {
		note := "is in the preset `lean`"
		switch tool.set {
		case setGuide:
			note += " if categories are configured when the server starts"
		case setPlan:
			note += " if plans are configured when the server starts, or there is one"
		}
		notes = append(notes, note)
	}
	if tool.core {
		notes = append(notes, "is there from the start in clients that load tools on demand")
	}
	if tool.writes {
		notes = append(notes, "writes")
	} else {
		note := "reads and writes nothing"
		if tool.name == toolGather {
			note = "changes no document; Jujutsu takes up the working copy and what git has done, as with each of its commands, but not for a server that is read-only"
		}
		notes = append(notes, note)
	}
	fmt.Fprintf(b, "It %s.\n\n| argument | type | meaning |\n| --- | --- | --- |\n", strings.Join(notes, "; "))
	for i := range tool.args {
		a := &tool.args[i]
		if a.Hidden {
			continue
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", a.Name, argumentType(a), argumentMeaning(a))
	}
	examples := toolExamples[tool.name]
	if len(examples) == 0 {
		t.Errorf("%s has no example", tool.name)
	}
	for _, example := range examples {
		args, err := json.Marshal(example)
		if err != nil {
			t.Fatal(err)
		}
		text, failed := ask(t, session, tool.name, example)
		what := "answers"
		if failed {
			what = "answers with the error flag"
		}
		fmt.Fprintf(b, "\n`%s` %s\n\n````text\n%s````\n", args, what, strings.TrimSuffix(stable(text), "\n")+"\n")
	}
}

// argumentType names the type of an argument.
func argumentType(a *toolargs.Argument) string {
	name := map[toolargs.Kind]string{
		toolargs.Text: "string", toolargs.Integer: "integer", toolargs.Boolean: "boolean", toolargs.Texts: "array of strings",
		toolargs.Object: "object", toolargs.Objects: "array of objects",
	}[a.Kind]
	if a.Kind == toolargs.Anything {
		name = shapeType(a.Shape)
	}
	if a.Required {
		name += ", required"
	}
	return name
}

// shapeType names the types that the schema of an argument allows.
func shapeType(shape string) string {
	type schema struct {
		Type  string   `json:"type"`
		AnyOf []schema `json:"anyOf"`
	}
	var is schema
	_ = json.Unmarshal([]byte("{"+shape+"}"), &is) // one that is none has no type, which the page shows
	types := []string{is.Type}
	if len(is.AnyOf) > 0 {
		types = nil
	}
	for _, one := range is.AnyOf {
		types = append(types, one.Type)
	}
	return strings.Join(types, " or ")
}

// argumentMeaning tells what an argument means and may be.
func argumentMeaning(a *toolargs.Argument) string {
	var parts []string
	if a.Help != "" {
		parts = append(parts, strings.ReplaceAll(a.Help, "|", "\\|"))
	}
	if len(a.Options) > 0 {
		parts = append(parts, "one of `"+strings.Join(a.Options, "`, `")+"`")
	}
	if len(a.Fields) > 0 {
		names := make([]string, len(a.Fields))
		for i := range a.Fields {
			names[i] = a.Fields[i].Name
		}
		parts = append(parts, "each with some of `"+strings.Join(names, "`, `")+"`")
	}
	switch {
	case a.Kind != toolargs.Integer:
	case a.Max > 0:
		parts = append(parts, fmt.Sprintf("%d to %d", a.Min, a.Max))
	case a.Min > 0:
		parts = append(parts, fmt.Sprintf("at least %d", a.Min))
	}
	if a.Default != "" {
		parts = append(parts, "default `"+a.Default+"`")
	}
	if len(a.Aliases) > 0 {
		parts = append(parts, "also `"+strings.Join(a.Aliases, "`, `")+"`")
	}
	return strings.Join(parts, "; ")
}

// promptArguments lists the arguments of a prompt.
func promptArguments(p *mcp.Prompt) string {
	var names []string
	for _, a := range p.Arguments {
		name := "`" + a.Name + "`"
		if a.Required {
			name += " (required)"
		}
		names = append(names, name+" "+a.Description)
	}
	return strings.Join(names, ", ")
}
