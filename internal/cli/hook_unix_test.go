//go:build unix

package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/sectile/sectile/internal/cli"
	"github.com/sectile/sectile/internal/testkit"
)

// Nobody types an event: on a terminal the hook says how it is set up.
func TestHookOnTerminal(t *testing.T) {
	terminal, tty, err := pty.Open()
	if err != nil {
		testkit.Missing(t, "there are no pseudo-terminals here: "+err.Error())
	}
	defer terminal.Close()
	defer tty.Close()
	var out, errs bytes.Buffer
	code := cli.Run(t.Context(), []string{"hook", "claude"}, cli.Streams{In: tty, Out: &out, Err: &errs}, cli.Servers{})
	if code != 0 || !strings.Contains(out.String(), "PostToolUse") || !strings.Contains(errs.String(), ".claude/settings.json") {
		t.Errorf("exit code %d, printed %q and %q", code, out.String(), errs.String())
	}
}
