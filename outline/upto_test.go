package outline_test

import (
	"bytes"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/outline"
)

// TestUpTo compares a tree cut at a level with one that is made up to there.
func TestUpTo(t *testing.T) {
	sources := append([]string{guide, "# A\n### C\n## B\n##### E\n### C\n# Z\n"}, fuzzSeeds...)
	for _, f := range testkit.Fixtures() {
		sources = append(sources, string(f.Source))
	}
	for _, src := range sources {
		doc := parse(t, src)
		for _, opts := range []outline.TreeOptions{{}, {Safe: true}, {Raw: true}, {Pattern: "a"}, {MaxDepth: 2}} {
			tree := outline.NewTree(doc, opts)
			for level := 1; level <= 6 && (opts.MaxDepth == 0 || level < opts.MaxDepth); level++ {
				limited := opts
				limited.MaxDepth = level
				want := outline.NewTree(doc, limited).AppendJSON(nil, "a.md")
				if got := tree.UpTo(outline.Level(level)).AppendJSON(nil, "a.md"); !bytes.Equal(got, want) {
					t.Errorf("%+v: up to %d: %s, want %s", opts, level, got, want)
				}
			}
			if tree.UpTo(0).Len() != 0 || tree.UpTo(6).Len() != tree.Len() {
				t.Errorf("%+v: %d sections up to H0, %d up to H6", opts, tree.UpTo(0).Len(), tree.UpTo(6).Len())
			}
		}
	}
}

// TestFirst compares the beginning of a page with a page of so many sections.
func TestFirst(t *testing.T) {
	doc := parse(t, guide)
	for _, opts := range []outline.ListOptions{{}, {Max: 3}, {Cursor: "1"}, {Cursor: "1", Max: 2}, {Cursor: "500"}, {Pattern: "e"}} {
		page, err := outline.List(doc, opts)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= len(page.Sections)+1; n++ {
			want := page
			if n <= len(page.Sections) {
				shorter := opts
				shorter.Max = n
				if want, err = outline.List(doc, shorter); err != nil {
					t.Fatal(err)
				}
			}
			if got := page.First(n); !bytes.Equal(got.AppendJSON(nil), want.AppendJSON(nil)) {
				t.Errorf("%+v: the first %d: %+v, want %+v", opts, n, got, want)
			}
		}
	}
}
