package documents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
