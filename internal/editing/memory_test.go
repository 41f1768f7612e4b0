package editing

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// TestHonestDocumentsAreNotRefused: neither to read nor to edit.
func TestHonestDocumentsAreNotRefused(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, kind := range testkit.Honest() {
		size := 2_500_000 // no small document
		if testkit.Long() {
			size = 6_000_000
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
	testkit.OneGoroutine(t)
	w, _ := workspace(t, map[string]string{"a.md": "# A\n\nx\n"})
	for name, text := range map[string]string{
		"items":      strings.Repeat("- item\n", 20_000),
		"rows":       "| a | b |\n|---|---|\n" + strings.Repeat("| c | d |\n", 15_000),
		"paragraphs": strings.Repeat("text\n\n", 80_000),
		"prose":      strings.Repeat("a line of text\n", 100_000),
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

// TestRenameAmongLargeDocuments: looking for links in other large documents never waits for
// what the renaming itself has.
func TestRenameAmongLargeDocuments(t *testing.T) {
	large := "\n\n" + strings.Repeat("plain words here\n", 1_100_000/17)
	texts := map[string]string{"a.md": "# Head\n\n[h](#head)" + large}
	for _, name := range []string{"b.md", "c.md", "d.md"} {
		texts[name] = "# Other\n\n[a](a.md) [b](b.md#other) [c](c.md#other)" + large
	}
	w, dir := workspace(t, texts)
	memory := documents.NewMemory(0)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	title := "Title"
	for _, docs := range []documents.Set{
		{Paths: []string{"a.md"}, Workspace: w, Work: w.Begin(ctx, nil)},
		{Paths: []string{filepath.Join(dir, "a.md")}, Work: memory.Begin(ctx, nil), MaxBytes: 1 << 30},
	} {
		r, err := EditSection(ctx, docs, EditSectionRequest{
			Heading: "Head", Action: "rename", Content: &title, Links: linking.UpdateLinks, EditOptions: EditOptions{DryRun: true},
		})
		docs.Work.End()
		if err != nil || !strings.Contains(string(r.Head), "links changed: 1") {
			t.Errorf("%v, %+v", err, r)
		}
	}
}

// TestWholeDocumentsWithinMemory: what is made of whole documents, or of two, is refused where it
// takes more memory than any document may, while it is parsed.
func TestWholeDocumentsWithinMemory(t *testing.T) {
	testkit.OneGoroutine(t)
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n\n## B\n\n" + strings.Repeat("- x\n", 20_000), "b.md": "# C\n\n" + strings.Repeat("- y\n", 20_000)})
	memory := documents.NewMemory(16 << 20)
	before := listed(t, dir)
	text := strings.Repeat("- item\n", 200_000)
	for name, change := range map[string]func(docs documents.Set) error{
		"new": func(docs documents.Set) error {
			docs.Paths = []string{filepath.Join(dir, "new", "c.md")}
			_, err := CreateDocument(t.Context(), docs, DocumentRequest{Content: &text})
			return err
		},
		"across": func(docs documents.Set) error {
			docs.Paths = []string{filepath.Join(dir, "a.md")}
			_, err := MoveSection(t.Context(), docs, MoveSectionRequest{Heading: "B", Action: "move", ToPath: filepath.Join(dir, "b.md")})
			return err
		},
	} {
		work := memory.Begin(t.Context(), nil)
		err := change(documents.Set{Work: work, MaxBytes: 1 << 30})
		work.End()
		if e := replies.AsError(err); err == nil || e.Code != replies.CodeTooComplex || e.Written || name == "new" && strings.Contains(err.Error(), "400001 were found") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if now := listed(t, dir); now != before {
		t.Errorf("%s", now)
	}
}
