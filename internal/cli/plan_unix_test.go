//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
