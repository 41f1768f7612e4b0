package main

import (
	"context"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// filesystem is the file server of the Model Context Protocol's own makers. Its
// edit_file replaces a text, which need not be the only one of its kind.
func filesystem(m *machine) tool {
	const name = "server-filesystem"
	command := func(folder string) []string {
		return []string{"node", filepath.Join(m.npm, "node_modules", "@modelcontextprotocol", "server-filesystem", "dist", "index.js"), folder}
	}
	read := func(file string) call {
		return call{"read_text_file", map[string]any{"path": file}}
	}
	return tool{
		name: name, install: installNPM, find: func(ctx context.Context, m *machine) error {
			s, err := startServer(ctx, command(m.scratch))
			if err != nil {
				return errNoPackage(err)
			}
			s.close()
			return nil
		},
		version: npmVersion(m, "@modelcontextprotocol/server-filesystem"),
		editor: func(ctx context.Context, folder string) (editor, error) {
			s, err := startServer(ctx, command(folder))
			return &filesystemEditor{s, folder}, err
		},
		servers: []serverKind{{
			name:    name,
			command: command,
			read:    func(file, _ string) call { return read(file) },
			way:     "read_text_file",
			find: func(s *server, file string, t target) (int, error) {
				text, err := s.call(read(file))
				if err == nil && !strings.Contains(unified([]byte(text)), t.text) {
					err = refusal{"the reply does not have the section"}
				}
				return utf8.RuneCountInString(text), err
			},
		}},
	}
}

// filesystemEditor edits as somebody does who copies from what was read.
type filesystemEditor struct {
	server *server
	folder string
}

func (e *filesystemEditor) close() { e.server.close() }

func (e *filesystemEditor) edit(file string, c change) (calls int, err error) {
	before, after := c.replaced()
	_, err = e.server.call(call{"edit_file", map[string]any{
		"path":  filepath.Join(e.folder, file),
		"edits": []map[string]string{{"oldText": before, "newText": after}},
	}})
	return 1, err
}
