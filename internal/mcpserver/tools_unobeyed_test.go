package mcpserver

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
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
		"other": false, "*.md": false, "**.md": false, "{*,sub}.md": false, "o*/*.md": false, "*/deep/x/*.md": true, "{other,top}/**": false, "other/*.md": false, "sub/deep/*.md": false, "sub/deep/**/*.md": false,
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

// TestPatternsBelowRoots: a pattern stands for what it matches below each root, also where a document is
// shown by its whole path because two roots have it, and one that is absolute for what is in one root; the
// name of a folder is no pattern, whatever characters it has.
func TestPatternsBelowRoots(t *testing.T) {
	one := docs(t, map[string]string{"docs/a.md": "# A\n", "docs/sub/x.md": "# X\n", "top.md": "# Top\n", "[x]/y.md": "# Y\n"})
	two := docs(t, map[string]string{"docs/a.md": "# A\n", "docs/b.md": "# B\n"})
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{one, two}}), "", nil)
	for path, want := range map[string]int{
		"docs": 4, "docs/*.md": 3, "**/a.md": 2, "docs/**": 4, "*/*.md": 4, "[x]": 1, "[x]/*.md": 0, `\[x]/*.md`: 1,
		one: 4, one + "/**/*.md": 4, one + "/docs/*.md": 1, two + "/**": 2, filepath.Dir(one) + "/*/docs/*.md": 0,
	} {
		if filepath.Separator == '\\' && path[0] == '\\' {
			continue
		}
		text, failed := ask(t, session, "list_documents", object{"path": filepath.ToSlash(path)})
		if got := strings.Count(text, ".md:"); failed != (want == 0) || !failed && got != want {
			t.Errorf("%s: %d documents, want %d: %s", path, got, want, text)
		}
	}
}
