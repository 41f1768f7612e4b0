package edit

import (
	"bytes"
	"fmt"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// Two sections with the same heading can't be told apart by it, so an operation that
// makes them is told of.

// warnDuplicates warns of headings that an operation has made equal to others.
func (r *Result) warnDuplicates(before *markdown.Document) {
	for _, c := range r.Changes {
		if c.After == nil || c.After.Kind != address.SectionNode {
			continue
		}
		i := c.After.Section
		if n := countEqual(r.Doc, r.Doc, i); n > 1 && n > countEqual(before, r.Doc, i) {
			r.Warnings = append(r.Warnings, fmt.Sprintf(
				"there are %d sections with the heading %s now; name this one by its path or its selector", n, quoted(address.HeadingOf(r.Doc, i))))
		}
	}
}

// countEqual counts the sections of doc with the heading of section i of other.
func countEqual(doc, other *markdown.Document, i int) int {
	level, text := other.Sections[i].Level, headingText(other, i)
	n := 0
	for j := range doc.Sections {
		if doc.Sections[j].Level == level && bytes.Equal(headingText(doc, j), text) {
			n++
		}
	}
	return n
}

// headingText returns the text of section i's heading as it is written.
func headingText(doc *markdown.Document, i int) []byte {
	return doc.Text(doc.Content(int(doc.Sections[i].Heading)))
}
