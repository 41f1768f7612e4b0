package address

import (
	"slices"

	"github.com/sectile/sectile/markdown"
)

// A node is a few numbers and can be compared with ==. Its range is asked of the
// document, here and nowhere else, so that what a read shows and what a write
// changes are the same bytes.

// NodeKind says what part of a document a node is.
type NodeKind uint8

// The kinds of nodes.
const (
	_               NodeKind = iota
	DocumentNode             // all of it but a byte order mark
	SectionNode              // a section with its subsections
	BlockNode                // a block; if it is a heading, see Node
	PreambleNode             // what stands before the first section, without front matter
	FrontMatterNode          // YAML or TOML at the start
	KeyNode                  // a value of front matter
	ColumnNode               // a column of a table; its range is the table
	LinkNode                 // a link
	ImageNode                // an image
	DefinitionNode           // the definition of a label of links, or of a footnote
)

// String returns "document", "section", "block", "preamble", "front_matter", "key", "column",
// "link", "image" or "definition".
func (k NodeKind) String() string {
	return [...]string{"invalid", "document", "section", "block", "preamble", "front_matter", "key", "column", "link", "image", "definition"}[min(k, DefinitionNode)]
}

// A Node is a part of a document.
//
// A BlockNode whose block is a heading stands in a block quote, an item or a
// footnote, for all other headings open sections. It is the heading with what
// follows it in its container, up to the next heading there of the same or a
// higher level.
//
// The zero value is no node: take one from Resolve, from Select, or from NodeOfSection,
// NodeOfBlock, NodeOfPreamble or NodeOfDocument. Those that name the same part of a
// document are equal.
type Node struct {
	Kind NodeKind
	// Section is the index of a section: of the node itself, or of the innermost
	// one in which a block stands. It is -1 if there is none.
	Section int
	// Block is the index of a block: of a BlockNode, of front matter, also for a key, of
	// the table of a column, or of the block that a link, an image or a definition stands
	// in. It is -1 for the other kinds.
	Block int
	// Value is where the value of a KeyNode, a link, an image or a definition stands; empty
	// for other kinds.
	Value markdown.Span
	// Column is the number of a ColumnNode, from 0; 0 for other kinds.
	Column int
	// Ordinal is the number of a link, image or definition among those in its section but
	// not below it, from 0; 0 for other kinds.
	Ordinal int
}

// NodeOfDocument returns the node of a whole document.
func NodeOfDocument() Node { return Node{Kind: DocumentNode, Section: -1, Block: -1} }

// NodeOfPreamble returns the node of what stands before the first section. It is a node
// of a document that has nothing there, too; its range is empty then.
func NodeOfPreamble() Node { return Node{Kind: PreambleNode, Section: -1, Block: -1} }

// NodeOfSection returns the node of section i.
func NodeOfSection(i int) Node { return Node{Kind: SectionNode, Section: i, Block: -1} }

// NodeOfBlock returns the node of block b: its section's if it is a heading that
// opens one.
func NodeOfBlock(doc *markdown.Document, b int) Node {
	block := &doc.Blocks[b]
	if block.Kind == markdown.FrontMatter {
		return Node{Kind: FrontMatterNode, Section: -1, Block: b}
	}
	section := sectionAtLine(doc, int(block.StartLine))
	if block.Kind == markdown.Heading && block.Parent < 0 {
		return NodeOfSection(section)
	}
	return Node{Kind: BlockNode, Section: section, Block: b}
}

// NodeOfColumn returns the node of a column of the table that block b is, counted from 0.
func NodeOfColumn(doc *markdown.Document, b, column int) Node {
	n := NodeOfBlock(doc, b)
	n.Kind, n.Column = ColumnNode, column
	return n
}

// Span returns the node's bytes: what a read shows and a write changes. That of a
// section begins with its heading's line and ends where the next section begins;
// that of a block has no line ending at its end.
func (n Node) Span(doc *markdown.Document) markdown.Span {
	switch n.Kind {
	case SectionNode:
		return doc.SectionSpan(n.Section)
	case PreambleNode:
		return preamble(doc)
	case KeyNode, LinkNode, ImageNode, DefinitionNode:
		return n.Value
	case BlockNode, FrontMatterNode, ColumnNode:
		span := doc.Blocks[n.Block].Span()
		span.End = int(doc.Blocks[lastBlock(doc, n.Block)].End)
		return span
	}
	return markdown.Span{Start: doc.Preamble().Start, End: len(doc.Source)}
}

// Lines returns the node's lines. A preamble without a line has an empty range.
func (n Node) Lines(doc *markdown.Document) markdown.Lines {
	switch n.Kind {
	case SectionNode:
		return doc.SectionLines(n.Section)
	case PreambleNode:
		lines := doc.PreambleLines()
		if fm := doc.FrontMatter(); fm >= 0 {
			lines.First = int(doc.Blocks[fm].EndLine) + 1
		}
		return lines
	case KeyNode, LinkNode, ImageNode, DefinitionNode:
		return markdown.Lines{First: doc.LineAt(n.Value.Start), Last: doc.LineAt(max(n.Value.End-1, n.Value.Start))}
	case BlockNode, FrontMatterNode, ColumnNode:
		lines := doc.Blocks[n.Block].Lines()
		lines.Last = int(doc.Blocks[lastBlock(doc, n.Block)].EndLine)
		return lines
	}
	return markdown.Lines{First: 1, Last: doc.LineCount}
}

// preamble returns the bytes between front matter and the first section.
func preamble(doc *markdown.Document) markdown.Span {
	span := doc.Preamble()
	fm := doc.FrontMatter()
	if fm < 0 {
		return span
	}
	// The line that ends front matter belongs to it, its ending included.
	span.Start = int(doc.Blocks[fm].End)
	for _, ending := range [2]byte{'\r', '\n'} {
		if span.Start < span.End && doc.Source[span.Start] == ending {
			span.Start++
		}
	}
	return span
}

// lastBlock returns the last of the siblings that the node of block b reaches to:
// b itself unless it is a heading.
func lastBlock(doc *markdown.Document, b int) int {
	block := &doc.Blocks[b]
	if block.Kind != markdown.Heading || block.Parent < 0 {
		return b
	}
	last := b
	end := int(doc.Blocks[block.Parent].Next)
	for i := int(block.Next); i < end; i = int(doc.Blocks[i].Next) {
		if endsAt(&doc.Blocks[i], block.Level) {
			break
		}
		last = i
	}
	return last
}

// endsAt reports whether what a heading of the level opens ends before block b.
func endsAt(b *markdown.Block, level uint8) bool {
	return b.Kind == markdown.Heading && b.Level <= level
}

// sectionAtLine returns the innermost section that holds the line, or -1.
func sectionAtLine(doc *markdown.Document, line int) int {
	// A section is open until the next one begins, so the last that begins in
	// time is the innermost.
	lo, hi := 0, len(doc.Sections)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if int(doc.Blocks[doc.Sections[mid].Heading].StartLine) <= line {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// breadcrumb returns the titles of the sections that the node stands in, outermost
// first; those of a section's ancestors for a section. It is nil if there are none.
func breadcrumb(doc *markdown.Document, n Node) []string {
	section := n.Section
	if n.Kind == SectionNode {
		section = int(doc.Sections[section].Parent)
	}
	var titles []string
	for ; section >= 0; section = int(doc.Sections[section].Parent) {
		titles = append(titles, doc.SectionTitle(section))
	}
	slices.Reverse(titles)
	return titles
}
