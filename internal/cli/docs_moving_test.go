package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// docs/moving.md says what the tools and commands of others are here. What it shows
// as a whole call or command is run, each in a folder of its own.

// wholeCall is a call of a tool in a line; its groups are the tool and the arguments.
var wholeCall = regexp.MustCompile("`([a-z]+_[a-z_]+) (\\{.*?\\})`")

// wholeCommand is a command in a line.
var wholeCommand = regexp.MustCompile("`((?:sectile|mdsel) [^`]*)`")

func TestMovingPage(t *testing.T) {
	page := readPage(t, filepath.Join("..", "..", "docs", "moving.md"))
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	programs := t.TempDir()
	if err := os.Symlink(testkit.BuildProgram(t), filepath.Join(programs, "mdsel")); err != nil {
		t.Skip("there are no links here: ", err)
	}
	t.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	calls, commands := 0, 0
	for line := range strings.Lines(page) {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		here := strings.Split(strings.ReplaceAll(line, `\|`, " or "), " | ")[1]
		for _, m := range wholeCall.FindAllStringSubmatch(here, -1) {
			calls++
			a := agents{}
			a.call(t, movedFolder(t), "", m[1]+" "+m[2])
			a.end()
		}
		for _, m := range wholeCommand.FindAllStringSubmatch(here, -1) {
			commands++
			shell(t, movedFolder(t), m[1])
		}
	}
	if calls < 40 || commands < 25 {
		t.Errorf("%d calls and %d commands were run, want at least 40 and 25", calls, commands)
	}
}

// movedFolder returns a new folder with the documents that the page is about.
func movedFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "docs", "examples", "moving"))); err != nil {
		t.Fatal(err)
	}
	return dir
}
