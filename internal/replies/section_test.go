package replies

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// TestNamed: titles are the same, asked for once or again, and cut where all of them together are
// too long.
func TestNamed(t *testing.T) {
	long := strings.Repeat("漢", 5000)
	doc, err := markdown.Parse([]byte("# A " + long + "\n\n## B\n\n### C " + long + "\n\n# " + strings.Repeat("x", 1203) + "\n\n## D\n\n# E\n"))
	if err != nil {
		t.Fatal(err)
	}
	n := NewNamed(doc)
	for range 2 {
		for i, selector := range []string{"h1.0", "h2.0", "h3.0", "h1.1", "h2.1", "h1.2"} {
			var titles []string
			for at := i; at >= 0; at = int(doc.Sections[at].Parent) {
				titles = append([]string{doc.SectionTitle(at)}, titles...)
			}
			if got, want := n.Titles(i), Clip(Safe(strings.Join(titles, " > ")), 300); got != want || n.Selector(i) != selector {
				t.Errorf("%s: %q, want %q", n.Selector(i), got, want)
			}
		}
	}
}
