package address

import (
	"fmt"
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
func SelectorOf(doc *markdown.Document, n Node) string {
	switch n.Kind {
	case DocumentNode:
		return "@document"
	case PreambleNode:
		return "@preamble"
	case FrontMatterNode:
		return "@frontmatter"
	case SectionNode:
		return string(appendSection(nil, doc, n.Section))
	case BlockNode:
		if doc.Blocks[n.Block].Kind == markdown.TableCell {
			return unlessTitle(doc, cellSelector(doc, n))
		}
		return selectorOfBlock(doc, n)
	case KeyNode:
		return unlessTitle(doc, keySelector(doc, n))
	case ColumnNode:
		return unlessTitle(doc, columnSelector(doc, n))
	case LinkNode, ImageNode, DefinitionNode:
		return unlessTitle(doc, linkSelector(doc, n))
	}
	return ""
}

// unlessTitle returns an address of a form that yields to titles, unless one has it.
func unlessTitle(doc *markdown.Document, addr string) string {
	if addr == "" {
		return ""
	}
	if lookUpWhole(doc, newTextQuery(addr), 1).count() > 0 {
		return ""
	}
	return addr
}

// cellSelector returns the address of a cell: "h2.1/table.0[3,1]".
func cellSelector(doc *markdown.Document, n Node) string {
	row := int(doc.Blocks[n.Block].Parent)
	table := int(doc.Blocks[row].Parent)
	selector := selectorOfBlock(doc, NodeOfBlock(doc, table))
	if selector == "" {
		return ""
	}
	position := func(in, of int) int {
		i := 0
		for b := range doc.Children(in) {
			if b == of {
				break
			}
			i++
		}
		return i
	}
	return fmt.Sprintf("%s[%d,%d]", selector, position(table, row), position(row, n.Block))
}

// columnSelector returns the address of a column: `h2.1/table.0["Price"]`; nothing if another
// one has the same head.
func columnSelector(doc *markdown.Document, n Node) string {
	selector := selectorOfBlock(doc, NodeOfBlock(doc, n.Block))
	f := partFinder{doc: doc}
	rows := f.rows(n.Block)
	heads := f.heads(rows)
	if selector == "" || n.Column >= len(heads) {
		return ""
	}
	head := heads[n.Column].source
	if !runes.Safe(head) || !slices.Equal(matching(head, heads, false), []int{n.Column}) {
		return ""
	}
	return selector + `["` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(head) + `"]`
}

// appendSection appends the selector of section i.
func appendSection(dst []byte, doc *markdown.Document, i int) []byte {
	level := doc.Sections[i].Level
	before := 0
	for j := range doc.Sections[:i] {
		if doc.Sections[j].Level == level {
			before++
		}
	}
	return appendStep(dst, TypeH1+Type(level-1), before)
}

// appendStep appends a step with one index.
func appendStep(dst []byte, t Type, index int) []byte {
	s := Step{Type: t, Index: []Range{{index, index}}}
	return s.appendTo(dst)
}

func selectorOfBlock(doc *markdown.Document, n Node) string {
	// From the block outwards, so that nothing is written if a step has no type.
	var chain []int
	for b := n.Block; b >= 0; b = int(doc.Blocks[b].Parent) {
		if typeOf(&doc.Blocks[b]) == 0 {
			return ""
		}
		chain = append(chain, b)
	}
	var dst []byte
	at := NodeOfDocument()
	if n.Section >= 0 {
		at = NodeOfSection(n.Section)
		dst = append(appendSection(dst, doc, n.Section), '/')
	}
	for i, end := range slices.Backward(chain) {
		t := typeOf(&doc.Blocks[end])
		before := 0
		for b, _ := childRange(doc, at); b < end; b = int(doc.Blocks[b].Next) {
			if t.matches(&doc.Blocks[b]) {
				before++
			}
		}
		dst = appendStep(dst, t, before)
		if i > 0 {
			dst = append(dst, '/')
		}
		at = Node{Kind: BlockNode, Section: n.Section, Block: end}
	}
	return string(dst)
}

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
