package main

import "path/filepath"

// Checkers of links from npm, each with the options by which it looks at files and headings alone.

// remarkLinks is remark with its plugin for links.
func remarkLinks(m *machine) tool {
	modules := filepath.Join(m.npm, "node_modules")
	return tool{
		name: "remark-validate-links", install: installNPM, find: findModule(m, "remark-validate-links"), version: npmVersion(m, "remark-validate-links"),
		broken: complaints("Cannot find (?:heading for|file) `([^`]*)`",
			"node", filepath.Join(modules, "remark-cli", "cli.js"), "--no-config", "--no-color", "--quiet", "--use", filepath.Join(modules, "remark-validate-links", "index.js")+"=repository:false", "."),
	}
}

// linkCheck is a program of its own. What leads into the network it is told to leave out.
func linkCheck(m *machine) tool {
	return tool{
		name: "markdown-link-check", install: installNPM, find: findModule(m, "markdown-link-check"), version: npmVersion(m, "markdown-link-check"),
		broken: complaints(`(?m)^\s*\[✖\] (.*) → Status`,
			"node", filepath.Join(m.npm, "node_modules", "markdown-link-check", "markdown-link-check"), "--quiet", "--config", filepath.Join(m.npm, "links.markdown-link-check.json"), "."),
	}
}

// markdownlint judges style, and links by one rule of its own and one of another package.
func markdownlint(m *machine) tool {
	return tool{
		name: "markdownlint", install: installNPM, find: findModule(m, "markdownlint-cli2"), version: npmVersion(m, "markdownlint"),
		broken: complaints(`Context: "(.*)"\]|\["(.*)" should`,
			"node", filepath.Join(m.npm, "node_modules", "markdownlint-cli2", "markdownlint-cli2-bin.mjs"), "--config", filepath.Join(m.npm, "links.markdownlint-cli2.mjs"), "**/*.md"),
	}
}
