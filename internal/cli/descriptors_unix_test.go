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

// TestNoHandleIsNoConflict moves a document where few files may be open: nobody is said to have changed one.
func TestNoHandleIsNoConflict(t *testing.T) {
	refused := 0
	for most := 10; most < 40; most++ {
		dir := t.TempDir()
		for name, text := range map[string]string{"a.md": "# A\n", "l.md": "[x](a.md)\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out, ok := runWith(t, most, dir, "mv", "a.md", "b.md")
		if ok {
			break
		}
		refused++
		if !strings.Contains(out, "too many open files") {
			t.Errorf("%d: %.200s", most, out)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}
