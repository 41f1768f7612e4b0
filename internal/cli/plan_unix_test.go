//go:build unix

package cli_test

import (
	"io"
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
		shown := onTerminal(t, nil, tt.env, append([]string{"plan", "show", "--store", "file", "--root", dir}, tt.args...)...)
		if got := strings.Contains(shown, "\x1b[1mfeat(a): b"); got != tt.want || strings.Contains(shown, "\x1b") != tt.want {
			t.Errorf("%q %q: colours %v, want %v: %q", tt.env, tt.args, got, tt.want, shown)
		}
	}
}
