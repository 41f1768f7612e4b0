package markdown

import "github.com/sectile/sectile/internal/syntax"

// Sections are what a reader of the table of contents would call one: a heading
// and all that follows it up to the next heading of the same or a higher level.
// They hold indexes alone; every range follows from where headings begin, so
// that ranges of neighbours can't disagree.

// A Section is a heading at the top level with what stands below it. Headings in
// block quotes, items and footnotes open no section.
type Section struct {
	// Heading is the index of the heading among the document's blocks.
	Heading int32
	// Parent is the index of the nearest section before this one with a higher
	// heading (a smaller level), in which this one stands; -1 if there is none.
	Parent int32
	// Next is the index just after the section's last descendant: that of the
	// next section of the same or a higher level, or the number of sections.
	Next int32
	// Level is the heading's level, 1 to 6.
	Level uint8
}

// sectionStart returns the byte offset at which section i's heading line
// begins, or the end of the source for i beyond the last one.
func (d *Document) sectionStart(i int) int {
	if i >= len(d.Sections) {
		return len(d.Source)
	}
	// Up to three spaces stand before a heading, nothing else.
	start := int(d.Blocks[d.Sections[i].Heading].Start)
	for start > 0 && d.Source[start-1] == ' ' {
		start--
	}
	return start
}

// sectionLine returns the line number of section i's heading, or one more than
// the last line for i beyond the last section.
func (d *Document) sectionLine(i int) int {
	if i >= len(d.Sections) {
		return d.LineCount + 1
	}
	return int(d.Blocks[d.Sections[i].Heading].StartLine)
}

// SectionSpan returns the byte range of section i with its subsections: from the
// start of the heading's line to the start of the next section's line, or the
// end of the source. The bytes of a byte order mark, the preamble and all
// sections that have no parent follow each other without a gap.
func (d *Document) SectionSpan(i int) Span {
	return Span{d.sectionStart(i), d.sectionStart(int(d.Sections[i].Next))}
}

// BodySpan returns the byte range of section i up to its first subsection, its
// heading included.
func (d *Document) BodySpan(i int) Span {
	return Span{d.sectionStart(i), d.sectionStart(i + 1)}
}

// SectionLines returns the lines of section i with its subsections, blank lines
// at its end included.
func (d *Document) SectionLines(i int) Lines {
	return Lines{d.sectionLine(i), d.sectionLine(int(d.Sections[i].Next)) - 1}
}

// BodyLines returns the lines of section i up to its first subsection, its
// heading included.
func (d *Document) BodyLines(i int) Lines {
	return Lines{d.sectionLine(i), d.sectionLine(i+1) - 1}
}

// Preamble returns the byte range of what stands before the first section,
// front matter included and the byte order mark excluded.
func (d *Document) Preamble() Span { return Span{syntax.BOMLen(d.Source), d.sectionStart(0)} }

// PreambleLines returns the lines of what stands before the first section.
func (d *Document) PreambleLines() Lines { return Lines{1, d.sectionLine(0) - 1} }

// SectionTitle returns the plain text of section i's heading; see Title.
func (d *Document) SectionTitle(i int) string { return d.Title(int(d.Sections[i].Heading)) }

// SectionHash returns the Hash of section i with its subsections.
func (d *Document) SectionHash(i int) string { return Hash(d.Text(d.SectionSpan(i))) }

// BodyHash returns the Hash of section i up to its first subsection.
func (d *Document) BodyHash(i int) string { return Hash(d.Text(d.BodySpan(i))) }

// openSection adds the section of heading b, which stands at the top level, and
// ends those before it that are not above it.
func (p *parser) openSection(b int32, level uint8) {
	n := int32(len(p.sections))
	p.closeSections(level)
	if int(n) == cap(p.sections) {
		offset := 0
		if len(p.blocks) > 0 {
			offset = int(p.blocks[len(p.blocks)-1].Start)
		}
		p.sections = larger(p, p.sections, offset)
	}
	p.sections = append(p.sections, Section{Heading: b, Parent: p.section, Level: level})
	p.section = n
}

// closeSections ends the open sections of the level and below.
func (p *parser) closeSections(level uint8) {
	n := int32(len(p.sections))
	for p.section >= 0 {
		s := &p.sections[p.section]
		if s.Level < level {
			return
		}
		s.Next = n
		p.section = s.Parent
	}
}
