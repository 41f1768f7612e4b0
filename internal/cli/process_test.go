package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// What only a process of its own shows: exit codes, pipes that close, documents
// that are large or hostile, and what the program costs to start.

// run runs the program and returns what it printed and its exit code. It fails
// the test if that takes a minute.
func run(t *testing.T, stdin io.Reader, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), testkit.BuildProgram(t), args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &errs
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if strings.Contains(errs.String(), "goroutine ") {
		t.Errorf("the program panicked:\n%s", errs.String())
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// writeFile writes a document into a folder of the test's.
func writeFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExitCodes(t *testing.T) {
	doc := writeFile(t, "a.md", []byte("# A\n"))
	for _, tt := range []struct {
		args []string
		want int
	}{
		{[]string{"tree", doc}, 0},
		{[]string{"--version"}, 0},
		{[]string{"tree", "--help"}, 0},
		{[]string{"tree", "-p", "nothing", doc}, 0},
		{[]string{"tree", doc, "missing.md"}, 1},
		{[]string{"tree", "--json", "missing.md"}, 1},
		{[]string{"bounds", doc, "B"}, 1},
		{[]string{"bounds", "--json", doc, "B"}, 1},
		{[]string{"tree"}, 2},
		{[]string{"tree", "--nope", doc}, 2},
		{[]string{"nope"}, 2},
		{[]string{"sections", "-l", "H7", doc}, 2},
		{[]string{"tree", "[a"}, 1},
		{[]string{"bounds", doc, " "}, 2},
	} {
		if _, stderr, code := run(t, nil, tt.args...); code != tt.want {
			t.Errorf("sectile %q: exit code %d, want %d\n%s", tt.args, code, tt.want, stderr)
		}
	}
}

// TestLargeAndHostileDocuments lists the sections of documents of some megabytes; with
// SECTILE_LONG they are ten times as large, nearly what the program reads at all.
func TestLargeAndHostileDocuments(t *testing.T) {
	n := 100_000
	if testkit.Long() {
		n = 1_000_000
	}
	for _, tt := range []struct {
		name string
		src  string
		want string // how the list of sections begins
		n    int    // its lines
	}{
		{"many lines", "# A\n" + strings.Repeat("some words of text\n", 3*n), fmt.Sprintf("1-%d: # A\n", 3*n+1), 1},
		{"many headings", strings.Repeat("# a heading\n", n), "1-1: # a heading\n2-2: # a heading\n", n},
		{"a long line", strings.Repeat("word ", 2*n) + "\n\n# A", "3-3: # A\n", 1},
		{"a long heading", "# " + strings.Repeat("word ", 2*n), "1-1: # word word", 1},
		{"10,000 nested quotes", strings.Repeat("> ", 10_000) + "# a\n\n# B\n", "3-3: # B\n", 1},
		{"10,000 nested items", strings.Repeat("- ", 10_000) + "# a\n\n# B\n", "3-3: # B\n", 1},
		{"CRLF", "# A\r\n\r\ntext\r\n## B\r\n", "1-4: # A\n4-4: ## B\n", 2},
		{"CR only", "# A\r\rtext\r## B\r", "1-4: # A\n4-4: ## B\n", 2},
		{"mixed endings", "# A\r\rtext\n## B\r\n# C", "1-4: # A\n4-4: ## B\n5-5: # C\n", 3},
		{"BOM", "\uFEFF# A\n## B", "1-2: # A\n2-2: ## B\n", 2},
		{"BOM alone", "\uFEFF", "", 0},
		{"BOM and front matter", "\uFEFF---\n# no: heading\n---\n# A", "4-4: # A\n", 1},
		{"empty", "", "", 0},
		{"blank", "\n \n\t\n", "", 0},
		{"an open fence", "# A\n```\n# B\n", "1-3: # A\n", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stdout, stderr, code := run(t, nil, "sections", writeFile(t, "a.md", []byte(tt.src)))
			if code != 0 || stderr != "" {
				t.Errorf("exit code %d, standard error %q", code, stderr)
			}
			if !strings.HasPrefix(stdout, tt.want) || strings.Count(stdout, "\n") != tt.n {
				t.Errorf("got %d lines that begin with %.80q, want %d that begin with %q",
					strings.Count(stdout, "\n"), stdout, tt.n, tt.want)
			}
		})
	}
}

// TestManySmallDocumentsInMemory moves a document to which links of 1,500 small ones lead: what these
// take is reserved, or the runtime looks for garbage without end in a budget that is too small.
func TestManySmallDocumentsInMemory(t *testing.T) {
	dir := t.TempDir()
	testkit.WriteFile(t, filepath.Join(dir, ".sectile.yaml"), "")
	testkit.WriteFile(t, filepath.Join(dir, "a.md"), "# A\n")
	for i := range 1500 {
		testkit.WriteFile(t, filepath.Join(dir, fmt.Sprintf("%d.md", i)), "# B\n\n[a](a.md#a)\n")
	}
	testkit.BuildProgram(t)
	t.Setenv("GODEBUG", "gctrace=1")
	t.Chdir(dir)
	for _, args := range [][]string{{"mv", filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")}, {"undo"}} {
		_, stderr, code := run(t, nil, args...)
		if cycles := strings.Count(stderr, "\ngc "); code != 0 || cycles > 60 {
			t.Errorf("%s: exit code %d, garbage was cleared away %d times\n%.300s", args[0], code, cycles, stderr)
		}
	}
}

// TestLimit refuses what is one byte above the limit of 64 MiB, and takes what is
// just as large.
func TestLimit(t *testing.T) {
	src := append([]byte("# A\n"), bytes.Repeat([]byte("x"), 64<<20-3)...)
	path := writeFile(t, "a.md", src)
	_, stderr, code := run(t, nil, "sections", path)
	if want := "larger than the limit of 64 MiB"; code != 1 || !strings.Contains(stderr, want) {
		t.Errorf("exit code %d, standard error %q, want %q in it", code, stderr, want)
	}
	if err := os.Truncate(path, 64<<20); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := run(t, nil, "sections", path)
	if code != 0 || stdout != "1-2: # A\n" {
		t.Errorf("exit code %d, %q, standard error %q", code, stdout, stderr)
	}
	if stdout, _, code = run(t, bytes.NewReader(src[:64<<20]), "sections", "-"); code != 0 || stdout != "1-2: # A\n" {
		t.Errorf("from standard input: exit code %d, %q", code, stdout)
	}
}

// TestWholeOutput reads a long reply slowly through a pipe: every byte of it
// arrives.
func TestWholeOutput(t *testing.T) {
	const n = 200_000
	path := writeFile(t, "a.md", []byte(strings.Repeat("# a heading\n", n)))
	cmd := exec.Command(testkit.BuildProgram(t), "tree", "--json", path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond) // the pipe is full by now
	reply, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if got := bytes.Count(reply, []byte(`"level":"H1"`)); got != n || !bytes.HasSuffix(reply, []byte("]}}\n")) {
		t.Errorf("%d headings arrived, want %d; the reply ends with %q", got, n, reply[len(reply)-8:])
	}
}

// TestClosedPipe closes the pipe that the program writes to: it ends without a
// word.
func TestClosedPipe(t *testing.T) {
	path := writeFile(t, "a.md", []byte(strings.Repeat("# a heading\n", 200_000)))
	cmd := exec.Command(testkit.BuildProgram(t), "sections", path)
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
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }() // a signal or exit code 0: both are quiet
	select {
	case <-done:
	case <-time.After(time.Minute):
		_ = cmd.Process.Kill()
		t.Error("the program goes on after its output is closed")
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error: %s", stderr.String())
	}
}

// TestFullDevice prints to a device without room: that is told, and to look before an edit, which
// was made, is repeated.
func TestFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		testkit.Missing(t, "there is no /dev/full on this system")
	}
	defer full.Close()
	file := writeFile(t, "a.md", []byte("# A\n"))
	for _, args := range [][]string{{"sections", file}, {"--help"}, {"help", "edit"}, {"plan"}, {"--version"}, {"__complete", "tree", "--"}, {"edit", file, "A", "append", "--content", "More."}} {
		var stderr bytes.Buffer
		cmd := exec.Command(testkit.BuildProgram(t), args...)
		cmd.Stdout, cmd.Stderr = full, &stderr
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "no space left on device; if the command changes something, look before you repeat it") {
			t.Errorf("%v, standard error %q", err, stderr.String())
		}
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "More.") {
		t.Errorf("the edit is not made: %q, %v", text, err)
	}
}
