//go:build unix

package cli_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/sectile/sectile/internal/testkit"
)

// onTerminal runs the program with its standard output and error on a terminal,
// and returns what that shows.
func onTerminal(t *testing.T, env []string, args ...string) string {
	t.Helper()
	return watchTerminal(t, nil, nil, env, args...)
}

// watchTerminal is onTerminal with standard input, and with somebody who is told of
// what is shown.
func watchTerminal(t *testing.T, stdin io.Reader, watcher io.Writer, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(testkit.BuildProgram(t), args...)
	cmd.Stdin = stdin
	cmd.Env = append(os.Environ(), append([]string{"NO_COLOR=", "TERM=xterm"}, env...)...)
	shown := shownOn(t, cmd, watcher, nil)
	if !cmd.ProcessState.Success() {
		t.Errorf("%v: %s", cmd.ProcessState, shown)
	}
	return shown
}

// shownOn runs a command with its standard output and error on a terminal of a size, nil
// for one without, and returns what that shows.
func shownOn(t *testing.T, cmd *exec.Cmd, watcher io.Writer, size *pty.Winsize) string {
	t.Helper()
	terminal, tty, err := pty.Open()
	if err != nil {
		testkit.Missing(t, "there are no pseudo-terminals here: "+err.Error())
	}
	defer terminal.Close()
	if size != nil {
		if err := pty.Setsize(tty, size); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Stdout, cmd.Stderr = tty, tty
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = tty.Close()
	var shown bytes.Buffer
	to := io.Writer(&shown)
	if watcher != nil {
		to = io.MultiWriter(&shown, watcher)
	}
	_, _ = io.Copy(to, terminal) // ends with an error when the program does
	_ = cmd.Wait()               // its state is told
	return shown.String()
}

func TestColours(t *testing.T) {
	path := writeFile(t, "a.md", []byte("# A\n"))
	for _, tt := range []struct {
		env, args []string
		want      bool
	}{
		{nil, []string{"tree", path}, true},
		{nil, []string{"sections", path}, true},
		{[]string{"NO_COLOR=1"}, []string{"tree", path}, false},
		{[]string{"TERM=dumb"}, []string{"tree", path}, false},
		{nil, []string{"tree", "--color", "never", path}, false},
		{nil, []string{"tree", "--json", path}, false},
		{[]string{"NO_COLOR=1"}, []string{"tree", "--color", "always", path}, true},
		{[]string{"CLICOLOR=0"}, []string{"tree", path}, false},
		{nil, []string{"read", path, "A"}, true},
		{nil, []string{"read", "--color", "never", path, "A"}, false},
		{nil, []string{"replace", "--dry-run", path, "A", "B"}, true},
		{[]string{"NO_COLOR=1"}, []string{"replace", "--dry-run", path, "A", "B"}, false},
	} {
		shown := onTerminal(t, tt.env, tt.args...)
		if got := strings.Contains(shown, "\x1b["); got != tt.want || !strings.Contains(shown, "A") {
			t.Errorf("%q %q: colours %v, want %v: %q", tt.env, tt.args, got, tt.want, shown)
		}
	}
}

// TestForcedColours: what asks for colours gets them in a pipe, too, and a patch has none.
func TestForcedColours(t *testing.T) {
	path := writeFile(t, "a.md", []byte("# A\n"))
	for _, tt := range []struct {
		force, no, color string
		want             bool
	}{
		{"1", "", "auto", true},
		{"0", "", "auto", false},
		{"1", "1", "auto", false},
		{"1", "", "never", false},
	} {
		t.Setenv("CLICOLOR_FORCE", tt.force)
		t.Setenv("NO_COLOR", tt.no)
		if out, _, code := run(t, nil, "tree", "--color", tt.color, path); code != 0 || strings.Contains(out, "\x1b") != tt.want {
			t.Errorf("%+v: exit code %d, %q", tt, code, out)
		}
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("CLICOLOR_FORCE", "1")
	if out, _, code := run(t, nil, "replace", "--dry-run", path, "A", "B"); code != 0 || strings.Contains(out, "\x1b") {
		t.Errorf("exit code %d, %q", code, out)
	}
}

// TestDifferenceIsColoured: lines that go are red, lines that come green, on a terminal.
func TestDifferenceIsColoured(t *testing.T) {
	path := writeFile(t, "a.md", []byte("# A\n\n-- old\n"))
	shown := onTerminal(t, nil, "replace", "--diff", path, "--", "-- old", "new")
	for _, want := range []string{"\x1b[1m--- ", "\x1b[36m@@ -1,3 +1,3 @@\x1b[0m\r\n", " # A\r\n", "\x1b[31m--- old\x1b[0m\r\n", "\x1b[32m+new\x1b[0m\r\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not in %q", want, shown)
		}
	}
}

// TestNarrowTerminal shows help, tables and messages in lines that fit.
func TestNarrowTerminal(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".sectile.yaml"), []byte("categories:\n  docs:\n    dir: .\n    description: "+strings.Repeat("many words ", 20)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code int
		want string // words that stand at the ends of two lines
	}{
		{[]string{"tree", "--help"}, 0, "counts the\r\ndocuments, sections and lines"},
		{[]string{"guide", "list", "--root", dir}, 0, "many words\r\n    many words"},
		{[]string{"raed"}, 2, "\"raed\" for\r\n  \"sectile\"; did you"},
	} {
		cmd := exec.Command(testkit.BuildProgram(t), tt.args...)
		cmd.Env = append(os.Environ(), "NO_COLOR=1", "TERM=xterm")
		shown := shownOn(t, cmd, nil, &pty.Winsize{Cols: 60, Rows: 24})
		if code := cmd.ProcessState.ExitCode(); code != tt.code || !strings.Contains(shown, tt.want) {
			t.Errorf("%q: exit code %d, %q", tt.args, code, shown)
		}
		for line := range strings.Lines(shown) {
			if len(line) > 62 {
				t.Errorf("%q: %q is too long", tt.args, line)
			}
		}
	}
}

// TestTotalsOnTerminal shows the number of matches below the text, apart from it.
func TestTotalsOnTerminal(t *testing.T) {
	path := writeFile(t, "a.md", []byte("# A\n"))
	if shown := onTerminal(t, nil, "select", "h1", path, filepath.Dir(path)); !strings.Contains(shown, "\r\n\r\n\x1b[2m2 matches in 2 documents\r\n\x1b[0m") {
		t.Errorf("the terminal shows %q", shown)
	}
}

// writerFunc is a function that is told of what is written.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestProgress sends a document on standard input when the bar is there, which goes
// before the result is printed.
func TestProgress(t *testing.T) {
	for result, args := range map[string][]string{
		"stdin:1-1: # late":      {"sections", "--color", "never"},
		"stdin::h1.0:\r\n# late": {"select", "h1"},
		"stdin stdin":            {"index", "--color", "never"},
	} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel() // each waits for a second
			testProgress(t, result, args...)
		})
	}
}

// testProgress is TestProgress for a command, of whose result it knows the beginning.
func testProgress(t *testing.T, begins string, args ...string) {
	dir := t.TempDir()
	for _, name := range []string{"a.md", "b.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("# A\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	seen := ""
	shown := watchTerminal(t, in, writerFunc(func(p []byte) (int, error) {
		if before := seen; !strings.Contains(before, "files") {
			if seen += string(p); strings.Contains(seen, "files") {
				_, _ = out.WriteString("# late\n")
				_ = out.Close()
			}
		}
		return len(p), nil
	}), nil, append(args, "-", dir)...)
	bar, result, ok := strings.Cut(shown, begins)
	if !ok || !strings.Contains(bar, "] 0 of 3 files") || !strings.HasSuffix(bar, "\r\x1b[K") {
		t.Errorf("the terminal shows %q", shown)
	}
	// It may come once more before the program ends, and is erased then, too.
	if left := result[strings.LastIndex(result, "\x1b[K")+1:]; strings.Contains(left, "files") {
		t.Errorf("the bar stays: %q", result)
	}
}

// TestTextOnTerminal shows the text of a document so that nothing acts on a terminal; a pipe
// gets it to the byte.
func TestTextOnTerminal(t *testing.T) {
	const hostile = "a\x1b[2Jb\u009b31m\u202e"
	dir := t.TempDir()
	path := filepath.Join(dir, "a.md")
	for name, text := range map[string]string{path: "# A\n\n" + hostile + "\n\n\told\n", filepath.Join(dir, ".sectile.yaml"): "categories: {docs: {dir: ., patterns: [a.md]}}\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{path, "A"},
		{"read", path, "--plain"},
		{"select", "h1.0", path},
		{"guide", "show", "docs", "--root", dir},
	} {
		shown := onTerminal(t, []string{"NO_COLOR=1"}, args...)
		if strings.ContainsAny(shown, "\x1b\u009b\u202e") || !strings.Contains(shown, "a\uFFFD[2Jb\uFFFD31m\uFFFD") || !strings.Contains(shown, "\told") {
			t.Errorf("%q: a terminal shows %q", args, shown)
		}
		if text, _, code := run(t, nil, args...); code != 0 || !strings.Contains(text, hostile) {
			t.Errorf("%q: exit code %d, a pipe gets %q", args, code, text)
		}
	}
	if shown := onTerminal(t, nil, "select", "--json", "h1.0", path); !strings.Contains(shown, `a\u001b[2Jb\u009b31m\u202e`) {
		t.Errorf("JSON is another one: %q", shown)
	}
}

// TestContentsOnTerminal: neither does a table of contents act there, which a pipe gets to the
// byte.
func TestContentsOnTerminal(t *testing.T) {
	path := writeFile(t, "a.md", []byte("# A\n\n## b\x1bZc\u202e\n"))
	if shown := onTerminal(t, []string{"NO_COLOR=1"}, "toc", path); strings.ContainsAny(shown, "\x1b\u202e") || !strings.Contains(shown, "b\uFFFDZc\uFFFD") {
		t.Errorf("a terminal shows %q", shown)
	}
	if shown := onTerminal(t, nil, "toc", "--json", path); !strings.Contains(shown, `\u001bZc\u202e`) {
		t.Errorf("JSON is another one: %q", shown)
	}
	if text, _, code := run(t, nil, "toc", path); code != 0 || !strings.Contains(text, "\x1b") || !strings.Contains(text, "c\u202e") {
		t.Errorf("exit code %d, a pipe gets %q", code, text)
	}
}

// TestAnnotationsOnTerminal: neither do annotations act there by the name of a file, which a pipe gets to
// the byte; nor does a graph.
func TestAnnotationsOnTerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	path := writeFile(t, "a\x1bZc\u202e.md", []byte("# A\n\n[x](gone.md)\n"))
	for _, args := range [][]string{{"--format", "github"}, {"--graph", "dot"}, {"--graph", "mermaid"}, {"--graph", "json"}, {"--broken"}} {
		if shown := shownOn(t, exec.Command(testkit.BuildProgram(t), append([]string{"links", path}, args...)...), nil, nil); strings.ContainsAny(shown, "\x1b\u202e") {
			t.Errorf("%q: a terminal shows %q", args, shown)
		}
	}
	if text, _, _ := run(t, nil, "links", path, "--format", "github"); !strings.Contains(text, "a\x1bZc\u202e.md,line=3") {
		t.Errorf("a pipe gets %q", text)
	}
}

// TestQuotedOnTerminal: neither does what an error quotes of a document act there, and a
// pipe gets it to the byte.
func TestQuotedOnTerminal(t *testing.T) {
	const hostile = "a\x1b[2Jb\u009b31m\u202e"
	path := writeFile(t, "a.md", []byte("# A\n\n"+hostile+"\n\n\told\n"))
	args := []string{"edit", path, "A", "append", "--content", "x", "--expected-hash", "0123456789abcdef"}
	shown := shownOn(t, exec.Command(testkit.BuildProgram(t), args...), nil, nil)
	if strings.ContainsAny(shown, "\x1b\u009b\u202e") || !strings.Contains(shown, "a\uFFFD[2Jb\uFFFD31m\uFFFD") || !strings.Contains(shown, "\told") {
		t.Errorf("a terminal shows %q", shown)
	}
	if _, text, code := run(t, nil, args...); code != 1 || !strings.Contains(text, hostile) {
		t.Errorf("exit code %d, a pipe gets %q", code, text)
	}
}

// TestDifferenceOnTerminal shows the difference of a dry run so that nothing acts on a
// terminal; a pipe gets the patch to the byte.
func TestDifferenceOnTerminal(t *testing.T) {
	const hostile = "a\x1b[2Jb\u009b31m\u202e"
	path := writeFile(t, "a.md", []byte("# A\n\n"+hostile+"\n\n\told\n"))
	for _, args := range [][]string{
		{"replace", "--dry-run", path, "old", "new"},
		{"edit", "--dry-run", path, "A", "append", "--content", hostile},
		{"edit", "--diff", path, "A", "append", "--content", hostile + "\n\n\told"},
	} {
		shown := onTerminal(t, []string{"NO_COLOR=1"}, args...)
		if strings.ContainsAny(shown, "\x1b\u009b\u202e") || !strings.Contains(shown, "a\uFFFD[2Jb\uFFFD31m\uFFFD") || !strings.Contains(shown, "\told") {
			t.Errorf("%q: a terminal shows %q", args, shown)
		}
		if patch, _, code := run(t, nil, args...); code != 0 || !strings.Contains(patch, hostile) {
			t.Errorf("%q: exit code %d, a pipe gets %q", args, code, patch)
		}
	}
}

// TestJSONOnTerminal: JSON has no colours, and nothing in it acts on a terminal.
func TestJSONOnTerminal(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")
	testkit.WriteFile(t, one, "# A\u202e\n\nold [x](b.md)\n")
	testkit.WriteFile(t, two, "# A\u202e\n\nnew\n")
	testkit.WriteFile(t, dir+"/c\u202e.md", "[x](b.md)\n")
	for _, args := range [][]string{
		{"diff", "--json", one, two},
		{"links", "--graph", "json", dir},
		{"links", "--json", dir},
		{"search", "--json", "old", dir},
	} {
		if shown := onTerminal(t, []string{"TERM=xterm-256color"}, args...); strings.ContainsAny(shown, "\x1b\u202e") || strings.Contains(shown, "\n\r\n") || !strings.HasPrefix(shown, "{") {
			t.Errorf("%q: a terminal shows %q", args, shown)
		}
	}
}
