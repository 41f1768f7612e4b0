package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// contents is what the file is about.
type contents struct {
	linked, built     []*module
	goTools, packages []tool
}

// render returns the file: the lists of what is linked and of what is not, then the texts
// of what is linked.
func (c *contents) render() []byte {
	var b bytes.Buffer
	b.WriteString("What is linked into sectile, and under which licences.\n" +
		"Written by dev/licences; do not change it by hand.\n\n")
	writeList(&b, c.linked)
	if len(c.built) > 0 {
		b.WriteString("\nNot part of the program; its tests, scripts and benchmark are built with it:\n\n")
		writeList(&b, c.built)
	}
	writeTools(&b, "modules that the tools are made of that check and release sectile (tools/go.mod, tools/release/go.mod, tools/workflows/go.mod)", c.goTools)
	writeTools(&b, "packages of npm that tests, scripts and the benchmark run (package-lock.json)", c.packages)
	b.WriteString("\nNot part of the program; written by others, and kept in the repository for tests:\n\n")
	for _, o := range others {
		fmt.Fprintf(&b, "%s\n    %s\n    Licence: %s; %s\n", strings.Join(o.paths, ", "), o.from, o.licence, o.why)
	}
	for _, m := range c.linked {
		for _, f := range m.Files {
			fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.TrimSpace(m.Path+" "+m.Version)+", "+f.Name, bytes.TrimSpace(unixLines(f.Text)))
		}
	}
	return b.Bytes()
}

// writeTools writes how many tools have which licences, and the names of those that have
// one that the program may not have.
func writeTools(b *bytes.Buffer, what string, tools []tool) {
	counts := map[string]int{}
	width := 0
	for _, t := range tools {
		counts[strings.Join(t.licences, ", ")]++
		if t.special {
			width = max(width, len(t.name))
		}
	}
	fmt.Fprintf(b, "\nNot part of the program; %d %s:\n\n", len(tools), what)
	for _, ids := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(b, "%4d  %s\n", counts[ids], ids)
	}
	if width == 0 {
		return
	}
	b.WriteString("\nAmong them are these, whose licences the program could not have:\n\n")
	for _, t := range tools {
		if t.special {
			fmt.Fprintf(b, "%-*s  %s\n", width, t.name, strings.Join(t.licences, ", "))
		}
	}
}

// writeList writes modules with their licences, a line each.
func writeList(b *bytes.Buffer, modules []*module) {
	width := 0
	for _, m := range modules {
		width = max(width, len(m.Path)+1+len(m.Version))
	}
	for _, m := range modules {
		fmt.Fprintf(b, "%-*s  %s\n", width, strings.TrimSpace(m.Path+" "+m.Version), m.licences())
	}
}

// unixLines returns a text whose lines end with a line feed and without white space.
func unixLines(text []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))) {
		b.Write(bytes.TrimRight(line, " \t\n"))
		b.WriteByte('\n')
	}
	return b.Bytes()
}
