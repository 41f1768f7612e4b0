package editing

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/testkit"
)

// TestHonestDocumentsAreNotRefused: neither to read nor to edit.
func TestHonestDocumentsAreNotRefused(t *testing.T) {
	for _, kind := range testkit.Honest() {
		size := 6_000_000
		if testing.Short() {
			size = 1_500_000
		}
		w, _ := workspace(t, map[string]string{"a.md": string(kind.Make(size))})
		for _, dryRun := range []bool{true, false} {
			work := w.Begin(t.Context(), nil)
			text := "new text"
			docs := documents.Set{Paths: []string{"a.md"}, Workspace: w, Work: work}
			if _, err := reading.Read(docs, reading.ReadRequest{Heading: testkit.RareHeading, MaxChars: 2_000}); err != nil {
				t.Errorf("%s: %v", kind.Name, err)
			}
			if _, err := EditSection(t.Context(), docs, EditSectionRequest{
				Heading: testkit.RareHeading, Action: "append", Content: &text, EditOptions: EditOptions{DryRun: dryRun},
			}); err != nil {
				t.Errorf("%s: edit, dry run %v: %v", kind.Name, dryRun, err)
			}
			work.End()
		}
	}
}

// TestLargeTextIntoASmallDocument: new text of many blocks is measured by its own size, not by
// that of the document that it comes into.
func TestLargeTextIntoASmallDocument(t *testing.T) {
	w, _ := workspace(t, map[string]string{"a.md": "# A\n\nx\n"})
	for name, text := range map[string]string{
		"items":      strings.Repeat("- item\n", 20_000),
		"rows":       "| a | b |\n|---|---|\n" + strings.Repeat("| c | d |\n", 15_000),
		"paragraphs": strings.Repeat("text\n\n", 150_000),
		"prose":      strings.Repeat("a line of text\n", 200_000),
	} {
		for _, dryRun := range []bool{true, false} {
			work := w.Begin(t.Context(), nil)
			r, err := EditSection(t.Context(), documents.Set{Paths: []string{"a.md"}, Workspace: w, Work: work}, EditSectionRequest{
				Heading: "A", Action: "replace", Content: &text, EditOptions: EditOptions{DryRun: dryRun},
			})
			if err != nil || strings.Contains(string(r.Head), "nothing was written") != dryRun {
				t.Errorf("%s, dry run %v: %v", name, dryRun, err)
			}
			work.End()
		}
	}
}
