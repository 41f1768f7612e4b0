package markdown

import "github.com/sectile/sectile/internal/syntax"

// Lists and items (CommonMark 5.2 and 5.3), footnote definitions (GFM), which
// are matched like items, and task items (GFM 5.3).

// openItem opens the item whose marker is at c.first, and its list unless it
// continues one. An item that interrupts a paragraph must not be empty, and
// must not begin with a number other than 1.
func (p *parser) openItem(c *cursor, level int, interrupts bool) bool {
	m, ok := syntax.ReadListMarker(c.line, c.first)
	if !ok || interrupts && m.Number != 1 && syntax.IsDigit(c.line[c.first]) {
		return false
	}
	if interrupts && syntax.SkipBlanks(c.line, m.End) == len(c.line) {
		return false
	}
	p.closeTo(level)
	if n := len(p.stack); n > 0 && p.stack[n-1].kind == List && p.stack[n-1].marker != m.Delimiter {
		p.closeContainer()
	}
	if n := len(p.stack); n == 0 || p.stack[n-1].kind != List {
		p.openContainer(List, c.first, m.End).marker = m.Delimiter
	}
	t := p.openContainer(Item, c.first, m.End)
	t.marker, t.indent = m.Delimiter, c.itemMarker(m)
	return true
}

// itemMarker moves c past the marker m at c.first and the blanks that belong
// to it. It returns the columns by which the item's content is indented.
func (c *cursor) itemMarker(m syntax.ListMarker) uint8 {
	before := c.indent()
	width := m.End - c.first
	c.pos, c.col = m.End, c.firstCol+width
	c.skipBlanks(c.pos, c.col)
	padding := c.indent()
	if padding > 4 || c.blank() {
		padding = 1 // what follows is indented code, or nothing
	}
	if c.pos < c.first {
		c.advance(padding)
	}
	return uint8(before + width + max(padding, 1))
}

const maxLabel = syntax.MaxLabel

// openFootnote opens the footnote definition at c.first, if there is one. Its
// further lines are indented by four columns; all blanks after the colon belong
// to the marker.
func (p *parser) openFootnote(c *cursor, level int) bool {
	if p.opts.NoFootnotes {
		return false
	}
	end, ok := syntax.FootnoteMarker(c.line, c.first)
	if !ok {
		return false
	}
	p.beginBlock(level)
	p.openContainer(FootnoteDefinition, c.first, end).indent = 4
	c.footnoteMarker(end)
	return true
}

// footnoteMarker moves c past the marker that ends at end and the blanks
// after it.
func (c *cursor) footnoteMarker(end int) {
	c.skipBlanks(end, c.firstCol+end-c.first)
	c.pos, c.col = c.first, c.firstCol
}

// markTask marks the item in which the paragraph b, which was just written,
// stands first, if it begins with a checkbox and text follows.
func (p *parser) markTask(b *Block) {
	n := len(p.stack)
	if n == 0 || p.stack[n-1].kind != Item || int(p.stack[n-1].block) != len(p.blocks)-2 {
		return
	}
	text := p.src[b.Start:b.End]
	if len(text) < 5 || text[0] != '[' || text[2] != ']' || !syntax.IsWhite(text[3]) || len(syntax.TrimBlankLines(text[3:])) == 0 {
		return
	}
	item := &p.blocks[p.stack[n-1].block]
	switch text[1] {
	case 'x', 'X':
		item.Flags |= Task | Done
	case ' ', '\t':
		item.Flags |= Task
	}
}

// ListStart returns the number of an ordered list's first item.
func (d *Document) ListStart(b int) int {
	m, _ := syntax.ReadListMarker(d.Source[:d.Blocks[b].End], int(d.Blocks[b].Start))
	return m.Number
}

// Tight reports whether no blank line stands between two items of the list b, nor
// between two blocks directly in one of its items.
func (d *Document) Tight(b int) bool {
	for i := range d.Children(b) {
		if !d.touching(i) {
			return false
		}
	}
	return d.touching(b)
}

// touching reports whether each child of b begins on the line after the one
// before it ends.
func (d *Document) touching(b int) bool {
	last := uint32(0)
	for _, child := range d.Children(b) {
		if last > 0 && child.StartLine > last+1 {
			return false
		}
		last = child.EndLine
	}
	return true
}
