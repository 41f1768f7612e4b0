package blockcheck

import (
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// A text for a place in a quote may come with the marks of that quote, which look like those of
// quotes of its own.

// IsLazy reports whether a quote at the top level begins on the line below other text, or code
// has no end: marks of quotes at the beginning of lines may be those of a quote around the text.
func IsLazy(doc *markdown.Document) bool {
	for _, block := range doc.Children(-1) {
		line := textlines.Begin(doc.Source, int(block.Start))
		if block.Kind == markdown.BlockQuote && block.StartLine > 1 && !textlines.IsBlank(doc.Source[textlines.Before(doc.Source, line):line], "") {
			return true
		}
	}
	return OpenFrom(doc) >= 0
}

// InnerQuotes returns the lines, from 0, of the outermost quotes that are in items or footnotes.
func InnerQuotes(doc *markdown.Document) map[int]bool {
	lines := map[int]bool{}
	for b := 0; b < len(doc.Blocks); b++ {
		block := &doc.Blocks[b]
		if block.Kind != markdown.BlockQuote {
			continue
		}
		for line := block.StartLine; block.Parent >= 0 && line <= block.EndLine; line++ {
			lines[int(line)-1] = true
		}
		b = int(block.Next) - 1
	}
	return lines
}
