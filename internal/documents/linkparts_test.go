package documents

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/replies"
)

// TestLinkPartsAreReserved reads a link of documents that have many, or few: what the look for them
// takes is reserved meanwhile, and refused where the budget hasn't as much.
func TestLinkPartsAreReserved(t *testing.T) {
	for _, test := range []struct {
		what, text string
		memory     int64
		refused    bool
	}{
		{"images of one paragraph", strings.Repeat("![a](b) ", 6<<17), 0, true},
		{"links of paragraphs", strings.Repeat("[a](b)\n\n", 6<<17), 256 << 20, true},
		{"links of paragraphs in the larger budget", strings.Repeat("[a](b)\n\n", 6<<17), 0, false},
		{"definitions", strings.Repeat("[a]: b\n", 6<<17), 256 << 20, true},
		{"text", strings.Repeat(strings.Repeat("words, ", 150)+"\n\n[a](b) ![a](b)\n\n[a]: b\n\n", 12<<10), 256 << 20, false},
		{"few", strings.Repeat("[a](b) ![a](b)\n\n[a]: b\n\n", 20), 64 << 20, false},
	} {
		w := workspaceOf(t, test.memory, map[string][]byte{"a.md": []byte("# h\n\n" + test.text + "\n")})
		for _, addr := range []string{"link.5", "image.5", `def.5`} {
			work := w.Begin(t.Context(), nil)
			docs := Set{Paths: []string{"a.md"}, Workspace: w, Work: work}
			doc, err := docs.Open("a.md")
			if err != nil {
				t.Fatalf("%s: %v", test.what, err)
			}
			_, err = docs.Resolver("a.md", doc).Nth(addr, 0)
			if refused := err != nil && replies.AsError(err).Code == replies.CodeTooComplex; refused != test.refused {
				t.Errorf("%s, %s: %v", test.what, addr, err)
			}
			work.End()
		}
		atRest(t, w.memory)
	}
}
