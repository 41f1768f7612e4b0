package main

import (
	"fmt"
	"strconv"
	"strings"
)

// treemd prints headings and sections in a terminal, in Rust. Its query language takes a path of
// titles, each directly below the one before, and counts what it finds.
func treemd(m *machine) tool {
	program := peer(m, "treemd")
	return tool{
		name: "treemd", install: installPeer("treemd"), optional: true, long: true, find: findPeer(m, "treemd"), version: versionBy(program, "--version"),
		list: func(file string) []string { return []string{program, "-l", file} },
		section: func(file string, a *askedFor) []string {
			steps := make([]string, len(a.shown))
			for i, title := range a.shown {
				steps[i] = ".h[" + strconv.Quote(title) + "]"
			}
			return []string{program, "-q", fmt.Sprintf("[%s] | nth(%d) | md", strings.Join(steps, " > "), a.nth-1), file}
		},
	}
}
