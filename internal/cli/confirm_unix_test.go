//go:build unix

package cli_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/sectile/sectile/internal/testkit"
)

// TestConfirm changes two documents on a terminal, which asks first: only yes makes the change.
func TestConfirm(t *testing.T) {
	for answer, want := range map[string]string{"y\n": "new\n", "YES\n": "new\n", "n\n": "old\n", "\n": "old\n"} {
		dir := testkit.Folder(t, map[string]string{"a.md": "old\n", "b.md": "old\n"})
		cmd := exec.Command(testkit.BuildProgram(t), "replace", dir, "old", "new")
		cmd.Env = append(os.Environ(), "TERM=xterm")
		terminal, err := pty.Start(cmd)
		if err != nil {
			testkit.Missing(t, "there are no pseudo-terminals here: "+err.Error())
		}
		if _, err := terminal.WriteString(answer); err != nil {
			t.Fatal(err)
		}
		var shown bytes.Buffer
		_, _ = io.Copy(&shown, terminal) // ends with an error when the program does
		_ = cmd.Wait()                   // its state is told
		_ = terminal.Close()
		text, err := os.ReadFile(filepath.Join(dir, "b.md"))
		if err != nil || string(text) != want || cmd.ProcessState.Success() != (want == "new\n") || !strings.Contains(shown.String(), "Make the change? [y/N]") {
			t.Errorf("%q: the document is %q (%v, %v), and the terminal shows:\n%s", answer, text, err, cmd.ProcessState, shown.String())
		}
	}
}
