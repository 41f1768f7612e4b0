package reading

import (
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// SectionWords returns for each section the number of words before it, and after
// the last one that of all sections: as sections begin at a line, those of a
// section are the difference to where it ends.
func SectionWords(doc *markdown.Document) []int {
	words := make([]int, len(doc.Sections)+1)
	for i := range doc.Sections {
		words[i+1] = words[i] + replies.CountWords(doc.Text(doc.BodySpan(i)))
	}
	return words
}
