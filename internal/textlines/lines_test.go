package textlines

import (
	"testing"

	"github.com/sectile/sectile/markdown"
)

func TestLineAt(t *testing.T) {
	for _, src := range []string{"a", "\n\n\na\r\n\r\n# b\r\rc\n- d\n  e\n\n\n", "```\n\n\n\n", "\uFEFF# a\n"} {
		doc, err := markdown.Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		for at := range src {
			if got, want := NumberAt(doc, at), doc.LineAt(at); got != want {
				t.Errorf("%q: line %d at %d, want %d", src, got, at, want)
			}
		}
	}
}
