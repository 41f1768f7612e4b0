package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
)

// TestPlanTellsOfItsRootsAlone has a server whose root is a folder of a repository: of
// the files that were changed it tells those that it may read, and counts the others.
func TestPlanTellsOfItsRootsAlone(t *testing.T) {
	for _, store := range []string{"git", "jj"} {
		t.Run(store, func(t *testing.T) {
			dir := planned(t, store)
			for path, text := range map[string]string{
				"docs/a.md": "# A\n\nopen words\n", "docs/.env": "TOKEN=hidden1\n", "src/key.go": "hidden2\n", ".github/workflows/x.yml": "hidden3\n",
			} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o750); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			hidden := "and 3 that may not be read here"
			if store == "git" {
				runIn(t, dir, "git", "add", "-Af")
			} else {
				hidden = "and 4 that may not be read here" // guide.md was never committed
			}
			session := connect(t, start(t, doctor.ServerOptions{Roots: []string{filepath.Join(dir, "docs")}, Toolsets: []string{"plan"}}), "", nil)
			text := do(t, session, toolGather, object{"include_diff": true})
			shows(t, text, "a.md", "+open words", hidden)
			for _, no := range []string{"hidden1", "hidden2", "hidden3", "key.go", ".env", "workflows"} {
				if strings.Contains(text, no) {
					t.Errorf("%q is in\n%s", no, text)
				}
			}
		})
	}
}
