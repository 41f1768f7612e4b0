package main

// treemd shows the headings of a document as a tree, in Rust. It knows a section by its title alone.
func treemd(m *machine) tool {
	program := peer(m, "treemd")
	return tool{
		name: "treemd", install: installPeer("treemd"), optional: true, long: true, find: findPeer(m, "treemd"), version: versionBy(program, "--version"),
		list: func(file string) []string { return []string{program, "-l", "-n", file} },
		section: func(file string, a *askedFor) []string {
			return []string{program, "-s", a.shown[len(a.shown)-1], file}
		},
	}
}
