package mcpserver

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
)

// TestErrorsSayWhatWasWritten has each tool that writes refuse paths and parts that it can't take, in
// all forms that name them: each error says once whether anything was written.
func TestErrorsSayWhatWasWritten(t *testing.T) {
	dir := docs(t, map[string]string{"a.md": "# A\n\n## Install\n\nx\n\n## Usage\n\ny\n", "docs/b.md": "# B\n", "docs/sub/c.md": "# C\n"})
	s := start(t, doctor.ServerOptions{Roots: []string{dir}, Journal: t.TempDir()})
	session := connect(t, s, "", nil)
	paths := []string{
		"a.md", "a.md#install", "a.md::h2.0", "a.md#none", "a.md::", "a.md#", "none.md", "none.md#install", "docs", "docs/", "docs/*.md", "none/*.md", "**", ".", "/",
		"../a.md", "..", "a.txt", "a\x00.md", "doc:///a.md", "doc:///a.md#install", "doc:///none.md", "doc://%zz", "doc://", "DOC:///%00", "guide://category/x/y.md", "guide://", "guide", "sectile://status", strings.Repeat("long/", 2000) + "a.md",
	}
	headings := []string{"Usage", "h2.0", "none", "", strings.Repeat("long ", 2000)}
	calls := map[string][]object{
		"edit_section":    {{"action": "remove"}, {"action": "replace", "content": "x"}, {"action": "rename"}, {"action": "append", "rows": []any{[]any{"A"}, 1}}, {"action": "none"}, {"action": "append", "content": "x", "links": "none"}},
		"edit_file":       {{"old_string": "y", "new_string": "z"}, {"old_string": "none", "new_string": "z"}, {"edits": []any{object{"heading": "Usage", "action": "none"}}}, {"edits": []any{}}, {}},
		"move_section":    {{"action": "promote"}, {"action": "move", "to": "Install"}, {"action": "move", "to_path": "a.md#install"}, {"action": "move", "to_path": "doc://%zz"}, {"action": "reorder", "order": []any{"x"}}, {"action": "none"}},
		"create_document": {{"content": "x"}, {"content": "a\x00b"}, {}, {"content": 5, "none": 1}},
		"move_document":   {{"to_path": "new.md"}, {"to_path": "a.md#install"}, {"to_path": "../x.md"}, {"to_path": ""}, {"to_path": "new.md", "links": "none"}},
		"delete_document": {{"expected_version": "none"}, {"links": "none"}, {"none": 1}},
		"undo_change":     {{"id": "none"}, {"id": ""}, {"paths": []any{"x"}}, {"id": "none", "none": 1}},
	}
	for _, tool := range s.tools {
		if !tool.writes || tool.set == setPlan {
			continue
		}
		if calls[tool.name] == nil {
			t.Errorf("%s isn't called", tool.name)
		}
		seen := 0
		for _, given := range calls[tool.name] {
			for _, path := range paths {
				for _, heading := range headings {
					args := maps.Clone(given)
					args["dry_run"] = true
					if tool.name != "undo_change" {
						args["path"] = path
					}
					if tool.name == "edit_section" || tool.name == "edit_file" || tool.name == "move_section" {
						args["heading"] = heading
					} else if heading != headings[0] {
						continue
					}
					text, failed := ask(t, session, tool.name, args)
					if !failed {
						continue
					}
					if seen++; strings.Count(text, "nothing was written") != 1 {
						t.Errorf("%s %.200q: %.1000s", tool.name, args, text)
					}
				}
			}
		}
		if seen == 0 {
			t.Errorf("%s has refused nothing", tool.name)
		}
	}
}

// TestDryRunRefusesAlike sends texts that no file is written with, and names files that nothing is
// written into: a dry run refuses them with the error of the change.
func TestDryRunRefusesAlike(t *testing.T) {
	dir := docs(t, map[string]string{
		"a.md": "# A\n\ntext\n", "docs/b.md": "# B\n\ntext\n", "docs/c.md": "# C\n\n[A](../a.md)\n",
		".claude/d.md": "# D\n\nshut\n", ".claude/e.md": "# E\n\n[D](d.md) [F](../f.md)\n", "f.md": "# F\n", "conf.md": "# own\n", ".gitignore": "!.claude/\n",
	})
	own := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", own)
	if err := os.Mkdir(filepath.Join(own, "sectile"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "conf.md"), filepath.Join(own, "sectile", "config.yaml")); err != nil {
		t.Skip(err)
	}
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}, MaxBytes: 60}), "", nil)
	long := strings.Repeat("more ", 13)
	for _, c := range []struct {
		tool string
		args object
	}{
		{"create_document", object{"path": "new.md", "content": "a\x00b\n"}},
		{"create_document", object{"path": "new.md", "content": long}},
		{"edit_section", object{"path": "a.md", "heading": "A", "action": "append", "content": long}},
		{"edit_section", object{"path": "a.md", "heading": "A", "action": "append", "content": "a\x00b"}},
		{"edit_section", object{"path": "a.md", "heading": "A", "action": "rename", "content": long, "links": "update"}},
		{"edit_section", object{"path": "*.md", "heading": "A", "action": "append", "content": long, "expected_count": 1}},
		{"edit_file", object{"path": "docs", "old_string": "text", "new_string": long, "expected_count": 1}},
		{"move_document", object{"path": "a.md", "to_path": strings.Repeat("long", 20) + ".md"}},
		{"edit_file", object{"path": ".claude/d.md", "old_string": "shut", "new_string": "open"}},
		{"edit_file", object{"path": ".", "old_string": "shut", "new_string": "open", "expected_count": 1}},
		{"edit_section", object{"path": ".", "heading": "D", "action": "rename", "content": "X", "links": "update", "expected_count": 1}},
		{"edit_file", object{"path": ".claude", "old_string": "shut", "new_string": "open"}},
		{"edit_file", object{"path": ".claude/*.md", "old_string": "shut", "new_string": "open", "expected_count": 1}},
		{"edit_file", object{"edits": []any{object{"path": ".claude/d.md", "old_string": "shut", "new_string": "open"}, object{"path": "a.md", "old_string": "text", "new_string": "x"}}}},
		{"edit_section", object{"path": ".claude/d.md", "heading": "D", "action": "rename", "content": "X", "links": "update"}},
		{"edit_section", object{"path": "conf.md", "heading": "own", "action": "append", "content": "x"}},
		{"move_section", object{"path": "a.md", "heading": "A", "action": "move", "to_path": ".claude/d.md"}},
		{"move_section", object{"path": ".claude/d.md", "heading": "D", "action": "move", "to_path": "f.md"}},
		{"move_section", object{"path": "a.md", "heading": "A", "action": "move", "to_path": "conf.md"}},
		{"move_section", object{"path": "conf.md", "heading": "own", "action": "demote"}},
		{"move_document", object{"path": ".claude/d.md", "to_path": "d.md"}},
		{"move_document", object{"path": "f.md", "to_path": ".claude/f.md"}},
		{"move_document", object{"path": "f.md", "to_path": "g.md"}}, // to which a protected document has a link
		{"move_document", object{"path": "conf.md", "to_path": "g.md"}},
		{"delete_document", object{"path": ".claude/e.md"}},
		{"delete_document", object{"path": "conf.md"}},
		{"create_document", object{"path": ".claude/new.md", "content": "x"}},
		{"create_document", object{"path": ".claude/sub/new.md", "content": "x"}},
	} {
		var texts []string
		for _, dry := range []bool{true, false} {
			args := maps.Clone(c.args)
			args["dry_run"] = dry
			text, failed := ask(t, session, c.tool, args)
			if !failed {
				t.Errorf("%s %.200q is done", c.tool, args)
			}
			texts = append(texts, text)
		}
		if texts[0] != texts[1] {
			t.Errorf("%s %.200q: the dry run says\n%s\nthe change\n%s", c.tool, c.args, texts[0], texts[1])
		}
	}
}
