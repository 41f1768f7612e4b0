package markdown

import "github.com/sectile/sectile/internal/syntax"

// Tables (GFM 4.10). A table begins when a delimiter row follows the last line
// of a paragraph that has as many cells. Its lines are kept until it closes;
// then rows and cells are written. Cells beyond the head's are left out, as the
// specification says, and missing ones are not made up: a row that has one cell
// costs one, however wide the head is.

// openTable opens a table if the line is a delimiter row that fits the last line
// of the open paragraph; the lines before that stay a paragraph.
func (p *parser) openTable(c *cursor) bool {
	if p.opts.NoTables {
		return false
	}
	columns := syntax.DelimiterCells(c.line, c.first)
	head := p.lastLine
	if columns == 0 || syntax.RowCells(p.src[head.Start:head.End], columns) != columns {
		return false
	}
	if head.Start != p.leaf.start {
		p.leaf.end, p.leaf.endLine = p.beforeLast, p.line-2
		if n := len(p.segments); n > 0 {
			p.segments = p.segments[:n-1]
		}
		p.closeLeaf()
	}
	p.openLeaf(Table, int(head.Start), len(c.line))
	p.leaf.startLine = p.line - 1
	p.leaf.columns = columns
	p.segments = append(p.segments[:0], head, segment{})
	return true
}

// continueTable adds the line from first to end to the open table.
func (p *parser) continueTable(first, end int) {
	p.extendLeaf(end)
	p.addSegment(segment{Start: uint32(first), End: uint32(end)})
}

// closeTable writes the open table with its rows and cells.
func (p *parser) closeTable() {
	l := &p.leaf
	table := len(p.blocks)
	p.emit(Table, l.start, l.end, l.startLine, l.endLine)
	for i, s := range p.segments {
		if i == 1 { // the delimiter row
			continue
		}
		p.emitRow(s, table, l.startLine+uint32(i), l.columns)
	}
	p.blocks[table+1].Flags = Head
	p.blocks[table].Next = int32(len(p.blocks))
}

// emitRow writes a row and its cells, columns of them at most.
func (p *parser) emitRow(s segment, table int, line uint32, columns int) {
	row := len(p.blocks)
	p.emitPart(TableRow, table, s, line)
	text, i := syntax.FirstCell(p.src[s.Start:s.End])
	for n := 0; i >= 0 && n < columns; n++ {
		var start, end int
		start, end, i = syntax.NextCell(text, i)
		p.emitPart(TableCell, row, segment{Start: s.Start + uint32(start), End: s.Start + uint32(end)}, line)
	}
	p.blocks[row].Next = int32(len(p.blocks))
}

// emitPart writes a row or cell in the block parent.
func (p *parser) emitPart(kind Kind, parent int, s segment, line uint32) {
	b := p.newBlock(kind, s.Start, line)
	b.Parent = int32(parent)
	b.End, b.EndLine = s.End, line
}
