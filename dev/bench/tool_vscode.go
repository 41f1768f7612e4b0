package main

import (
	"context"
	"path/filepath"
	"strconv"
)

// vscode is what VS Code's own support of Markdown is made of.
func vscode(m *machine) tool {
	const name = "vscode-markdown-languageservice"
	script := filepath.Join(m.npm, "vscode.mjs")
	return tool{
		name: name, install: installNPM, find: findModule(m, name), version: npmVersion(m, name),
		broken: complaints(`(?m)^(.+)$`, "node", script, "broken", "."),
		rename: func(ctx context.Context, folder string, h namedAnew) error {
			return changed(ctx, folder, "node", script, "heading", ".", h.file, strconv.Itoa(h.line), h.to)
		},
		move: func(ctx context.Context, folder, from, to string) error {
			return changed(ctx, folder, "node", script, "document", ".", from, to)
		},
	}
}
