package mcpserver

import (
	"strings"
	"testing"
)

// TestUnobeyedIsTold: where an ignore file isn't obeyed, whoever names the folder that it is in, one
// above, or a pattern that may match below it, is told so, with the reason.
func TestUnobeyedIsTold(t *testing.T) {
	session := client(t, map[string]string{
		"top.md": "# Top\n\nword\n", "sub/.gitignore": strings.Repeat("#", 256<<10) + "\nb.md\n",
		"sub/a.md": "# A\n\nword\n", "sub/b.md": "# B\n\nword\n", "sub/deep/c.md": "# C\n\nword\n", "other/d.md": "# D\n\nword\n",
	})
	const reason = "an ignore file of more than 256 KiB, which is not obeyed"
	for path, told := range map[string]bool{
		"sub": true, ".": true, "sub/*.md": true, "**/*.md": true, "**": true, "s*/*.md": true, "./sub/**/a*.md": true, "{sub,other}/*.md": true,
		"other": false, "*.md": false, "other/*.md": false, "sub/deep/*.md": false, "sub/deep/**/*.md": false,
	} {
		for tool, args := range map[string]object{
			"list_documents": {"path": path}, "search_sections": {"path": path, "query": "word"},
			"mdsel_index": {"files": []string{path}}, "mdsel_select": {"files": []string{path}, "selector": "h1.0"},
			"markdown_tree": {"file_path": path}, "markdown_list_sections": {"file_path": path},
			"edit_file": {"path": path, "old_string": "word", "new_string": "words", "dry_run": true},
		} {
			text, _ := ask(t, session, tool, args)
			if strings.Contains(text, "sub/.gitignore") != told || strings.Contains(text, reason) != told {
				t.Errorf("%s of %s (told: %v): %s", tool, path, told, text)
			}
		}
	}
}
