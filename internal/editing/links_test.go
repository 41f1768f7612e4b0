package editing

import (
	"context"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/linking"
)

// TestEndedWhile: an edit whose time ends tells what it was about.
func TestEndedWhile(t *testing.T) {
	w, _ := workspace(t, map[string]string{"a.md": "# Head\n", "b.md": "[a](a.md#head)" + strings.Repeat("x", 200)})
	title := "Title"
	_, err := EditSection(t.Context(), documents.Set{Paths: []string{"a.md"}, Workspace: w}, EditSectionRequest{Heading: "Head", Action: "rename", Content: &title})
	if err == nil || !strings.Contains(err.Error(), "links_would_break") {
		t.Errorf("%v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for phase, want := range map[phase]string{
		waiting: "waited for others", changing: "made the change", looking: "looked for links in other documents; try again, or rename with links \"leave\"",
	} {
		e := editing{path: "a.md", phase: phase}
		if got := e.cause(ended.Err()); !strings.Contains(got.Message.String(), want) {
			t.Errorf("%s", got)
		}
	}
	for _, dry := range []bool{true, false} {
		_, err := EditSection(ended, documents.Set{Paths: []string{"a.md"}, Workspace: w}, EditSectionRequest{
			Heading: "Head", Action: "rename", Content: &title, EditOptions: EditOptions{DryRun: dry},
		})
		if err == nil || dry == strings.Contains(err.Error(), "waited for others") {
			t.Errorf("dry run %v: %v", dry, err)
		}
	}
}

// TestLinksThatAreNotChecked: an edit tells that links weren't checked, where they take more
// memory than there is, and counts them where there is enough.
func TestLinksThatAreNotChecked(t *testing.T) {
	const links = 150_000
	_, dir := workspace(t, map[string]string{"a.md": "# Head\n\n## Tail\n\n" + strings.Repeat("[x](#head) [y](#tail) ", links/2)})
	for memory, want := range map[int64]string{
		documents.MinMaxMemory: "the links of this document were not checked",
		0:                      "75000 links of this document led to an anchor that is gone",
	} {
		w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}, MaxMemory: memory})
		if err != nil {
			t.Fatal(err)
		}
		work := w.Begin(t.Context(), nil)
		text := "Other"
		r, err := EditSection(t.Context(), documents.Set{Paths: []string{"a.md"}, Workspace: w, Work: work}, EditSectionRequest{
			Heading: "Head", Action: "rename", Content: &text, Links: linking.LeaveLinks, EditOptions: EditOptions{DryRun: true},
		})
		if err != nil || !strings.Contains(string(r.Head), want) {
			t.Errorf("%d bytes: %v, %+v", memory, err, r)
		}
		work.End()
		_ = w.Close()
	}
}
