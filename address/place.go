package address

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/sectile/sectile/internal/anchors"
	"github.com/sectile/sectile/markdown"
)

// A link leads to a name, and a document has several kinds of them. Those that somebody
// has written down come before those that a dialect makes of headings, for they are
// there to be linked to.

// PlaceKind says what gives a place its name.
type PlaceKind uint8

// The kinds of places.
const (
	HeadingPlace   PlaceKind = iota // the heading, by the rule of the dialect
	AttributePlace                  // attributes behind a heading, "{#id}"
	ElementPlace                    // id or name of an HTML element
	BlockPlace                      // "^id" at the end of a block, in the dialect of Obsidian
)

// String returns "heading", "attribute", "element" or "block".
func (k PlaceKind) String() string {
	return [...]string{"heading", "attribute", "element", "block"}[min(k, BlockPlace)]
}

// A Place is what a link to a name in a document leads to.
type Place struct {
	Kind PlaceKind
	// Name is what stands behind '#' in a link, without percent-encoding.
	Name string
	// Block is the index of the heading, also of one that an element just before it names, of
	// the block that "^id" names, or of the block in which the element stands.
	Block int
	// Line is the one on which the block begins, or the element, from 1.
	Line int
	// Section is the index of the section that is read when somebody follows the link, -1
	// for what stands before the first one.
	Section int
	// Nth is which of the headings in a block of HTML it is, from 1; 0 for any other place.
	Nth int
	// Written is where the name stands in the source, in bytes; empty for a name that the
	// dialect makes of a heading, in HTML too.
	Written markdown.Span
}

// Node returns the part of the document that the place stands for: the section of a
// heading, or of what names one just before it; the block of "^id"; else the section in
// which the name stands.
func (p *Place) Node(doc *markdown.Document) Node {
	switch {
	case p.Kind == BlockPlace, p.Kind != ElementPlace && doc.Blocks[p.Block].Parent >= 0:
		return NodeOfBlock(doc, p.Block)
	case p.Section < 0:
		return NodeOfPreamble()
	}
	return NodeOfSection(p.Section)
}

// Places are the names of a document that links can lead to. They don't keep the document,
// and are safe for concurrent use.
type Places struct {
	all    []Place
	nested *anchors.Nested // nil but in a dialect that has them

	once       sync.Once // of what follows
	exact      map[string]int32
	foldedOnce sync.Once // of what is asked for when no name is just so
	folded     map[string]int32
}

// PlacesOf returns the places of a document: those that are written down first, those at the
// ends of blocks last of these, then those of its headings, each in the order of the document.
func PlacesOf(doc *markdown.Document) *Places { return PlacesWith(doc, elementsOf(doc)) }

// elementsOf returns the names of elements in a document, which are among its links.
func elementsOf(doc *markdown.Document) []markdown.Link {
	if !mayHaveElements(doc.Source) {
		return nil
	}
	var r markdown.LinkReader
	return r.Append(nil, doc, markdown.LinkHTMLAnchor)
}

// PlacesWith is PlacesOf for those who have the document's links, as Links returns them.
func PlacesWith(doc *markdown.Document, links []markdown.Link) *Places {
	p := writtenPlaces(doc, links)
	p.all = slices.Grow(p.all, len(doc.Sections))
	for at, anchor := range anchors.All(doc) {
		switch {
		case anchor == "":
		case at.IsTagged():
			p.add(taggedPlace(doc, anchor, at))
		default:
			p.add(placeAt(doc, HeadingPlace, anchor, at.Block, markdown.Span{}))
		}
	}
	p.nested = anchors.NestedOf(doc)
	return p
}

// writtenPlaces returns the places whose names are written down, given the links of the
// document if it may have elements with names.
func writtenPlaces(doc *markdown.Document, links []markdown.Link) *Places {
	p := &Places{}
	for b := range doc.Blocks {
		if id, ok := anchors.OwnID(doc, b); ok {
			p.add(placeAt(doc, AttributePlace, string(doc.Text(id)), b, id))
		}
	}
	for i := range links {
		if l := &links[i]; l.Kind == markdown.LinkHTMLAnchor && l.Label.Len() > 0 {
			place := placeAt(doc, ElementPlace, string(doc.AppendLinkText(nil, l, l.Label)), l.Block, l.Label)
			place.Line = doc.LineAt(l.Whole.Start)
			place.Section = sectionAtLine(doc, place.Line)
			if next := place.Section + 1; next < len(doc.Sections) && isBefore(doc, l.Block, int(doc.Sections[next].Heading)) {
				place.Section, place.Block = next, int(doc.Sections[next].Heading)
			}
			p.add(place)
		}
	}
	slices.SortStableFunc(p.all, func(a, b Place) int { return a.Block - b.Block }) // a browser goes to the first of an id
	for b, id := range anchors.Blocks(doc) {
		p.add(placeAt(doc, BlockPlace, anchors.BlockSign+string(doc.Text(id)), b, id))
	}
	return p
}

// mayHaveElements reports whether elements with names may be in a source.
func mayHaveElements(src []byte) bool { return countNames(src, 1) > 0 }

// countNames returns how many names of elements may be in a source, at most so many.
func countNames(src []byte, most int) (n int) {
	if bytes.IndexByte(src, '<') < 0 {
		return 0
	}
	for from := 0; n < most; {
		i := bytes.IndexByte(src[from:], '=')
		if i < 0 {
			break
		}
		// Between them there may be blanks, and the marks of a quote.
		name := bytes.TrimRight(src[from:from+i], " \t\n\f\r>")
		if hasSuffixFold(name, "id") || hasSuffixFold(name, "name") {
			n++
		}
		from += i + 1
	}
	return n
}

// hasSuffixFold reports whether a text ends with a word of lower case, in any case.
func hasSuffixFold(text []byte, word string) bool {
	return len(text) >= len(word) && strings.EqualFold(string(text[len(text)-len(word):]), word)
}

// PlaceBytes returns about how many bytes of memory the names take that are written down in
// a document, and finding them: what PlacesOf takes beside the names of headings.
func PlaceBytes(doc *markdown.Document) int {
	n := bytes.Count(doc.Source, []byte("{#"))
	if anchors.NamesBlocks(doc) {
		n += bytes.Count(doc.Source, []byte(anchors.BlockSign))
	}
	n += anchors.CountTagged(doc)
	elements := countNames(doc.Source, math.MaxInt)
	if elements == 0 {
		return perName * n
	}
	return perName*(n+elements) + LinkBytes(doc)
}

// perName is the bytes of a name that is written down: a link of the document, a place, two
// entries of an index, each in a list that grows.
const perName = 500

// MostPlaceBytes returns a number of bytes that PlaceBytes doesn't exceed, in a fraction of
// the time.
func MostPlaceBytes(doc *markdown.Document) int {
	n := bytes.Count(doc.Source, []byte("{")) + bytes.Count(doc.Source, []byte("=")) + anchors.CountTagged(doc)
	if anchors.NamesBlocks(doc) {
		n += bytes.Count(doc.Source, []byte(anchors.BlockSign))
	}
	return perName*n + LinkBytes(doc)
}

// LinkBytes returns about how many bytes of memory it takes to look for the links in any one
// block of a document, which may be many times its length: its inline content is read as a
// whole. Blocks of less than 8 KiB count as nothing.
func LinkBytes(doc *markdown.Document) int {
	const little = 8 << 10 // bytes of content
	return InlineBytes(doc, 0, len(doc.Blocks), func(kind markdown.Kind, text []byte) bool {
		switch kind {
		case markdown.Paragraph, markdown.Heading, markdown.TableCell:
			return len(text) >= little && (bytes.ContainsAny(text, "[<:@") || bytes.Contains(text, []byte("www."))) // else it has no links
		}
		return false
	})
}

// InlineBytes returns about how many bytes of memory it takes to read the inline content of any one
// block among those from start to end, exclusive, that counts by its kind and text.
func InlineBytes(doc *markdown.Document, start, end int, counts func(kind markdown.Kind, text []byte) bool) int {
	const (
		perMark = 180 // nodes in two lists, runs of delimiters, what they face
		perText = 5   // joined lines, and what is made of the longest text, in lists that grow
	)
	marksIn, most := "", 0
	for b := start; b < end; b++ {
		block := &doc.Blocks[b]
		text := doc.Text(block.Span())
		if (2*perMark+perText)*len(text) <= most || !counts(block.Kind, text) { // a bracket counts twice
			continue
		}
		if marksIn == "" {
			marksIn = "\\&`<*_[]\n\r~:"
			if bytes.Contains(doc.Source, []byte("www.")) || bytes.IndexByte(doc.Source, '@') >= 0 {
				marksIn += "w@"
			}
		}
		marks := bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("]")) // which have a target, too
		for i := range len(marksIn) {
			marks += bytes.Count(text, []byte{marksIn[i]})
		}
		most = max(most, perMark*marks+perText*len(text))
	}
	return most
}

// isBefore reports whether block b holds nothing but tags and stands just before a heading:
// then what is named in it is the heading.
func isBefore(doc *markdown.Document, b, heading int) bool {
	if int(doc.Blocks[b].Next) != heading || doc.Blocks[b].Kind != markdown.Paragraph && doc.Blocks[b].Kind != markdown.HTMLBlock {
		return false
	}
	inTag := false
	for _, c := range doc.Text(doc.Blocks[b].Span()) {
		switch {
		case c == '<':
			inTag = true
		case c == '>':
			inTag = false
		case !inTag && c != ' ' && c != '\t' && c != '\n' && c != '\r':
			return false
		}
	}
	return true
}

// placeAt returns the place of a name at block b.
func placeAt(doc *markdown.Document, kind PlaceKind, name string, b int, written markdown.Span) Place {
	line := int(doc.Blocks[b].StartLine)
	return Place{Kind: kind, Name: name, Block: b, Line: line, Section: sectionAtLine(doc, line), Written: written}
}

// taggedPlace returns the place of a heading in HTML that has the anchor.
func taggedPlace(doc *markdown.Document, anchor string, at anchors.Spot) Place {
	place := placeAt(doc, ElementPlace, anchor, at.Block, markdown.Span{})
	place.Line, place.Nth = at.Line, at.Nth
	return place
}

// add adds a place.
func (p *Places) add(place Place) { p.all = append(p.all, place) }

// index makes the maps by which places are found: of several of a name the first counts.
func (p *Places) index() {
	p.exact = make(map[string]int32, len(p.all))
	for i, place := range slices.Backward(p.all) {
		p.exact[place.Name] = int32(i)
	}
}

// All returns the places, of which several may have the same name; the first of those is
// the one that is found. The slice must not be changed.
func (p *Places) All() []Place { return p.all }

// Find returns the place of a name, nil if there is none, and whether the name is written
// just so; if not, it differs in case or normal form, which some renderers forgive and
// others don't. In the dialect of Obsidian it forgives, and takes a heading below others
// too, "Install#Linux".
func (p *Places) Find(name string) (place *Place, exact bool) {
	p.once.Do(p.index)
	if i, ok := p.exact[name]; ok {
		return &p.all[i], true
	}
	if p.nested != nil && !strings.HasPrefix(name, anchors.BlockSign) {
		h, ok := p.nested.Find(name)
		if !ok {
			return nil, true
		}
		return &Place{Kind: HeadingPlace, Name: name, Block: h.Block, Line: h.Line, Section: h.Section}, true
	}
	p.foldedOnce.Do(func() {
		p.folded = make(map[string]int32, len(p.all))
		for i, place := range slices.Backward(p.all) {
			p.folded[anchors.Folded(place.Name)] = int32(i)
		}
	})
	if i, ok := p.folded[anchors.Folded(name)]; ok {
		return &p.all[i], p.nested != nil
	}
	return nil, false
}

// mayBeWritten reports whether a name may be written down in a source: whether it stands
// there behind a sign that names have before them.
func mayBeWritten(src []byte, name string) bool {
	want := []byte(name)
	for at := 0; len(want) > 0; at++ {
		i := bytes.Index(src[at:], want)
		if i < 0 {
			return strings.HasPrefix(name, anchors.BlockSign)
		}
		if at += i; at > 0 && strings.IndexByte(`#"'= `, src[at-1]) >= 0 {
			return true
		}
	}
	return false
}
