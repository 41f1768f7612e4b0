package documents

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// TestPartsAreOfTheWhole parses the parts of a document with code and HTML that are larger than a
// part may be: the headings, the code and the HTML in them are those of the whole.
func TestPartsAreOfTheWhole(t *testing.T) {
	opens := []string{"```go", "~~~~", "   ````", "<pre>", "<script>", "<!-- c", "<?php", "<!DOCTYPE x", "<![CDATA[", "<div>", "</custom>"}
	ends := []string{"```", "~~~~", "````", "</pre>", "</script>", "-->", "?>", ">", "]]>", "", ""}
	r := rand.New(rand.NewPCG(39, 7))
	for range testkit.Some(30, 10) {
		var src []byte
		for n := range 2 + r.IntN(4) {
			if r.IntN(4) > 0 {
				src = fmt.Appendf(src, "%s Section %d\n\ntext\n\n", "###"[:1+r.IntN(3)], n)
			}
			kind := r.IntN(len(opens))
			src = append(src, opens[kind]+"\n"...)
			blank := "\n"
			if ends[kind] == "" {
				blank = ""
			}
			for range r.IntN(30_000) {
				src = append(src, []string{"pre lorem ipsum dolor sit amet\n", "# none\n" + blank, "text\n" + blank}[r.IntN(3)]...)
			}
			src = append(src, ends[kind]+"\n\n"...)
		}
		whole, err := markdown.Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		var got []string
		p := parting{size: 100_000, largest: 300_000, use: func(part *DocumentPart) error {
			doc, err := part.Parse(t.Context(), markdown.Options{})
			if err != nil {
				return err
			}
			got = append(got, leavesIn(doc, part.Text, len(part.Source), at-part.Text)...)
			want := leavesIn(whole, at, at+len(part.Source)-part.Text, 0)
			if at += len(part.Source) - part.Text; !slices.Equal(got, want) {
				t.Fatalf("the part up to %d has\n%s\nand the whole\n%s", at, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			got = got[:0]
			return nil
		}}
		for piece, err := range markdown.Stream(t.Context(), bytes.NewReader(src), markdown.Options{}, markdown.Limits{}) {
			if err == nil {
				err = p.add(piece)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := p.end(); err != nil || at != len(src) {
			t.Fatalf("%d bytes of %d: %v", at, len(src), err)
		}
	}
}

// leavesIn returns the headings, the code and the HTML in a range of a document, with their places
// moved by so many bytes.
func leavesIn(doc *markdown.Document, from, end, by int) (list []string) {
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		start, stop := max(int(b.Start), from), min(int(b.End), end)
		if start < stop && (b.Kind == markdown.Heading || b.Kind == markdown.FencedCode || b.Kind == markdown.HTMLBlock) {
			list = append(list, fmt.Sprint(b.Kind, " ", start+by, " ", len(bytes.TrimSpace(doc.Source[start:stop]))))
		}
	}
	return list
}
