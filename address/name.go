package address

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/anchors"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// Names go the other way, from a node to an address. Those that are made of text
// are tried on the document before they are printed, for whether a text is enough
// depends on all the other headings.

// SelectorOf returns the shortest selector that resolves to the node and has an
// index in every step: "h2.1" for a section; "h2.1/code.0" for a block, counted
// in the innermost section that it stands in; "code.0" before the first section;
// "h2.1/list.0/item.2/para.0" in containers. For front matter, preamble and
// document it is "@frontmatter", "@preamble" and "@document", which are
// addresses but no selectors. It is empty for what no selector reaches: thematic
// breaks, link definitions, footnotes and what stands in them. A cell is
// "h2.1/table.0[3,1]", a column `h2.1/table.0["Price"]`, a key "@frontmatter.title", a link
// "h2.1/link.0".
func SelectorOf(doc *markdown.Document, n Node) string { return NewNames(doc).Selector(n) }

// longestText is the length in bytes from which on an address made of text is
// more trouble to copy than a selector.
const longestText = 200

// AddressOf returns an address that resolves to the node and to no other, in the
// form that is easiest to read: the heading as it is written, "## Install"; if
// others have the same one, its path, "Guide > Install"; else its selector. It is
// that of SelectorOf for a node that is no section, and for a heading whose text
// is long or can't be seen.
func AddressOf(doc *markdown.Document, n Node) string {
	if n.Kind != SectionNode {
		return SelectorOf(doc, n)
	}
	if text := HeadingOf(doc, n.Section); readable(text) && leadsTo(doc, text, n.Section) {
		return text
	}
	if doc.Sections[n.Section].Parent >= 0 {
		if path := Path(doc, n.Section); path != "" && readable(path) {
			return path
		}
	}
	return SelectorOf(doc, n)
}

// readable reports whether an address made of text can be shown and copied.
func readable(addr string) bool { return len(addr) <= longestText && runes.Safe(addr) }

// leadsTo reports whether the text of an address resolves to section i alone.
func leadsTo(doc *markdown.Document, addr string, i int) bool {
	l := Resolver{Doc: doc}.lookUp(addr, 2, 0)
	return !l.byPosition && len(l.nodes) == 1 && l.nodes[0] == NodeOfSection(i)
}

// Path returns the titles of the sections that section i stands in and its own,
// outermost first, in a form that resolves to it: "Guide > Install > Linux", with
// `\>` for each '>' in a title. A part whose title isn't enough has its marks or
// its markup: "Guide > ## Install". It is empty if no path leads there and
// nowhere else.
func Path(doc *markdown.Document, i int) string {
	var chain []int
	for j := i; j >= 0; j = int(doc.Sections[j].Parent) {
		chain = append(chain, j)
	}
	for _, part := range [...]func(int, bool) string{
		func(j int, _ bool) string { return doc.SectionTitle(j) },
		func(j int, first bool) string {
			if first {
				return doc.SectionTitle(j)
			}
			return "######"[:doc.Sections[j].Level] + " " + doc.SectionTitle(j)
		},
		func(j int, first bool) string {
			if text := HeadingOf(doc, j); !first || len(chain) == 1 {
				return text
			}
			return string(anchors.HeadingText(doc, int(doc.Sections[j].Heading)))
		},
	} {
		parts := make([]string, 0, len(chain))
		for k, j := range slices.Backward(chain) {
			parts = append(parts, escape(part(j, k == len(chain)-1)))
		}
		if path := strings.Join(parts, pathSeparator); leadsTo(doc, path, i) {
			return path
		}
	}
	return ""
}

// Parts returns the parts of a path; the address itself, without white space around it, if it
// is the text of one heading; and nil if it has another form.
func Parts(addr string) []string {
	s := oneLine(addr)
	if s == "" {
		return nil
	}
	switch shapeOf(s) {
	case textShape:
		return []string{s}
	case pathShape:
		parts := strings.Split(s, pathSeparator)
		for i := range parts {
			if parts[i] = strings.Trim(parts[i], " \t"); parts[i] == "" {
				return nil
			}
		}
		return parts
	}
	return nil
}
