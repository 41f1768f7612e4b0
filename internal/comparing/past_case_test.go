package comparing

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// TestPastInAnotherCase: where case doesn't count in the file system, a document or folder that is named
// in another case is compared with what a commit has by the name that is listed.
func TestPastInAnotherCase(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "git is not installed")
	}
	dir := testkit.FoldingFolder(t, map[string]string{"docs/a.md": "# A\n", "docs/b.md": "# B\n"})
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "one"}} {
		c := exec.Command("git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%q: %s", args, out)
		}
	}
	testkit.WriteFile(t, filepath.Join(dir, "docs", "b.md"), "# B\n\nmore\n")
	for path, want := range map[string]string{
		"docs/A.md": "docs/a.md against HEAD",
		"DOCS/a.md": "docs/a.md against HEAD",
		"DOCS/B.md": "changed docs/b.md:1-3",
		"DOCS":      "changed docs/b.md:1-3",
	} {
		byWorkspace, err := compareIn(t, documents.Options{Roots: []string{dir}}, Request{New: path, Revision: "HEAD"})
		if isChanged := strings.HasPrefix(want, "changed"); err != nil || byWorkspace.Differs != isChanged || !strings.Contains(string(byWorkspace.Text), want) {
			t.Errorf("%s in a root: %v\n%s", path, err, byWorkspace.Text)
		}
		byPath, err := Compare(t.Context(), documents.Set{}, Request{New: filepath.Join(dir, filepath.FromSlash(path)), Revision: "HEAD"})
		if err != nil || strings.Contains(string(byPath.Text), "added") || byPath.Differs != byWorkspace.Differs {
			t.Errorf("%s: %v\n%s", path, err, byPath.Text)
		}
	}
}
