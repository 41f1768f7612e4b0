package main

// docgraphical prints headings and sections for agents, in Python. It knows a section by its title
// alone, and takes the marks of its level before it.
func docgraphical(m *machine) tool {
	program := func(arguments ...string) []string {
		return peerPython(m, "docgraphical", "docgraphical.cli", arguments...)
	}
	return tool{
		name: "docgraphical", install: installPeer("docgraphical"), optional: true, version: versionBy(program("--version")...),
		find:    findProgram(wheel(m, "docgraphical", "docgraph")),
		list:    func(file string) []string { return program("toc", file) },
		section: func(file string, a *askedFor) []string { return program("section", file, a.title()) },
	}
}
