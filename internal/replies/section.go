package replies

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// Ordinals returns of each section of a document its number among those of its level, from
// 0: what its selector counts. One by one they would take the square of their number.
func Ordinals(doc *markdown.Document) []int {
	ordinals := make([]int, len(doc.Sections))
	var counts [7]int
	for i, s := range doc.Sections {
		ordinals[i] = counts[s.Level]
		counts[s.Level]++
	}
	return ordinals
}

// TitlesOf returns the titles of a section and of those around it, outermost first, on one
// line that is safe to print, cut to so many characters.
func TitlesOf(doc *markdown.Document, section, most int) string {
	var list []string
	for i := section; i >= 0; i = int(doc.Sections[i].Parent) {
		list = append(list, doc.SectionTitle(i))
	}
	slices.Reverse(list)
	return Clip(Safe(strings.Join(list, " > ")), most)
}
