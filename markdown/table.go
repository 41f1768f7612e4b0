package markdown

import "bytes"

// Tables (GFM 4.10). A table begins when a delimiter row follows the last line
// of a paragraph that has as many cells. Its lines are kept until it closes;
// then rows and cells are written. Cells beyond the head's are left out, as the
// specification says, and missing ones are not made up: a row that has one cell
// costs one, however wide the head is.

// delimiterCells returns the number of cells of the delimiter row from i on, or
// 0 if the line is none. One without a pipe needs a colon: "---" underlines.
func delimiterCells(line []byte, i int) int {
	end := trimSpace(line, i)
	marked := false
	if i < end && line[i] == '|' {
		i++
		marked = true
	}
	for cells := 1; ; cells++ {
		i = skipSpace(line, i)
		colons := 0
		if i < end && line[i] == ':' {
			i++
			colons++
		}
		dashes := i
		for i < end && line[i] == '-' {
			i++
		}
		if i == dashes {
			return 0
		}
		if i < end && line[i] == ':' {
			i++
			colons++
		}
		marked = marked || colons > 0
		i = min(skipSpace(line, i), end)
		if i < end && line[i] != '|' {
			return 0
		}
		if i == end && !marked {
			return 0
		}
		if i+1 >= end {
			return cells
		}
		marked = true
		i++
	}
}

// nextCell returns the range of the cell's text in row that begins at i, and
// where the next cell begins, or -1 after the last one.
func nextCell(row []byte, i int) (start, end, next int) {
	start, end, next = skipSpace(row, i), len(row), -1
	for i = start; ; i++ {
		pipe := bytes.IndexByte(row[i:], '|')
		if pipe < 0 {
			break
		}
		i += pipe
		if escaped(row[start:i]) {
			continue
		}
		end = i
		if i+1 < len(row) {
			next = i + 1
		}
		break
	}
	return start, trimSpaceTo(row, start, end), next
}

// escaped reports whether a backslash at the end of text escapes what follows.
func escaped(text []byte) bool {
	n := 0
	for n < len(text) && text[len(text)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// firstCell returns row without trailing blanks and where its first cell begins,
// or -1 if it has none.
func firstCell(row []byte) (trimmed []byte, i int) {
	row = row[:trimSpace(row, 0)]
	if len(row) > 0 && row[0] == '|' {
		i = 1
	}
	if i == len(row) {
		return row, -1
	}
	return row, i
}

// rowCells returns the number of cells in row, or limit+1 if there are more.
func rowCells(row []byte, limit int) int {
	n := 0
	row, i := firstCell(row)
	for i >= 0 && n <= limit {
		_, _, i = nextCell(row, i)
		n++
	}
	return n
}

// openTable opens a table if the line is a delimiter row that fits the last line
// of the open paragraph; the lines before that stay a paragraph.
func (p *parser) openTable(c *cursor) bool {
	if p.opts.NoTables {
		return false
	}
	columns := delimiterCells(c.line, c.first)
	head := p.lastLine
	if columns == 0 || rowCells(p.src[head.start:head.end], columns) != columns {
		return false
	}
	if head.start != p.leaf.start {
		p.leaf.end, p.leaf.endLine = p.beforeLast, p.line-2
		if n := len(p.segments); n > 0 {
			p.segments = p.segments[:n-1]
		}
		p.closeLeaf()
	}
	p.openLeaf(Table, int(head.start), len(c.line))
	p.leaf.startLine = p.line - 1
	p.leaf.columns = columns
	p.segments = append(p.segments[:0], head, segment{})
	return true
}

// continueTable adds the line from first to end to the open table.
func (p *parser) continueTable(first, end int) {
	p.extendLeaf(end)
	p.addSegment(segment{uint32(first), uint32(end)})
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
	text, i := firstCell(p.src[s.start:s.end])
	for n := 0; i >= 0 && n < columns; n++ {
		var start, end int
		start, end, i = nextCell(text, i)
		p.emitPart(TableCell, row, segment{s.start + uint32(start), s.start + uint32(end)}, line)
	}
	p.blocks[row].Next = int32(len(p.blocks))
}

// emitPart writes a row or cell in the block parent.
func (p *parser) emitPart(kind Kind, parent int, s segment, line uint32) {
	b := p.newBlock(kind, s.start, line)
	b.Parent = int32(parent)
	b.End, b.EndLine = s.end, line
}
