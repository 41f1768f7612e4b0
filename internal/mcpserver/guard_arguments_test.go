package mcpserver

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
)

// filesIn returns the content of all files in a folder, by path.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		found[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A guard that is given and empty guards nothing, and whoever gives one wants one: it
// is refused by whatever name, in every tool that writes, and nothing is written.
func TestEmptyGuardsAreRefused(t *testing.T) {
	dir := planned(t, "file")
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}}), "", nil)
	for _, c := range []toolCall{
		{toolGoal, object{"goal": object{"type": "feat", "scope": "a", "title": "one"}}}, {toolTasks, object{"plan": "- [ ] two"}},
	} {
		if text, failed := ask(t, session, c.tool, c.args); failed {
			t.Fatal(text)
		}
	}
	before := filesIn(t, dir)
	list := func(edit object) object { return object{"path": "guide.md", "edits": []object{edit}} }
	calls := map[string][]object{
		toolEditSection: {{"path": "guide.md", "heading": "Usage", "action": "append", "content": "x"}},
		toolEditFile: {
			{"path": "guide.md", "old_string": "Use it.", "new_string": "x", "heading": "Usage"},
			list(object{"old_string": "Use it.", "new_string": "x", "heading": "Usage"}),
			list(object{"heading": "Usage", "action": "append", "content": "x"}),
		},
		toolCreateDocument: {{"path": "new.md", "content": "x"}},
		toolMoveDocument:   {{"path": "guide.md", "to_path": "new.md"}},
		toolDeleteDocument: {{"path": "guide.md", "links": "leave"}},
		toolUndo:           {{"id": "k3f9x2ab"}},
		toolMoveSection:    {{"path": "guide.md", "heading": "Usage", "action": "demote"}},
		toolGoal:           {{"goal": object{"type": "fix", "scope": "a", "title": "other"}}},
		toolDetail:         {{"description": "Other."}},
		toolTasks:          {{"plan": "- [ ] other"}},
		toolMark:           {{"task_id": "two"}},
		toolFinish:         {{}},
		toolNew:            {{"force": true}},
	}
	try := func(tool *tool, args object) {
		t.Helper()
		text, failed := ask(t, session, tool.name, args)
		if !failed || !strings.Contains(text, "it is empty and would guard nothing; leave it out or give ") {
			t.Errorf("%s %v: %s", tool.name, args, text)
		}
		if after := filesIn(t, dir); !maps.Equal(after, before) {
			t.Fatalf("%s %v has written:\n%v", tool.name, args, after)
		}
	}
	with := func(args object, name string, value any) object {
		args = maps.Clone(args)
		args[name] = value
		return args
	}
	for _, tool := range allTools() {
		if !tool.writes {
			continue
		}
		if calls[tool.name] == nil {
			t.Errorf("%s writes, and there is no call for it here", tool.name)
		}
		guards := 0
		for _, empty := range []string{"", "   ", "\t\n"} {
			for _, args := range calls[tool.name] {
				for i := range tool.args {
					a := &tool.args[i]
					if strings.HasPrefix(a.Name, "expected_") || a.Name == "dry_run" {
						guards++
						for _, name := range append(a.Aliases, a.Name) {
							try(tool, with(args, name, empty))
						}
					}
					edits, ok := args[a.Name].([]object)
					if a.Name != "edits" || !ok {
						continue
					}
					guards++
					try(tool, with(args, "edits", []object{with(edits[0], "expected_hash", empty)}))
					try(tool, with(args, "edits", []object{with(edits[0], "hash", empty)}))
				}
			}
		}
		if guards == 0 {
			t.Errorf("%s writes, and has no guard", tool.name)
		}
	}
}
