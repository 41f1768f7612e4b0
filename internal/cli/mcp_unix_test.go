//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/sectile/sectile/internal/testkit"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n"

// startServer starts a server, which has a minute, and returns what it reads from and the lines that it writes.
func startServer(t *testing.T, cmd *exec.Cmd) (in io.WriteCloser, lines *bufio.Reader) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() { timer.Stop() })
	return in, bufio.NewReader(out)
}

// TestServerSignals tells a server that has answered to end: it does so within a
// moment, with exit code 0 and nothing more for its client, though its input stays
// open.
func TestServerSignals(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			caught := make(chan os.Signal, 1) // who runs the tests may ignore it, and so would the server
			signal.Notify(caught, sig)
			defer signal.Stop(caught)
			cmd := exec.Command(testkit.BuildProgram(t), "mcp")
			cmd.Dir = t.TempDir()
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			in, lines := startServer(t, cmd)
			defer in.Close()
			if _, err := io.WriteString(in, initialize); err != nil {
				t.Fatal(err)
			}
			if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, `"serverInfo"`) {
				t.Fatalf("%q, %v, standard error %q", line, err, stderr.String())
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(lines)
			if err := cmd.Wait(); err != nil || len(rest) > 0 || stderr.Len() > 0 {
				t.Errorf("%v, then %q, standard error %q", err, rest, stderr.String())
			}
		})
	}
}

// TestServerWithoutHangup: a server that was started with SIGHUP ignored, as by nohup, goes on after it.
func TestServerWithoutHangup(t *testing.T) {
	cmd := exec.Command("/bin/sh", "-c", `trap "" HUP; exec "$0" mcp`, testkit.BuildProgram(t))
	cmd.Dir = t.TempDir()
	in, lines := startServer(t, cmd)
	for _, message := range []string{initialize, `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n"} {
		if _, err := io.WriteString(in, message); err != nil {
			t.Fatal(err)
		}
		if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, `"result"`) {
			t.Fatalf("%q, %v", line, err)
		}
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond) // one that ends by it has ended then
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestServerInput ends with the input, however little there was of it, and keeps
// to itself what a client need not know.
func TestServerInput(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"\n", ""},
		{initialize, `"serverInfo"`},
	} {
		stdout, stderr, code := run(t, strings.NewReader(tt.in), "mcp")
		if code != 0 || stderr != "" || !strings.Contains(stdout, tt.want) {
			t.Errorf("%q: exit code %d, %q, standard error %q", tt.in, code, stdout, stderr)
		}
	}
}

// TestServerOnTerminal tells a person who runs the server by hand what it is for,
// on standard error, and goes on.
func TestServerOnTerminal(t *testing.T) {
	cmd := exec.Command(testkit.BuildProgram(t), "mcp")
	cmd.Dir = t.TempDir()
	terminal, tty, err := pty.Open()
	if err != nil {
		testkit.Missing(t, "there are no pseudo-terminals here: "+err.Error())
	}
	defer terminal.Close()
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	if _, err := terminal.WriteString(initialize + "\x04"); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(stdout.String(), `"serverInfo"`) || strings.Contains(stdout.String(), "sectile mcp --help") {
		t.Errorf("standard output %q", stdout.String())
	}
	if got := stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "sectile mcp --help") {
		t.Errorf("standard error %q, want one line of advice", got)
	}
}

// TestConfigOfAnotherProgram prints the path of this program if the PATH leads to
// another one of its name, and its name if a link leads to it.
func TestConfigOfAnotherProgram(t *testing.T) {
	other, linked := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "sectile"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(testkit.BuildProgram(t), filepath.Join(linked, "sectile")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ path, client, want string }{
		{other, "claude-code", testkit.BuildProgram(t)},
		{linked, "claude-code", "sectile"},
		{linked, "claude-desktop", filepath.Join(linked, "sectile")},
		{other, "claude-desktop", testkit.BuildProgram(t)},
		{t.TempDir(), "codex", testkit.BuildProgram(t)},
	} {
		t.Setenv("PATH", tt.path)
		stdout, stderr, code := run(t, nil, "mcp", "--print-config", tt.client)
		if code != 0 || !strings.Contains(stdout, `"`+tt.want+`"`) {
			t.Errorf("%s with PATH %s: exit code %d, %s%s, want %s", tt.client, tt.path, code, stdout, stderr, tt.want)
		}
	}
}

// TestConfigOfBytes refuses what no configuration can hold.
func TestConfigOfBytes(t *testing.T) {
	stdout, stderr, code := run(t, nil, "mcp", "--root", "\xff", "--print-config", "codex")
	if code != 2 || stdout != "" || !strings.Contains(stderr, "is not UTF-8") {
		t.Errorf("exit code %d, %q, standard error %q", code, stdout, stderr)
	}
}

// TestConfigForEverything refuses for Claude Desktop the root that the server
// would: who is in the home folder has to name one.
func TestConfigForEverything(t *testing.T) {
	home := t.TempDir()
	testkit.BuildProgram(t) // with the home folder that Go knows
	t.Setenv("HOME", home)
	t.Chdir(home)
	stdout, stderr, code := run(t, nil, "mcp", "--print-config", "claude-desktop")
	if code == 0 || stdout != "" || !strings.Contains(stderr, "--allow-broad-root") {
		t.Errorf("exit code %d, %q, standard error %q", code, stdout, stderr)
	}
	if stdout, _, code = run(t, nil, "mcp", "--allow-broad-root", "--print-config", "claude-desktop"); code != 0 || !strings.Contains(stdout, home) {
		t.Errorf("with leave: exit code %d, %q", code, stdout)
	}
}
