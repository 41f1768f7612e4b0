package markdown

import "github.com/sectile/sectile/internal/syntax"

// Lists and items (CommonMark 5.2 and 5.3), footnote definitions (GFM), which
// are matched like items, and task items (GFM 5.3).

// listMarker is a bullet or a number with its delimiter.
type listMarker struct {
	delimiter byte // '-', '+', '*', '.' or ')'
	number    int  // of an ordered one
	end       int  // offset after it
}

// parseListMarker reads the marker at i, which is followed by a blank or the end
// of the line.
func parseListMarker(line []byte, i int) (listMarker, bool) {
	m := listMarker{delimiter: line[i], end: i + 1}
	if isDigit(line[i]) {
		m.end = i
		for ; m.end < len(line) && isDigit(line[m.end]); m.end++ {
			if m.end-i == 9 {
				return m, false
			}
			m.number = m.number*10 + int(line[m.end]-'0')
		}
		if m.end == len(line) || line[m.end] != '.' && line[m.end] != ')' {
			return m, false
		}
		m.delimiter = line[m.end]
		m.end++
	}
	return m, m.end == len(line) || isBlank(line[m.end])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// openItem opens the item whose marker is at c.first, and its list unless it
// continues one. An item that interrupts a paragraph must not be empty, and
// must not begin with a number other than 1.
func (p *parser) openItem(c *cursor, level int, interrupts bool) bool {
	m, ok := parseListMarker(c.line, c.first)
	if !ok || interrupts && m.number != 1 && isDigit(c.line[c.first]) {
		return false
	}
	if interrupts && syntax.SkipBlanks(c.line, m.end) == len(c.line) {
		return false
	}
	p.closeTo(level)
	if n := len(p.stack); n > 0 && p.stack[n-1].kind == List && p.stack[n-1].marker != m.delimiter {
		p.closeContainer()
	}
	if n := len(p.stack); n == 0 || p.stack[n-1].kind != List {
		p.openContainer(List, c.first, m.end).marker = m.delimiter
	}
	t := p.openContainer(Item, c.first, m.end)
	t.marker, t.indent = m.delimiter, c.itemMarker(m)
	return true
}

// itemMarker moves c past the marker m at c.first and the blanks that belong
// to it. It returns the columns by which the item's content is indented.
func (c *cursor) itemMarker(m listMarker) uint8 {
	before := c.indent()
	width := m.end - c.first
	c.pos, c.col = m.end, c.firstCol+width
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

// footnoteMarker returns the offset after "[^label]:" at i. The label has no
// white space and no brackets unless they are escaped.
func footnoteMarker(line []byte, i int) (end int, ok bool) {
	if i+1 >= len(line) || line[i+1] != '^' {
		return 0, false
	}
	start := i + 2
	for i = start; i < len(line) && i-start <= maxLabel; i++ {
		switch line[i] {
		case ' ', '\t', '[':
			return 0, false
		case '\\':
			if i+1 < len(line) && (line[i+1] == '[' || line[i+1] == ']' || line[i+1] == '\\') {
				i++
			}
		case ']':
			return i + 2, i > start && i+1 < len(line) && line[i+1] == ':'
		}
	}
	return 0, false
}

// openFootnote opens the footnote definition at c.first, if there is one. Its
// further lines are indented by four columns; all blanks after the colon belong
// to the marker.
func (p *parser) openFootnote(c *cursor, level int) bool {
	if p.opts.NoFootnotes {
		return false
	}
	end, ok := footnoteMarker(c.line, c.first)
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
	if len(text) < 5 || text[0] != '[' || text[2] != ']' || !isSpace(text[3]) || len(trimBlankLines(text[3:])) == 0 {
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

// isSpace reports whether c is a space, a tab or part of a line ending.
func isSpace(c byte) bool { return isBlank(c) || c == '\n' || c == '\r' }

// ListStart returns the number of an ordered list's first item.
func (d *Document) ListStart(b int) int {
	m, _ := parseListMarker(d.Source[:d.Blocks[b].End], int(d.Blocks[b].Start))
	return m.number
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
