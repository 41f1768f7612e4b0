package mcpserver

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
)

// keptCalls are all tools that write, each with calls of which the last changes something in the
// project of isNamed.
var keptCalls = map[string][]toolCall{
	toolEditSection:    {{toolEditSection, object{"path": "a.md", "heading": "A", "action": "rename", "content": "Q", "links": "update"}}},
	toolEditFile:       {{toolEditFile, object{"path": ".", "old_string": "needle", "new_string": "thread", "expected_count": 3}}},
	toolMoveSection:    {{toolMoveSection, object{"path": "a.md", "heading": "S", "action": "move", "to_path": "b.md", "to": "B", "where": "after", "links": "update"}}},
	toolCreateDocument: {{toolCreateDocument, object{"path": "n.md", "content": "# N\n"}}},
	toolMoveDocument:   {{toolMoveDocument, object{"path": "a.md", "to_path": "n.md", "links": "update"}}},
	toolDeleteDocument: {{toolDeleteDocument, object{"path": "c.md", "links": "leave"}}},
	toolUndo:           {{toolEditFile, object{"path": ".", "old_string": "needle", "new_string": "thread", "expected_count": 3}}, {toolUndo, object{}}},
	toolGoal:           {{toolGoal, storyGoal}},
	toolDetail:         {{toolGoal, storyGoal}, {toolDetail, storyDetail}},
	toolTasks:          {{toolGoal, storyGoal}, {toolDetail, storyDetail}, {toolTasks, storyPlan}},
	toolMark:           {{toolGoal, storyGoal}, {toolDetail, storyDetail}, {toolTasks, storyPlan}, {toolMark, object{"task_id": "1.1"}}},
	toolFinish:         {{toolGoal, storyGoal}, {toolDetail, storyDetail}, {toolTasks, object{"plan": []any{[]any{true, "one"}}}}, {toolFinish, object{}}},
	toolNew:            {{toolGoal, storyGoal}, {toolNew, object{"force": true}}},
}

// TestKeptFilesAreNamed: whichever tool keeps a text that it has found beside what it changes,
// names it, whether it succeeds in the end or not. What is kept then is of an edit that was
// killed; another program comes between just then: it saves all documents with what they hold, or
// with something else.
func TestKeptFilesAreNamed(t *testing.T) {
	for _, tool := range allTools() {
		if _, ok := keptCalls[tool.name]; ok != tool.writes {
			t.Errorf("%s writes: %t, but is in keptCalls: %t", tool.name, tool.writes, ok)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(keptCalls)) {
		for _, saved := range []string{"nothing", "the same", "another text"} {
			t.Run(name+" "+saved, func(t *testing.T) { isNamed(t, keptCalls[name], saved) })
		}
	}
}

// isNamed makes calls, the last of which keeps a text.
func isNamed(t *testing.T, calls []toolCall, saved string) {
	dir := docs(t, map[string]string{
		"a.md": "# A\n\nneedle [b](b.md#b) [a](#a)\n\n## S\n\n[a](a.md#a)\n", "b.md": "# B\n\nneedle [a](a.md#a) [s](a.md#s)\n", "c.md": "# C\n\nneedle [a](a.md#a)\n",
		".sectile.yaml": "plan: {store: file}\n", ".sectile/x.md": "",
	})
	project := func() (texts map[string]string, kept []string) {
		texts = contents(t, dir)
		for path := range texts {
			if strings.Contains(path, ".kept-") {
				kept = append(kept, path)
			}
		}
		maps.DeleteFunc(texts, func(path, _ string) bool {
			return slices.Contains(kept, path) || strings.HasPrefix(filepath.Base(path), filenames.TempPrefix)
		})
		return texts, kept
	}
	var then map[string]string // what all files hold when one is kept
	ctx := filesystem.WithSteps(t.Context(), func(call, to string) error {
		if call != "rename" || !strings.Contains(to, ".kept-") {
			return nil
		}
		then, _ = project()
		for path, text := range then {
			if saved == "nothing" || filepath.Ext(path) != ".md" {
				continue
			}
			if saved == "another text" {
				text = "# Another: [\n"
			}
			then[path] = text
			if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
				t.Error(err)
			}
		}
		return nil
	})
	s := start(t, doctor.ServerOptions{Roots: []string{dir}, Structured: true, Journal: filepath.Join(t.TempDir(), "journal"), Toolsets: toolsets()})
	there, here := mcp.NewInMemoryTransports()
	serving, err := s.mcp.Connect(ctx, there, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		_ = serving.Wait()
	})
	last := calls[len(calls)-1]
	for _, before := range calls[:len(calls)-1] {
		if text, failed := ask(t, session, before.tool, before.args); failed {
			t.Fatal(text)
		}
	}
	if last.tool == toolUndo {
		list, _ := ask(t, session, toolChanges, object{})
		id, _, _ := strings.Cut(list, " ")
		last.args = object{"id": id}
	}
	for _, in := range []string{".", ".sectile"} {
		if err := os.WriteFile(filepath.Join(dir, in, filenames.Held([]byte("x"), []byte("y"), "z.md")), []byte("an hour of work"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	result, err := session.CallTool(t.Context(), params(last.tool, last.args))
	if err != nil {
		t.Fatal(err)
	}
	said := result.Content[0].(*mcp.TextContent).Text
	now, kept := project()
	if len(kept) == 0 {
		t.Fatalf("nothing was kept: it proves nothing: %s", said)
	}
	for _, path := range kept {
		if !strings.Contains(said, path) {
			t.Errorf("%s is named nowhere: %s", path, said)
		}
		if structured, err := json.Marshal(result.StructuredContent); result.StructuredContent != nil && (err != nil || !strings.Contains(string(structured), path)) {
			t.Errorf("%s is named nowhere: %s, %v", path, structured, err)
		}
	}
	if strings.Contains(said, dir) {
		t.Errorf("a place of the host is told: %s", said)
	}
	if wrote := !maps.Equal(then, now); wrote == strings.Contains(said, "nothing was written") && (wrote || saved == "nothing") {
		t.Errorf("something was written: %t: %s", wrote, said)
	}
}
