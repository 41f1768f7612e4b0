package markdown

import "github.com/sectile/sectile/internal/syntax"

// Link reference definitions (CommonMark 4.7). They stand at the start of a
// paragraph, which is searched for them when it closes.

// takeDefinitions writes the definitions at the start of the open paragraph,
// whose lines are p.segments, and takes them off it. It reports whether text is
// left.
func (p *parser) takeDefinitions() bool {
	taken := 0
	for taken < len(p.segments) && p.src[p.segments[taken].Start] == '[' {
		d, ok := syntax.ReadDefinition(p.src, p.segments[taken:])
		if !ok {
			break
		}
		n := d.Lines
		startLine := p.leaf.startLine
		p.leaf.startLine += uint32(n)
		p.emit(LinkDefinition, p.segments[taken].Start, p.segments[taken+n-1].End, startLine, p.leaf.startLine-1)
		taken += n
	}
	p.segments = append(p.segments[:0], p.segments[taken:]...)
	if len(p.segments) == 0 {
		return false
	}
	p.leaf.start = p.segments[0].Start
	return true
}

// Label returns the label of a link definition or footnote definition, without
// the prefixes of its containers, or nil for any other block. It must not be changed,
// for it may be a part of the source.
func (d *Document) Label(b int) []byte {
	block := &d.Blocks[b]
	switch block.Kind {
	case LinkDefinition:
		if label, ok := syntax.LabelOnLine(d.Source[:block.End], int(block.Start)); ok {
			return label
		}
		var (
			text  []byte
			lines []segment
		)
		for l := range d.ContentLines(b) {
			start := uint32(len(text))
			text = append(text, d.Text(l.Span)...)
			lines = append(lines, segment{Start: start, End: uint32(len(text))})
			text = append(text, '\n')
		}
		found, _ := syntax.ReadDefinition(text, lines)
		return text[found.Label.Start:found.Label.End]
	case FootnoteDefinition:
		end, _ := syntax.FootnoteMarker(d.Source[:block.End], int(block.Start))
		return d.Source[block.Start+2 : end-2]
	}
	return nil
}
