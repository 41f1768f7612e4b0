package documents_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// TestHeadingsOfLargeDocuments: who needs only headings gets the same of a large document as
// who reads all of it, and the same errors.
func TestHeadingsOfLargeDocuments(t *testing.T) {
	testkit.OneGoroutine(t)
	text := bytes.Repeat([]byte("# Section é [a]\n\nSome text about things.\n\n```sh\n# no heading\n```\n\n## B `c`\n\n"), 56_000)
	broken := slices.Concat(text[:len(text)/2], []byte("\xc3"), text[len(text)/2:])
	binary := slices.Concat(text, []byte("\x00\n"))
	list := append([]byte("# A\n\n"), bytes.Repeat([]byte("- a\n"), 5<<18)...) // a block that no piece has room for
	for name, src := range map[string][]byte{
		"plain": append(text, "[a]: b\n"...), "cut off": append(text, "\xe2\x82"...), "broken": broken, "binary": binary, "list": list,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.md")
			if err := os.WriteFile(path, src, 0o600); err != nil {
				t.Fatal(err)
			}
			rendered := func(headings bool) (text []byte, problem string) {
				r := documents.Renderer{Abridged: headings}
				r.Document = func(dst []byte, doc *markdown.Document, path string) ([]byte, error) {
					if doc.Abridged() != headings && name == "plain" {
						t.Errorf("abridged: %v", doc.Abridged())
					}
					return outline.NewTree(doc, outline.TreeOptions{}).AppendJSON(dst, filepath.Base(path)), nil
				}
				err := documents.Set{Paths: []string{path}}.Each(t.Context(), r, func(part documents.Part) error {
					text = append(text, part.Text...)
					for _, e := range part.Errors {
						problem += replies.AsError(e).Error()
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				return text, problem
			}
			got, problem := rendered(true)
			want, wanted := rendered(false)
			if !bytes.Equal(got, want) || problem != wanted {
				t.Errorf("%d bytes, %q, want %d, %q", len(got), problem, len(want), wanted)
			}
		})
	}
}
