package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// sectile is this project: its parser as a package, its commands, and its server.
func sectile(m *machine) tool {
	program := filepath.Join(m.scratch, "sectile")
	serve := func(flags ...string) func(string) []string {
		return func(folder string) []string {
			return append([]string{program, "mcp", "--root", folder}, flags...)
		}
	}
	return tool{
		name: ours, install: "it is this project",
		find: func(ctx context.Context, m *machine) error {
			_, err := run(ctx, []string{"go", "build", "-C", m.root, "-trimpath", "-o", program, "./cmd/sectile"})
			return err
		},
		does:      "blocks only",
		parse:     func(source []byte) { _, _ = markdown.Parse(source) },
		parseFile: func(path string) []string { return []string{program, "tree", "--max-depth", "1", path} },
		outline:   func(folder string) []string { return []string{program, "tree", "--json", folder} },
		list:      func(file string) []string { return []string{program, "tree", file} },
		section: func(file string, a *askedFor) []string {
			return []string{program, "read", "--plain", "-n", strconv.Itoa(a.nth), file, strings.Join(a.path, " > ")}
		},
		broken: complaints(`"destination":"([^"]*)"`, program, "links", "--broken", "--json", "."),
		rename: func(ctx context.Context, folder string, h namedAnew) error {
			return changed(ctx, folder, program, "rename", h.file, h.address, h.to, "--links", "update")
		},
		move: func(ctx context.Context, folder, from, to string) error {
			return changed(ctx, folder, program, "mv", from, to)
		},
		headings: func(ctx context.Context, folder string, _ []document) (map[string][]heading, error) {
			out, err := run(ctx, []string{program, "sections", "--json", folder})
			if err != nil && len(out) == 0 {
				return nil, err
			}
			// Of a file that it refuses it says so in a line, and has no headings.
			return sectileHeadings(folder, out)
		},
		editor: func(ctx context.Context, folder string) (editor, error) {
			s, err := startServer(ctx, serve("--preset", "lean")(folder))
			return &sectileEditor{s}, err
		},
		servers: []serverKind{
			{ours, serve(), readSection, "read_file, read_file", findSection(call{"read_file", map[string]any{}}, treeOf), askSection, nil},
			{ours + " --preset lean", serve("--preset", "lean"), readSection, "read_file, read_file", findSection(call{"read_file", map[string]any{}}, mapOf), nil, nil},
		},
	}
}

// sectileHeadings reads what `sectile sections --json` has printed.
func sectileHeadings(folder string, out []byte) (map[string][]heading, error) {
	found := map[string][]heading{}
	for line := range strings.Lines(string(out)) {
		var file struct {
			Path     string `json:"file_path"`
			Sections []struct {
				Line  int    `json:"start_line"`
				Level string `json:"level"`
			} `json:"sections"`
		}
		if err := json.Unmarshal([]byte(line), &file); err != nil {
			return nil, err
		}
		name, err := filepath.Rel(folder, file.Path)
		if err != nil {
			return nil, err
		}
		name = filepath.ToSlash(name)
		for _, s := range file.Sections {
			found[name] = append(found[name], heading{int(s.Level[1] - '0'), s.Line, s.Line})
		}
	}
	return found, nil
}

// treeOf and mapOf ask for the headings with a title, by a tool that the preset has not and
// by one that it has.
func treeOf(file, title string) call {
	return call{"markdown_tree", map[string]any{"path": file, "format": "ascii", "pattern": title}}
}

func mapOf(file, title string) call {
	return call{"read_file", map[string]any{"path": file, "heading": title, "map": true}}
}

func readSection(file, section string) call {
	return call{"read_file", map[string]any{"path": file, "heading": section}}
}

// askSection reads a section by its path.
func askSection(s *server, file string, a *askedFor) (string, error) {
	return s.call(readSection(file, strings.Join(a.path, " > ")))
}

// sectileEditor edits as somebody does who sends what was read, and after a refusal
// does what it says.
type sectileEditor struct{ server *server }

func (e *sectileEditor) close() { e.server.close() }

func (e *sectileEditor) edit(file string, c change) (calls int, err error) {
	edit := call{"edit_file", map[string]any{"path": file, "old_string": c.sent + c.old, "new_string": c.sent + c.new}}
	switch c.op {
	case appendText:
		edit = call{"edit_section", map[string]any{"path": file, "heading": c.heading, "action": "append", "content": c.new}}
	case setBody:
		edit = call{"edit_section", map[string]any{
			"path": file, "heading": c.heading, "action": "replace", "scope": "body", "content": strings.Trim(c.new, "\n"),
		}}
	}
	// A line is an address that is never ambiguous, and the hash of what was read
	// there proves that it is the right one. Only if another part has the same text
	// must all of the file be as it was read.
	for _, proof := range []string{"", "hash", "version"} {
		if proof != "" {
			edit.Arguments["heading"] = fmt.Sprintf("L%d", c.line)
			if proof == "version" && edit.Name == "edit_section" {
				edit = inBatch(edit)
			}
			calls++
			if err := e.prove(edit.Arguments, proof); err != nil {
				return calls, err
			}
		}
		calls++
		_, err = e.server.call(edit)
		r, ok := errors.AsType[refusal](err)
		if !ok || !slices.ContainsFunc([]string{"ambiguous_text", "ambiguous_heading"}, func(code string) bool { return strings.Contains(r.text, code+": ") }) {
			return calls, err
		}
	}
	return calls, err
}

// inBatch is an edit of a section as one of edit_file, which takes the version of the
// whole file.
func inBatch(edit call) call {
	one := map[string]any{}
	for _, name := range []string{"heading", "action", "scope", "content"} {
		if value, ok := edit.Arguments[name]; ok {
			one[name] = value
		}
	}
	return call{"edit_file", map[string]any{"path": edit.Arguments["path"], "edits": []any{one}}}
}

// prove reads what an edit is about and gives the edit the hash or version of it.
func (e *sectileEditor) prove(edit map[string]any, proof string) error {
	arguments := map[string]any{"path": edit["path"], "heading": edit["heading"]}
	shown := regexp.MustCompile(`:\d+(?:-\d+)? \S+ #([0-9a-f]{16})`)
	if proof == "version" {
		arguments = map[string]any{"path": edit["path"], "start_line": 1, "end_line": 1}
		shown = regexp.MustCompile(` version #([0-9a-f]{16})`)
	}
	text, err := e.server.call(call{"read_file", arguments})
	if err != nil {
		return err
	}
	m := shown.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("a reply of read_file has no %s", proof)
	}
	edit["expected_"+proof] = m[1]
	return nil
}
