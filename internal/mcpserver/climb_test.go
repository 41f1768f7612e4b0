package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
)

// TestClimbs names files by paths with `..` behind a link, which mean one file to the system and
// another by their words, in each argument that takes a path: nothing is read or changed. Behind
// folders, and in absolute paths of them, `..` is as good as any name.
func TestClimbs(t *testing.T) {
	texts := map[string]string{
		"x.md": "# Top\n\nalpha [y](y.md)\n", "y.md": "# Y\n", "real/x.md": "# Real\n\nalpha\n", "real/sub/s.md": "# S\n", "in/a.md": "# A\n",
	}
	dir := docs(t, texts)
	if err := os.Symlink("real/sub", filepath.Join(dir, "l")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("../elsewhere", filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}, Journal: filepath.Join(t.TempDir(), "journal")}), "", nil)
	if text, failed := ask(t, session, toolEditFile, object{"path": ".", "old_string": "alpha", "new_string": "beta", "expected_count": 2}); failed {
		t.Fatal(text)
	}
	list, _ := ask(t, session, toolChanges, object{})
	id, _, _ := strings.Cut(list, " ")
	all := func() string { return textsIn(t, dir) }
	was := all()
	for _, path := range []string{"l/../x.md", dir + "/l/../x.md", "./in/../l/./../x.md", "l/in/../../x.md", "l/../n.md", "out/../x.md"} {
		for _, c := range []toolCall{
			{toolMoveDocument, object{"path": "y.md", "to_path": path}},
			{toolMoveDocument, object{"path": path, "to_path": "z.md"}},
			{"create_document", object{"path": path, "content": "# N\n"}},
			{"delete_document", object{"path": path, "links": "leave"}},
			{toolUndo, object{"id": id, "paths": []string{"y.md", path}}},
			{toolChanges, object{"path": path}},
			{"list_links", object{"path": path}},
			{"list_links", object{"path": path, "direction": "in"}},
			{"list_documents", object{"path": path}},
			{"search_sections", object{"query": "alpha", "path": []string{path}}},
			{"read_file", object{"path": path}},
			{"read_file", object{"path": path + "::Real"}},
			{"markdown_tree", object{"file_path": path}},
			{"mdsel_index", object{"files": []string{"x.md", path}}},
			{"diff_sections", object{"path": "x.md", "against": path}},
			{"diff_sections", object{"path": path, "against": "x.md"}},
			{"edit_section", object{"path": path, "heading": "Real", "action": "append", "content": "more"}},
			{toolEditFile, object{"path": path, "old_string": "beta", "new_string": "gamma"}},
			{toolEditFile, object{"path": "x.md", "edits": []object{{"path": path, "old_string": "beta", "new_string": "gamma"}}}},
			{"move_section", object{"path": "x.md", "heading": "Top", "action": "move", "to_path": path, "create": true}},
			{"read_file", object{"path": "doc:///" + path}},
		} {
			text, failed := ask(t, session, c.tool, c.args)
			if !failed || !strings.Contains(text, "`..` behind the link `") {
				t.Errorf("%s %v: %v, %s", c.tool, c.args, failed, text)
			}
			if now := all(); now != was {
				t.Fatalf("%s %v: changed", c.tool, c.args)
			}
		}
	}
	for _, path := range []string{"in/../x.md", dir + "/in/../x.md", "real/sub/../../x.md"} {
		if text, failed := ask(t, session, "read_file", object{"path": path}); failed || !strings.Contains(text, "# Top") {
			t.Errorf("%s: %s", path, text)
		}
	}
	if text, failed := ask(t, session, toolMoveDocument, object{"path": "y.md", "to_path": "in/../z.md"}); failed || !strings.Contains(all(), "[y](z.md)") {
		t.Errorf("%v, %s", failed, text)
	}
}
