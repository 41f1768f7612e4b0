package mcpserver

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestGuidesStayInTheirMemory: guides that are written many times as long in JSON as they
// are take little more than ten times what a reply may have, and many answers at once,
// which come both as text and as structured content, stay in the memory of the server.
func TestGuidesStayInTheirMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const budget, limit, users = 64 << 20, 1 << 20, 4
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "docs"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".sectile.yaml": "categories:\n  docs: {dir: docs, patterns: [\"*.md\"]}\nguide: {max_reply_bytes: 1048576}\n",
		"docs/a.md":     strings.Repeat("\x01", 295_000), // takes nearly all of the room
		"docs/b.md":     strings.Repeat("\x01", 700_000),
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := startCommand(t, exec.Command(testkit.BuildProgram(t), "mcp", "--root", root, "--structured", "--timeout", "10m",
		"--max-memory", strconv.Itoa(budget)))
	p.initialize()
	idle := p.peak()
	for _, n := range []int{1, users} {
		for range n {
			p.call("tools/call", `{"name":"get_category_content","arguments":{"category":"docs"}}`)
		}
		for range n {
			var result struct {
				IsError           bool
				StructuredContent struct{ Returned, Matched int }
			}
			m := p.read()
			if err := json.Unmarshal(m.Result, &result); err != nil || result.IsError ||
				result.StructuredContent.Returned != 1 || result.StructuredContent.Matched != 2 {
				t.Fatalf("%v: %.300s", err, m.Result)
			}
		}
		most := budget - idle
		if n == 1 {
			most = 12*limit + 32<<20
		}
		if got := p.peak() - idle; got > most {
			t.Errorf("%d at once: %d MiB beside the idle server's, at most %d", n, got>>20, most>>20)
		} else {
			t.Logf("%d at once: %d MiB beside the idle server's, at most %d", n, got>>20, most>>20)
		}
	}
	p.end()
}
