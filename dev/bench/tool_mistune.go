package main

import (
	"context"
)

// mistune is a parser in Python. As a command it renders what it has parsed as HTML.
func mistune(m *machine) tool {
	command := func(arguments ...string) []string {
		return peerPython(m, "mistune", "mistune", arguments...)
	}
	return tool{
		name: "mistune", install: installPeer("mistune"), optional: true, version: versionBy(command("--version")...),
		find: func(ctx context.Context, _ *machine) error {
			_, err := run(ctx, command("--version"))
			return err
		},
		does:      withInline + ", writes HTML",
		parseFile: func(path string) []string { return command("--file", path) },
	}
}
