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

// warnAnchors warns of sections whose anchors others have now. It is told the numbers of the
// old sections in the new document.
func (r *Result) warnAnchors(before *markdown.Document, sections []int) {
	if sections == nil {
		return
	}
	was, is := address.Anchors(before), address.Anchors(r.Doc)
	first, changed := -1, 0
	for i, now := range sections {
		if now >= 0 && was[i] != is[now] {
			if changed++; first < 0 {
				first = i
			}
		}
	}
	if changed > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d anchors of equal headings have changed, %s to %s the first of them: links to them lead elsewhere",
			changed, was[first], is[sections[first]]))
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
