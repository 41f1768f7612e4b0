package main

import "path/filepath"

// mdTree prints headings and sections by their titles, in JavaScript, from the tree that remark makes.
func mdTree(m *machine) tool {
	const name = "@kayvan/markdown-tree-parser"
	command := func(arguments ...string) []string {
		return append([]string{"node", filepath.Join(m.npm, "node_modules", filepath.FromSlash(name), "bin", "md-tree.js")}, arguments...)
	}
	return tool{
		name: "markdown-tree-parser", install: installNPM, find: findModule(m, name), version: npmVersion(m, name),
		list: func(file string) []string { return command("list", file) },
		section: func(file string, a *askedFor) []string {
			return command("extract", file, a.shown[len(a.shown)-1])
		},
	}
}
