package render

import (
	"bytes"
	"errors"
	"strings"
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
		html := AppendHTML(nil, d, Options{Safe: true})
		if len(html) > 100*len(src)+maxMissing*10+200_000 {
			t.Errorf("%s: %d bytes become %d", in.Name, len(src), len(html))
		}
		checkPieces(t, in.Name, d, html)
	}
	for name, src := range map[string]string{
		"code": "```\n" + strings.Repeat("\"a\"\n", 50_000) + "```\n", "HTML": "<p>\n" + strings.Repeat("<b>\n", 50_000),
		"a table": strings.Repeat("|a", 1000) + "\n" + strings.Repeat("|-", 1000) + "\n" + strings.Repeat("|a\n", 50),
		"items":   strings.Repeat("- a\n", 50_000), "links": strings.Repeat("[a](#b)\n", 50_000), "a footnote": strings.Repeat("[^a]\n", 50_000) + "\n[^a]: b\n",
	} {
		d, err := markdown.Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		checkPieces(t, name, d, AppendHTML(nil, d, Options{Safe: true, HTMLAsText: true}))
	}
}

// checkPieces: pieces are the whole, none is much longer than it may be, and nothing is written
// behind one that wasn't taken.
func checkPieces(t *testing.T, name string, d *markdown.Document, html []byte) {
	t.Helper()
	o := Options{Safe: true, HTMLAsText: true}
	if !bytes.Equal(html, AppendHTML(nil, d, o)) {
		o.HTMLAsText = false
	}
	var all []byte
	pieces := 0
	if err := Blocks(d, 0, len(d.Blocks), o, func(piece []byte) error {
		pieces++
		all = append(all, piece...)
		if len(piece) > 2*pieceSize { // the last one may have been almost one
			t.Errorf("%s: a piece of %d bytes", name, len(piece))
		}
		return nil
	}); err != nil || !bytes.Equal(all, html) {
		t.Errorf("%s: %d bytes in pieces, %d at once (%v)", name, len(all), len(html), err)
	}
	if pieces < 2 {
		return
	}
	enough, taken := errors.New("enough"), 0
	err := Blocks(d, 0, len(d.Blocks), o, func([]byte) error {
		taken++
		return enough
	})
	if !errors.Is(err, enough) || taken != 1 {
		t.Errorf("%s: %d pieces behind an error (%v)", name, taken, err)
	}
}
