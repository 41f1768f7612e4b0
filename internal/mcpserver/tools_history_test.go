package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
)

// changed starts a server with a journal, and returns its client and the identifier of a
// change that was made through it: text at the end of guide.md.
func changed(t *testing.T, o doctor.ServerOptions) (session *mcp.ClientSession, id string) {
	t.Helper()
	session = connect(t, start(t, o), "", nil)
	if text, failed := ask(t, session, toolEditFile, object{"path": "guide.md", "edits": []object{{"heading": "@document", "action": "append", "content": "## Added\n\nAdded text."}}}); failed {
		t.Fatal(text)
	}
	text, failed := ask(t, session, toolChanges, object{})
	id, rest, _ := strings.Cut(text, " ")
	if failed || !strings.Contains(rest, " edit_file: change guide.md\n") {
		t.Fatalf("%v, %s", failed, text)
	}
	return session, id
}

// TestHistory changes a document through a server, looks at the difference and takes the
// change back; a server that is read-only lists changes, and takes none back.
func TestHistory(t *testing.T) {
	dir := docs(t, map[string]string{"guide.md": guide})
	o := doctor.ServerOptions{Roots: []string{dir}, Journal: filepath.Join(t.TempDir(), "journal")}
	session, id := changed(t, o)
	text, failed := ask(t, session, toolChanges, object{"id": id})
	if failed || !strings.Contains(text, "--- a/guide.md\n+++ b/guide.md\n") || !strings.Contains(text, "\n+Added text.\n") {
		t.Errorf("%v, %s", failed, text)
	}
	readOnly := o
	readOnly.ReadOnly = true
	if text, failed := ask(t, connect(t, start(t, readOnly), "", nil), toolChanges, object{"path": "guide.md"}); failed || !strings.HasPrefix(text, id) {
		t.Errorf("read-only: %v, %s", failed, text)
	}
	if text, failed := ask(t, session, toolUndo, object{"id": id}); failed || text != id+" undone: change guide.md\n" {
		t.Errorf("%v, %s", failed, text)
	}
	if now, err := os.ReadFile(filepath.Join(dir, "guide.md")); string(now) != guide || err != nil {
		t.Errorf("%q, %v", now, err)
	}
	if text, failed := ask(t, session, toolUndo, object{"id": id}); !failed || !strings.Contains(text, "no_change") || !strings.Contains(text, "nothing was written") {
		t.Errorf("twice: %v, %s", failed, text)
	}
	text, _ = ask(t, session, toolChanges, object{})
	undo, _, _ := strings.Cut(text, " ")
	if text, failed := ask(t, session, toolUndo, object{"id": undo}); failed {
		t.Errorf("the undo: %s", text)
	}
	if now, _ := os.ReadFile(filepath.Join(dir, "guide.md")); !strings.HasSuffix(string(now), "Added text.\n") {
		t.Errorf("%q", now)
	}
}
