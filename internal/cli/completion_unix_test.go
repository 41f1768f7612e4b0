//go:build unix

package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/sectile/sectile/internal/testkit"
)

// bashSetup is what somebody has in their .bashrc, with the one function of the package
// bash-completion that the script needs here.
const bashSetup = `
_get_comp_words_by_ref() { words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=${words[cword]}; prev=${words[cword-1]}; }
. <(sectile completion bash)
PS1='ready> '
`

// zshSetup is the same for zsh, which has all that the script needs.
const zshSetup = `
autoload -U compinit && compinit -D -u
. <(sectile completion zsh)
bindkey -e
unsetopt prompt_cr prompt_sp
PS1='ready> '
`

// tabInBash is tabIn a bash, with TAB three times.
func tabInBash(t *testing.T, dir, line string) []string {
	t.Helper()
	return tabIn(t, dir, line+"\t\t\t", "bash", "--noprofile", "--rcfile", writeFile(t, "bashrc", []byte(bashSetup)), "-i")
}

// tabIn types a line, with TABs, into a real shell in the folder dir, has the shell
// print the arguments of the line, and returns those. At each TAB the script evaluates the line.
func tabIn(t *testing.T, dir, line, shell string, args ...string) []string {
	t.Helper()
	program, err := exec.LookPath(shell)
	if err != nil {
		testkit.Missing(t, "there is no "+shell)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=dumb", "HOME="+dir, "ZDOTDIR="+dir, "HISTFILE=", "INPUTRC=/dev/null",
		"PATH="+filepath.Dir(testkit.BuildProgram(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 200})
	if err != nil {
		testkit.Missing(t, "there are no pseudo-terminals here: "+err.Error())
	}
	defer terminal.Close()
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	shown := readUntil(terminal, "ready> ")
	// Ctrl-A goes to the start of the line. The shell ends when its output has been read: what a
	// terminal has not handed over when its program ends may be lost. The line as it is typed
	// doesn't show END.
	_, _ = fmt.Fprintf(terminal, "%s\x01printf 'ARG<%%s>' \x05; printf 'E%%sD' N\r", line)
	shown += readUntil(terminal, "END")
	_, _ = fmt.Fprint(terminal, "exit\r")
	readUntil(terminal, "nothing prints this")
	_ = cmd.Wait() // its exit code is that of what was typed
	_, printed, ok := strings.Cut(shown, "ARG<sectile>")
	if !ok {
		t.Fatalf("%s printed no arguments:\n%q", shell, shown)
	}
	printed, _ = strings.CutPrefix(printed, "ARG<")
	printed, _, _ = strings.Cut(printed, ">END")
	return strings.Split(printed, ">ARG<")
}

// readUntil returns what a terminal shows until it shows want, or is closed.
func readUntil(terminal *os.File, want string) string {
	var shown bytes.Buffer
	buf := make([]byte, 4096)
	for !strings.Contains(shown.String(), want) {
		n, err := terminal.Read(buf)
		shown.Write(buf[:n])
		if err != nil {
			break
		}
	}
	return shown.String()
}

// TestBashRunsNoTitle completes titles and names that are commands: none of them runs,
// and what bash inserts is an address or nothing.
func TestBashRunsNoTitle(t *testing.T) {
	const command = `Install"$(touch pwned)"`
	for _, tt := range []struct {
		name, line string
		want       []string
	}{
		{"titles", "sectile read h.md In", []string{"read", "h.md", "In"}},
		{"titles behind nothing", "sectile read h.md ", []string{"read", "h.md", "h1."}},
		{"a name in a guide", "sectile guide show g ", []string{"guide", "show", "g"}},
		{"titles with blanks", "sectile read honest.md In", []string{"read", "honest.md", "In"}},
		{"a single title with blanks", "sectile read honest.md Get", []string{"read", "honest.md", "Getting started"}},
		{"plain titles", "sectile read honest.md Us", []string{"read", "honest.md", "Usage-"}},
		{"words in brackets", `sectile read honest.md task\[d`, []string{"read", "honest.md", "task[done]"}},
		{"a name in brackets", `sectile read honest.md def\[`, []string{"read", "honest.md", `def["the label"]`}},
		{"a selector in a file of such a name", "sectile select ", []string{"select", "h"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"h.md":                          "# " + command + "1\n\nx\n\n# " + command + "2\n",
				"honest.md":                     "---\ntitle: T\nweight: 1\n---\n\n- [x] a\n- [ ] b\n\n[the label]: /url\n\n# Install it1\n\n# Install it2\n\n# Getting started\n\n# Usage-1\n\n# Usage-2\n",
				"g/" + command + "1.md":         "x",
				"g/" + command + "2.md":         "x",
				".sectile.yaml":                 "categories:\n  g:\n    dir: g\n    patterns: ['*.md']\n",
				"ho'$(touch pwned)'st.markdown": "# A\n",
			} {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got := tabInBash(t, dir, tt.line)
			if strings.Join(got, "\x00") != strings.Join(tt.want, "\x00") {
				t.Errorf("the arguments are %q, want %q", got, tt.want)
			}
			if _, err := os.Lstat(filepath.Join(dir, "pwned")); err == nil {
				t.Error("a title was run as a command")
			}
		})
	}
}

// TestZshRunsNoTitle is TestBashRunsNoTitle for zsh, which has brackets for patterns.
func TestZshRunsNoTitle(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       []string
	}{
		{"titles", "sectile read h.md In", []string{"read", "h.md", "In"}},
		{"a single title with blanks", "sectile read honest.md Get", []string{"read", "honest.md", "Getting started"}},
		{"words in brackets", `sectile read honest.md task\[d`, []string{"read", "honest.md", "task[done]"}},
		{"a name in brackets", `sectile read honest.md def\[`, []string{"read", "honest.md", `def["the label"]`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				".zshrc":    zshSetup,
				"h.md":      "# Install\"$(touch pwned)\"1\n\nx\n\n# Install\"$(touch pwned)\"2\n",
				"honest.md": "- [x] a\n- [ ] b\n\n[the label]: /url\n\n# Getting started\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got := tabIn(t, dir, tt.line+"\t", "zsh", "-d", "-i")
			if strings.Join(got, "\x00") != strings.Join(tt.want, "\x00") {
				t.Errorf("the arguments are %q, want %q", got, tt.want)
			}
			if _, err := os.Lstat(filepath.Join(dir, "pwned")); err == nil {
				t.Error("a title was run as a command")
			}
		})
	}
}

// TestFishRunsNoName completes after the name of a file that is a command.
func TestFishRunsNoName(t *testing.T) {
	script, _, code := run(t, nil, "completion", "fish")
	if code != 0 || strings.Count(script, "(commandline -opc)") != 1 || !strings.Contains(script, "(string escape -- (commandline -opc))") {
		t.Fatalf("exit code %d; the script for fish takes arguments in another way now: see that it evaluates none of their texts\n%s", code, script)
	}
	fish, err := exec.LookPath("fish")
	if err != nil {
		testkit.Missing(t, "there is no fish")
	}
	dir := t.TempDir()
	for _, name := range []string{"x(touch pwned).md", "script.fish"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("# Use\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "script.fish"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(fish, "--no-config", "-c", `source script.fish; complete -C "sectile read 'x(touch pwned).md' "`)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "PATH="+filepath.Dir(testkit.BuildProgram(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Use\t") {
		t.Errorf("fish completes %q, %v", out, err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "pwned")); err == nil {
		t.Error("a name was run as a command")
	}
	if err := os.WriteFile(filepath.Join(dir, "x.md"), []byte("---\ntitle: T\n---\n\n- [ ] a\n- [x] b\n\n[see](#x \"$(touch pwned)\")\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"ta": "task[done]\tlines 6\ntask[open]\tlines 5\n", "task[d": "task[done]\tlines 6\n",
		"@frontmatter.": "@frontmatter.title\tlines 2\n", "link[": "link[\"see\"]\tlines 8\n",
	} {
		cmd := exec.Command(fish, "--no-config", "-c", "source script.fish; complete -C 'sectile read x.md "+typed+"'")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "PATH="+filepath.Dir(testkit.BuildProgram(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("fish completes %s to %q, %v", typed, out, err)
		}
	}
}
