//go:build unix

package finding

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// TestNamesForgeNoLines: a file's name makes no line of its own, and acts on no terminal.
func TestNamesForgeNoLines(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"x\nb.md:1-9 h9.9 #0 \x1b[2JF.md": "# One\n\nalpha\n", "z.md": "# One\n\nalpha\n"})
	for _, req := range []SearchRequest{{Query: "alpha"}, {Query: "alpha", Match: MatchText}, {Query: "alpha", Names: true}} {
		got, err := answerOf(t, dir, req)
		if err != nil || strings.Contains(got, "\nb.md") || strings.Contains(got, "\x1b") || !strings.Contains(got, "b.md:1-9") {
			t.Errorf("%+v: %q, %v", req, got, err)
		}
	}
}

// TestUnnamedDocumentsAreTold: a workspace names what no path can name, in a line of sectile's,
// and what it can't look at, beside what it finds.
func TestUnnamedDocumentsAreTold(t *testing.T) {
	dir, gone := t.TempDir(), filepath.Join(t.TempDir(), "gone")
	for _, path := range []string{dir + "/a\nb.md", filepath.Join(dir, "good.md"), dir + "/c\x1b[2J/d.md", dir + "/e\nf.txt", dir + "/g\x01/h/f.txt", filepath.Join(gone, "g.md")} {
		testkit.Crowd(t, "# One\n\nalpha\n", []string{path})
	}
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir, gone}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	set := documents.Set{Workspace: w}
	list, err := List(t.Context(), set, ListRequest{Structured: true})
	if err != nil {
		t.Fatal(err)
	}
	found, err := Search(t.Context(), set, SearchRequest{Query: "alpha"})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(list.Text), string(found.Text)} {
		if strings.Contains(text, "\nb.md") || strings.Contains(text, "\x1b") || !strings.Contains(text, "good.md") ||
			strings.Count(text, "control character") != 2 || !strings.Contains(text, "io_error: ") || strings.Contains(text, "f.txt") {
			t.Errorf("%q", text)
		}
	}
	if len(list.Failed) != 3 || len(found.Failed) != 3 || found.Found != 1 {
		t.Errorf("%d and %d failed", len(list.Failed), len(found.Failed))
	}
}
