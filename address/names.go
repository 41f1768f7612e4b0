package address

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/anchors"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// Names makes the selectors of many nodes of one document, as SelectorOf does of one. Asked for
// in about the order of the document, all together take time that is linear in the document and
// the selectors: it goes on counting where the one before has ended. It is for one goroutine.
type Names struct {
	doc *markdown.Document

	section int    // the sections before this one are counted
	levels  [7]int // by level

	counted []counted // in the containers of the last block, the outermost first

	// Of the last table with a column that was named: its heads, and how many columns have each.
	table int
	heads []partText
	alike map[string]int

	titles *nameTitles // nil until it is needed
}

// NewNames returns the names of a document's nodes.
func NewNames(doc *markdown.Document) *Names { return &Names{doc: doc, table: -1} }

// counted are the first children of a container.
type counted struct {
	first, next int // the first child, and the first one that isn't counted
	all         int
	byType      [TypeFrontMatter + 1]int
}

// Selector returns what SelectorOf returns.
func (n *Names) Selector(of Node) string {
	switch of.Kind {
	case DocumentNode:
		return "@document"
	case PreambleNode:
		return "@preamble"
	case FrontMatterNode:
		return "@frontmatter"
	case SectionNode:
		return string(n.appendSection(nil, of.Section))
	case BlockNode:
		if n.doc.Blocks[of.Block].Kind == markdown.TableCell {
			return n.unlessTitle(n.cell(of))
		}
		selector, _ := n.block(of)
		return selector
	case KeyNode:
		return n.unlessTitle(keySelector(n.doc, of))
	case ColumnNode:
		return n.unlessTitle(n.column(of))
	case LinkNode, ImageNode, DefinitionNode:
		return n.unlessTitle(n.link(of))
	}
	return ""
}

// appendSection appends the selector of section i.
func (n *Names) appendSection(dst []byte, i int) []byte {
	if i < n.section {
		n.section, n.levels = 0, [7]int{}
	}
	for ; n.section < i; n.section++ {
		n.levels[n.doc.Sections[n.section].Level]++
	}
	level := n.doc.Sections[i].Level
	return appendStep(dst, TypeH1+Type(level-1), n.levels[level])
}

// appendStep appends a step with one index.
func appendStep(dst []byte, t Type, index int) []byte {
	s := Step{Type: t, Index: []Range{{index, index}}}
	return s.appendTo(dst)
}

// before counts the children of a container before block b. The container stands in so many
// others, and begins with the first child.
func (n *Names) before(b, depth, first int) *counted {
	for len(n.counted) <= depth {
		n.counted = append(n.counted, counted{first: -1})
	}
	c := &n.counted[depth]
	if c.first != first || b < c.next {
		*c = counted{first: first, next: first}
	}
	for ; c.next < b; c.next = int(n.doc.Blocks[c.next].Next) {
		c.byType[typeOf(&n.doc.Blocks[c.next])]++
		c.all++
	}
	return c
}

// block returns the selector of a block, and in how many containers its children stand.
func (n *Names) block(of Node) (selector string, depth int) {
	// From the block outwards, so that nothing is written if a step has no type.
	var chain []int
	for b := of.Block; b >= 0; b = int(n.doc.Blocks[b].Parent) {
		if typeOf(&n.doc.Blocks[b]) == 0 {
			return "", 0
		}
		chain = append(chain, b)
	}
	var dst []byte
	at := NodeOfDocument()
	if of.Section >= 0 {
		at = NodeOfSection(of.Section)
		dst = append(n.appendSection(dst, of.Section), '/')
	}
	for i, b := range slices.Backward(chain) {
		first, _ := childRange(n.doc, at)
		t := typeOf(&n.doc.Blocks[b])
		dst = appendStep(dst, t, n.before(b, depth, first).byType[t])
		if i > 0 {
			dst = append(dst, '/')
		}
		at = Node{Kind: BlockNode, Section: of.Section, Block: b}
		depth++
	}
	return string(dst), depth
}

// cell returns the address of a cell: "h2.1/table.0[3,1]".
func (n *Names) cell(of Node) string {
	row := int(n.doc.Blocks[of.Block].Parent)
	table := int(n.doc.Blocks[row].Parent)
	selector, depth := n.block(NodeOfBlock(n.doc, table))
	if selector == "" {
		return ""
	}
	return fmt.Sprintf("%s[%d,%d]", selector, n.before(row, depth, table+1).all, n.before(of.Block, depth+1, row+1).all)
}

// column returns the address of a column: `h2.1/table.0["Price"]`; nothing if another one has
// the same head.
func (n *Names) column(of Node) string {
	if n.table != of.Block {
		f := partFinder{doc: n.doc}
		n.table, n.heads, n.alike = of.Block, f.heads(f.rows(of.Block)), map[string]int{}
		for _, head := range n.heads {
			n.alike[head.source]++
		}
	}
	selector, _ := n.block(NodeOfBlock(n.doc, of.Block))
	if selector == "" || of.Column >= len(n.heads) {
		return ""
	}
	head := n.heads[of.Column].source
	if n.alike[head] > 1 || !runes.Safe(head) {
		return ""
	}
	return selector + "[" + inQuotes(head) + "]"
}

// inQuotes returns a text as it is asked for in brackets.
func inQuotes(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// NameOf returns an address of a part of a section that counts nothing: `Todo/task["Buy milk"]`,
// `Prices/table["Apple", "Price"]`. It is empty for what has no text of its own, or shares it, and
// for what is no item, task, paragraph or cell.
func NameOf(doc *markdown.Document, n Node) string {
	if n.Kind != BlockNode {
		return ""
	}
	f := partFinder{doc: doc}
	block := &doc.Blocks[n.Block]
	name := ""
	switch block.Kind {
	case markdown.Item:
		name = "item"
		if block.Flags&markdown.Task != 0 {
			name = stepTask
		}
		name += "[" + inQuotes(f.text(n.Block).source) + "]"
	case markdown.Paragraph:
		name = "para[" + inQuotes(f.text(n.Block).source) + "]"
	case markdown.TableCell:
		row := int(block.Parent)
		cells, heads := f.cells(row), f.heads(f.rows(int(doc.Blocks[row].Parent)))
		if at := slices.Index(cells, n.Block); at < len(heads) {
			name = "table[" + inQuotes(f.text(cells[0]).source) + ", " + inQuotes(heads[at].source) + "]"
		}
	}
	if name == "" {
		return ""
	}
	if n.Section >= 0 {
		name = AddressOf(doc, NodeOfSection(n.Section)) + "/" + name
	}
	if !readable(name) {
		return ""
	}
	if r, err := Resolve(doc, name); err != nil || r.Node != n || r.ByPosition || r.TwoReadings {
		return ""
	}
	return name
}

// link returns the address of a link, an image or a definition: "h2.1/link.0".
func (n *Names) link(of Node) string {
	name, _ := linkStep(of.Kind)
	var dst []byte
	if of.Section >= 0 {
		dst = append(n.appendSection(dst, of.Section), '/')
	}
	return fmt.Sprintf("%s%s.%d", dst, name, of.Ordinal)
}

// unlessTitle returns an address of a form that yields to titles, unless one has it.
func (n *Names) unlessTitle(addr string) string {
	if addr == "" {
		return ""
	}
	if n.titles == nil {
		n.titles = nameTitlesOf(n.doc)
	}
	if n.titles.have(addr) {
		return ""
	}
	return addr
}

// nameTitles are the headings of a document that may be the address of a part of a form that
// yields to titles, as the matcher compares them: as they are written, and folded.
type nameTitles struct{ exact, folded map[string]bool }

// nameTitlesOf returns the nameTitles of a document: the headings with a word of which such an
// address has one.
func nameTitlesOf(doc *markdown.Document) *nameTitles {
	t := &nameTitles{map[string]bool{}, map[string]bool{}}
	var words [][]byte
	for _, word := range []string{"link.", "image.", "def.", "table.", "@frontmatter"} {
		words = append(words, runes.AppendFolded(nil, []byte(word)))
	}
	hasAny := func(text []byte, has func(text, word []byte) bool, words ...[]byte) bool {
		return slices.ContainsFunc(words, func(word []byte) bool { return has(text, word) })
	}
	dot, at := []byte("."), []byte("@") // most headings have neither
	var stripped, folded []byte
	for i := range doc.Sections {
		b := int(doc.Sections[i].Heading)
		source := anchors.HeadingText(doc, b)
		if !hasAny(source, runes.MayHold, dot, at) || !hasAny(source, runes.MayHold, words...) {
			continue
		}
		stripped = runes.AppendStripped(stripped[:0], doc.Title(b))
		if folded = runes.AppendFolded(folded[:0], stripped); hasAny(folded, bytes.Contains, words...) {
			t.exact[string(source)], t.folded[string(folded)] = true, true
		}
	}
	return t
}

// have reports whether a heading is the address.
func (t *nameTitles) have(addr string) bool {
	q := newTextQuery(addr)
	if t.exact[q.text] || t.exact[q.literal] {
		return true
	}
	if len(t.folded) == 0 {
		return false
	}
	q.prepare()
	return slices.ContainsFunc(q.folded, func(folded []byte) bool { return t.folded[string(folded)] })
}
