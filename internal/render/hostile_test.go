package render

import (
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// TestHostile: what is written of hostile documents is bounded by their size.
func TestHostile(t *testing.T) {
	for _, in := range append(testkit.HostileInlines(), testkit.HostileInputs()...) {
		src := in.Make(in.Size / 100)
		d, err := markdown.Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		// Of a line of one character an item has the most, and each footnote has its label often.
		if html := AppendHTML(nil, d, Options{Safe: true}); len(html) > 100*len(src)+maxMissing*10+200_000 {
			t.Errorf("%s: %d bytes become %d", in.Name, len(src), len(html))
		}
	}
}
