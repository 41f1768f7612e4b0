package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// quantalogic is a server that edits sections, in Python. Each has an identifier, which a list of
// all tells with the lines.
func quantalogic(m *machine) tool {
	const name = "quantalogic-markdown-mcp"
	command := quantalogicCommand(m)
	return tool{
		name: name, install: installPeer(name), optional: true, find: findProgram(wheel(m, name, name)), version: peerVersion(m, name),
		editor: func(ctx context.Context, folder string) (editor, error) {
			s, err := startServer(ctx, command(folder))
			return &quantalogicEditor{s}, err
		},
		servers: []serverKind{{
			name: name, command: command,
			section: func(s *server, file string, a *askedFor) (string, error) {
				all, err := quantalogicSections(s, file)
				if err != nil {
					return "", err
				}
				id := quantalogicPath(all, a)
				if id == "" {
					return "", refusal{"no such section"}
				}
				return quantalogicRead(s, file, id)
			},
		}},
	}
}

// quantalogicSection is a section as the list has it.
type quantalogicSection struct {
	ID    string
	Title string
	Level int
	Line  int `json:"line_start"` // from 0
}

// quantalogicAsk calls a tool, whose reply says whether it did it.
func quantalogicAsk(s *server, tool string, arguments map[string]any, result any) error {
	text, err := s.call(call{tool, arguments})
	if err != nil {
		return err
	}
	var said struct{ Success bool }
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		return err
	}
	if !said.Success {
		return refusal{text}
	}
	return json.Unmarshal([]byte(text), result)
}

func quantalogicSections(s *server, path string) ([]quantalogicSection, error) {
	var list struct{ Sections []quantalogicSection }
	err := quantalogicAsk(s, "list_sections", map[string]any{"document_path": path}, &list)
	return list.Sections, err
}

func quantalogicRead(s *server, path, id string) (string, error) {
	var reply struct{ Section struct{ Content string } }
	err := quantalogicAsk(s, "get_section", map[string]any{"document_path": path, "section_id": id}, &reply)
	return reply.Section.Content, err
}

// quantalogicPath is the identifier of the section with these titles, as who reads the list finds it.
func quantalogicPath(all []quantalogicSection, a *askedFor) string {
	var above []quantalogicSection
	nth := 0
	for _, one := range all {
		above = append(slices.DeleteFunc(above, func(s quantalogicSection) bool { return s.Level >= one.Level }), one)
		same := len(above) == len(a.path)
		for i := range above {
			same = same && (above[i].Title == a.path[i] || above[i].Title == a.shown[i])
		}
		if same {
			if nth++; nth == a.nth {
				return one.ID
			}
		}
	}
	return ""
}

// quantalogicEditor lists the sections, reads the one that is meant, and sends back all of it with the
// change, for an update takes the place of subsections too.
type quantalogicEditor struct{ server *server }

func (e *quantalogicEditor) close() { e.server.close() }

func (e *quantalogicEditor) edit(file string, c change) (calls int, err error) {
	if c.alone {
		return 0, errNotAsked
	}
	all, err := quantalogicSections(e.server, file)
	if err != nil {
		return 1, err
	}
	at := slices.IndexFunc(all, func(s quantalogicSection) bool { return s.Line == c.line-1 })
	if at < 0 || c.title != "" && all[at].Title != c.title {
		return 1, refusal{"the list has no such section"}
	}
	text, err := quantalogicRead(e.server, file, all[at].ID)
	if err != nil {
		return 2, err
	}
	_, text, _ = strings.Cut(text, "\n") // without the heading
	from, to := strings.Trim(c.body, "\n"), strings.Trim(c.new, "\n")
	switch c.op {
	case changeLine:
		from, to = c.old, c.new
	case appendText:
		to = from + "\n\n" + c.new
	}
	if !strings.Contains(text, from) {
		return 2, refusal{"the text is not in the section"}
	}
	return 3, quantalogicAsk(e.server, "update_section", map[string]any{
		"document_path": file, "section_id": all[at].ID, "content": strings.Replace(text, from, to, 1), "backup": false,
	}, &struct{}{})
}

// quantalogicCommand starts it in a folder.
func quantalogicCommand(m *machine) func(folder string) []string {
	return func(folder string) []string {
		return append([]string{"env", "-C", folder, "FASTMCP_LOG_LEVEL=ERROR"}, peerScript(m, "quantalogic-markdown-mcp", "quantalogic-markdown-mcp")...)
	}
}
