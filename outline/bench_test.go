package outline_test

import (
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// The limits are for 200 entries: JSON 50 µs, ASCII 30 µs, pattern 20 µs, depth
// 10 µs. Each operation begins with the parsed document, so that the choice of
// sections and their titles are measured in it; the large fixture has 208.

func large(b *testing.B) *markdown.Document {
	b.Helper()
	doc := parse(b, string(testkit.LargeFixture().Source))
	b.ReportAllocs()
	b.ResetTimer()
	return doc
}

func BenchmarkJSON(b *testing.B) {
	doc := large(b)
	var dst []byte
	for b.Loop() {
		dst = outline.NewTree(doc, outline.TreeOptions{}).AppendJSON(dst[:0], "large.md")
	}
}

func BenchmarkASCII(b *testing.B) {
	doc := large(b)
	var dst []byte
	for b.Loop() {
		dst = outline.NewTree(doc, outline.TreeOptions{}).AppendASCII(dst[:0], "large.md")
	}
}

func BenchmarkPattern(b *testing.B) {
	doc := large(b)
	for b.Loop() {
		if outline.NewTree(doc, outline.TreeOptions{Pattern: "search"}).Len() == 0 {
			b.Fatal("no match")
		}
	}
}

func BenchmarkPatternKeepChildren(b *testing.B) {
	doc := large(b)
	for b.Loop() {
		outline.NewTree(doc, outline.TreeOptions{Pattern: "search", KeepChildren: true})
	}
}

func BenchmarkDepth(b *testing.B) {
	doc := large(b)
	for b.Loop() {
		outline.NewTree(doc, outline.TreeOptions{MaxDepth: 2})
	}
}

func BenchmarkList(b *testing.B) {
	doc := large(b)
	var dst []byte
	for b.Loop() {
		page, err := outline.List(doc, outline.ListOptions{})
		if err != nil {
			b.Fatal(err)
		}
		dst = page.AppendJSON(dst[:0])
	}
}

func BenchmarkListOfLevel(b *testing.B) {
	doc := large(b)
	for b.Loop() {
		if _, err := outline.List(doc, outline.ListOptions{Level: 2}); err != nil {
			b.Fatal(err)
		}
	}
}
