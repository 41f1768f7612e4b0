package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// codescout is a server for source code, in Rust, which reads and edits documents by their headings.
func codescout(m *machine) tool {
	program := peer(m, "codescout")
	command := func(folder string) []string {
		// What it keeps of its user, in the home folder, goes where the run's files go.
		return []string{"env", "HOME=" + m.scratch, program, "start", "--project", codescoutFolder(m, folder)}
	}
	return tool{
		name: "codescout", install: installPeer("codescout"), optional: true, long: true,
		find: findPeer(m, "codescout"), version: versionBy(program, "--version"),
		editor: func(ctx context.Context, folder string) (editor, error) {
			s, err := startServer(ctx, command(folder))
			return &codescoutEditor{s}, err
		},
		servers: []serverKind{{
			name: "codescout", command: command,
			section: func(s *server, file string, a *askedFor) (string, error) {
				text, err := codescoutAsk(s, "read_markdown", map[string]any{"path": file, "heading": strings.Repeat("#", a.level) + " " + a.title()})
				return codescoutNotes.ReplaceAllString(text, ""), err
			},
		}},
	}
}

// codescoutFolder is a folder of the same documents outside of the repository, for codescout writes
// files of its own into the project that it serves.
func codescoutFolder(m *machine, folder string) string {
	below, err := filepath.Rel(m.root, folder)
	if err != nil || !filepath.IsLocal(below) {
		return folder
	}
	served := filepath.Join(m.scratch, "codescout", below)
	if err := os.CopyFS(served, os.DirFS(folder)); err != nil && !errors.Is(err, fs.ErrExist) {
		return filepath.Join(served, "not copied") // where it doesn't start
	}
	return served
}

// codescoutNotes is the line above a section's text.
var codescoutNotes = regexp.MustCompile(`\A§ .*\n\n`)

// codescoutAsk calls a tool, which tells of some refusals in a reply like any other.
func codescoutAsk(s *server, tool string, arguments map[string]any) (string, error) {
	text, err := s.call(call{tool, arguments})
	if err != nil {
		return "", err
	}
	var said struct {
		OK    *bool
		Error string
	}
	if json.Unmarshal([]byte(text), &said) == nil && (said.Error != "" || said.OK != nil && !*said.OK) || strings.HasPrefix(text, "error: heading ") {
		return "", refusal{text}
	}
	return text, nil
}

// codescoutEditor edits below a heading as its documentation says: a body by replacing it, a line or
// a paragraph by exact text. Where a heading is there twice it says that edit_file is for that, which
// takes text for all places that have it; what is sent is there once in the file.
type codescoutEditor struct{ server *server }

func (e *codescoutEditor) close() { e.server.close() }

func (e *codescoutEditor) edit(file string, c change) (calls int, err error) {
	if c.alone {
		return 0, errNotAsked
	}
	arguments := map[string]any{"path": file, "heading": c.heading}
	body := strings.Trim(c.body, "\n")
	switch c.op {
	case changeLine:
		arguments["action"], arguments["old_string"], arguments["new_string"] = "edit", c.old, c.new
	case appendText:
		arguments["action"], arguments["old_string"], arguments["new_string"] = "edit", body, body+"\n\n"+c.new
	default:
		arguments["action"], arguments["content"] = "replace", c.new
	}
	_, err = codescoutAsk(e.server, "edit_markdown", arguments)
	switch {
	case err == nil:
		return 1, nil
	case strings.Contains(err.Error(), "include_subsections"): // the section has others in it
		arguments["action"], arguments["old_string"], arguments["new_string"] = "edit", body, strings.Trim(c.new, "\n")
		_, err = codescoutAsk(e.server, "edit_markdown", arguments)
		return 2, err
	case strings.Contains(err.Error(), "edit_file"):
		before, after := c.replaced()
		_, err = codescoutAsk(e.server, "edit_file", map[string]any{"path": file, "old_string": before, "new_string": after, "replace_all": true})
		return 2, err
	}
	return 1, err
}
