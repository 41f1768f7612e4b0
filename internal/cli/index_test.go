package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// TestNoDocument names no document and pipes none: that is a wrong command, not
// an empty document, and nothing waits for a terminal.
func TestNoDocument(t *testing.T) {
	for _, args := range [][]string{{"index"}, {"index", "--json"}, {"select", "h1.0"}} {
		stdout, stderr, code := run(t, nil, args...)
		told, other := stderr, stdout
		if slices.Contains(args, "--json") {
			told, other = stdout, stderr
		}
		if want := "name a document, or pipe one"; code != 2 || other != "" || !strings.Contains(told, want) {
			t.Errorf("sectile %q: exit code %d, %q, %q", args, code, stdout, stderr)
		}
	}
	// A file is piped as well as a program's output.
	f, err := os.Open(writeFile(t, "a.md", []byte("# A\n")))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if stdout, _, code := run(t, f, "index"); code != 0 || stdout != "h1.0 A\n" {
		t.Errorf("from a file: exit code %d, %q", code, stdout)
	}
	if stdout, _, code := run(t, strings.NewReader("# A\n"), "select", "h1.0"); code != 0 || stdout != "# A\n" {
		t.Errorf("from a pipe: exit code %d, %q", code, stdout)
	}
}

// TestWholeSelection reads large replies slowly through a pipe: every byte of
// them arrives.
func TestWholeSelection(t *testing.T) {
	section := "## A\n\n" + strings.Repeat("word ", 50_000) + "\n"
	src := []byte("# All\n\n" + strings.Repeat(section+"\n", 20))
	path := writeFile(t, "a.md", src)
	for _, tt := range []struct {
		args []string
		ok   func([]byte) bool
	}{
		{[]string{"select", "h1.0", path}, func(out []byte) bool {
			return bytes.Equal(bytes.TrimRight(out, "\n"), bytes.TrimRight(src, "\n"))
		}},
		{[]string{"select", "h2", path}, func(out []byte) bool {
			return bytes.Count(out, []byte(section)) == 20 && bytes.Contains(out, []byte("\nh2.19:\n"))
		}},
		{[]string{"select", "--json", "h2", path}, json.Valid},
		{[]string{"index", "--json", path}, json.Valid},
	} {
		cmd := exec.Command(testkit.BuildProgram(t), tt.args...)
		pipe, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond) // the pipe is full by now
		out, err := io.ReadAll(pipe)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil || !tt.ok(out) {
			t.Errorf("sectile %q: %v, %d bytes: %.100q", tt.args, err, len(out), out)
		}
	}
}

// TestClosedSelection closes the pipe that the program writes to: it ends without
// a word, with either name.
func TestClosedSelection(t *testing.T) {
	path := writeFile(t, "a.md", []byte(strings.Repeat("# A\n\nsome words\n\n", 100_000)))
	for _, command := range []string{testkit.BuildProgram(t), linked(t)} {
		cmd := exec.Command(command, "select", "h1", path)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // a signal or exit code 0: both are quiet
		if stderr.Len() > 0 {
			t.Errorf("standard error: %s", stderr.String())
		}
	}
}

// TestFullSelection writes to a device without room: that is told.
func TestFullSelection(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		testkit.Missing(t, "there is no /dev/full on this system")
	}
	defer full.Close()
	path := writeFile(t, "a.md", []byte("# A\n"))
	for _, command := range []string{testkit.BuildProgram(t), linked(t)} {
		for _, args := range [][]string{{"index", path}, {"select", "h1.0", path}} {
			var stderr bytes.Buffer
			cmd := exec.Command(command, args...)
			cmd.Stdout, cmd.Stderr = full, &stderr
			if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "no space left") {
				t.Errorf("%q: %v, standard error %q", args, err, stderr.String())
			}
		}
	}
}

// TestStart refuses packages that make every run slower, also through the link. What
// they allocate before main counts, which is the same in every run, whatever else the
// machine does.
func TestStart(t *testing.T) {
	const (
		maxBytes  = 100 << 10
		maxAllocs = 500
	)
	path := writeFile(t, "a.md", []byte("# A\n"))
	for _, command := range []string{linked(t), testkit.BuildProgram(t)} {
		cmd := exec.Command(command, "index", path)
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		packages := 0
		for line := range strings.Lines(stderr.String()) {
			var (
				name       string
				at, took   float64
				size, many int
			)
			if n, _ := fmt.Sscanf(line, "init %s @%f ms, %f ms clock, %d bytes, %d allocs", &name, &at, &took, &size, &many); n < 5 {
				continue
			}
			packages++
			if size > maxBytes || many > maxAllocs {
				t.Errorf("package %s allocates %d bytes in %d pieces at start, more than %d or %d", name, size, many, maxBytes, maxAllocs)
			}
		}
		if packages < 5 {
			t.Errorf("the traces have %d packages", packages)
		}
	}
}
