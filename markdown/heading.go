package markdown

import "github.com/sectile/sectile/internal/syntax"

// Headings: ATX (CommonMark 4.2) and setext (4.3).

// openATX writes the heading that begins with the '#' at c.first, if it is one.
func (p *parser) openATX(c *cursor, level int) bool {
	line := c.line
	i := c.first + 1
	for i < len(line) && line[i] == '#' {
		i++
	}
	if i-c.first > 6 || i < len(line) && !isBlank(line[i]) {
		return false
	}
	p.beginBlock(level)
	l := uint8(i - c.first)
	p.headingSection(l)
	b := p.emitOnLine(Heading, c.first, len(line))
	b.Level, b.Marker = l, '#'
	return true
}

// headingSection opens the section of the heading that is written next, if it
// stands at the top level.
func (p *parser) headingSection(level uint8) {
	if len(p.stack) == 0 {
		p.openSection(int32(len(p.blocks)), level)
	}
}

// closeSetext makes the open paragraph a heading if the line underlines it with
// marker. It returns false, with nothing open, if the paragraph turns out to be
// definitions alone: then the line underlines nothing.
func (p *parser) closeSetext(c *cursor, marker byte) bool {
	if len(p.segments) > 0 && !p.takeDefinitions() {
		p.leaf.kind = 0
		return false
	}
	l := &p.leaf
	level := uint8(1)
	if marker == '-' {
		level = 2
	}
	p.headingSection(level)
	b := p.emit(Heading, l.start, uint32(len(c.line)), l.startLine, p.line)
	b.Level, b.Marker = level, marker
	l.kind = 0
	return true
}

// underlines reports whether the rest of the line from i on is a run of one byte
// and then blank.
func underlines(line []byte, i int) bool {
	marker := line[i]
	for i < len(line) && line[i] == marker {
		i++
	}
	return syntax.SkipBlanks(line, i) == len(line)
}

// atxContent returns the range of an ATX heading's text in line, whose '#'s end
// at i: without the blanks around it and a closing run of '#'s.
func atxContent(line []byte, i int) (start, end int) {
	start = syntax.SkipBlanks(line, i)
	end = syntax.TrimBlanks(line, start, len(line))
	hashes := end
	for hashes > start && line[hashes-1] == '#' {
		hashes--
	}
	switch {
	case hashes == start: // nothing but a closing run
		return start, start
	case hashes < end && isBlank(line[hashes-1]):
		return start, syntax.TrimBlanks(line, start, hashes)
	}
	return start, end
}

// isBlank reports whether c is a space or a tab.
func isBlank(c byte) bool { return c == ' ' || c == '\t' }
