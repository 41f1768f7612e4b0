package markdown

import "github.com/sectile/sectile/internal/syntax"

// HTML blocks (CommonMark 4.6): seven ways to begin, each with its way to end.
// The seventh, any complete tag alone on its line, can't interrupt a paragraph,
// and can't begin on a line that could lazily continue one.

// openHTML opens an HTML block if one begins at c.first.
func (p *parser) openHTML(c *cursor, o *opening) bool {
	couldBeText := p.leaf.kind == Paragraph && !o.container
	kind := syntax.HTMLBlockKind(c.line, c.first, !couldBeText)
	if kind == 0 {
		return false
	}
	p.beginBlock(o.level)
	p.openLeaf(HTMLBlock, c.pos, len(c.line))
	p.leaf.level = kind
	if syntax.EndsHTMLBlock(kind, c.line[c.first:]) {
		p.closeLeaf()
	}
	return true
}

// continueHTML adds the line to the open HTML block, or ends it.
func (p *parser) continueHTML(c *cursor) {
	if p.leaf.level >= 6 && c.blank() {
		p.closeLeaf()
		return
	}
	p.extendLeaf(len(c.line))
	if syntax.EndsHTMLBlock(p.leaf.level, c.line[min(c.pos, len(c.line)):]) {
		p.closeLeaf()
	}
}
