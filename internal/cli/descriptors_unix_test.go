//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// runWith runs the program in a folder as one that may have so many files open, and returns all that it
// printed, and whether it succeeded.
func runWith(t *testing.T, most int, dir string, args ...string) (printed string, ok bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, most), testkit.BuildProgram(t)}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// TestManyOpenFiles changes about as many documents as files may be open: all are changed, or an error says
// why none is. What the runtime of Go needs itself isn't opened last.
func TestManyOpenFiles(t *testing.T) {
	const most = 64
	for n := most - 12; n < most; n++ {
		dir := t.TempDir()
		for i := range n {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.md", i)), []byte("# A\n\nfoo\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out, ok := runWith(t, most, dir, "replace", ".", "foo", "bar", "--expect", fmt.Sprint(n))
		if !ok && (!strings.Contains(out, "too many open files") || !strings.Contains(out, "nothing was written")) {
			t.Errorf("%d documents: %.200s", n, out)
		}
	}
}
