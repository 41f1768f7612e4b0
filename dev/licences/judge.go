package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// allowed are the licences that a module may have, by SPDX: those that ask for their text
// and nothing else of whoever hands the program on. MPL-2.0 is none of them, for it also
// asks for the source of what is under it; who needs such a module decides that anew.
var allowed = []string{"MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC", "0BSD", "Unlicense", "CC0-1.0"}

// judge finds out which licences a module has. The error says which of them is not
// allowed, or that none can be told.
func (m *module) judge() error {
	licences := 0
	for i := range m.Files {
		f := &m.Files[i]
		if f.isNotice() {
			continue
		}
		licences++
		if err := f.judge(m.Path); err != nil {
			return fmt.Errorf("%s %s, %s: %w", m.Path, m.Version, f.Name, err)
		}
	}
	if licences == 0 {
		return fmt.Errorf("%s %s has no file with a licence; use another module, or ask its authors", m.Path, m.Version)
	}
	return nil
}

// isNotice reports whether a file holds no licence but what goes with one: names, mostly.
func (f *file) isNotice() bool {
	return strings.HasPrefix(strings.ToLower(path.Base(f.Name)), "notice")
}

// judge finds out which licences a file holds, and that it says nothing beside them.
func (f *file) judge(module string) error {
	if known, ok := readWhole[module]; ok && fmt.Sprintf("%x", sha256.Sum256(f.Text)) == known.sum {
		f.IDs = []string{known.id}
		return nil
	}
	matches, beside := read(f.Text)
	for _, id := range matches {
		if !slices.Contains(allowed, id) {
			return fmt.Errorf("the licence %s is not one of those that are allowed: %s", id, strings.Join(allowed, ", "))
		}
	}
	if len(matches) == 0 {
		return errors.New("it holds no licence that is known; read it")
	}
	for _, known := range harmless[module] {
		beside = strings.TrimSpace(strings.Replace(beside, known.text, "", 1))
	}
	if beside != "" {
		return fmt.Errorf("beside licences and copyright it says %q; read it, and if it asks for nothing, add it to harmless in dev/licences/beside.go", beside)
	}
	f.IDs = matches
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
