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

	"github.com/sectile/sectile/internal/testkit"
)

// TestSpecialFiles names what is no document: none is waited for.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "pipe.md")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	loop := filepath.Join(dir, "loop.md")
	if err := os.Symlink("loop.md", loop); err != nil {
		t.Fatal(err)
	}
	dangling := filepath.Join(dir, "dangling.md")
	if err := os.Symlink("nowhere", dangling); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		fifo:                      "not_a_file",
		"/dev/null":               "not_a_file",
		loop:                      "go round in a circle",
		dangling:                  "file_not_found",
		dir + "/a\x01b.md":        "file_not_found",
		strings.Repeat("a", 5000): "no file can have this name",
	} {
		_, stderr, code := run(t, nil, "tree", path)
		if code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%.60q: exit code %d, standard error %q, want %q in it", path, code, stderr, want)
		}
	}
	// A folder that holds them shows the documents beside them alone.
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("# A\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := run(t, nil, "sections", dir)
	if want := filepath.Join(dir, "a.md") + ":1-1: # A\n"; stdout != want || stderr != "" || code != 0 {
		t.Errorf("folder: exit code %d, %q, standard error %q, want %q", code, stdout, stderr, want)
	}
}

// TestUnreadable reads what it has no right to, as another user if this one may
// read everything.
func TestUnreadable(t *testing.T) {
	// The program must be reachable by another user: not below a folder that is
	// this one's alone.
	dir, err := os.MkdirTemp("", "sectile-unreadable") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	program := copyProgram(t, dir)
	for name, mode := range map[string]os.FileMode{"secret.md": 0, "open.md": 0o644} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("# A\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "locked"), 0o000); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"sections .", "open.md:1-1: # A\n"},
		{"list .", "open.md:1 1w "},
		{"search A .", "1 section in 1 of 1 document\nopen.md:1 h1.0 #"},
		{"search --text A .", "1 line in 1 section, in 1 of 1 document\nopen.md:1 h1.0 #"},
		{"search --regex ^..A .", "1 line in 1 section, in 1 of 1 document\nopen.md:1 h1.0 #"},
		{"search -l A .", "open.md\n"},
	} {
		cmd := exec.Command(program, strings.Fields(c.args)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir) // this one's own may be closed to the other
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		_ = cmd.Run()
		if got := stdout.String(); !strings.HasPrefix(got, c.want) || strings.Contains(got, "secret") {
			t.Errorf("%s: got %q, want %q", c.args, got, c.want)
		}
		for _, want := range []string{"sectile: permission: secret.md: ", "sectile: permission: locked: "} {
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("%s: standard error %q, want %q in it", c.args, stderr.String(), want)
			}
		}
		if code := cmd.ProcessState.ExitCode(); code != 1 {
			t.Errorf("%s: exit code %d, want 1", c.args, code)
		}
	}
}

// copyProgram copies the program into dir, for every user to run.
func copyProgram(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(testkit.BuildProgram(t))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "sectile")
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}
