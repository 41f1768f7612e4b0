package main

import (
	"fmt"
	"strconv"
	"strings"
)

// mq is a query language for Markdown in Rust. Its own module for sections finds each title below
// the one before it, whole; what it selects it writes anew.
func mq(m *machine) tool {
	program := peer(m, "mq")
	return tool{
		name: "mq", install: installPeer("mq"), optional: true, long: true, find: findPeer(m, "mq"), version: versionBy(program, "--version"),
		list: func(file string) []string { return []string{program, ".h", file} },
		section: func(file string, a *askedFor) []string {
			steps := make([]string, len(a.shown))
			for i, title := range a.shown {
				steps[i] = "section::by_title(self, " + strconv.Quote(title) + ", true)"
			}
			query := strings.Join(steps, " | first() | section::body() | ")
			return []string{program, "-A", fmt.Sprintf("%s | section::nth(%d) | section::all_nodes()", query, a.nth-1), file}
		},
	}
}
