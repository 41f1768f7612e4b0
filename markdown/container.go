package markdown

// Containers are kept on a stack, outermost first. Each line is matched against
// them from the outside in; what does not match is closed when the line opens a
// block, and stays open when the line lazily continues a paragraph.

// container is an open block quote, list, item or footnote.
type container struct {
	kind     Kind
	marker   byte  // of a list
	hasChild bool  // of an item: something stands in it
	indent   uint8 // of an item or footnote: columns before its content
	block    int32 // its index in parser.blocks
	end      uint32
	endLine  uint32
}

// cursor is a place in a line. Columns matter beside offsets because of tabs: a
// tab that a container used in part leaves pos on the tab, with the column
// advanced into it.
type cursor struct {
	line            []byte // the source up to the end of the line
	pos, col        int    // where the content of the containers matched so far begins
	first, firstCol int    // the first byte from there on that is no space or tab
	partTab         int    // offset after the last tab that was used in part
}

// blank reports whether the rest of the line is blank.
func (c *cursor) blank() bool { return c.first == len(c.line) }

// indent returns the number of columns before the first non-blank byte.
func (c *cursor) indent() int { return c.firstCol - c.col }

// skipBlanks sets first to the first byte from pos on, which is at column col,
// that is no space or tab.
func (c *cursor) skipBlanks(pos, col int) {
	line := c.line
	start := pos
	for pos < len(line) && line[pos] == ' ' {
		pos++
	}
	col += pos - start
	for pos < len(line) && (line[pos] == '\t' || line[pos] == ' ') {
		if line[pos] == '\t' {
			col |= 3
		}
		col++
		pos++
	}
	c.first, c.firstCol = pos, col
}

// advance moves pos by columns, not beyond the first non-blank byte.
func (c *cursor) advance(columns int) {
	if c.first-c.pos == c.firstCol-c.col { // no tabs
		c.pos += columns
		c.col += columns
		return
	}
	for columns > 0 && c.pos < c.first {
		if c.line[c.pos] != '\t' {
			c.pos, c.col, columns = c.pos+1, c.col+1, columns-1
			continue
		}
		width := 4 - c.col&3
		if columns < width {
			c.col += columns
			c.partTab = c.pos + 1
			return
		}
		c.pos, c.col, columns = c.pos+1, c.col+width, columns-width
	}
}

// quoteMarker moves pos past the '>' at first and one column of white space.
func (c *cursor) quoteMarker() {
	c.pos, c.col = c.first+1, c.firstCol+1
	c.skipBlanks(c.pos, c.col)
	if c.pos < c.first {
		c.advance(1)
	}
}

// matchContainers returns how many of the open containers the line continues,
// and moves c past their prefixes.
func (p *parser) matchContainers(c *cursor) int {
	quotes := 0
	for level := range p.stack {
		if c.blank() {
			return p.matchBlank(quotes)
		}
		switch t := &p.stack[level]; t.kind {
		case BlockQuote:
			if c.indent() > 3 || c.line[c.first] != '>' {
				return level
			}
			t.end, t.endLine = uint32(c.first+1), p.line
			c.quoteMarker()
			quotes++
		case Item, FootnoteDefinition:
			if c.indent() < int(t.indent) {
				return level
			}
			c.advance(int(t.indent))
		default: // a list matches whenever one of its items may follow
		}
	}
	if c.blank() {
		return p.matchBlank(quotes)
	}
	return len(p.stack)
}

// matchBlank returns how many of the open containers match if the line is blank
// after the first quotes block quotes. Lists and what is in them match, a
// quote does not, nor does an item in which nothing stands yet. The stack of
// quotes makes that a look instead of a walk through deep lists.
func (p *parser) matchBlank(quotes int) int {
	if quotes < len(p.quotes) {
		return int(p.quotes[quotes])
	}
	level := len(p.stack)
	if level > 0 {
		if t := &p.stack[level-1]; t.kind == Item && !t.hasChild {
			level--
		}
	}
	return level
}

// openContainer opens a container that begins at start. It ends at end, where its
// marker does, until something is put in it.
func (p *parser) openContainer(kind Kind, start, end int) *container {
	depth := len(p.stack)
	b := p.newBlock(kind, uint32(start), p.line)
	if depth > 0 {
		t := &p.stack[depth-1]
		t.hasChild = true
		b.Parent = t.block
	}
	if kind == BlockQuote {
		if len(p.quotes) == cap(p.quotes) {
			p.quotes = larger(p, p.quotes, start)
		}
		p.quotes = append(p.quotes, int32(depth))
	}
	if depth == cap(p.stack) {
		p.stack = larger(p, p.stack, start)
	}
	p.stack = p.stack[:depth+1]
	t := &p.stack[depth]
	t.kind, t.marker, t.indent, t.hasChild = kind, 0, 0, false
	t.block = int32(len(p.blocks) - 1)
	t.end, t.endLine = uint32(end), p.line
	return t
}

// closeContainer closes the innermost container.
func (p *parser) closeContainer() {
	n := len(p.stack) - 1
	t := &p.stack[n]
	b := &p.blocks[t.block]
	b.Level, b.Marker = t.indent, t.marker
	b.End, b.EndLine = t.end, t.endLine
	b.Next = int32(len(p.blocks))
	if n > 0 {
		p.stack[n-1].extend(t.end, t.endLine)
	}
	if t.kind == BlockQuote {
		p.quotes = p.quotes[:len(p.quotes)-1]
	}
	p.stack = p.stack[:n]
}

// closeTo closes the open leaf and the containers from level on.
func (p *parser) closeTo(level int) {
	if p.leaf.kind != 0 {
		p.closeLeaf()
	}
	for len(p.stack) > level {
		p.closeContainer()
	}
}

// extend moves the container's end to that of a block in it.
func (t *container) extend(end, line uint32) {
	if end > t.end {
		t.end, t.endLine = end, line
	}
}

// beginBlock closes what stands in the way of a new block that is no item, in
// the container at level: the open leaf, deeper containers, and a list that the
// container holds, for only items can stand in one.
func (p *parser) beginBlock(level int) {
	if p.leaf.kind != 0 || len(p.stack) > level {
		p.closeTo(level)
	}
	if n := len(p.stack); n > 0 && p.stack[n-1].kind == List {
		p.closeContainer()
	}
}
