package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// md4c is a parser in C that calls back for what it finds. Its library is compiled
// into a program that does nothing in those calls, so that only parsing is measured.
func md4c(m *machine) tool {
	built := filepath.Join(m.scratch, "md4c")
	return tool{
		name: "md4c", install: "apt-get install libmd4c-dev gcc", version: versionBy("pkg-config", "--modversion", "md4c"),
		does: withInline,
		find: func(ctx context.Context, m *machine) error {
			compiler, err := exec.LookPath("cc")
			if err != nil {
				return err
			}
			source := filepath.Join(m.root, "dev", "bench", "md4c", "parse.c")
			if out, err := exec.CommandContext(ctx, compiler, "-O2", "-o", built, source, "-lmd4c").CombinedOutput(); err != nil {
				return fmt.Errorf("its library can't be linked (%.60q)", out)
			}
			return nil
		},
		parsePacked: func() []string { return []string{built, "-packed"} },
		parseFile:   func(path string) []string { return []string{built, path} },
	}
}
