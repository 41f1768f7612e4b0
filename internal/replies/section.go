package replies

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// Named names the sections of a document: asked for one by one, their selectors and titles would
// take the square of their number, or of the length of a heading. It is for one goroutine.
type Named struct {
	doc      *markdown.Document
	ordinals []int
	long     map[int]string // beginnings of the titles of sections with long headings
}

// NewNamed returns what names the sections of a document.
func NewNamed(doc *markdown.Document) *Named {
	return &Named{doc: doc, ordinals: Ordinals(doc), long: map[int]string{}}
}

// Selector returns the selector of a section, "h2.1".
func (n *Named) Selector(section int) string {
	return "h" + strconv.Itoa(int(n.doc.Sections[section].Level)) + "." + strconv.Itoa(n.ordinals[section])
}

// maxTitles is the number of characters that titles are cut to.
const maxTitles = 300

// Titles returns the titles of a section and of those around it, outermost first, on one line that
// is safe to print, cut to 300 characters.
func (n *Named) Titles(section int) string {
	var list []string
	for i := section; i >= 0; i = int(n.doc.Sections[i].Parent) {
		list = append(list, n.title(i))
	}
	slices.Reverse(list)
	return Clip(strings.Join(list, " > "), maxTitles)
}

// title returns the title of a section, or more of its beginning than is shown.
func (n *Named) title(section int) string {
	if title, known := n.long[section]; known {
		return title
	}
	const most = utf8.UTFMax * (maxTitles + 1)
	title := Safe(n.doc.SectionTitle(section))
	if len(title) > most {
		title = strings.Clone(title[:CharOffset([]byte(title[:most]), maxTitles+1)])
		n.long[section] = title
	}
	return title
}
