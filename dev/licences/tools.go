package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// The programs that check, test and release sectile are made by others as well. They are
// run and handed to nobody, so that the licences of free software ask nothing of us: who
// installs them gets their texts with them. They are counted by licence, and those that
// have one that the program may not have are named.

// allowedForTools are the licences that what is only run may have, besides those that are
// allowed: each lets everybody run it.
var allowedForTools = []string{"BlueOak-1.0.0", "CC-BY-3.0", "CC-BY-SA-4.0", "GPL-3.0", "GPL-3.0-or-later", "MPL-2.0", "OFL-1.1", "PSF-2.0", "Python-2.0"}

// toolMains are the folders of the modules of ours that name tools.
var toolMains = []string{"tools", "tools/release", "tools/workflows"}

// readByHand are tools whose licences are not told by a text that is known, with what was
// read in them.
var readByHand = map[string]struct{ licences, where string }{
	"github.com/alecthomas/go-check-sumtype": {"MIT, Unlicense", "COPYING offers both, which lie beside it"},
	"github.com/bluesky-social/indigo":       {"Apache-2.0, MIT", "LICENSE-DUAL offers both, which lie beside it"},
	"github.com/ipfs/bbloom":                 {"MIT", "its text is in bbloom.go"},
	"github.com/modelcontextprotocol/registry": {
		"Apache-2.0, MIT", "LICENSE says which of both is for what, and has their texts",
	},
	"github.com/multiformats/go-base36": {"Apache-2.0, MIT", "LICENSE.md offers both by their addresses"},

	"@anthropic-ai/claude-code":               {"proprietary", "scripts/clients sees what it hands to its model; who runs that accepts its terms"},
	"@modelcontextprotocol/inspector":         {"Apache-2.0, MIT", "LICENSE says which of both is for what"},
	"@modelcontextprotocol/server-filesystem": {"Apache-2.0, MIT", "LICENSE says which of both is for what"},
	"format": {"MIT", "package.json names it in an old form"},
}

// tool is something that is only run.
type tool struct {
	name     string // with its version
	licences []string
	special  bool // may not be linked
}

// goTools returns the modules that the tools are made of, on Linux.
func goTools() ([]tool, error) {
	found := newFinding()
	for _, dir := range toolMains {
		packages, err := list(dir, onLinux, "tool")
		if err != nil {
			return nil, err
		}
		if err := found.add(packages); err != nil {
			return nil, err
		}
	}
	var tools []tool
	for _, m := range found.sorted() {
		ids, err := m.judgeTool()
		if err != nil {
			return nil, err
		}
		tools = append(tools, newTool(m.Path, m.Version, ids))
	}
	return tools, nil
}

// minCovered is how much of a tool's file with a licence must be words of it, in percent.
const minCovered = 75

// judgeTool returns the licences of a module that is only run.
func (m *module) judgeTool() ([]string, error) {
	if known, ok := readByHand[m.Path]; ok {
		return strings.Split(known.licences, ", "), nil
	}
	var ids []string
	for _, f := range m.Files {
		if f.isNotice() {
			continue
		}
		coverage := licensecheck.Scan(f.Text)
		if coverage.Percent < minCovered {
			return nil, fmt.Errorf("%s %s, %s: only %.0f %% of it are a licence that is known; read it, and add it to readByHand in dev/licences/tools.go", m.Path, m.Version, f.Name, coverage.Percent)
		}
		for _, match := range coverage.Match {
			if !match.IsURL {
				ids = append(ids, match.ID)
			}
		}
	}
	return ids, allowTool(m.Path+" "+m.Version, ids)
}

// allowTool returns an error if there is no licence, or one that a tool may not have.
func allowTool(name string, ids []string) error {
	if len(ids) == 0 {
		return fmt.Errorf("no licence is known of %s; read what it says, and add it to readByHand in dev/licences/tools.go", name)
	}
	for _, id := range ids {
		if !slices.Contains(allowed, id) && !slices.Contains(allowedForTools, id) {
			return fmt.Errorf("%s has the licence %q, which is not one of those that a tool may have", name, id)
		}
	}
	return nil
}

func newTool(name, version string, ids []string) tool {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	special := slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(allowed, id) })
	return tool{strings.TrimSpace(name + " " + version), ids, special}
}

// npmPackages returns the packages that the lock files below a folder name, with the
// licences that those say.
func npmPackages(root string) ([]tool, error) {
	found := map[string]tool{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || file != root && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.Name() != "package-lock.json":
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		tools, err := lockedPackages(text)
		for _, t := range tools {
			found[t.name] = t
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
		return err
	})
	return slices.SortedFunc(maps.Values(found), func(a, b tool) int { return strings.Compare(a.name, b.name) }), err
}

// lockedPackages returns the packages of one lock file.
func lockedPackages(text []byte) ([]tool, error) {
	var lock struct {
		Packages map[string]struct {
			Version, License string
			OS               any
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	var tools []tool
	for _, folder := range slices.Sorted(maps.Keys(lock.Packages)) {
		at := strings.LastIndex(folder, "node_modules/")
		if at < 0 { // our own
			continue
		}
		name, p := folder[at+len("node_modules/"):], lock.Packages[folder]
		ids := offered(p.License)
		if known, ok := readByHand[productOf(name)]; ok && (p.License == "" || strings.HasPrefix(p.License, "SEE ")) {
			ids = strings.Split(known.licences, ", ")
		} else if err := allowTool(name+" "+p.Version, ids); err != nil {
			return nil, err
		}
		if p.OS == nil { // it isn't a part of another that is for one system alone
			tools = append(tools, newTool(name, p.Version, ids))
		}
	}
	return tools, nil
}

// offered returns the licences of an expression such as "(MIT OR GPL-2.0)", of which one
// may choose: the first that is allowed.
func offered(expression string) []string {
	if expression == "" {
		return nil
	}
	choices := strings.Split(strings.Trim(expression, "()"), " OR ")
	for _, id := range choices {
		if slices.Contains(allowed, id) {
			return []string{id}
		}
	}
	return choices
}

// productOf returns the name of the package that one for a single system belongs to.
func productOf(name string) string {
	for known := range readByHand {
		rest, ok := strings.CutPrefix(name, known)
		if ok && path.Dir(known) != "." && (strings.HasPrefix(rest, "-linux-") || strings.HasPrefix(rest, "-darwin-") || strings.HasPrefix(rest, "-win32-")) {
			return known
		}
	}
	return name
}
