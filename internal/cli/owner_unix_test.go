//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOthersConfigurations runs the program as a user in a project of another: its
// configuration is not obeyed, and says so, until the user trusts it; documents are read
// all the same.
func TestOthersConfigurations(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	// Not below a folder that is this user's alone.
	dir, err := os.MkdirTemp("", "sectile-others") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	program := copyProgram(t, dir)
	const nobody = 65534
	home := filepath.Join(dir, "home")
	for path, text := range map[string]string{
		"shared/.sectile.yaml": "categories: {all: {dir: private, patterns: ['*']}}\nplan: {store: file, file: evil.md}\n",
		"shared/mine/a.md":     "# A\n\nText.\n", "shared/private/b.md": "# PRIVATE\n",
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{filepath.Join(dir, "shared"), dir} { // as /tmp is
		if err := os.Chmod(path, 0o777|os.ModeSticky); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(home, "sectile"), 0o755); err != nil {
		t.Fatal(err)
	}
	as := func(in string, args ...string) (out, errs string, code int) {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Stdin = filepath.Join(dir, "shared", "mine"), strings.NewReader(in)
		cmd.Env = []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "PATH=" + os.Getenv("PATH")}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		_ = cmd.Run()
		return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
	}
	line := "trust: {folders: [" + filepath.Join(dir, "shared") + "]}"
	for _, args := range [][]string{
		{"guide", "list"},
		{"guide", "show", "all"},
		{"guide", "validate"},
		{"guide", "add", "x", "--dir", "mine"},
		{"plan", "show"},
		{"plan", "goal", "docs(x): written"},
		{"plan", "show", "--json"},
		{"doctor"},
	} {
		out, errs, code := as("", args...)
		if code != 1 || strings.Contains(out, "PRIVATE") || !strings.Contains(out+errs, "belongs to another user (number 0)") || !strings.Contains(out+errs, line) {
			t.Errorf("%q: exit code %d, %q, standard error %q", args, code, out, errs)
		}
	}
	if out, errs, code := as("", "tree", "a.md"); code != 0 || !strings.Contains(out, "A") {
		t.Errorf("documents: exit code %d, %q, standard error %q", code, out, errs)
	}
	const start = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	call := func(tool, arguments string) string {
		out, _, _ := as(start+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`+"\n", "mcp")
		return out
	}
	if out := call("read_file", `{"path":"a.md"}`); !strings.Contains(out, "Text.") {
		t.Errorf("a server reads no document: %s", out)
	}
	for tool, arguments := range map[string]string{
		"get_category_content": `{"category":"all"}`, "list_categories": `{}`, "gather_requirements": `{}`,
		"set_overarching_goal": `{"goal":{"type":"docs","scope":"x","title":"written"}}`,
	} {
		if out := call(tool, arguments); strings.Contains(out, "PRIVATE") || !strings.Contains(out, "belongs to another user (number 0)") || !strings.Contains(out, line) {
			t.Errorf("%s: %s", tool, out)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "shared")); err != nil || len(entries) != 3 {
		t.Errorf("written: %v, %v", entries, err)
	}
	if err := os.WriteFile(filepath.Join(home, "sectile", "config.yaml"), []byte(line+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := as("", "guide", "show", "all"); code != 0 || !strings.Contains(out, "PRIVATE") { // root's own file is obeyed
		t.Errorf("trusted: exit code %d, %q, standard error %q", code, out, errs)
	}
}
