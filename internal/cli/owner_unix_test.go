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

// TestUnreadableConfiguration changes a document where a configuration that may say what is kept can't
// be read: nothing is kept and nothing cleared away if it is, or may be, the user's own, and what is
// usual is kept if it is somebody else's.
func TestUnreadableConfiguration(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	dir, err := os.MkdirTemp("", "sectile-unreadable") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	program := copyProgram(t, dir)
	const root, user, other = 0, 65534, 12345
	for name, tt := range map[string]struct {
		folder, file         int // whose
		folderMode, fileMode os.FileMode
		own                  bool
	}{
		"the user's file":                        {user, user, 0o700, 0, true},
		"a file in a folder that is closed":      {user, user, 0, 0o600, true},
		"root's in the user's folder":            {user, root, 0o700, 0o600, true},
		"the user's in root's folder":            {root, user, 0o755, 0, true},
		"root's":                                 {root, root, 0o755, 0o600, false},
		"root's in a folder that is closed":      {root, root, 0o700, 0o600, false},
		"another's in the user's folder":         {user, other, 0o700, 0o600, false},
		"another's in a folder that is closed":   {other, other, 0o700, 0o600, false},
		"another's that may be read, not obeyed": {user, other, 0o700, 0o644, false},
	} {
		t.Run(name, func(t *testing.T) {
			home := filepath.Join(dir, strings.Map(func(c rune) rune {
				if c < 'a' || c > 'z' {
					return '-'
				}
				return c
			}, name))
			docs, settings := filepath.Join(home, "docs"), filepath.Join(home, "config", "sectile")
			file := filepath.Join(settings, "config.yaml")
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, folder := range []string{home, docs, filepath.Join(home, "config"), settings} {
				must(os.Mkdir(folder, 0o755))
				must(os.Chown(folder, user, user))
			}
			must(os.WriteFile(filepath.Join(docs, "a.md"), []byte("# A\n"), 0o644))
			must(os.Chown(filepath.Join(docs, "a.md"), user, user))
			must(os.WriteFile(file, []byte("journal: {days: 0}\n"), 0o600))
			must(os.Chmod(file, tt.fileMode))
			must(os.Chown(file, tt.file, tt.file))
			must(os.Chmod(settings, tt.folderMode))
			must(os.Chown(settings, tt.folder, tt.folder))
			cmd := exec.Command(program, "edit", "a.md", "A", "append", "--content", "more")
			cmd.Dir = docs
			cmd.Env = []string{"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "XDG_STATE_HOME=" + filepath.Join(home, "state")}
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
			out, err := cmd.CombinedOutput()
			if err != nil || strings.Contains(string(out), "no undo") != tt.own || strings.Contains(string(out), "; change ") == tt.own {
				t.Errorf("%v, %s", err, out)
			}
			copies, err := filepath.Glob(filepath.Join(home, "state", "sectile", "journal", "copies", "*"))
			if err != nil || (len(copies) == 0) != tt.own {
				t.Errorf("%q, %v", copies, err)
			}
		})
	}
}
