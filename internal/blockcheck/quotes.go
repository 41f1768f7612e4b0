package blockcheck

import (
	"strings"

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

// HasLazyItem reports whether a paragraph in a list at the top level goes on at the margin, without
// the indentation of its item.
func HasLazyItem(doc *markdown.Document) bool {
	begins := map[uint32]bool{}
	for b := range doc.Blocks {
		begins[doc.Blocks[b].StartLine] = true
	}
	for _, list := range doc.Children(-1) {
		at := textlines.End(doc.Source, int(list.Start))
		for line := list.StartLine + 1; list.Kind == markdown.List && line <= list.EndLine && at < len(doc.Source); line++ {
			if !begins[line] && strings.IndexByte(" \t\r\n", doc.Source[at]) < 0 {
				return true
			}
			at = textlines.End(doc.Source, at)
		}
	}
	return false
}
