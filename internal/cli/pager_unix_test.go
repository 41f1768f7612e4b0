//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/sectile/sectile/internal/testkit"
)

// TestPager: what is longer than the terminal, or wider than its lines, goes to the
// program in PAGER, errors in their places; and nothing else does.
func TestPager(t *testing.T) {
	t.Setenv("LESS", "") // which is put back
	_ = os.Unsetenv("LESS")
	dir := t.TempDir()
	var long strings.Builder
	for i := range 30 {
		fmt.Fprintf(&long, "# Heading %d\n", i)
	}
	for name, text := range map[string]string{
		"long.md": long.String(), "short.md": "# A\n\n## B\n", "wide.md": "# " + strings.Repeat("wide ", 120) + "\n",
		"edge.md": strings.Repeat("# A\n", 7),
		"pager":   "#!/bin/sh\necho \"PAGED $LESS $*\"\nif [ \"$1\" = quits ]; then head -n 1; else cat; fi\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	pager := "PAGER=" + filepath.Join(dir, "pager")
	for _, tt := range []struct {
		name string
		env  []string
		args string
		want string // how what is shown begins
		code int
	}{
		{"long", []string{pager}, "tree long.md", "PAGED FRX \r\nlong.md", 0},
		{"without a command", []string{pager}, "long.md", "PAGED FRX \r\nlong.md", 0},
		{"short", []string{pager}, "tree short.md", "short.md", 0},
		{"wide", []string{pager}, "sections wide.md", "PAGED FRX \r\n1-1:", 0},
		{"read", []string{pager}, "read --plain long.md", "PAGED FRX \r\n# Heading 0", 0},
		{"select", []string{pager}, "select h1 long.md", "PAGED FRX \r\nh1.0:", 0},
		{"index", []string{pager}, "index long.md", "PAGED FRX \r\nh1.0", 0},
		{"just all of it", []string{pager}, "tree edge.md", "edge.md", 0},
		{"arguments", []string{pager + " -x y"}, "tree long.md", "PAGED FRX -x y\r\n", 0},
		{"options of less", []string{pager, "LESS=i"}, "tree long.md", "PAGED i \r\n", 0},
		{"flag", []string{pager}, "tree long.md --no-pager", "long.md", 0},
		{"flag before the document", []string{pager}, "--no-pager long.md", "long.md", 0},
		{"flag before the command", []string{pager}, "--no-pager tree long.md", "long.md", 0},
		{"flag before an address", []string{pager}, "--no-pager long.md -- h1.29", "long.md:30", 0},
		{"JSON", []string{pager}, "sections --json long.md", "{", 0},
		{"dumb", []string{pager, "TERM=dumb"}, "tree long.md", "long.md", 0},
		{"empty", []string{"PAGER="}, "tree long.md", "long.md", 0},
		{"cat", []string{"PAGER=cat"}, "tree long.md", "long.md", 0},
		{"missing", []string{"PAGER=no-such-program"}, "tree long.md", "long.md", 0},
		{"help", []string{pager}, "read --help", "Read parts", 0},
		{"error", []string{pager}, "tree away.md long.md", "PAGED FRX \r\nsectile: file_not_found", 1},
		{"short error", []string{pager}, "tree short.md away.md", "sectile: file_not_found", 1},
		{"seen enough", []string{pager + " quits"}, "tree long.md", "PAGED FRX quits\r\nlong.md\r\n", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command(testkit.BuildProgram(t), strings.Fields(tt.args)...)
			cmd.Dir = dir
			cmd.Env = append(append(os.Environ(), "NO_COLOR=1", "TERM=xterm"), tt.env...)
			shown := shownOn(t, cmd, nil, &pty.Winsize{Cols: 60, Rows: 10})
			if code := cmd.ProcessState.ExitCode(); code != tt.code || !strings.HasPrefix(shown, tt.want) {
				t.Errorf("exit code %d, %q", code, shown)
			}
			if whole := strings.Contains(tt.args, "long.md") && tt.name != "seen enough"; whole && !strings.Contains(shown, "Heading 29") {
				t.Errorf("not all is there: %q", shown)
			}
		})
	}
	t.Run("no terminal", func(t *testing.T) {
		t.Setenv("PAGER", filepath.Join(dir, "pager"))
		if out, _, code := run(t, nil, "tree", filepath.Join(dir, "long.md")); code != 0 || strings.Contains(out, "PAGED") {
			t.Errorf("exit code %d, %q", code, out)
		}
	})
}
