package main

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// allowed are the licences that a module may have, by SPDX: those that ask for their text
// and nothing else of whoever hands the program on. MPL-2.0 is none of them, for it also
// asks for the source of what is under it; who needs such a module decides that anew.
var allowed = []string{"MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC", "0BSD", "Unlicense", "CC0-1.0"}

// minCovered is how much of a file must be words of a licence, in percent. The rest is
// copyright lines and titles.
const minCovered = 75

// minNamed is the same for a file that holds several licences and words on which of them
// is for what.
const minNamed = 60

// judge finds out which licences a module has. The error says which of them is not
// allowed, or that none can be told.
func (m *module) judge() error {
	licences := 0
	for i := range m.Files {
		f := &m.Files[i]
		if strings.HasPrefix(strings.ToLower(path.Base(f.Name)), "notice") {
			continue
		}
		licences++
		if err := f.judge(); err != nil {
			return fmt.Errorf("%s %s, %s: %w", m.Path, m.Version, f.Name, err)
		}
	}
	if licences == 0 {
		return fmt.Errorf("%s %s has no file with a licence; use another module, or ask its authors", m.Path, m.Version)
	}
	return nil
}

// judge finds out which licences a file holds.
func (f *file) judge() error {
	coverage := licensecheck.Scan(f.Text)
	for _, match := range coverage.Match {
		if match.IsURL || slices.Contains(f.IDs, match.ID) {
			continue
		}
		if !slices.Contains(allowed, match.ID) {
			return fmt.Errorf("the licence %s is not one of those that are allowed: %s", match.ID, strings.Join(allowed, ", "))
		}
		f.IDs = append(f.IDs, match.ID)
	}
	least := float64(minCovered)
	if len(f.IDs) > 1 {
		least = minNamed
	}
	if len(f.IDs) == 0 || coverage.Percent < least {
		return fmt.Errorf("only %.0f %% of it are a licence that is known; read it", coverage.Percent)
	}
	slices.Sort(f.IDs)
	return nil
}

// licences returns the licences of a module.
func (m *module) licences() string {
	var ids []string
	for _, f := range m.Files {
		ids = append(ids, f.IDs...)
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), ", ")
}

// render returns the file: the lists of what is linked and of other modules, then the
// texts of what is linked.
func render(modules, others []*module) []byte {
	var b bytes.Buffer
	b.WriteString("What is linked into sectile, and under which licences.\n" +
		"Written by scripts/licences; do not change it by hand.\n\n")
	writeList(&b, modules)
	if len(others) > 0 {
		b.WriteString("\nNot part of the program; its tests, scripts and benchmark are built with it:\n\n")
		writeList(&b, others)
	}
	for _, m := range modules {
		for _, f := range m.Files {
			fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.TrimSpace(m.Path+" "+m.Version)+", "+f.Name, bytes.TrimSpace(unixLines(f.Text)))
		}
	}
	return b.Bytes()
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
