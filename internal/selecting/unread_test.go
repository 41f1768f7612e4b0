package selecting

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/session"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/markdown"
)

// selects takes content by selector.
func selects(t *testing.T, docs documents.Set, selector string, maxChars int, paths ...string) string {
	t.Helper()
	docs.Paths = paths
	var out bytes.Buffer
	if err := Select(context.Background(), docs, SelectRequest{Selector: selector, Literal: true, MaxChars: maxChars}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// unreadNames names the sections of the document at path that were not read.
func unreadNames(t *testing.T, docs *documents.Set, path string) string {
	t.Helper()
	src, err := docs.Workspace.FileRoots().Read(&textfile.Reader{}, path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := markdown.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range docs.Session.Unread(docs.FileKey(path), doc).Sections {
		names = append(names, s.Selector)
	}
	return strings.Join(names, " ")
}

// Content by selector is noted too: of each match as much as is shown.
func TestSelectIsNoted(t *testing.T) {
	long := "# A\n\n" + strings.Repeat("Some text.\n", 60) + "\n# B\n\nShort.\n"
	const five = "Before.\n\n# A\n\n## B\n\n- item\n\n### C\n\nText of C.\n\n## D\n\nText of D.\n"
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{testkit.Folder(t, map[string]string{"a.md": five, "b.md": long})}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	docs := documents.Set{Workspace: w, Session: session.New()}
	selects(t, docs, "h2.0", 10_000, "a.md")
	if got := unreadNames(t, &docs, "a.md"); got != "@preamble h1.0 h2.1" {
		t.Errorf("after a section: %s", got)
	}
	selects(t, docs, "h2.1?head=2", 10_000, "a.md")
	if got := unreadNames(t, &docs, "a.md"); got != "@preamble h1.0 h2.1" {
		t.Errorf("after the head of another: %s", got)
	}
	selects(t, docs, "h2.1/para.0", 10_000, "a.md")
	selects(t, docs, "h1.0?head=1", 10_000, "a.md")
	if got := unreadNames(t, &docs, "a.md"); got != "@preamble" {
		t.Errorf("after its text: %s", got)
	}
	if text := selects(t, docs, "h1", 500, "b.md", "a.md"); !strings.Contains(text, "left out") {
		t.Fatalf("nothing is left out: %s", text)
	}
	if got := unreadNames(t, &docs, "b.md"); got != "h1.0" {
		t.Errorf("of what was cut: %s", got)
	}
	selects(t, docs, "h1.0", 10_000, "b.md")
	if got := unreadNames(t, &docs, "b.md"); got != "" {
		t.Errorf("after all of it: %s", got)
	}
}
