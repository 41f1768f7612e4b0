package markdown

import "github.com/sectile/sectile/internal/syntax"

// Front matter: metadata in YAML between "---" and "---" or "...", or in TOML
// between "+++" and "+++". It begins on the first line and is taken for front
// matter only if it is closed; else the first line is a thematic break or text.

// frontMatter writes the front matter at pos, if there is any, and returns where
// the line after it begins.
func (p *parser) frontMatter(pos int) int {
	lines := syntax.LineReader{Source: p.src}
	end, next := lines.Next(pos)
	marker := syntax.FrontMatterFence(p.src[pos:end])
	if marker != '-' && marker != '+' {
		return pos
	}
	for line := uint32(2); next < len(p.src); line++ {
		start := next
		end, next = lines.Next(start)
		m := syntax.FrontMatterFence(p.src[start:end])
		if m != marker && (m != '.' || marker != '-') {
			continue
		}
		p.line = line
		b := p.emit(FrontMatter, uint32(pos), uint32(end), 1, line)
		b.Marker, b.Flags = marker, Closed
		return next
	}
	return pos
}

// startsFrontMatter reports whether the first line of a source would begin front
// matter, if another line ended it.
func startsFrontMatter(src []byte) bool {
	src = src[syntax.BOMLen(src):]
	lines := syntax.LineReader{Source: src}
	end, _ := lines.Next(0)
	marker := syntax.FrontMatterFence(src[:end])
	return marker == '-' || marker == '+'
}
