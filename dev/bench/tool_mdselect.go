package main

import (
	"context"
	"regexp"
	"strings"
)

// mdselect prints sections by paths of titles, in Python.
func mdselect(m *machine) tool {
	command := func(arguments ...string) []string {
		return peerPython(m, "mdselect", "mdselect.cli", arguments...)
	}
	return tool{
		name: "mdselect", install: installPeer("mdselect"), optional: true, version: versionBy(command("--version")...),
		find: func(ctx context.Context, _ *machine) error {
			_, err := run(ctx, command("--version"))
			return err
		},
		list: func(file string) []string { return command("outline", file) },
		section: func(file string, a *askedFor) []string {
			var path strings.Builder
			for _, title := range a.path {
				// A slash can't be part of a title there, and a dot stands for any character.
				path.WriteString("/^" + strings.ReplaceAll(regexp.QuoteMeta(title), "/", ".") + "$")
			}
			return command("select", "--mpath", path.String(), file)
		},
	}
}
