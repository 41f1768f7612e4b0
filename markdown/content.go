package markdown

import (
	"iter"

	"github.com/sectile/sectile/internal/syntax"
)

// Content is what a block holds without its own marks and without the prefixes
// that its containers put on every line. It is computed from the source when it
// is asked for: the parser keeps ranges alone.

// ContentLine is a line of a block's content.
type ContentLine struct {
	// Span is the range of the line's bytes, without its line ending.
	Span
	// Columns is the number of spaces that stand before the bytes in Span: what
	// is left of a tab that a container's prefix used in part.
	Columns int
}

// Content returns the byte range of block b's content: the text of a heading or
// cell, the lines between the fences of code and front matter (the last line
// ending included); of any other block, its span. If the block stands in
// containers, their prefixes are in the range from its second line on;
// ContentLines leaves them out.
func (d *Document) Content(b int) Span {
	block := &d.Blocks[b]
	switch {
	case block.Kind == FencedCode || block.Kind == FrontMatter:
		return d.fencedContent(block)
	case block.Kind == Heading && block.Setext():
		end := syntax.TrimBlanks(d.Source, int(block.Start), d.lastLineStart(block))
		for end > int(block.Start) && syntax.IsWhite(d.Source[end-1]) {
			end--
		}
		return Span{int(block.Start), end}
	case block.Kind == Heading && block.Marker == OwnMarker:
		_, start, end := d.options.Headings.Match(d.Text(block.Span()))
		return Span{int(block.Start) + start, int(block.Start) + end}
	case block.Kind == Heading:
		start, end := syntax.ATXContent(d.Source[:block.End], int(block.Start)+int(block.Level))
		return Span{start, end}
	}
	return block.Span()
}

// fencedContent returns the range between the first and the last line of the
// block, or from the second line to its end if it is not closed.
func (d *Document) fencedContent(block *Block) Span {
	_, start := (&syntax.LineReader{Source: d.Source}).Next(int(block.Start))
	end := int(block.End)
	if block.Flags&Closed != 0 {
		end = d.lastLineStart(block)
	}
	return Span{min(start, end), end}
}

// lastLineStart returns the offset at which the last line of the block begins.
func (d *Document) lastLineStart(block *Block) int {
	i := int(block.End)
	for i > int(block.Start) && d.Source[i-1] != '\n' && d.Source[i-1] != '\r' {
		i--
	}
	return i
}

// ContentLines yields the content of block b line by line without the prefixes
// of its containers: for code without its indentation and fences, for a
// container without its own marker.
func (d *Document) ContentLines(b int) iter.Seq[ContentLine] {
	return func(yield func(ContentLine) bool) {
		block := &d.Blocks[b]
		if block.Kind == TableRow || block.Kind == TableCell || block.Kind == Heading && !block.Setext() {
			yield(ContentLine{Span: d.Content(b)})
			return
		}
		// The first line begins before the block if containers begin on it.
		d.contentLines(b, d.lineStart(int(block.Start)), int(block.StartLine), yield)
	}
}

// lineStart returns the offset of the first byte of the line that holds the byte at i.
func (d *Document) lineStart(i int) int {
	for i > syntax.BOMLen(d.Source) && d.Source[i-1] != '\n' && d.Source[i-1] != '\r' {
		i--
	}
	return i
}

// contentLines yields the content of block b from line n on, which begins at start. Only
// code is to be read from its first line on.
func (d *Document) contentLines(b, start, n int, yield func(ContentLine) bool) {
	block := &d.Blocks[b]
	w := contentWalk{d: d, block: block, chain: d.containers(b)}
	lines := syntax.LineReader{Source: d.Source}
	for ; n <= int(block.EndLine); n++ {
		end, next := lines.Next(start)
		if l, ok := w.line(start, end, n); ok && !yield(l) {
			return
		}
		start = next
	}
}

// containers returns the containers of block b that put prefixes on lines,
// outermost first, and b itself if it does.
func (d *Document) containers(b int) []*Block {
	var chain []*Block
	for i := int32(b); i >= 0; i = d.Blocks[i].Parent {
		switch d.Blocks[i].Kind {
		case BlockQuote, Item, FootnoteDefinition:
			chain = append(chain, &d.Blocks[i])
		}
	}
	for i, j := 0, len(chain)-1; i < j; i, j = i+1, j-1 {
		chain[i], chain[j] = chain[j], chain[i]
	}
	return chain
}

// contentWalk strips the lines of one block.
type contentWalk struct {
	d      *Document
	block  *Block
	chain  []*Block
	indent int // columns before the opening fence
}

// line strips line n, from start to end, and reports whether it is content.
func (w *contentWalk) line(start, end, n int) (ContentLine, bool) {
	c := cursor{line: w.d.Source[:end], pos: start}
	c.skipBlanks(start, 0)
	for _, t := range w.chain {
		if !c.prefix(t, n) {
			break // a lazy continuation
		}
	}
	first, last := n == int(w.block.StartLine), n == int(w.block.EndLine)
	switch w.block.Kind {
	case FencedCode, FrontMatter:
		if first {
			w.indent = c.indent()
		}
		if first || last && w.block.Flags&Closed != 0 {
			return ContentLine{}, false
		}
		c.advance(min(w.indent, c.indent()))
	case IndentedCode:
		c.advance(min(4, c.indent()))
	case Heading:
		if last {
			return ContentLine{}, false
		}
		c.pos, c.col = c.first, c.firstCol
	case Paragraph, LinkDefinition, Table:
		c.pos, c.col = c.first, c.firstCol
	}
	l := c.rest()
	if first { // what stands before the block is not its content
		l.Start = max(l.Start, int(w.block.Start))
	}
	if last { // nor are blanks after an empty item or quote
		l.End = min(l.End, int(w.block.End))
	}
	l.Start = min(l.Start, l.End)
	return l, true
}

// prefix moves c past what the container t puts on line n, and reports whether
// the line has it.
func (c *cursor) prefix(t *Block, n int) bool {
	begins := n == int(t.StartLine)
	switch {
	case t.Kind == BlockQuote:
		if c.blank() || c.indent() > 3 || c.line[c.first] != '>' {
			return false
		}
		c.quoteMarker()
	case begins && t.Kind == Item:
		m, _ := syntax.ReadListMarker(c.line, c.first)
		c.itemMarker(m)
	case begins:
		end, _ := syntax.FootnoteMarker(c.line, c.first)
		c.footnoteMarker(end)
	case c.indent() < int(t.Level) && !c.blank():
		return false
	default:
		c.advance(min(int(t.Level), c.indent()))
	}
	return true
}

// rest returns the line from pos on.
func (c *cursor) rest() ContentLine {
	l := ContentLine{Span: Span{c.pos, len(c.line)}}
	if c.pos < len(c.line) && c.partTab == c.pos+1 {
		l.Columns = 4 - c.col&3
		l.Start++
	}
	return l
}
