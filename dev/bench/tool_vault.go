package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
)

// vault is a server for folders of notes, in Python. It knows a section by its title alone, and
// changes text that is there once, in the file or in a range of lines.
func vault(m *machine) tool {
	const name = "markdown-vault-mcp"
	command := vaultCommand(m)
	kind := serverKind{
		name: name, command: command, ready: vaultReady,
		section: func(s *server, file string, a *askedFor) (string, error) {
			text, err := s.call(call{"read", map[string]any{"path": file, "section": a.title()}})
			return vaultNote(text), err
		},
	}
	// once starts a server for one call.
	once := func(ctx context.Context, folder string, c call) (string, error) {
		s, err := kind.start(ctx, folder)
		if err != nil {
			return "", err
		}
		defer s.close()
		return s.call(c)
	}
	return tool{
		name: name, install: installPeer(name), optional: true, find: findProgram(wheel(m, name, name)), version: peerVersion(m, name),
		broken: func(ctx context.Context, folder string) (all []string, err error) {
			text, err := once(ctx, folder, call{"get_broken_links", map[string]any{}})
			if err != nil || text == "" { // that there is none
				return nil, err
			}
			var links []struct {
				Target string `json:"raw_target"`
			}
			err = json.Unmarshal([]byte(text), &links)
			for _, l := range links {
				all = append(all, l.Target)
			}
			return all, err
		},
		move: func(ctx context.Context, folder, from, to string) error {
			_, err := once(ctx, folder, call{"rename", map[string]any{"old_path": from, "new_path": to, "update_links": true}})
			return err
		},
		editor: func(ctx context.Context, folder string) (editor, error) {
			s, err := startServer(ctx, command(folder))
			return &vaultEditor{s}, err
		},
		servers: []serverKind{kind},
	}
}

// vaultEditor edits as somebody does who copies from what was read, and after a refusal names the
// lines of the section, as the refusal says.
type vaultEditor struct{ server *server }

func (e *vaultEditor) close() { e.server.close() }

func (e *vaultEditor) edit(file string, c change) (calls int, err error) {
	before, after := c.replaced()
	arguments := map[string]any{"path": filepath.ToSlash(file), "old_text": before, "new_text": after}
	if _, err = e.server.call(call{"edit", arguments}); err == nil || !strings.Contains(err.Error(), "line_start") {
		return 1, err
	}
	arguments["line_start"], arguments["line_end"] = c.line, c.line+strings.Count(c.body, "\n")
	_, err = e.server.call(call{"edit", arguments})
	return 2, err
}

// vaultCommand starts it for a folder.
func vaultCommand(m *machine) func(folder string) []string {
	return func(folder string) []string {
		return append([]string{"env", "MARKDOWN_VAULT_MCP_SOURCE_DIR=" + folder, "FASTMCP_LOG_LEVEL=ERROR", "FASTMCP_CHECK_FOR_UPDATES=off"},
			peerScript(m, "markdown-vault-mcp", "markdown-vault-mcp", "serve")...)
	}
}
