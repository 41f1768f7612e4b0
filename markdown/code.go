package markdown

import (
	"bytes"

	"github.com/sectile/sectile/internal/syntax"
)

// Code: fenced (CommonMark 4.5) and indented (4.4).

// openFence opens fenced code if the run at c.first is a fence.
func (p *parser) openFence(c *cursor, level int) bool {
	line, marker := c.line, c.line[c.first]
	i := c.first + 1
	for i < len(line) && line[i] == marker {
		i++
	}
	if i-c.first < 3 || marker == '`' && bytes.IndexByte(line[i:], '`') >= 0 {
		return false
	}
	p.beginBlock(level)
	p.openLeaf(FencedCode, c.first, len(line))
	p.leaf.marker, p.leaf.fence = marker, i-c.first
	return true
}

// closesFence reports whether the line from i on closes the open fence.
func (p *parser) closesFence(line []byte, i int) bool {
	start := i
	for i < len(line) && line[i] == p.leaf.marker {
		i++
	}
	return i-start >= p.leaf.fence && syntax.SkipBlanks(line, i) == len(line)
}

// continueVerbatim takes the line if it belongs to the open code or HTML, or
// ends it. It returns false, with the leaf closed, if the line is none of its
// business.
func (p *parser) continueVerbatim(c *cursor) bool {
	end := len(c.line)
	switch p.leaf.kind {
	case FencedCode:
		p.extendLeaf(end)
		if !c.blank() && c.indent() <= 3 && p.closesFence(c.line, c.first) {
			p.leaf.flags = Closed
			p.closeLeaf()
		}
		return true
	case IndentedCode:
		if c.blank() { // belongs to the code if more of it follows
			return true
		}
		if c.indent() >= 4 {
			p.extendLeaf(end)
			return true
		}
		p.closeLeaf()
		return false
	default:
		p.continueHTML(c)
		return true
	}
}

// skipCode takes the lines from pos on that belong to the open fenced code,
// which stands at the top level, and returns where the line after them begins.
// It looks only at lines that hold the fence's marker: code is a good part of
// documentation, and markers are rare in it.
func (p *parser) skipCode(pos int) int {
	src := p.src
	for {
		i := bytes.IndexByte(src[pos:], p.leaf.marker)
		if i < 0 {
			p.skipLines(pos, len(src))
			return len(src)
		}
		i += pos
		start := pos + bytes.LastIndexByte(src[pos:i], '\n') + 1
		p.skipLines(pos, start)
		end := len(src)
		if j := bytes.IndexByte(src[i:], '\n'); j >= 0 {
			end = i + j
		}
		pos = min(end+1, len(src))
		p.line++
		p.extendLeaf(end)
		if syntax.IndentedUpTo3(src[start:i]) && p.closesFence(src[:end], i) {
			p.leaf.flags = Closed
			p.closeLeaf()
			return pos
		}
		if pos == len(src) {
			return pos
		}
	}
}

// skipLines adds the lines from pos to end, which begins a line or is the end of
// the source, to the open code.
func (p *parser) skipLines(pos, end int) {
	if pos == end {
		return
	}
	p.line += uint32(bytes.Count(p.src[pos:end], []byte{'\n'}))
	if p.src[end-1] == '\n' {
		end--
	} else {
		p.line++
	}
	p.extendLeaf(end)
}

// Info returns the info string of the fenced code b as it stands in the source,
// without the blanks around it.
func (d *Document) Info(b int) []byte {
	block := &d.Blocks[b]
	if block.Kind != FencedCode {
		return nil
	}
	end, _ := (&syntax.LineReader{Source: d.Source[:block.End]}).Next(int(block.Start))
	i := int(block.Start)
	for i < end && d.Source[i] == block.Marker {
		i++
	}
	i = syntax.SkipBlanks(d.Source[:end], i)
	return d.Source[i:syntax.TrimBlanks(d.Source, i, end)]
}
