package editing

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/documents"
)

// workspace opens a workspace of one folder with the documents.
func workspace(t testing.TB, contents map[string]string) (w *documents.Workspace, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range contents {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w, dir
}
