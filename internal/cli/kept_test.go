package cli

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/filesystem"
)

// writingCommands are all commands that write, each with what is done before and arguments with
// which it changes something in the project of keptProject.
var writingCommands = map[string][][]string{
	"toc":          {{"toc", "t.md", "--write"}},
	"edit":         {{"edit", "a.md", "A", "append", "--content", "more"}},
	"rename":       {{"rename", "a.md", "A", "Q", "--links", "update"}},
	"move":         {{"move", "a.md", "S", "--to-path", "b.md", "--after", "B", "--links", "update"}},
	"replace":      {{"replace", ".", "needle", "thread", "--expect", "3"}},
	"new":          {{"new", "n.md", "--content", "# N"}},
	"mv":           {{"mv", "a.md", "n.md", "--links", "update"}},
	"rm":           {{"rm", "c.md", "--links", "leave"}},
	"undo":         {{"replace", ".", "needle", "thread", "--expect", "3"}, {"undo"}},
	"redo":         {{"replace", ".", "needle", "thread", "--expect", "3"}, {"undo"}, {"redo"}},
	"guide init":   {{"guide", "init"}},
	"guide add":    {{"guide", "init"}, {"guide", "add", "mine", "--dir", "."}},
	"guide change": {{"guide", "init"}, {"guide", "add", "mine", "--dir", "."}, {"guide", "change", "mine", "--description", "x"}},
	"guide remove": {{"guide", "init"}, {"guide", "add", "mine", "--dir", "."}, {"guide", "remove", "mine"}},
	"plan adopt":   {aGoal, {"plan", "new", "--store", "file", "--force"}, {"plan", "adopt", ".sectile/plan.1.md", "--store", "file"}},
	"plan claim":   {aGoal, aDetail, aTask, {"plan", "claim", "ann", "1", "--store", "file"}},
	"plan detail":  {aGoal, aDetail},
	"plan export":  {aGoal, {"plan", "export", "--html", "-o", "page.html", "--store", "file"}},
	"plan finish":  {aGoal, aDetail, aTask, aMark, {"plan", "finish", "--store", "file"}},
	"plan fmt":     {{"plan", "fmt", "draft.md", "--write"}},
	"plan goal":    {{"plan", "goal", "feat(y): other", "--store", "file"}, {"plan", "goal", "feat(x): one", "--store", "file", "--replace"}},
	"plan mark":    {aGoal, aDetail, aTask, aMark},
	"plan new":     {aGoal, {"plan", "new", "--store", "file", "--force"}},
	"plan note":    {aGoal, aDetail, aTask, {"plan", "note", "1", "a note", "--store", "file"}},
	"plan set":     {aGoal, aDetail, aTask},
}

var (
	aGoal   = []string{"plan", "goal", "feat(x): one", "--store", "file"}
	aDetail = []string{"plan", "detail", "--content", "Why.", "--store", "file"}
	aTask   = []string{"plan", "set", "tasks.md", "--store", "file"}
	aMark   = []string{"plan", "mark", "1", "--store", "file"}
)

// readingCommands are all others.
var readingCommands = []string{
	"sectile", "tree", "sections", "links", "bounds", "read", "search", "search push", "list", "index", "select", "diff", "format", "log",
	"guide", "guide list", "guide show", "guide validate", "plan", "plan list", "plan message", "plan next", "plan show", "plan validate",
	"mcp", "view", "skill", "hook", "hook claude", "doctor", "completion", "completion bash", "completion fish", "completion powershell", "completion zsh",
}

// keptProject makes a project in the working directory, with a home of its own.
func keptProject(t *testing.T) {
	t.Helper()
	base := t.TempDir()
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, filepath.Join(base, name))
	}
	for name, text := range map[string]string{
		"a.md":     "# A\n\nneedle [b](b.md#b) [a](#a)\n\n## S\n\n[a](a.md#a)\n",
		"b.md":     "# B\n\nneedle [a](a.md#a) [s](a.md#s)\n",
		"c.md":     "# C\n\nneedle [a](a.md#a)\n",
		"t.md":     "# T\n\n<!-- toc -->\n\n<!-- /toc -->\n\n## U\n\n## V\n",
		"draft.md": "feat(x): one\n\n\n\nWhy.\n",
		"tasks.md": "- [ ]: one\n",
		".git/x":   "",
	} {
		path := filepath.Join(base, "p", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(base, "p"))
}

// projectTexts returns the texts of the working directory by their paths, without those that
// were kept, whose paths come apart.
func projectTexts(t *testing.T) (texts map[string]string, kept []string) {
	t.Helper()
	texts = map[string]string{}
	root := os.DirFS(".")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case strings.Contains(path, ".kept-"):
			kept = append(kept, path)
			return nil
		case strings.HasPrefix(d.Name(), filenames.TempPrefix): // ours come and go
			return nil
		}
		text, err := fs.ReadFile(root, path)
		texts[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts, kept
}

// whilePlaced has another program save a file twice while it is put in place, in place and by
// renaming. The other ways are what it saves when a text is kept that a killed edit has left.
const whilePlaced = "while placed"

// TestKeptFilesAreNamed: whichever command keeps a text that it has found in or beside what it
// changes, names it, whether it succeeds in the end or not and in JSON too, and says truly whether
// anything was written.
func TestKeptFilesAreNamed(t *testing.T) {
	var walk func(cmd *cobra.Command, path string)
	walk = func(cmd *cobra.Command, path string) {
		_, writes := writingCommands[path]
		if cmd.Runnable() && writes == slices.Contains(readingCommands, path) {
			t.Errorf("%s is either in writingCommands or in readingCommands", path)
		}
		for _, sub := range cmd.Commands() {
			if sub.Name() != "help" {
				walk(sub, strings.TrimPrefix(path+" "+sub.Name(), "sectile "))
			}
		}
	}
	walk(newRoot(Streams{}, Servers{}, ""), "sectile")
	for _, name := range slices.Sorted(maps.Keys(writingCommands)) {
		for _, saved := range []string{"nothing", "the same", "another text", whilePlaced} {
			for _, args := range [][]string{nil, {"--json"}} {
				if name == "plan export" && args != nil || saved == whilePlaced && runtime.GOOS == "windows" {
					continue // the flag says what is exported; two files can't be exchanged
				}
				t.Run(strings.Join(append([]string{name, saved}, args...), " "), func(t *testing.T) {
					isNamed(t, writingCommands[name], saved, args)
				})
			}
		}
	}
}

// isNamed runs commands, the last of which keeps a text.
func isNamed(t *testing.T, commands [][]string, saved string, args []string) {
	keptProject(t)
	last := len(commands) - 1
	for _, before := range commands[:last] {
		var out bytes.Buffer
		if code := Run(t.Context(), before, Streams{strings.NewReader(""), &out, &out}, Servers{}); code != exitOK {
			t.Fatalf("%s: %s", before, out.String())
		}
	}
	for _, dir := range []string{".", ".sectile"} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if saved == whilePlaced {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, filenames.Held([]byte("x"), []byte("y"), "z.md")), []byte("an hour of work"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	exchanges, first := 0, ""  // those of the first file
	var then map[string]string // what all files hold when one is kept
	ctx := filesystem.WithSteps(t.Context(), func(call, to string) error {
		if saved == whilePlaced && call == "exchange" && (first == "" || first == to) {
			first = to
			if exchanges++; exchanges <= 2 {
				saveBetween(t, to, exchanges)
			}
		}
		if saved == whilePlaced || call != "rename" || !strings.Contains(to, ".kept-") {
			return nil
		}
		then, _ = projectTexts(t)
		for path, text := range then {
			if saved == "nothing" || filepath.Ext(path) != ".md" && filepath.Base(path) != ".sectile.yaml" {
				continue
			}
			if saved == "another text" {
				text = "# Another: [\n"
			}
			then[path] = text
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Error(err)
			}
		}
		return nil
	})
	var out, errs bytes.Buffer
	code := Run(ctx, append(slices.Clone(commands[last]), args...), Streams{strings.NewReader(""), &out, &errs}, Servers{})
	said := out.String() + errs.String()
	now, kept := projectTexts(t)
	if len(kept) == 0 && saved != whilePlaced {
		t.Fatalf("nothing was kept: it proves nothing: %d, %s", code, said)
	}
	for _, path := range kept {
		if !strings.Contains(said, path) {
			t.Errorf("%s is named nowhere: %d, %s", path, code, said)
		}
	}
	if exchanges > 1 && len(kept) == 0 {
		t.Errorf("what was saved is nowhere: %d, %s", code, said)
	}
	if saved == whilePlaced {
		return
	}
	if wrote := !maps.Equal(then, now); wrote == strings.Contains(said, "nothing was written") && (wrote || saved == "nothing") {
		t.Errorf("something was written: %t: %d, %s", wrote, code, said)
	}
}

// saveBetween saves the file of this name in the place of what is there for the first time, and by
// renaming for the second.
func saveBetween(t *testing.T, name string, times int) {
	t.Helper()
	if _, err := os.Stat(name); err != nil {
		name = filepath.Join(".sectile", name)
	}
	to := name
	if times > 1 {
		to += ".new"
	}
	if err := os.WriteFile(to, []byte("# A\n\nan hour of work\n"), 0o600); err != nil {
		t.Error(err)
	}
	if err := os.Rename(to, name); err != nil {
		t.Error(err)
	}
}
