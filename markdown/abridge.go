package markdown

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/sectile/sectile/internal/syntax"
)

// An abridged document has of a larger one the lines of the headings that open sections,
// and the texts that were filled in. Its blocks and sections have the lines that they
// have in the whole, and its offsets are those of what is there.

// abridged says what an abridged document has of the whole.
type abridged struct {
	starts []int64  // offset in the whole of each section's line, and the size of the whole
	lines  []uint32 // number in the whole of each line that is there
	// definitions has a block for each label that is defined in the whole, for texts in
	// brackets are links or not by them.
	definitions *Document
	lacks       bool // whether the whole has headings with anchors that open no section
}

// ErrChanged is what Fill returns for a text that is not that of the document.
var ErrChanged = errors.New("markdown: the text is not that of the abridged document")

// Abridge takes the pieces that [Stream] yields of a document of any size, and returns what
// its table of contents needs: a document whose source has the lines of the headings that
// open sections and nothing else.
// Lines are numbered as in the whole; addresses of headings, titles, and the lines of
// sections are those of the whole. [Document.Fill] adds the text of sections. Links are not
// found in it, but in single blocks; the definition of one is no block of the document.
//
// Limits.Memory bounds all that is kept: the headings, and each label that a link or
// footnote is defined for. The errors are those of the stream, and ErrTooLarge for more than
// 4,294,967,295 lines or headings of more than 2 GiB.
func Abridge(pieces iter.Seq2[*Piece, error], opts Options, limits Limits) (*Document, error) {
	a := abridger{limit: limits.Memory, doc: Document{options: opts, abridged: &abridged{definitions: new(Document)}}, labels: map[string]bool{}}
	a.sections.section = -1
	for p, err := range pieces {
		if err == nil {
			err = a.add(p)
		}
		if err != nil {
			return nil, err
		}
	}
	a.sections.closeSections(1)
	a.doc.Sections = a.sections.sections
	a.doc.abridged.starts = append(a.doc.abridged.starts, a.size)
	return &a.doc, nil
}

// abridger makes an abridged document of pieces.
type abridger struct {
	doc      Document
	sections parser          // of which nothing but the sections is used
	limit    int             // bytes
	size     int64           // of the whole, so far
	labels   map[string]bool // that are defined, normalized, with '[' or '^' in front
	label    []byte
}

// add adds the headings of a piece.
func (a *abridger) add(p *Piece) error {
	d, all := &a.doc, a.doc.abridged
	d.hasCR = d.hasCR || p.Document.hasCR
	for i := range p.Document.Sections {
		b := p.Document.Blocks[p.Document.Sections[i].Heading]
		start := p.Document.sectionStart(i)
		end := syntax.SkipLine(p.Document.Source, int(b.End))
		shift := uint32(len(d.Source) - start)
		all.starts = append(all.starts, p.Offset+int64(start))
		for line := b.StartLine; line <= b.EndLine; line++ {
			all.lines = append(all.lines, line+uint32(p.Line))
		}
		d.Source = append(d.Source, p.Document.Source[start:end]...)
		b.Start, b.End = b.Start+shift, b.End+shift
		b.StartLine, b.EndLine = b.StartLine+uint32(p.Line), b.EndLine+uint32(p.Line)
		b.Next = int32(len(d.Blocks) + 1)
		d.Blocks = append(d.Blocks, b)
		a.sections.openSection(int32(len(d.Blocks)-1), b.Level)
	}
	all.lacks = all.lacks || hidesHeadings(p.Document)
	a.define(p.Document)
	a.size = p.Offset + int64(len(p.Document.Source))
	lines := p.Line + int64(p.Document.LineCount)
	d.LineCount = int(lines)
	if lines > math.MaxUint32 || len(d.Source) > MaxSize {
		return ErrTooLarge
	}
	memory := cap(d.Source) + bytesOf(d.Blocks) + bytesOf(a.sections.sections) + bytesOf(all.starts) + bytesOf(all.lines) +
		2*cap(all.definitions.Source) + bytesOf(all.definitions.Blocks) + len(a.labels)*bytesOfLabel
	if a.limit > 0 && memory > a.limit {
		return &ComplexityError{Memory: a.limit, Blocks: len(d.Blocks), Offset: int(a.size)}
	}
	return nil
}

// hidesHeadings reports whether a document has headings with anchors that open no section: in
// containers, or, on GitHub, in HTML.
func hidesHeadings(d *Document) bool {
	return slices.ContainsFunc(d.Blocks, func(b Block) bool {
		return b.HasAnchor() && b.Parent >= 0 ||
			b.Kind == HTMLBlock && d.options.Dialect == GitHub && syntax.HeadingTags(d.Text(b.Span()), 1) > 0
	})
}

// bytesOfLabel is about how much memory a label takes in a map, its text not counted.
const bytesOfLabel = 64

// define adds the labels that are defined in a piece.
func (a *abridger) define(piece *Document) {
	all := a.doc.abridged.definitions
	for i := range piece.Blocks {
		kind := piece.Blocks[i].Kind
		if kind != LinkDefinition && kind != FootnoteDefinition {
			continue
		}
		label, open := piece.Label(i), "["
		if kind == FootnoteDefinition {
			open = "[^"
		}
		a.label = syntax.AppendLabel(append(a.label[:0], open[len(open)-1]), label)
		if a.labels[string(a.label)] {
			continue
		}
		a.labels[string(a.label)] = true
		if kind == LinkDefinition { // on one line
			label = a.label[1:]
		}
		start := uint32(len(all.Source))
		all.Source = append(append(append(all.Source, open...), label...), "]:\n"...)
		all.Blocks = append(all.Blocks, Block{Kind: kind, Parent: -1, Next: int32(len(all.Blocks) + 1), Start: start, End: uint32(len(all.Source) - 1)})
	}
}

// Abridged reports whether the document has only some of the lines of a larger one.
func (d *Document) Abridged() bool { return d.abridged != nil }

// LacksHeadings reports whether the whole of an abridged document has headings that aren't in it: by
// them the anchors of others may have numbers, which can't be told then.
func (d *Document) LacksHeadings() bool { return d.abridged != nil && d.abridged.lacks }

// Size returns the number of bytes of the document; of an abridged one, that of the whole.
func (d *Document) Size() int64 {
	if d.abridged != nil {
		return d.bodyStart(len(d.Sections))
	}
	return int64(len(d.Source))
}

// Holds reports whether all of the lines are in the source, of those that the document
// has, which only an abridged document may lack.
func (d *Document) Holds(l Lines) bool {
	if d.abridged == nil {
		return true
	}
	first, last := max(l.First, 1), min(l.Last, d.LineCount)
	return first > last || d.abridged.index(last+1)-d.abridged.index(first) == last-first+1
}

// index returns the index of the first line that is there, from line n on.
func (a *abridged) index(n int) int {
	return sort.Search(len(a.lines), func(i int) bool { return int(a.lines[i]) >= n })
}

// FillRange returns the byte range in the whole of what [Document.Fill] needs, so that an
// abridged document holds the lines: of all sections that they stand in, each up to its
// first subsection, and what stands before the first; and the number of its first line.
func (d *Document) FillRange(l Lines) (start, end int64, line int) {
	if d.abridged == nil {
		return 0, 0, 1
	}
	from, to := d.bodiesAt(l)
	line = 1
	if from >= 0 {
		line = d.sectionLine(from)
	}
	return d.bodyStart(from), d.bodyStart(to), line
}

// bodiesAt returns the sections whose bodies hold the lines, from the first to before the
// last; -1 is what stands before the first section.
func (d *Document) bodiesAt(l Lines) (from, to int) {
	from = sort.Search(len(d.Sections), func(i int) bool { return d.sectionLine(i) > l.First }) - 1
	if from == 0 && d.sectionLine(0) == 1 {
		from = -1 // a byte order mark stands before it
	}
	to = sort.Search(len(d.Sections), func(i int) bool { return d.sectionLine(i) > l.Last })
	return from, max(to, from+1)
}

// bodyStart returns the offset in the whole of section i's line, 0 for -1.
func (d *Document) bodyStart(i int) int64 {
	if i < 0 {
		return 0
	}
	return d.abridged.starts[i]
}

// Fill returns an abridged document with the text in it that stands in the whole in the
// range that [Document.FillRange] returns for the lines. The error is ErrChanged if its
// headings are not those of the document, else one of [ParseContext]. A document that isn't
// abridged is returned as it is.
func (d *Document) Fill(ctx context.Context, l Lines, text []byte, limits Limits) (*Document, error) {
	if d.abridged == nil {
		return d, nil
	}
	begin, end, line := d.FillRange(l)
	if int64(len(text)) != end-begin {
		return nil, ErrChanged
	}
	from, to := d.bodiesAt(l)
	p := parser{}
	err := p.within(ctx, limits, func() {
		p.reset(text, d.options)
		p.parseFrom(min(from, 0))
	})
	if err != nil {
		return nil, err
	}
	f := filling{old: d, new: &Document{Source: text, Blocks: p.blocks, Sections: p.sections, LineCount: int(p.line), options: d.options}}
	f.first = max(from, 0)
	f.start, f.end = d.sectionStart(f.first), d.sectionStart(to)
	f.sections, f.line = to-f.first, line
	if from < 0 {
		f.start = 0
	}
	if !f.fits() {
		return nil, ErrChanged
	}
	return f.document(), nil
}

// filling puts a part of the whole in its place.
type filling struct {
	old, new   *Document
	first      int // section of the old document that is the first of the new one
	sections   int // how many both have there
	start, end int // range of the old source that the new one takes the place of
	line       int // line of the whole at which the new document begins
}

// fits reports whether the new document has the headings of the old one.
func (f *filling) fits() bool {
	if len(f.new.Sections) != f.sections || f.line-1+f.new.LineCount != f.old.sectionLine(f.first+f.sections)-1 {
		return false
	}
	for i := range f.new.Sections {
		was, is := &f.old.Blocks[f.old.Sections[f.first+i].Heading], &f.new.Blocks[f.new.Sections[i].Heading]
		if int(is.StartLine)+f.line-1 != int(was.StartLine) || is.Level != was.Level ||
			!bytes.Equal(f.old.Text(was.Span()), f.new.Text(is.Span())) {
			return false
		}
	}
	return true
}

// document returns the old document with the new one in its place.
func (f *filling) document() *Document {
	d, all := f.old, f.old.abridged
	shift := len(f.new.Source) - (f.end - f.start)
	out := &Document{
		Source:    slices.Concat(d.Source[:f.start], f.new.Source, d.Source[f.end:]),
		Sections:  slices.Clone(d.Sections),
		LineCount: d.LineCount,
		hasCR:     d.hasCR,
		options:   d.options,
	}
	before := sort.Search(len(d.Blocks), func(i int) bool { return int(d.Blocks[i].Start) >= f.start })
	after := sort.Search(len(d.Blocks), func(i int) bool { return int(d.Blocks[i].Start) >= f.end })
	out.Blocks = append(make([]Block, 0, before+len(f.new.Blocks)+len(d.Blocks)-after), d.Blocks[:before]...)
	out.Blocks = appendShifted(out.Blocks, f.new.Blocks, 0, f.start, f.line-1)
	out.Blocks = appendShifted(out.Blocks, d.Blocks[after:], after, shift, 0)
	for i := range out.Sections {
		switch s := &out.Sections[i]; {
		case i >= f.first+f.sections:
			s.Heading += int32(before + len(f.new.Blocks) - after)
		case i >= f.first:
			s.Heading = f.new.Sections[i-f.first].Heading + int32(before)
		}
	}
	begin, end := all.index(f.line), all.index(f.line+f.new.LineCount)
	lines := append(make([]uint32, 0, begin+f.new.LineCount+len(all.lines)-end), all.lines[:begin]...)
	for i := range f.new.LineCount {
		lines = append(lines, uint32(f.line+i))
	}
	out.abridged = &abridged{starts: all.starts, lines: append(lines, all.lines[end:]...), definitions: all.definitions, lacks: all.lacks}
	return out
}

// appendShifted appends blocks to those of a document, the first of which had an index
// in another one, with what is to be added to their offsets and lines.
func appendShifted(dst, blocks []Block, index, offset, line int) []Block {
	moved := int32(len(dst) - index)
	for _, b := range blocks {
		b.Start, b.End = b.Start+uint32(offset), b.End+uint32(offset)
		b.StartLine, b.EndLine = b.StartLine+uint32(line), b.EndLine+uint32(line)
		b.Next += moved
		if b.Parent >= 0 {
			b.Parent += moved
		}
		dst = append(dst, b)
	}
	return dst
}
