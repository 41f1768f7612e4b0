package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
)

// TestGuideShowIsTheTool compares what 'guide show' prints with what the server's
// tool replies: they are the same, but for the boundary between files.
func TestGuideShowIsTheTool(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for name, text := range map[string]string{
		".sectile.yaml": "categories:\n  docs:\n    dir: docs\n    patterns: [\"*.md\"]\n    vars: {version: \"1.2\"}\n  none:\n    dir: none\ncollections:\n  all: [docs]\n",
		"docs/intro.md": "# Intro <&>\r\n\r\nÄ \u2028 \"quoted\"\n", "docs/empty.md": "", "docs/bad.md": "\x00", "docs/t.md.mustache": "{{version}} {{project.name}} {{date}}",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	boundary := regexp.MustCompile(`guide-boundary-[0-9a-f-]{36}`)
	for _, args := range [][]string{
		{"docs", "intro"},
		{"docs", "empty.md"},
		{"docs", "t.md"},
		{"docs"},
		{"all"},
		{"all", "*.md"},
		{"docs", "**"},
		{"dosc"},
		{"none", "*"},
		{"docs", "x"},
		{"docs", "../x"},
		{"docs", "[a"},
		{"docs", "bad"},
		{"docs", "*.mustache"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			shown := boundary.ReplaceAllString(showGuide(t, dir, args...), "BOUNDARY")
			called := boundary.ReplaceAllString(callGuide(t, dir, args...), "BOUNDARY")
			if diff := cmp.Diff(called, shown); diff != "" {
				t.Errorf("-tool +command:\n%s", diff)
			}
			if !strings.HasPrefix(shown, `{"success":`) {
				t.Errorf("%s", shown)
			}
		})
	}
}

// showGuide returns what the command prints, without the line end.
func showGuide(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(testkit.BuildProgram(t), append([]string{"guide", "show", "--json", "--"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil && !strings.Contains(string(out), `"success":false`) && !strings.Contains(string(out), `"skipped":[`) {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// callGuide returns the text that the tool replies with.
func callGuide(t *testing.T, dir string, args ...string) string {
	t.Helper()
	arguments := map[string]string{"category": args[0]}
	if len(args) > 1 {
		arguments["pattern"] = args[1]
	}
	text, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(testkit.BuildProgram(t), "mcp", "--tools", "get_category_content")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
` + fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_category_content","arguments":%s}}`, text) + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(out) {
		var reply struct {
			ID     int
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal(line, &reply); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if reply.ID == 2 && len(reply.Result.Content) == 1 {
			return reply.Result.Content[0].Text
		}
	}
	t.Fatalf("no reply in %s", out)
	return ""
}

// TestGuideOfThisRepository validates the configuration of this repository.
func TestGuideOfThisRepository(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	root := filepath.Join("..", "..")
	stdout, stderr, code := run(t, nil, "guide", "validate", "--root", root)
	for line := range strings.Lines(stdout) {
		if !strings.HasPrefix(line, "ok ") {
			t.Error(line)
		}
	}
	if listed, _, _ := run(t, nil, "guide", "list", "--root", root); code != 0 || stderr != "" || !strings.Contains(listed, "\nstart: collection of ") {
		t.Errorf("exit code %d: %s%s%s", code, stdout, stderr, listed)
	}
}
