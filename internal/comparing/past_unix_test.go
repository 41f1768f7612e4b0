//go:build unix

package comparing

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
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

// TestPastOutOfReach: a document that a path doesn't reach is no missing one for that: who may not enter
// its folder is told so, and of links in a circle.
func TestPastOutOfReach(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"shut/x.md": "# A\n", "file": "x"})
	shut := filepath.Join(dir, "shut")
	if err := errors.Join(os.Symlink("b.md", filepath.Join(dir, "a.md")), os.Symlink("a.md", filepath.Join(dir, "b.md")), os.Chmod(shut, 0)); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(shut, 0o700) //nolint:errcheck // so that the folder can be taken away
	for name, want := range map[string]string{
		"shut/x.md": "permission: permission denied; ask for the right to read it",
		"a.md":      "file_not_found: the links that lead to it go round in a circle",
		"file/x.md": "file_not_found: no such file, for a file stands where the path has a folder; check the path",
		"nope":      "file_not_found: no such file or folder; check the path",
	} {
		if name == "shut/x.md" && os.Geteuid() == 0 { // whom no right keeps out
			continue
		}
		_, err := Compare(t.Context(), documents.Set{}, Request{New: filepath.Join(dir, filepath.FromSlash(name)), Revision: "HEAD"})
		if err == nil {
			t.Errorf("%s is compared", name)
			continue
		}
		if e := replies.AsError(err); e.Code+": "+e.Message.String() != want {
			t.Errorf("%s: %s: %s", name, e.Code, e.Message)
		}
	}
}
