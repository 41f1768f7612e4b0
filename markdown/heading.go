package markdown

import "github.com/sectile/sectile/internal/syntax"

// Headings: ATX (CommonMark 4.2), setext (4.3), and those of the reader's own.

// openATX writes the heading that begins with the '#' at c.first, if it is one.
func (p *parser) openATX(c *cursor, level int) bool {
	line := c.line
	i := c.first + 1
	for i < len(line) && line[i] == '#' {
		i++
	}
	if i-c.first > 6 || i < len(line) && !syntax.IsBlank(line[i]) {
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

// isOwn writes the paragraph from start to end, which is a line at the top level, as a heading
// if one of the reader's own markers makes it one.
func (p *parser) isOwn(start, end, line uint32) bool {
	level, _, _ := p.opts.Headings.Match(p.src[start:end])
	if level == 0 {
		return false
	}
	p.headingSection(level)
	b := p.emit(Heading, start, end, line, line)
	b.Level, b.Marker = level, OwnMarker
	return true
}
