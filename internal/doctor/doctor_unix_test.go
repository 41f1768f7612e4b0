//go:build unix

package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// scripted makes a folder with shell scripts, the only one in the PATH beside
// those of the system.
func scripted(t *testing.T, scripts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestDoctorCommands(t *testing.T) {
	root := testkit.Folder(t, map[string]string{"a.md": ""})
	const tools = "PATH=/usr/bin:/bin; "
	for _, tt := range []struct {
		name, script string
		status       replies.Status
		words        []string
	}{
		{"answers", "echo git version 2.50.1", replies.StatusOK, []string{"git version 2.50.1 (", "/git)"}},
		{"more than a line", "echo; echo one; echo two", replies.StatusOK, []string{"one ("}},
		{"fails", "echo 'fatal: no\nsecond' >&2; exit 3", replies.StatusFailed, []string{"exit status 3: fatal: no"}},
		{"fails without a word", "exit 3", replies.StatusFailed, []string{"exit status 3"}},
		{"is killed", "kill -9 $$", replies.StatusFailed, []string{"killed"}},
		{"says nothing", "exit 0", replies.StatusFailed, []string{"it prints nothing"}},
		{"sends commands to the terminal", `printf 'git \033[31m\007 2\n'`, replies.StatusOK, []string{"git "}},
		{"hangs", tools + "exec sleep 3600", replies.StatusFailed, []string{"no answer within 300ms"}},
		{"leaves one behind that holds its output", tools + "while [ -e \"$0\" ]; do sleep 1; done & echo git; exit 0", replies.StatusOK, []string{"git ("}},
		{"never ends to talk", tools + "exec yes", replies.StatusFailed, []string{"no answer within 300ms"}},
		{"talks for long", tools + "head -c 5000000 /dev/zero | tr '\\0' x", replies.StatusOK, []string{"xxx…"}},
		{"is no program", "\x00", replies.StatusFailed, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, name := range []string{"git", "jj"} {
				t.Setenv("PATH", scripted(t, map[string]string{name: strings.ReplaceAll(tt.script, "git", name)}))
				timeout := time.Minute // for what ends
				if strings.Contains(tt.script, "exec ") {
					timeout = 300 * time.Millisecond
				}
				r := Doctor(t.Context(), &DoctorRequest{
					Server: ServerOptions{Roots: []string{root}, Version: "v1"}, Probe: answering, CommandTimeout: timeout,
				})
				c := find(t, &r, name)
				for i, word := range tt.words {
					tt.words[i] = strings.ReplaceAll(strings.ReplaceAll(word, "git", name), "jj", name)
				}
				expect(t, c, tt.status, tt.words...)
				if len(c.Message) > 2_000 || r.Failed != (tt.status == replies.StatusFailed) {
					t.Errorf("failed: %t, %d bytes", r.Failed, len(c.Message))
				}
			}
		})
	}
}

// TestDoctorRunsNothingOfARepository runs git outside of the repository that it is
// about, without its hooks and monitors.
func TestDoctorRunsNothingOfARepository(t *testing.T) {
	root := testkit.Folder(t, map[string]string{"a.md": ""})
	t.Chdir(root)
	t.Setenv("PATH", scripted(t, map[string]string{"git": `echo "$PWD $*"`, "jj": `echo "$PWD $*"`}))
	r := Doctor(t.Context(), &DoctorRequest{Server: ServerOptions{Version: "v1"}, Probe: answering})
	git, jj := find(t, &r, "git"), find(t, &r, "jj")
	expect(t, git, replies.StatusOK, "/ --no-pager -c core.hooksPath=/dev/null -c core.fsmonitor=false --version (")
	expect(t, jj, replies.StatusOK, "/ --version (")
	for _, c := range []replies.Check{git, jj} {
		if !strings.HasPrefix(c.Message, "/ --") {
			t.Errorf("%s ran in a folder that may be a repository: %s", c.Name, c.Message)
		}
	}
}

// TestDoctorUntraced: git writes no trace that the user's configuration asks for.
func TestDoctorUntraced(t *testing.T) {
	folder := t.TempDir()
	trace := filepath.Join(folder, "trace")
	config := filepath.Join(folder, "gitconfig")
	testkit.WriteFile(t, config, "[trace2]\n\teventTarget = "+trace+"\n")
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	for range 2 {
		Doctor(t.Context(), &DoctorRequest{Server: ServerOptions{Version: "v1", ReadOnly: true}, Probe: answering})
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("git wrote a trace")
	}
}

// TestDoctorRelativePath does not run a git that a repository brought along by way
// of a PATH that is relative.
func TestDoctorRelativePath(t *testing.T) {
	t.Chdir(scripted(t, map[string]string{"git": "touch ran", "sectile": "touch ran"}))
	t.Setenv("PATH", "."+string(os.PathListSeparator)+scripted(t, map[string]string{"git": "true", "sectile": "true"}))
	r := Doctor(t.Context(), &DoctorRequest{Server: ServerOptions{Version: "v1"}, Probe: answering})
	expect(t, find(t, &r, "git"), replies.StatusWarning, "the first git in the PATH lies in ., a relative path, and isn't run")
	expect(t, find(t, &r, "jj"), replies.StatusWarning, "jj is not in the PATH")
	expect(t, find(t, &r, "path"), replies.StatusWarning, "the first sectile in the PATH lies in ., a relative path")
	if _, err := os.Stat("ran"); err == nil {
		t.Error("it was run")
	}
}

func TestDoctorPath(t *testing.T) {
	root := testkit.Folder(t, map[string]string{"a.md": ""})
	dir := scripted(t, map[string]string{"sectile": "true"})
	t.Setenv("PATH", dir)
	program := filepath.Join(dir, "sectile")
	link := filepath.Join(t.TempDir(), "sectile-1.0")
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(scripted(t, map[string]string{"sectile": "true"}), "sectile")
	for _, tt := range []struct {
		program string
		status  replies.Status
		words   []string
	}{
		{program, replies.StatusOK, []string{program + " is this program"}},
		{link, replies.StatusOK, []string{program + " is this program"}},
		{other, replies.StatusFailed, []string{"clients start " + program, "this program is " + other}},
		{filepath.Join(root, "gone"), replies.StatusFailed, []string{"clients start " + program}},
	} {
		r := Doctor(t.Context(), &DoctorRequest{Server: ServerOptions{Roots: []string{root}, Version: "v1"}, Program: tt.program, Probe: answering})
		expect(t, find(t, &r, "path"), tt.status, tt.words...)
	}
}

// TestDoctorPipe does not wait for a pipe that stands where the configuration
// should.
func TestDoctorPipe(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	root := testkit.Folder(t, map[string]string{"a.md": ""})
	if err := syscall.Mkfifo(filepath.Join(root, ".sectile.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := Doctor(t.Context(), &DoctorRequest{Server: ServerOptions{Roots: []string{root}, Version: "v1"}, Probe: answering})
	expect(t, find(t, &r, "configuration"), replies.StatusFailed, "not_a_file")
}
