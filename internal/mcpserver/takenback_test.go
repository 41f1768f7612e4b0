package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/testkit"
)

// interrupted makes half of a change of files, as a kill between two of them leaves it.
func interrupted(t *testing.T, dir string, paths ...string) {
	t.Helper()
	killed, placed := errors.New("killed"), 0
	ctx := filesystem.WithSteps(journal.New(journal.Options{Dir: dir}).In(context.Background()), func(call, _ string) error {
		if call == "exchange" {
			placed++
		}
		if placed > 1 {
			return killed
		}
		return nil
	})
	err := files.Update(ctx, paths, files.UpdateOptions{}, func(tx *files.Tx) error {
		tx.Together()
		for _, path := range paths {
			if err := tx.Write(path, []byte("interrupted\n")); err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, killed) {
		t.Fatal(err)
	}
}

// TestTellsWhatIsTakenBack: a call that writes says which files it has taken back before, whether it
// is made or refused, and says nothing of files that the client may not see.
func TestTellsWhatIsTakenBack(t *testing.T) {
	if runtime.GOOS != "linux" {
		testkit.Missing(t, "files that change places are exchanged on Linux")
	}
	const told = "taken back first: a change of 2 files that was interrupted at "
	for name, test := range map[string]struct {
		tool   string
		args   object
		failed bool
		hidden string // the file that is out of the roots; empty for none
		want   string
	}{
		"made":      {toolEditFile, object{"path": "c.md", "old_string": "text", "new_string": "other"}, false, "", "; these are again what they were before it: a.md"},
		"refused":   {toolEditFile, object{"path": "a.md", "old_string": "not there", "new_string": "x"}, true, "", "; these are again what they were before it: a.md"},
		"undo":      {toolUndo, object{"id": "aaaaaaaa"}, true, "", ""}, // it is refused before anything is locked
		"elsewhere": {toolEditFile, object{"path": "c.md", "old_string": "text", "new_string": "other"}, false, "a.md", ""},
		"only read": {toolChanges, object{}, false, "", ""},
	} {
		for _, structured := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				dir, other := docs(t, map[string]string{"a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n\ntext\n"}), docs(t, map[string]string{"a.md": "# A\n", "b.md": "# B\n"})
				at := filepath.Join(t.TempDir(), "journal")
				from := dir
				if test.hidden != "" {
					from = other
				}
				interrupted(t, at, filepath.Join(from, "a.md"), filepath.Join(from, "b.md"))
				session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}, Journal: at, Structured: structured}), "", nil)
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: test.tool, Arguments: test.args})
				if err != nil || result.IsError != test.failed {
					t.Fatalf("%+v, %v", result, err)
				}
				data, err := json.Marshal(result)
				if err != nil {
					t.Fatal(err)
				}
				if test.want == "" {
					if strings.Contains(string(data), "taken back") || len(result.Content) != 1 {
						t.Errorf("%s", data)
					}
					return
				}
				last, ok := result.Content[len(result.Content)-1].(*mcp.TextContent)
				if !ok || len(result.Content) != 2 || !strings.HasPrefix(last.Text, told) || !strings.HasSuffix(last.Text, test.want) {
					t.Errorf("%s", data)
				}
				if has := strings.Contains(string(data), `"taken_back":"`+told); has != (structured && result.StructuredContent != nil) {
					t.Errorf("structured: %s", data)
				}
				if text, err := os.ReadFile(filepath.Join(dir, "a.md")); string(text) != "# A\n" {
					t.Errorf("%q, %v", text, err)
				}
			})
		}
	}
}
