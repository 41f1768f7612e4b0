//go:build unix

package comparing

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// TestPastPrograms: how often git is started doesn't grow with the folders that look as if they had
// repositories of their own, which a commit may have any number of.
func TestPastPrograms(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		testkit.Missing(t, "git is not installed")
	}
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("r%d/a.md", i)], files[fmt.Sprintf("r%d/.jj/repo", i)] = "# A\n", "x"
	}
	dir, bin := testkit.Folder(t, files), t.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "one"}} {
		c := exec.Command(git, args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%q: %s", args, out)
		}
	}
	script := "#!/bin/sh\n[ -n \"$GIT_DIR\" ] && echo \"$*\" >> \"$GIT_DIR/started\"\nexec '" + git + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	r, err := compareWithin(t, dir, documents.MinMaxMemory, Request{New: ".", Revision: "HEAD"})
	if err != nil || !strings.Contains(string(r.Text), "no difference in 50 documents") {
		t.Fatalf("%v\n%s", err, r.Text)
	}
	started, err := os.ReadFile(filepath.Join(dir, ".git", "started"))
	if n := strings.Count(string(started), "\n"); err != nil || n == 0 || n > 20 {
		t.Errorf("git was started %d times for 50 folders: %v\n%s", n, err, started)
	}
}
