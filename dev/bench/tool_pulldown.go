package main

import "context"

// pulldownCmark is a parser of CommonMark in Rust, which rustdoc and mdBook are made with.
func pulldownCmark(m *machine) tool {
	program := peer(m, "pulldown-cmark")
	return tool{
		name: "pulldown-cmark", install: installPeer("pulldown-cmark"), optional: true, find: findPeer(m, "pulldown-cmark"),
		version:   func(context.Context) string { return pulldownVersion },
		does:      withInline + ", writes HTML",
		parseFile: func(path string) []string { return []string{program, path} },
	}
}

// pulldownVersion is what scripts/install-peers installs: the program tells none.
const pulldownVersion = "0.13.6"
