package documents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// A panic in the goroutine that works on a document comes out where the request
// was made: only there can a server recover from it.
func TestPanicReachesTheRequest(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.md", "b.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("# A\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	defer func() {
		err, _ := recover().(error)
		if err == nil || !strings.Contains(err.Error(), "as it was told to") || !strings.Contains(err.Error(), "documents_test.go") {
			t.Errorf("recovered %v, want the panic with its stack", err)
		}
	}()
	r := Renderer{Document: func([]byte, *markdown.Document, string) ([]byte, error) { panic("as it was told to") }}
	err := Set{Paths: []string{dir}}.Each(t.Context(), r, func(Part) error { return nil })
	t.Errorf("the request ends with %v", err)
}

// TestLook says what there is below a root, and no more than that nothing of a folder is below
// what isn't there: nothing but documents is told of.
func TestLook(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n", "sub/README.md": "# S\n", "x.png": "x", ".git/config": ""})
	w, err := OpenWorkspace(Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	d := Set{Workspace: w}
	for path, want := range map[string]Kind{
		"a.md": AFile, "sub/README.md": AFile, "sub": Unseen, "x.png": Unseen, ".git": Unseen, ".git/config": Unseen, "../a": Unseen,
		"gone.md": Nothing, "gone/README.md": Nothing, "gone": NoFolder, "gone.png": NoFolder, "sub/gone": NoFolder,
	} {
		if got := d.Look(path); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
}
