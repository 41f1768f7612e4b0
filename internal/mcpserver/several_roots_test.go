package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/testkit"
)

// TestFolderOfOneRoot: of several roots that have a folder of the same name, the absolute path of one
// means that alone, to read and to write.
func TestFolderOfOneRoot(t *testing.T) {
	testkit.OneGoroutine(t)
	const text = "# One\n\nneedle\n"
	one, two := testkit.Folder(t, map[string]string{"f/one.md": text, "one.md": text}), testkit.Folder(t, map[string]string{"f/two.md": "# Two\n", "two.md": "# Two\n"})
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{one, two}}), "", nil)
	for _, folder := range []string{filepath.Join(two, "f"), two} {
		for tool, args := range map[string]object{
			"edit_file":       {"path": folder, "old_string": "needle", "new_string": "x", "expected_count": 1},
			"edit_section":    {"path": folder, "heading": "One", "action": "append", "content": "x", "expected_count": 1},
			"list_documents":  {"path": folder},
			"search_sections": {"path": folder, "query": "needle"},
			"mdsel_index":     {"files": []string{folder}},
		} {
			if reply, _ := ask(t, session, tool, args); strings.Contains(reply, "one.md") {
				t.Errorf("%s of %s: %s", tool, folder, reply)
			}
		}
	}
	for _, name := range []string{"one.md", "f/one.md"} {
		if now, err := os.ReadFile(filepath.Join(one, name)); string(now) != text || err != nil {
			t.Errorf("%s is %q, %v", name, now, err)
		}
	}
	if reply, failed := ask(t, session, "list_documents", object{"path": filepath.Join(one, "f")}); failed || !strings.Contains(reply, "f/one.md") || strings.Contains(reply, "two.md") {
		t.Error(reply)
	}
	if reply, failed := ask(t, session, "list_documents", object{"path": "f"}); failed || !strings.Contains(reply, "one.md") || !strings.Contains(reply, "two.md") {
		t.Errorf("a relative path means all: %s", reply)
	}
}
