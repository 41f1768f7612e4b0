package markdown

import (
	"bytes"

	"github.com/sectile/sectile/internal/syntax"
)

// The parser is one pass over lines. For each it first matches the containers
// that are open (container.go), then continues or closes the open leaf, then
// opens new blocks (open.go). Blocks are written to one slice: containers when
// they open, with their end patched when they close; leaves when they close,
// because only then it is known whether a paragraph was one. That keeps source
// order, since a leaf has no children while it is open.
//
// Most lines of real documents are text, blank, or code, at the top level.
// Those have short paths of their own in run; everything else goes the long way
// through line.

// parser is the state of one parse. Its memory is reused by the next one.
type parser struct {
	src      []byte
	opts     Options
	hasCR    bool
	line     uint32 // number of the line in hand
	blocks   []Block
	sections []Section
	section  int32 // the innermost open section, or -1

	stack  []container // containers that are open, outermost first
	quotes []int32     // their indexes that are block quotes
	leaf   leaf        // the leaf that is open

	// segments holds the lines of the open paragraph if it begins with a
	// bracket, for it may hold definitions, and those of the open table.
	segments []segment
	// lastLine is the last line of the open paragraph, and beforeLast the end
	// of the one before.
	lastLine   segment
	beforeLast uint32

	// noBreakBefore is where the search for a thematic break last failed: no
	// marker before it on the same line can begin one.
	noBreakBefore int

	again *reparse // what can be taken from another parse, or nil

	bounds bounds
}

// segment is a Span in 32 bits.
type segment = syntax.Range

func spanOf(s segment) Span { return Span{int(s.Start), int(s.End)} }

// leaf is the leaf block that is open; its kind is 0 if none is.
type leaf struct {
	kind               Kind
	level              uint8
	marker             byte
	flags              Flags
	start, end         uint32
	startLine, endLine uint32
	fence              int // length of the opening fence
	columns            int // of a table
}

// parse parses src into p.blocks and p.sections.
func (p *parser) parse(src []byte, opts Options) {
	p.reset(src, opts)
	p.parseFrom(-1)
}

// parseFrom parses from the start of a line on, -1 for the beginning, on which
// nothing is open.
func (p *parser) parseFrom(pos int) {
	if pos < 0 {
		pos = p.begin()
	}
	p.parseLines(pos)
	p.end()
}

// begin takes what stands only at the beginning of a document, and returns where its
// Markdown begins.
func (p *parser) begin() int {
	pos := syntax.BOMLen(p.src)
	if !p.opts.NoFrontMatter {
		pos = p.frontMatter(pos)
	}
	return pos
}

// parseLines parses from the start of a line on.
func (p *parser) parseLines(pos int) {
	p.run(pos)
	if p.line == 0 && len(p.src) > 0 {
		p.line = 1 // a byte order mark alone
	}
}

// end closes what is open.
func (p *parser) end() {
	p.closeTo(0)
	p.closeSections(1)
}

func (p *parser) reset(src []byte, opts Options) {
	if p.blocks == nil {
		// Real documents have a block in 114 bytes and a heading in 1,000.
		p.blocks = withRoom(p, p.blocks, 16+len(src)/80, 0)
		p.sections = withRoom(p, p.sections, 8+len(src)/768, 0)
	}
	if p.stack == nil {
		p.stack = make([]container, 0, 16)
		p.segments = make([]segment, 0, 32)
	}
	*p = parser{
		src:      src,
		opts:     opts,
		hasCR:    bytes.IndexByte(src, '\r') >= 0,
		blocks:   p.blocks[:0],
		sections: p.sections[:0],
		section:  -1,
		stack:    p.stack[:0],
		quotes:   p.quotes[:0],
		segments: p.segments[:0],
		bounds:   p.bounds,
	}
}

// run parses the lines from pos on.
func (p *parser) run(pos int) {
	src := p.src
	lines := syntax.LineReader{Source: src}
	for pos < len(src) {
		start := pos
		p.line++
		if p.line >= p.bounds.checkAt {
			p.checkLine()
		}
		if endsLine(src[start]) && len(p.stack) == 0 && p.leaf.kind <= Table {
			if p.leaf.kind != 0 {
				p.closeLeaf()
			}
			pos = syntax.SkipEnding(src, start)
			continue
		}
		end := len(src)
		if p.hasCR {
			end, pos = lines.Next(start)
		} else {
			if i := bytes.IndexByte(src[start:], '\n'); i >= 0 {
				end = start + i
			}
			pos = end + 1
		}
		if len(p.stack) > 0 || classes[src[start]] != classText {
			p.parseLine(start, end)
			if p.leaf.kind == FencedCode && len(p.stack) == 0 && !p.hasCR {
				pos = p.skipCode(min(pos, len(src)))
			}
			if p.again != nil && p.again.met(p) {
				return
			}
			continue
		}
		switch {
		case p.leaf.kind == Paragraph:
			p.continueParagraph(start, end)
		case p.leaf.kind != 0:
			p.parseLine(start, end)
		case pos < len(src) && endsLine(src[pos]):
			p.emitLine(start, end)
			p.line++
			pos = syntax.SkipEnding(src, pos)
		default:
			p.openParagraph(start, end)
		}
	}
}

// endsLine reports whether c ends a line.
func endsLine(c byte) bool { return c == '\n' || c == '\r' }

// emitLine writes a paragraph at the top level that is the line from start to
// end, as most of them are.
func (p *parser) emitLine(start, end int) {
	if p.opts.Headings != nil && p.isOwn(uint32(start), uint32(end), p.line) {
		return
	}
	b := p.newBlock(Paragraph, uint32(start), p.line)
	b.End, b.EndLine = uint32(end), p.line
}

// parseLine takes the line from start to end, its line ending excluded, the long
// way.
func (p *parser) parseLine(start, end int) {
	c := cursor{line: p.src[:end], pos: start}
	c.skipBlanks(start, 0)
	level := 0
	if len(p.stack) > 0 {
		level = p.matchContainers(&c)
	}
	all := level == len(p.stack)
	if all && p.leaf.kind >= FencedCode && p.continueVerbatim(&c) {
		return
	}
	if c.blank() {
		p.blankLine(level)
		return
	}
	p.openBlocks(&c, level)
}

// blankLine takes a blank line that matches the containers below level.
func (p *parser) blankLine(level int) {
	if level < len(p.stack) || p.leaf.kind == Paragraph || p.leaf.kind == Table {
		p.closeTo(level)
	}
}
