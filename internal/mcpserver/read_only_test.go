package mcpserver

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/doctor"
)

// readingCalls are the tools that a server has which must not write, of all toolsets,
// each with a call that it can answer.
func readingCalls() map[string]object {
	return map[string]object{
		toolSearch:                {"query": "install"},
		toolList:                  {},
		toolTree:                  {"file_path": "guide.md"},
		toolSections:              {"file_path": "guide.md"},
		"markdown_section_bounds": {"file_path": "guide.md", "section_name": "Usage"},
		toolReadSection:           {"file_path": "guide.md", "section_name": "Usage"},
		"list_links":              {"path": "guide.md"},
		toolChanges:               {},
		toolDiff:                  {"path": "guide.md", "against": "guide.md"},
		toolReadFile:              {"path": "guide.md", "heading": "Usage"},
		"mdsel_index":             {"files": []string{"guide.md"}},
		"mdsel_select":            {"selector": "h2.0", "files": []string{"guide.md"}},
		toolCategory:              {"category": "rules"},
		toolCategories:            {},
		toolGather:                {"include_diff": true},
	}
}

// A server that must not write has the tools that read and no other one, however they
// are chosen, and none of them changes a file.
func TestReadOnlyServer(t *testing.T) {
	reading := readingCalls()
	var all []string
	for _, tool := range allTools() {
		all = append(all, tool.name)
	}
	dir := docs(t, guided(map[string]string{"guide.md": guide, ".sectile/plan.md": "feat(x): y\n\nText.\n\n- [ ]: task\n"}))
	before := contents(t, dir)
	choices := []doctor.ServerOptions{{}, {Preset: "lean"}, {Tools: all}}
	for _, set := range toolsets() {
		if slices.ContainsFunc(allTools(), func(t *tool) bool { return t.set == set && !t.writes }) { // or it is refused
			choices = append(choices, doctor.ServerOptions{Toolsets: []string{set}})
		}
	}
	for i, o := range choices {
		o.Roots, o.ReadOnly = []string{dir}, true
		session := connect(t, start(t, o), "", nil)
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
			if _, reads := reading[tool.Name]; !reads || !tool.Annotations.ReadOnlyHint {
				t.Errorf("choice %d offers %s, which writes", i, tool.Name)
			}
		}
		for _, name := range all {
			args, reads := reading[name]
			if slices.Contains(names, name) {
				if text, failed := ask(t, session, name, args); failed {
					t.Errorf("choice %d: %s: %s", i, name, text)
				}
				continue
			}
			if _, err := session.CallTool(t.Context(), params(name, args)); err == nil || !strings.Contains(err.Error(), "unknown tool") {
				t.Errorf("choice %d: %s: %v", i, name, err)
			}
			if reads && (i == 0 || len(o.Tools) > 0) {
				t.Errorf("choice %d does not offer %s", i, name)
			}
		}
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Errorf("files were changed (-before +after):\n%s", diff)
	}
}

// contents returns what is in each file of a folder, and its folders with "".
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			all[path] = ""
			return err
		}
		text, err := fs.ReadFile(root, path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
