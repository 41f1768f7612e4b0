package address

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/anchors"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// Names that somebody has written down come first, then those that the document's dialect
// makes of headings, which internal/anchors knows.

// Anchors returns the anchor of each section of the document, by its index: the name
// that the document's dialect gives its heading, with the '#' before it, "#install", and
// for a second one "#install-1" on GitHub. It is empty for a heading that has nothing to
// make one of, as "## !?" hasn't on GitHub or one of the reader's own, and for one whose anchor
// leads elsewhere.
func Anchors(doc *markdown.Document) []string {
	all := make([]string, len(doc.Sections))
	if doc.LacksHeadings() {
		return all
	}
	written := writtenPlaces(doc, elementsOf(doc))
	twins := anchors.HaveTwins(doc)
	given := map[string]bool{} // if there can be twins
	for b, anchor := range anchors.Headings(doc) {
		leads := anchor != "" && !given[anchor]
		if twins {
			given[anchor] = true
		}
		if place, exact := written.Find(anchor); place != nil && exact {
			leads = leads && (place.Block == b || place.Node(doc) == NodeOfBlock(doc, b))
		}
		if doc.Blocks[b].Parent >= 0 {
			continue
		}
		if leads {
			all[NodeOfBlock(doc, b).Section] = "#" + anchors.Escaped(anchor)
		}
	}
	return all
}

// lookUpAnchor looks for the part of the document that has an anchor: a name that somebody
// has written down, or else the section that the dialect gives it.
func lookUpAnchor(doc *markdown.Document, s string) *lookup {
	name := anchors.Unescaped(s[1:])
	closest := closestTo{strings.ReplaceAll(name, "-", " "), everywhere(doc)}
	if doc.LacksHeadings() {
		return &lookup{miss: "which heading has the anchor " + runes.Quoted(s) + " depends on headings in quotes, items or HTML, which aren't looked through", closest: closest}
	}
	if mayBeWritten(doc.Source, name) {
		if p, _ := writtenPlaces(doc, elementsOf(doc)).Find(name); p != nil {
			return &lookup{nodes: []Node{p.Node(doc)}, byPosition: p.Kind == ElementPlace || isOneOfSeveral(doc, PlacesOf(doc), p, name)}
		}
	}
	at, repeated := findAnchor(doc, name)
	b := at.Block
	if at.IsTagged() {
		place := taggedPlace(doc, name, at)
		return &lookup{nodes: []Node{place.Node(doc)}, byPosition: true}
	}
	if b >= 0 && doc.Blocks[b].Parent < 0 {
		return &lookup{nodes: []Node{NodeOfBlock(doc, b)}, byPosition: repeated}
	}
	l := &lookup{miss: "no heading has the anchor " + runes.Quoted(s), closest: closest}
	if b >= 0 {
		l.miss = "the heading with the anchor " + runes.Quoted(s) + " stands in a quote, an item or a footnote and opens no section"
		if n := NodeOfBlock(doc, b); SelectorOf(doc, n) != "" {
			l.instead = []Candidate{CandidateOf(doc, n)}
		}
	}
	return l
}

// findAnchor returns where the heading is that the dialect gives an anchor, or block -1, and
// whether others would have the same one if it weren't taken.
func findAnchor(doc *markdown.Document, name string) (at anchors.Spot, repeated bool) {
	if at, repeated, ok := anchors.Find(doc, name); ok {
		return at, repeated
	}
	places := PlacesOf(doc)
	p, _ := places.Find(name)
	if p == nil {
		return anchors.Spot{Block: -1}, false
	}
	return anchors.Spot{Block: p.Block}, anchors.Repeated(doc, p.Block) || isOneOfSeveral(doc, places, p, name)
}

// isOneOfSeveral reports whether another part than the one that is found by a name has it too: just
// so, or, if none is called just so, in any case and normal form.
func isOneOfSeveral(doc *markdown.Document, places *Places, found *Place, name string) bool {
	node, folded := found.Node(doc), anchors.Folded(name)
	return slices.ContainsFunc(places.All(), func(o Place) bool {
		isNamed := o.Name == name || found.Name != name && anchors.Folded(o.Name) == folded
		return isNamed && o.Node(doc) != node
	})
}
