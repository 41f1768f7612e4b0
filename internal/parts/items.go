package parts

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// HasItems reports whether a text is items of an ordered list, and nothing else, that follow each
// other in a list of the document at the top level, with any numbers.
func HasItems(doc *markdown.Document, list int, text *markdown.Document) bool {
	if len(text.Blocks) == 0 || doc.Blocks[list].Parent >= 0 {
		return false
	}
	there, items := &doc.Blocks[list], &text.Blocks[0]
	if int(items.Next) < len(text.Blocks) || there.Kind != markdown.List || items.Kind != markdown.List || !items.Ordered() || there.Marker != items.Marker {
		return false
	}
	all, want := itemTexts(doc, list), itemTexts(text, 0)
	for i := 0; i+len(want) <= len(all); i++ {
		if slices.Equal(all[i:i+len(want)], want) {
			return true
		}
	}
	return false
}

// itemTexts returns what stands in the items of a list at the top level, without their markers and
// their indentation.
func itemTexts(doc *markdown.Document, list int) []string {
	var texts []string
	for item := range doc.Children(list) {
		block := &doc.Blocks[item]
		_, text, _ := strings.Cut(string(doc.Text(block.Span())), string(block.Marker))
		lines := strings.Split(textlines.WithEnding(text, "\n"), "\n")
		for i, line := range lines {
			if rest, _, ok := textlines.TakeBlanks(line, 0, int(block.Level)); ok && i > 0 {
				lines[i] = rest
			}
		}
		lines[0] = strings.TrimLeft(lines[0], " \t")
		texts = append(texts, strings.Join(lines, "\n"))
	}
	return texts
}
