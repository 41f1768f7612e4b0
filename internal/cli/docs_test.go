package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testprogram"
)

// Documentation shows commands with what they print, in blocks of code marked
// "console". They are run here from the top of the repository, so that no page
// shows what the program does not do; `-update` writes the outputs anew. A page whose
// commands write has a folder of its own. A command that is to fail says so in a
// comment.

// writingPages are the pages whose commands write. They are run in the folder that is
// named behind, in which the files of a folder of examples are.
var writingPages = map[string]struct{ dir, at, examples string }{
	"tutorial-editing.md": {"editing", "docs/examples", "docs/examples"},
	"tutorial-guides.md":  {"kettle", ".", "docs/examples/kettle"},
	"tutorial-plans.md":   {"plans", ".", "docs/examples/kettle"},
}

// exitComment is that comment; its first group is the exit code.
var exitComment = regexp.MustCompile(`# exit (\d+)\n$`)

// consoleBlock is such a block; its first group is what stands between the fences.
var consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$") //nolint:gocritic // with (?m) each line has a ^

func TestDocumentedCommands(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	scratch := t.TempDir()
	commands := 0
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		old, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		dir := root
		if p, ok := writingPages[filepath.Base(page)]; ok {
			dir = filepath.Join(scratch, p.dir)
			if err := os.CopyFS(filepath.Join(dir, p.at), os.DirFS(filepath.Join(root, p.examples))); err != nil {
				t.Fatal(err)
			}
		}
		text := consoleBlock.ReplaceAllFunc(old, func(block []byte) []byte {
			body := consoleBlock.FindSubmatch(block)[1]
			var out bytes.Buffer
			for line := range bytes.Lines(body) {
				if bytes.HasPrefix(line, []byte("$ ")) {
					commands++
					out.Write(line)
					out.WriteString(shell(t, dir, string(line[2:])))
				}
			}
			return []byte("```console\n" + out.String() + "```")
		})
		switch {
		case bytes.Equal(text, old):
		case *update:
			if err := os.WriteFile(page, text, 0o600); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s shows another output than the program: run go test ./internal/cli -run DocumentedCommands -update and look at the difference", page)
		}
	}
	if commands < 6 {
		t.Errorf("%d commands were run, want at least 6", commands)
	}
}

// shell runs a command line in dir with the program in the path, and returns what
// it prints.
func shell(t *testing.T, dir, command string) string {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		testprogram.Missing(t, "there is no sh here to run the documented commands with")
	}
	cmd := exec.Command(sh, "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(testprogram.Build(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	want := "0"
	if comment := exitComment.FindStringSubmatch(command); comment != nil {
		want = comment[1]
	}
	if got := fmt.Sprint(cmd.ProcessState.ExitCode()); got != want {
		t.Errorf("%s: exit code %s, want %s: %v\n%s", strings.TrimSpace(command), got, want, err, out)
	}
	return string(out)
}
