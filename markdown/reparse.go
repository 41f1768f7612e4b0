package markdown

import (
	"context"
	"sort"

	"github.com/sectile/sectile/internal/syntax"
)

// After an edit most of a document is as it was. Nothing is open on the line of a
// heading with marks at the top level, so two parses that have come to the same
// heading go on alike while the bytes are the same. The parse after an edit starts
// at the last such heading in what both sources begin with; and when it comes to one
// in what both end with, it takes the rest from the old document.

// Reparse returns what a parse of src with the options of the document returns. It
// takes time by how much of src is not at the same place, seen from its beginning or
// its end, as in the document, up to the headings around that; the rest is copied. The
// document stays as it is.
func (d *Document) Reparse(src []byte) (*Document, error) {
	return d.ReparseContext(context.Background(), src, Limits{})
}

// reparse parses src, and takes from the old document what it can.
func (p *parser) reparse(d *Document, src []byte) {
	r := reparse{old: d, prefix: syntax.CommonPrefix(d.Source, src)}
	r.suffix = len(src) - syntax.CommonSuffix(d.Source[r.prefix:], src[r.prefix:])
	r.shift = len(src) - len(d.Source)
	p.blocks = withRoom(p, p.blocks, len(d.Blocks)+len(d.Blocks)/16+16, 0)
	p.sections = withRoom(p, p.sections, len(d.Sections)+len(d.Sections)/16+16, 0)
	p.reset(src, d.options)
	p.again = &r
	defer func() { p.again = nil }() // the new document would keep the old one
	p.parseFrom(r.begin(p))
}

// reparse is what the parse of a source can take from that of another one.
type reparse struct {
	old    *Document
	prefix int // bytes that both sources begin with
	suffix int // offset in the new source from which on both are the same to the end
	shift  int // what is to be added to an offset in the old source there
	next   int // the old section that may be met next
}

// begin takes the blocks up to the last heading of the common beginning, and returns
// the offset of its line; or where the text begins.
func (r *reparse) begin(p *parser) int {
	d := r.old
	// Whether a document begins with front matter is decided by what may come much
	// later.
	if d.FrontMatter() < 0 && !d.options.NoFrontMatter && startsFrontMatter(p.src) {
		return -1
	}
	n := sort.Search(len(d.Sections), func(i int) bool { return r.lineEnd(i) > r.prefix })
	for n--; n >= 0 && !d.isATX(n); n-- {
		continue
	}
	if n < 0 {
		return -1
	}
	heading := d.Sections[n].Heading
	p.blocks = append(p.blocks, d.Blocks[:heading]...)
	p.sections = append(p.sections, d.Sections[:n]...)
	p.section = int32(n - 1)
	p.line = d.Blocks[heading].StartLine - 1
	return d.sectionStart(n)
}

// lineEnd returns the offset after the line of old section i's heading. A line that
// only the end of the source ends may go on in the new one.
func (r *reparse) lineEnd(i int) int {
	src := r.old.Source
	end := syntax.SkipLine(src, int(r.old.Blocks[r.old.Sections[i].Heading].End))
	if end == len(src) && src[end-1] != '\n' && src[end-1] != '\r' {
		return end + 1
	}
	return end
}

// isATX reports whether section i's heading has marks, and stands on a line.
func (d *Document) isATX(i int) bool { return d.Blocks[d.Sections[i].Heading].Marker == '#' }

// met reports whether the parse has just come to a heading of the common end that
// the old document has as well, and takes the rest from there.
func (r *reparse) met(p *parser) bool {
	n := len(p.blocks) - 1
	if n < 0 || len(p.stack) > 0 || p.leaf.kind != 0 {
		return false
	}
	b := &p.blocks[n]
	if b.Kind != Heading || b.Marker != '#' || b.StartLine != p.line || int(b.Start) < r.suffix {
		return false
	}
	d := r.old
	for ; r.next < len(d.Sections) && int(d.Blocks[d.Sections[r.next].Heading].Start)+r.shift < int(b.Start); r.next++ {
		continue
	}
	// The blanks before the heading, and the line ending before those, are in the
	// common end too, or the line could have begun elsewhere.
	if r.next == len(d.Sections) || d.sectionStart(r.next)+r.shift <= r.suffix {
		return false
	}
	old := d.Sections[r.next].Heading
	if int(d.Blocks[old].Start)+r.shift != int(b.Start) || !d.isATX(r.next) {
		return false
	}
	r.take(p, old)
	return true
}

// take takes the blocks after the heading that is the old document's block old and
// the last one of the new.
func (r *reparse) take(p *parser, old int32) {
	d := r.old
	blocks := int32(len(p.blocks)-1) - old
	lines := p.line - d.Blocks[old].StartLine // modulo 1<<32
	shift := uint32(r.shift)
	from := len(p.blocks)
	p.blocks = withRoom(p, p.blocks, len(p.blocks)+len(d.Blocks)-int(old), r.suffix)
	p.sections = withRoom(p, p.sections, len(p.sections)+len(d.Sections)-r.next, r.suffix)
	p.blocks = append(p.blocks, d.Blocks[old+1:]...)
	for i := from; i < len(p.blocks); i++ {
		b := &p.blocks[i]
		b.Start += shift
		b.End += shift
		b.StartLine += lines
		b.EndLine += lines
		b.Next += blocks
		if b.Parent >= 0 {
			b.Parent += blocks
		}
	}
	for i := r.next + 1; i < len(d.Sections); i++ {
		p.openSection(d.Sections[i].Heading+blocks, d.Sections[i].Level)
	}
	p.line = uint32(d.LineCount) + lines // a line takes a byte
}
