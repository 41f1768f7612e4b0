package selecting

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// BenchmarkSelect reads, parses and selects: one part, several, all of a kind; in a
// reply of limited length, with JSON beside it, and without a limit.
func BenchmarkSelect(b *testing.B) {
	for _, selector := range []string{"h3.60", "h3.60/para.0", "h2", "h2.1-3/para", "para", "h1.0,1?head=2"} {
		for kind, req := range map[string]SelectRequest{
			"10000": {MaxChars: 10_000}, "10000+json": {MaxChars: 10_000, Structured: io.Discard}, "0": {}, "json": {JSON: true},
		} {
			b.Run(fmt.Sprintf("%s/%s", strings.ReplaceAll(selector, "/", ":"), kind), func(b *testing.B) {
				docs := documents.Set{Paths: []string{testkit.LargeFile(b)}}
				req.Selector = selector
				for b.Loop() {
					if err := Select(b.Context(), docs, req, io.Discard, io.Discard); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkSelectOfMany selects from a document with a million paragraphs.
func BenchmarkSelectOfMany(b *testing.B) {
	path := filepath.Join(b.TempDir(), "many.md")
	if err := os.WriteFile(path, append([]byte("# T\n\n"), bytes.Repeat([]byte("a\n\n"), 1_000_000)...), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("parse", func(b *testing.B) {
		src, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := markdown.Parse(src); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, selector := range []string{"para", "h1.0/para", "para.999999", "para.0-999999", "h1.0"} {
		for kind, req := range map[string]SelectRequest{
			"10000": {MaxChars: 10_000}, "10000+json": {MaxChars: 10_000, Structured: io.Discard}, "0": {},
		} {
			b.Run(fmt.Sprintf("%s/%s", strings.ReplaceAll(selector, "/", ":"), kind), func(b *testing.B) {
				b.ReportAllocs()
				req.Selector = selector
				for b.Loop() {
					if err := Select(b.Context(), documents.Set{Paths: []string{path}}, req, io.Discard, io.Discard); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
