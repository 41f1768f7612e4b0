package main

import "fmt"

// call is a step of the script.
type call struct {
	id        string // in the conversation
	about     string // what the case is, for the table
	tool      string // one of sectile's
	arguments map[string]any
	fails     bool // the server answers with an error
	// measured says that the call is there to see what happens: it may come out
	// otherwise than verbatim.
	measured bool
	resource string // the address of a resource to be read, in place of a tool

	clientTool string // a tool of the client itself
	script     string // the program of a client whose model writes programs
}

// sizes are the lengths of files, in characters, about those at which clients cut and
// as far as a reply may be as long.
var sizes = []int{11_600, 12_000, 39_000}

// script returns the calls, made in this order: later ones rely on the edits of
// earlier ones.
func script() []*call {
	guide := func(more ...any) map[string]any { return with("guide.md", more...) }
	edit := []any{"heading", "Task", "action", "replace", "content", "## Task\n\n- [x] changed <me> & \"that\" \\ \U0001F600\n"}
	list := []*call{
		{about: "map: `markdown_tree`", tool: "markdown_tree", arguments: guide()},
		{about: "map: `markdown_tree`, ascii", tool: "markdown_tree", arguments: guide("format", "ascii")},
		{about: "map: `read_file` without a heading", tool: "read_file", arguments: with("long.md")},
		{about: "section: signs of JSON, HTML and the shell, code, emoji", tool: "read_file", arguments: guide("heading", `Guide <T> & "friends"`)},
		{about: "section: characters that can't be seen", tool: "read_file", arguments: guide("heading", "Unseen")},
		{about: "section: `markdown_read_section`", tool: "markdown_read_section", arguments: guide("section_name", "Code")},
		{about: "section: CRLF", tool: "read_file", arguments: with("windows.md", "heading", "Windows")},
		{about: "section: ASCII, long", tool: "read_file", arguments: with("long.md", "heading", "ASCII")},
		{about: "section: three bytes a character, long", tool: "read_file", arguments: with("long.md", "heading", "Three bytes")},
		{about: "section: four bytes a character, long", tool: "read_file", arguments: with("long.md", "heading", "Four bytes")},
		{about: "blocks: `mdsel_select`", tool: "mdsel_select", arguments: map[string]any{"selector": "h2.0/code.0", "files": []string{"guide.md"}}},
		{about: "edit: preview", tool: "edit_section", arguments: guide(append(edit, "dry_run", true)...)},
		{about: "edit: made", tool: "edit_section", arguments: guide(edit...)},
		{about: "edit: `edit_file`", tool: "edit_file", arguments: guide("old_string", "- [x] changed <me>", "new_string", "- [x] <changed> & done")},
		{about: "edit: read again", tool: "read_file", arguments: guide("heading", "Task")},
		{about: "error: no such heading", tool: "read_file", arguments: guide("heading", `Guide <U> & "fiends"`), fails: true},
		{about: "error: two such headings", tool: "edit_section", arguments: guide("heading", "Same", "action", "remove"), fails: true},
		{about: "error: edit refused, for it changed since", tool: "edit_section", arguments: guide(append(edit, "expected_hash", "0123456789abcdef")...), fails: true},
		{about: "error: unknown argument", tool: "read_file", arguments: guide("headign", "<x> & \"y\""), fails: true},
		{about: "category: one file", tool: "get_category_content", arguments: map[string]any{"category": "rules", "pattern": "style.md"}},
		{about: "category: several files, multipart", tool: "get_category_content", arguments: map[string]any{"category": "rules"}},
		{about: "category: their list", tool: "list_categories", arguments: map[string]any{}},
		{about: "category: error", tool: "get_category_content", arguments: map[string]any{"category": "rules", "pattern": "<none>.md"}, fails: true},
		{about: "plan: `gather_requirements`", tool: "gather_requirements", arguments: map[string]any{"include_diff": true}},
		{about: "plan: `set_overarching_goal`", tool: "set_overarching_goal", arguments: map[string]any{"goal": map[string]any{"type": "docs", "scope": "guide", "title": `say "why" & how`}}},
		{about: "plan: error", tool: "mark_task", arguments: map[string]any{"task_id": "<9>"}, fails: true},
		{about: "resource", resource: "doc:///guide.md#code", measured: true},
		{about: "length: `read_file`, `max_chars` 40000", tool: "read_file", arguments: with("big.md", "heading", "Big", "max_chars", 40_000)},
	}
	for _, size := range sizes {
		list = append(list, &call{
			about: fmt.Sprintf("length: category, file of %d", size), tool: "get_category_content",
			arguments: map[string]any{"category": "sizes", "pattern": fmt.Sprintf("%06d.md", size)},
		})
	}
	return list
}

// structuredScript returns the calls that show what a client makes of structured
// content.
func structuredScript() []*call {
	return []*call{
		{about: "`--structured`: map", tool: "markdown_tree", arguments: with("guide.md"), measured: true},
		{about: "`--structured`: section", tool: "read_file", arguments: with("guide.md", "heading", "Code"), measured: true},
		{about: "`--structured`: category", tool: "get_category_content", arguments: map[string]any{"category": "rules", "pattern": "style.md"}, measured: true},
	}
}

// leanScript returns a call to the server with the preset that agents are advised to
// use, for the sake of the list of its tools.
func leanScript() []*call {
	return []*call{{about: "`--preset lean`: section", tool: "read_file", arguments: with("guide.md", "heading", "Code")}}
}

// with returns arguments: a path, then names and values in turns.
func with(path string, more ...any) map[string]any {
	arguments := map[string]any{"file_path": path}
	for i := 0; i+1 < len(more); i += 2 {
		arguments[more[i].(string)] = more[i+1]
	}
	return arguments
}
