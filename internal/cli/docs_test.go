package cli_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// Documentation shows commands with what they print, in blocks of code marked
// "console", and calls of the server's tools with their replies, in blocks marked
// "mcp". They are run here from the top of the repository, so that no page shows what
// the program does not do; `-update` writes the outputs anew. A page whose commands
// write has a folder of its own. A command that is to fail says so in a comment, and
// so does a call. A row of a table that begins with a number and ends with a command of
// wc has the number that it prints.

// writingPages are the pages whose commands write. They are run in the folder that is
// named after, in which the files of a folder of examples are, if one is named.
var writingPages = map[string]struct{ dir, at, examples string }{
	"addresses.md":           {"addresses", ".", "docs/examples/parts"},
	"how-to-docs-folder.md":  {"docs-folder", ".", "docs/examples/kettle"},
	"how-to-find.md":         {"find", ".", ""},
	"how-to-large-plan.md":   {"large-plan", ".", "docs/examples/large-plan"},
	"how-to-links.md":        {"links", ".", "docs/examples/kettle"},
	"how-to-move.md":         {"move", ".", "docs/examples/kettle"},
	"how-to-share-a-plan.md": {"share-a-plan", ".", ""},
	"how-to-two-agents.md":   {"two-agents", ".", "docs/examples"},
	"how-to-workflow.md":     {"workflow", ".", "docs/examples/workflow"},
	"tutorial.md":            {"tutorial", ".", ""},
	"tutorial-editing.md":    {"editing", "docs/examples", "docs/examples"},
	"tutorial-many.md":       {"many", ".", ""},
	"tutorial-guides.md":     {"kettle", ".", "docs/examples/kettle"},
	"tutorial-plans.md":      {"plans", ".", "docs/examples/kettle"},
}

// exitComment is that comment; its first group is the exit code.
var exitComment = regexp.MustCompile(`# exit (\d+)\n$`)

// shownBlock is such a block: what it shows, the name of the server that is called,
// and what stands between the fences.
var shownBlock = regexp.MustCompile("(?ms)^```(console|mcp)(?: ([a-z]+))?\n(.*?)^```$") //nolint:gocritic // with (?m) each line has a ^

func TestDocumentedCommands(t *testing.T) {
	for _, name := range []string{"awk", "base64", "diff", "find", "grep", "sed"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Missing(t, "there is no "+name+" here, which documented commands need")
		}
	}
	root := filepath.Join("..", "..")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	scratch := t.TempDir()
	shown := map[string]int{}
	for _, page := range append(docsPages(t), filepath.Join(root, "README.md")) {
		old, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		dir := root
		if p, ok := writingPages[filepath.Base(page)]; ok {
			dir = filepath.Join(scratch, p.dir)
			examples := t.TempDir()
			if p.examples != "" {
				examples = filepath.Join(root, p.examples)
			}
			if err := os.CopyFS(filepath.Join(dir, p.at), os.DirFS(examples)); err != nil {
				t.Fatal(err)
			}
		}
		servers, ids := agents{}, knownIDs{}
		text := shownBlock.ReplaceAllFunc(old, func(block []byte) []byte {
			parts := shownBlock.FindSubmatch(block)
			kind, name := string(parts[1]), string(parts[2])
			head, _, _ := bytes.Cut(block, []byte("\n"))
			var out bytes.Buffer
			for line := range bytes.Lines(parts[3]) {
				switch {
				case kind == "console" && bytes.HasPrefix(line, []byte("$ ")):
					out.Write(line)
					out.WriteString(ids.shown(shell(t, dir, ids.real(string(line[2:])))))
				case kind == "mcp" && bytes.HasPrefix(line, []byte("> ")):
					out.Write(line)
					out.WriteString(ids.shown(withKnownMark(servers.call(t, dir, name, ids.real(string(line[2:]))))))
				default:
					continue
				}
				shown[kind]++
			}
			return fmt.Appendf(nil, "%s\n%s```", head, out.Bytes())
		})
		servers.end()
		rows := map[string]bool{}
		text = figureRow.ReplaceAllFunc(text, func(row []byte) []byte {
			shown["figure"]++
			command := string(figureRow.FindSubmatch(row)[3])
			if rows[command] {
				t.Errorf("%s tells twice of %s", page, command)
			}
			rows[command] = true
			return figure(t, dir, row)
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
	if shown["console"] < 100 || shown["mcp"] < 20 || shown["figure"] < 3 {
		t.Errorf("%v were run, want more of each", shown)
	}
}

// announcedMark finds the mark of a reply, which is another one each time.
var announcedMark = regexp.MustCompile(`^mark: ([a-z2-7]+) begins`)

// withKnownMark returns a reply with the mark that all pages have.
func withKnownMark(reply string) string {
	if m := announcedMark.FindStringSubmatch(reply); m != nil {
		return strings.ReplaceAll(reply, m[1], "k7q2mx")
	}
	return reply
}

// changeID finds the identifier of a change where a reply names it, which is another one each time.
var changeID = regexp.MustCompile(`(?m)(?:; change |(?:undone|done again)[a-z0-9 ]* by |"change":")([a-z2-7]{8})(?:$|[":])`)

// knownIDs are the identifiers of the changes that a page makes, each with the one that all runs show.
type knownIDs []string

// shown returns an output with the identifiers that the page shows.
func (k *knownIDs) shown(output string) string {
	for _, m := range changeID.FindAllStringSubmatch(output, -1) {
		if !slices.Contains(*k, m[1]) {
			sum := sha256.Sum256([]byte{byte(len(*k))})
			*k = append(*k, m[1], strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:len(m[1])])
		}
	}
	return strings.NewReplacer(*k...).Replace(output)
}

// real returns a command with the identifiers that the changes have.
func (k knownIDs) real(command string) string {
	pairs := slices.Clone(k)
	slices.Reverse(pairs)
	return strings.NewReplacer(pairs...).Replace(command)
}

// figureRow is such a row; its groups are the number, what is between, and the command.
var figureRow = regexp.MustCompile("(?m)^\\| ([\\d,]+) (\\|.*\\|) `([^`]*wc -m[^`]*)` \\|$")

// figure returns the row with the number that its command prints.
func figure(t *testing.T, dir string, row []byte) []byte {
	t.Helper()
	m := figureRow.FindSubmatch(row)
	number := strings.TrimSpace(shell(t, dir, strings.ReplaceAll(string(m[3]), `\|`, "|")))
	for i := len(number) - 3; i > 0; i -= 3 {
		number = number[:i] + "," + number[i:]
	}
	return fmt.Appendf(nil, "| %s %s `%s` |", number, m[2], m[3])
}

// docsPages returns the pages of the folder docs, without those of folders in it.
func docsPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal("there are no pages", err)
	}
	return pages
}

// shell runs a command line in dir with the program in the path, and returns what
// it prints.
func shell(t *testing.T, dir, command string) string {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		testkit.Missing(t, "there is no sh here to run the documented commands with")
	}
	cmd := exec.Command(sh, "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "PATH="+filepath.Dir(testkit.BuildProgram(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
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
