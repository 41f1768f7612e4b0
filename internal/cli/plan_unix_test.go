//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/cli"
	"github.com/sectile/sectile/internal/testkit"
)

// TestPlanOnTerminal shows a plan on a terminal: in colour, unless NO_COLOR is set.
func TestPlanOnTerminal(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir := t.TempDir()
	planCommand(t.Context(), t, dir, io.Discard, io.Discard, "goal", "feat(a): b")
	for _, tt := range []struct {
		env, args []string
		want      bool
	}{
		{nil, nil, true},
		{[]string{"NO_COLOR=1"}, nil, false},
		{[]string{"TERM=dumb"}, nil, false},
		{nil, []string{"--color", "never"}, false},
		{nil, []string{"--json"}, false},
	} {
		shown := onTerminal(t, tt.env, append([]string{"plan", "show", "--store", "file", "--root", dir}, tt.args...)...)
		if got := strings.Contains(shown, "\x1b[1mfeat(a): b"); got != tt.want || strings.Contains(shown, "\x1b") != tt.want {
			t.Errorf("%q %q: colours %v, want %v: %q", tt.env, tt.args, got, tt.want, shown)
		}
	}
}

// TestPlanTextOnTerminal prints what a plan has so that nothing acts on a terminal,
// and to the byte elsewhere.
func TestPlanTextOnTerminal(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir := t.TempDir()
	file := filepath.Join(dir, ".sectile", "plan.md")
	text := "feat(a): b\n\nfoo\x1b[2Jbar\n"
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"message"}, {"fmt", file}} {
		for _, env := range []string{"TERM=xterm", "TERM=dumb"} {
			shown := onTerminal(t, []string{env}, append([]string{"plan", "--store", "file", "--root", dir}, args...)...)
			if want := "feat(a): b\r\n\r\nfoo\ufffd[2Jbar\r\n"; shown != want {
				t.Errorf("%q %s: %q, want %q", args, env, shown, want)
			}
		}
		var out bytes.Buffer
		planCommand(t.Context(), t, dir, &out, io.Discard, args...)
		if out.String() != text {
			t.Errorf("%q: %q, want %q", args, out.String(), text)
		}
	}
}

// TestPlanOfSlowCommands: the commands of git that one command runs end in the time that they have
// together, though each of them ends in its own.
func TestPlanOfSlowCommands(t *testing.T) {
	if !testkit.Long() {
		t.Skip("it takes half a minute")
	}
	git, err := exec.LookPath("git")
	if err != nil {
		testkit.Missing(t, "git is not installed")
	}
	dir, bin := t.TempDir(), t.TempDir()
	if out, err := exec.Command(git, "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nsleep 9\nexec '"+git+"' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	var errs bytes.Buffer
	start := time.Now()
	code := cli.Run(t.Context(), []string{"plan", "list", "--root", dir}, cli.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &errs}, cli.Servers{})
	if took := time.Since(start); code != 1 || took > 40*time.Second || !strings.Contains(errs.String(), "has taken 30s together") {
		t.Errorf("exit code %d after %v: %s", code, took, errs.String())
	}
}
