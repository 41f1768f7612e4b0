package selecting

import (
	"bytes"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// content returns the source text of a node, from the start of its first block to
// the end of its last one, and whether head or tail left something out. With both,
// it is the tail of the head: what is left is always one piece of the source.
func (s *selecting) content(doc *markdown.Document, n address.Node) (text []byte, truncated bool) {
	whole := contentSpan(doc, n)
	part := s.part(doc, whole)
	return doc.Text(part), part.Len() < whole.Len()
}

// part returns what head and tail leave of a node's content.
func (s *selecting) part(doc *markdown.Document, whole markdown.Span) markdown.Span {
	part := whole
	if s.full() {
		return part
	}
	if s.selector.Head > 0 {
		part.End = part.Start + len(firstLines(doc.Text(part), s.selector.Head))
	}
	if s.selector.Tail > 0 {
		part.Start = part.End - len(lastLines(doc.Text(part), s.selector.Tail))
	}
	return part
}

// contentSpan returns the bytes from the start of a node's first block to the end
// of its last one: those of the node without blank lines around them. The node
// is one that a selector chooses.
func contentSpan(doc *markdown.Document, n address.Node) markdown.Span {
	first, end := 0, len(doc.Blocks)
	switch n.Kind {
	case address.SectionNode:
		first = int(doc.Sections[n.Section].Heading)
		if next := int(doc.Sections[n.Section].Next); next < len(doc.Sections) {
			end = int(doc.Sections[next].Heading)
		}
	case address.DocumentNode:
		if end == 0 {
			return markdown.Span{}
		}
	default:
		return n.Span(doc)
	}
	last := end - 1
	for doc.Blocks[last].Parent >= 0 {
		last = int(doc.Blocks[last].Parent)
	}
	return markdown.Span{Start: int(doc.Blocks[first].Start), End: int(doc.Blocks[last].End)}
}

// firstLines returns the first n lines of a text, without the ending of the last
// one.
func firstLines(text []byte, n int) []byte {
	for i := 0; ; {
		end := bytes.IndexAny(text[i:], "\r\n")
		if end < 0 {
			return text
		}
		if n--; n == 0 {
			return text[:i+end]
		}
		i += end + endingLength(text[i+end:])
	}
}

// lastLines returns the last n lines of a text.
func lastLines(text []byte, n int) []byte {
	i := len(text)
	for {
		start := bytes.LastIndexAny(text[:i], "\r\n") + 1
		if n--; n == 0 || start == 0 {
			return text[start:]
		}
		i = start - 1
		if i > 0 && text[i] == '\n' && text[i-1] == '\r' {
			i--
		}
	}
}

// endingLength returns the length of the line ending that text begins with.
func endingLength(text []byte) int {
	if bytes.HasPrefix(text, []byte("\r\n")) {
		return 2
	}
	return 1
}

// step says how a selector chooses a block among its siblings: the type of the
// step, "para", and what JSON calls the block, "paragraph". Both are empty for
// what no selector reaches.
func step(b *markdown.Block) (name, kind string) {
	switch b.Kind {
	case markdown.Heading:
		return "h" + string('0'+rune(b.Level)), "heading"
	case markdown.Paragraph:
		return "para", "paragraph"
	case markdown.List:
		return "list", "list"
	case markdown.FencedCode, markdown.IndentedCode:
		return "code", "code"
	case markdown.Table:
		return "table", "table"
	case markdown.BlockQuote:
		return "quote", "blockquote"
	case markdown.Item:
		return "item", "item"
	case markdown.TableRow:
		return "row", "row"
	case markdown.HTMLBlock:
		return "html", "html"
	case markdown.FrontMatter:
		return "frontmatter", "frontmatter"
	}
	return "", ""
}

// child is a part of a node that one more step of a selector reaches.
type child struct {
	block   int
	step    string // "para"
	ordinal int    // among those of the step
	kind    string // "paragraph"
}

// children calls yield for the parts of a node that one more step reaches, in
// order, until it returns false. Those of a section begin with its own heading.
func children(doc *markdown.Document, n address.Node, yield func(child) bool) {
	first, end := 0, len(doc.Source)
	switch n.Kind {
	case address.SectionNode:
		first, end = int(doc.Sections[n.Section].Heading), n.Span(doc).End
	case address.BlockNode:
		first, end = n.Block, n.Span(doc).End
		if doc.Blocks[n.Block].Kind != markdown.Heading {
			first++
		}
	case address.PreambleNode:
		end = n.Span(doc).End
	case address.FrontMatterNode, address.KeyNode, address.ColumnNode, address.LinkNode, address.ImageNode, address.DefinitionNode:
		return
	}
	counts := map[string]int{}
	for i := first; i < len(doc.Blocks) && int(doc.Blocks[i].Start) < end; i = int(doc.Blocks[i].Next) {
		name, kind := step(&doc.Blocks[i])
		if name == "" {
			continue
		}
		c := child{i, name, counts[name], kind}
		counts[name]++
		if !yield(c) {
			return
		}
	}
}

// summary returns the beginning of what a block holds; of a heading, its title.
func summary(doc *markdown.Document, block int) string {
	b := &doc.Blocks[block]
	if b.Kind == markdown.Heading {
		return doc.Title(block)
	}
	return preview(doc.Text(b.Span()))
}
