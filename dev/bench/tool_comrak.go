package main

import "context"

// comrak is a parser of CommonMark and GFM in Rust. As a command it renders what it has
// parsed as HTML, and as a tree with lines.
func comrak(m *machine) tool {
	program := peer(m, "comrak")
	return tool{
		name: "comrak", install: installPeer("comrak"), optional: true, find: findPeer(m, "comrak"), version: versionBy(program, "--version"),
		does:      withInline + ", writes HTML",
		parseFile: func(path string) []string { return []string{program, path} },
		headings: func(ctx context.Context, _ string, docs []document) (map[string][]heading, error) {
			return headingsOfXML(ctx, docs, program, "--to", "xml", "--sourcepos")
		},
	}
}
