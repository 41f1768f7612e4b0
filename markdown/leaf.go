package markdown

// Leaves are written when they close: what a paragraph is (text, definitions, the
// head of a table, a setext heading) is known only then, and a fence's end too.

// openLeaf opens a leaf that begins at start and, so far, ends with the line.
func (p *parser) openLeaf(kind Kind, start, end int) {
	l := &p.leaf
	l.kind, l.level, l.marker, l.flags = kind, 0, 0, 0
	l.start, l.end = uint32(start), uint32(end)
	l.startLine, l.endLine = p.line, p.line
	if n := len(p.stack); n > 0 {
		p.stack[n-1].hasChild = true
	}
}

// extendLeaf moves the open leaf's end to the end of the line in hand.
func (p *parser) extendLeaf(end int) {
	p.leaf.end, p.leaf.endLine = uint32(end), p.line
}

// closeLeaf writes the open leaf, if there is one.
func (p *parser) closeLeaf() {
	l := &p.leaf
	switch l.kind {
	case 0:
		return
	case Paragraph:
		p.closeParagraph()
	case Table:
		p.closeTable()
	default:
		b := p.emit(l.kind, l.start, l.end, l.startLine, l.endLine)
		b.Level, b.Marker, b.Flags = l.level, l.marker, l.flags
	}
	l.kind = 0
}

// emit writes a block without children in the innermost open container. The
// caller may set what is particular to its kind; the pointer is valid until the
// next block is written.
//
// It sets fields one by one, here and where containers open: a Block that is
// made on the stack and copied costs a stall, for the copy reads at once what
// was just written in parts.
func (p *parser) emit(kind Kind, start, end, startLine, endLine uint32) *Block {
	b := p.newBlock(kind, start, startLine)
	b.End, b.EndLine = end, endLine
	if n := len(p.stack); n > 0 {
		t := &p.stack[n-1]
		t.hasChild = true
		t.extend(end, endLine)
		b.Parent = t.block
	}
	return b
}

// emitOnLine writes a block that is the rest of the line from start on.
func (p *parser) emitOnLine(kind Kind, start, end int) *Block {
	return p.emit(kind, uint32(start), uint32(end), p.line, p.line)
}

// newBlock adds a block at the top level, to which nothing belongs yet.
func (p *parser) newBlock(kind Kind, start, startLine uint32) *Block {
	n := len(p.blocks)
	if n == cap(p.blocks) {
		p.blocks = larger(p, p.blocks, int(start))
	}
	if n%blocksBetween == blocksBetween-1 { // many can be made of a few lines
		p.checkContext()
	}
	p.blocks = p.blocks[:n+1]
	b := &p.blocks[n]
	b.Kind, b.Flags, b.Level, b.Marker = kind, 0, 0, 0
	b.Parent, b.Next = -1, int32(n+1)
	b.Start, b.StartLine = start, startLine
	return b
}

// openParagraph opens a paragraph with the line from first to end.
func (p *parser) openParagraph(first, end int) {
	p.openLeaf(Paragraph, first, end)
	s := segment{Start: uint32(first), End: uint32(end)}
	p.lastLine = s
	if p.src[first] == '[' {
		p.segments = append(p.segments[:0], s)
	} else {
		p.segments = p.segments[:0]
	}
}

// continueParagraph adds the line from first to end to the open paragraph.
func (p *parser) continueParagraph(first, end int) {
	s := segment{Start: uint32(first), End: uint32(end)}
	p.beforeLast = p.lastLine.End
	p.lastLine = s
	p.extendLeaf(end)
	if len(p.segments) > 0 {
		p.addSegment(s)
	}
}

// addSegment adds a line to those that are kept of the open leaf.
func (p *parser) addSegment(s segment) {
	if len(p.segments) == cap(p.segments) {
		p.segments = larger(p, p.segments, int(s.End))
	}
	p.segments = append(p.segments, s)
}

// closeParagraph writes the open paragraph: the definitions at its start, and
// what is left of it.
func (p *parser) closeParagraph() {
	if len(p.segments) > 0 && !p.takeDefinitions() {
		return
	}
	l := &p.leaf
	if p.opts.Headings != nil && len(p.stack) == 0 && l.startLine == l.endLine && p.isOwn(l.start, l.end, l.startLine) {
		return
	}
	b := p.emit(Paragraph, l.start, l.end, l.startLine, l.endLine)
	if len(p.segments) > 0 && !p.opts.NoTaskItems {
		p.markTask(b)
	}
}
