package markdown

import "github.com/sectile/sectile/internal/syntax"

// How blocks begin. The first byte of a line that is no space or tab decides
// which of them are tried; for most lines it is a letter, and none is.

// class says what a block that begins with a byte might be.
type class uint8

const (
	classText class = iota
	classIndent
	classQuote   // >
	classHash    // #
	classFence   // ` ~
	classAngle   // <
	classEquals  // =
	classDash    // -
	classStar    // * _
	classBullet  // +
	classDigit   // 0 to 9
	classPipe    // | :
	classBracket // [
)

// classes maps a byte to its class. Blanks have one, so that a line that begins
// with a byte of classText surely is text.
var classes = [256]class{
	' ': classIndent, '\t': classIndent, '\n': classIndent, '\r': classIndent,
	'>': classQuote, '#': classHash, '`': classFence, '~': classFence, '<': classAngle,
	'=': classEquals, '-': classDash, '*': classStar, '_': classStar, '+': classBullet,
	'0': classDigit, '1': classDigit, '2': classDigit, '3': classDigit, '4': classDigit,
	'5': classDigit, '6': classDigit, '7': classDigit, '8': classDigit, '9': classDigit,
	'|': classPipe, ':': classPipe, '[': classBracket,
}

// openBlocks opens the blocks that begin on the line after the containers below
// level, which it matches: any number of containers and then a leaf, or text
// that continues the open paragraph or begins one.
func (p *parser) openBlocks(c *cursor, level int) {
	o := opening{level: level}
	// The line can underline the open paragraph, or make a table of it, only if
	// it continues it in the containers of the paragraph.
	o.inParagraph = level == len(p.stack) && p.leaf.kind == Paragraph
	for {
		if c.indent() >= 4 {
			if p.leaf.kind == Paragraph && !o.container {
				break
			}
			p.beginBlock(o.level)
			p.openLeaf(IndentedCode, c.pos, len(c.line))
			return
		}
		switch p.openBlock(c, &o) {
		case openedLeaf:
			return
		case openedContainer:
			o.level = len(p.stack)
			o.container = true
			o.inParagraph = false
			if c.blank() {
				return
			}
			continue
		}
		break
	}
	p.addText(c, &o, level)
}

// opening is what is known about a line while its blocks are opened.
type opening struct {
	level       int  // containers that the line is in
	container   bool // one of them begins on the line
	inParagraph bool // the line continues the open paragraph, not lazily
}

// opened says what openBlock found.
type opened uint8

const (
	openedNothing opened = iota
	openedContainer
	openedLeaf
)

// leafIf is openedLeaf if ok.
func leafIf(ok bool) opened {
	if ok {
		return openedLeaf
	}
	return openedNothing
}

// containerIf is openedContainer if ok.
func containerIf(ok bool) opened {
	if ok {
		return openedContainer
	}
	return openedNothing
}

// openBlock opens the block that begins at c.first, if one does.
func (p *parser) openBlock(c *cursor, o *opening) opened {
	line := c.line
	switch ch := line[c.first]; classes[ch] {
	case classQuote:
		p.openQuote(c, o.level)
		return openedContainer
	case classHash:
		return leafIf(p.openATX(c, o.level))
	case classFence:
		return leafIf(p.openFence(c, o.level))
	case classAngle:
		return leafIf(p.openHTML(c, o))
	case classEquals:
		return leafIf(p.underline(c, o))
	case classDash:
		interrupts := o.inParagraph
		if p.underline(c, o) || p.openBreak(c, o.level) {
			return openedLeaf
		}
		if p.openItem(c, o.level, interrupts) {
			return openedContainer
		}
		return leafIf(o.inParagraph && p.openTable(c))
	case classStar:
		if p.openBreak(c, o.level) {
			return openedLeaf
		}
		return containerIf(ch == '*' && p.openItem(c, o.level, o.inParagraph))
	case classBullet, classDigit:
		return containerIf(p.openItem(c, o.level, o.inParagraph))
	case classPipe:
		return leafIf(o.inParagraph && p.openTable(c))
	case classBracket:
		return containerIf(p.openFootnote(c, o.level))
	}
	return openedNothing
}

// underline closes the open paragraph as a heading if the line underlines it.
func (p *parser) underline(c *cursor, o *opening) bool {
	if !o.inParagraph || !syntax.Underlines(c.line, c.first) {
		return false
	}
	if p.closeSetext(c, c.line[c.first]) {
		return true
	}
	o.inParagraph = false
	return false
}

// addText adds the line to the open paragraph, even if the line matches only the
// containers below matched (a lazy continuation); or to the open table; or
// begins a paragraph.
func (p *parser) addText(c *cursor, o *opening, matched int) {
	end := len(c.line)
	if !o.container {
		switch {
		case p.leaf.kind == Paragraph:
			p.continueParagraph(c.first, end)
			return
		case p.leaf.kind == Table && matched == len(p.stack):
			p.continueTable(c.first, end)
			return
		}
		p.beginBlock(o.level)
	}
	p.openParagraph(c.first, end)
}

// openQuote opens a block quote (CommonMark 5.1) at c.first.
func (p *parser) openQuote(c *cursor, level int) {
	p.beginBlock(level)
	p.openContainer(BlockQuote, c.first, c.first+1)
	c.quoteMarker()
}

// openBreak writes a thematic break (CommonMark 4.1) if the line is one.
func (p *parser) openBreak(c *cursor, level int) bool {
	if c.first < p.noBreakBefore {
		return false
	}
	line, marker, n := c.line, c.line[c.first], 0
	for i := c.first; i < len(line); i++ {
		switch {
		case line[i] == marker:
			n++
		case !syntax.IsBlank(line[i]):
			p.noBreakBefore = i
			return false
		}
	}
	if n < 3 {
		return false
	}
	p.beginBlock(level)
	p.emitOnLine(ThematicBreak, c.first, len(line))
	return true
}
