package main

// rumdl judges style, and links by two of its rules.
func rumdl(m *machine) tool {
	program := wheel(m, "rumdl", "rumdl")
	return tool{
		name: "rumdl", install: installPeer("rumdl"), optional: true, find: findProgram(program), version: versionBy(program, "--version"),
		broken: complaints(`: \[MD05[17]\] [^']*'([^']*)'`, program, "check", "--isolated", "--no-cache", "--color", "never", "--enable", "MD051,MD057", "."),
	}
}
