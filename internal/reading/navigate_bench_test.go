package reading

import (
	"fmt"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// BenchmarkTreeSingle reads, parses and renders: whole, limited by the length of
// the reply, and as text.
func BenchmarkTreeSingle(b *testing.B) {
	for _, req := range []*TreeRequest{{}, {MaxChars: 10_000}, {MaxChars: 40_000}, {Format: "ascii", MaxChars: 10_000}} {
		b.Run(fmt.Sprintf("%s/%d", req.Format, req.MaxChars), func(b *testing.B) {
			docs := documents.Set{Paths: []string{testkit.LargeFile(b)}}
			req.Single = true
			for b.Loop() {
				if err := Tree(b.Context(), docs, *req, func(documents.Part) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSectionsSingle reads, parses and lists.
func BenchmarkSectionsSingle(b *testing.B) {
	docs := documents.Set{Paths: []string{testkit.LargeFile(b)}}
	for b.Loop() {
		req := SectionsRequest{Single: true, MaxChars: 10_000}
		if err := Sections(b.Context(), docs, req, func(documents.Part) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadSection reads, parses and delivers a section: a short one, one
// that is thinned, one without its subsections.
func BenchmarkReadSection(b *testing.B) {
	for name, req := range map[string]*ReadRequest{
		"short": {Heading: "h3.5"}, "thinned": {Heading: "h1.1"},
		"body": {Heading: "h1.1", BodyOnly: true}, "levels": {Heading: "h1.1", MaxLevels: 1},
		"document": {Heading: "@document"},
	} {
		b.Run(name, func(b *testing.B) {
			docs := documents.Set{Paths: []string{testkit.LargeFile(b)}}
			req.MaxChars = 10_000
			for b.Loop() {
				if _, err := Read(docs, *req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReadMap reads, parses and lists sections with their words: all of them,
// and as many levels as fit.
func BenchmarkReadMap(b *testing.B) {
	for _, req := range []*ReadRequest{{}, {MaxChars: 2000}, {JSON: true, MaxChars: 2000}} {
		b.Run(fmt.Sprintf("%v/%d", req.JSON, req.MaxChars), func(b *testing.B) {
			docs := documents.Set{Paths: []string{testkit.LargeFile(b)}}
			for b.Loop() {
				if _, err := Read(docs, *req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
