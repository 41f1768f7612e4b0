package finding

import (
	"iter"
	"slices"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/search"
)

// lineFinder finds sections by lines, by a pass over all documents. Of a page what it counts is
// kept, and its lines are found again when they are shown: there may be as many as documents
// have. Where all are shown they are made in the pass.
type lineFinder struct {
	*search.Lines

	most    int                     // lines of a section that are kept; 0 for all
	reserve func(bytes int64) error // reserves memory for them
}

// matching are lines of a section: the first of them, how many there are, and the last.
type matching struct {
	first []search.Line
	count int
	last  search.Line
}

// What a section takes until a reply with it is sent, and a line of it beside its text, which is in
// several places by then. All are bytes.
const (
	sectionBytes = 512
	lineBytes    = 160
	textTimes    = 3
	reserveStep  = 64 << 10
)

// bytesOf returns what lines take that have so many bytes.
func bytesOf(lines, bytes int) int64 { return int64(lines*lineBytes + textTimes*bytes) }

// matching returns lines of a document by their sections, and these in their order; of sections that
// aren't wanted, if that is told, none. What they take until the reply is sent is reserved.
func (f *lineFinder) matching(doc *markdown.Document, lines iter.Seq[search.Line], wanted map[int]bool) (all map[int]*matching, order []int32, err error) {
	all = map[int]*matching{}
	unpaid := int64(0)
	for section, line := range f.SectionsOf(doc, lines) {
		if wanted != nil && !wanted[section] {
			continue
		}
		m := all[section]
		if m == nil {
			m = &matching{}
			all[section] = m
			order = append(order, int32(section)) //nolint:gosec // indexes are kept in 32 bits
			unpaid += sectionBytes
		}
		m.last = line
		if m.count++; f.most == 0 || m.count <= f.most {
			m.first = append(m.first, line)
			unpaid += bytesOf(1, min(line.End-line.Start, maxLine))
		}
		if unpaid > reserveStep {
			if err := f.reserve(unpaid); err != nil {
				return nil, nil, err
			}
			unpaid = 0
		}
	}
	return all, order, f.reserve(unpaid)
}

// lineLooker looks for lines in one goroutine.
type lineLooker struct {
	*searching
	find      *lineFinder
	all       bool // sections are shown, all of them
	documents []matchingDocument
}

// matchingDocument is a document that has some lines.
type matchingDocument struct {
	number   int
	version  uint64
	sections []int32 // that have some, in their order
	shown    []shown // these, if all are shown
	lines    int
}

func (l *lineLooker) look(number int, path string, src []byte, parse func([]byte) (*markdown.Document, error)) error {
	m := matchingDocument{number: number}
	if l.req.Names && l.in == search.Everywhere && l.find.Only == nil { // in which sections is not asked
		if l.find.Has(src) {
			m.sections, m.lines, m.version = []int32{search.Preamble}, 1, versionOf(src)
			l.documents = append(l.documents, m)
		}
		return nil
	}
	if !l.find.Has(src) {
		return nil
	}
	m.version = versionOf(src)
	doc, err := parse(src)
	if err != nil {
		return err
	}
	if l.all {
		return l.keep(&m, path, doc, src)
	}
	for section := range l.find.SectionsOf(doc, l.find.In(src)) {
		m.add(section)
	}
	if m.lines == 0 {
		return nil
	}
	l.documents = append(l.documents, m)
	return nil
}

// add counts a line of a section.
func (m *matchingDocument) add(section int) {
	m.lines++
	if n := len(m.sections); n == 0 || int(m.sections[n-1]) != section {
		m.sections = append(m.sections, int32(section)) //nolint:gosec // indexes are kept in 32 bits
	}
}

// keep makes of all sections of a document that have lines what is shown.
func (l *lineLooker) keep(m *matchingDocument, path string, doc *markdown.Document, src []byte) (err error) {
	d := openedOf(path, doc)
	if d.lines, m.sections, err = l.find.matching(doc, l.find.In(src), nil); err != nil || len(m.sections) == 0 {
		return err
	}
	for _, section := range m.sections {
		one, err := l.section(l.find, d, &hit{path: path, section: int(section)})
		if err != nil {
			return err
		}
		m.lines += one.LineCount
		m.shown = append(m.shown, one)
	}
	l.documents = append(l.documents, *m)
	return nil
}

func (l *lineLooker) lookPart(number int, _ string, part *documents.DocumentPart, version uint64, parse func([]byte) (*markdown.Document, error)) error {
	text := part.Source[part.Text:]
	if !l.find.Has(text) {
		return nil
	}
	doc, err := parse(part.Source)
	if err != nil {
		return err
	}
	lines := func(yield func(search.Line) bool) {
		for line := range l.find.In(text) {
			if !yield(search.Line{Start: line.Start + part.Text, End: line.End + part.Text}) {
				return
			}
		}
	}
	for section, line := range l.find.SectionsOf(doc, lines) {
		if line.Start < part.Text {
			continue
		}
		if n := len(l.documents); n == 0 || l.documents[n-1].number != number {
			l.documents = append(l.documents, matchingDocument{number: number, version: version})
		}
		m := &l.documents[len(l.documents)-1]
		if section >= 0 {
			section += part.First - part.Above
		}
		m.add(section)
	}
	return nil
}

// find implements finder.
func (f *lineFinder) find(s *searching, most int) (*found, error) {
	var lookers []*lineLooker
	p, err := s.each(nil, func() looker {
		l := &lineLooker{searching: s, find: f, all: most >= maxSections && !s.req.Names}
		lookers = append(lookers, l)
		return l
	})
	if err != nil {
		return nil, err
	}
	out := &found{documents: len(p.paths) - p.unread, failed: p.failed}
	var all []matchingDocument
	for _, l := range lookers {
		all = append(all, l.documents...)
	}
	slices.SortFunc(all, func(a, b matchingDocument) int { return a.number - b.number })
	out.matching = len(all)
	for i := range all {
		m := &all[i]
		for n, section := range m.sections {
			if len(out.hits) < most {
				h := hit{path: p.paths[m.number], section: int(section), version: m.version}
				if m.shown != nil {
					h.shown = &m.shown[n]
				}
				out.hits = append(out.hits, h)
			}
			out.sections++
		}
		out.lineCount += m.lines
	}
	return out, nil
}

// lines implements finder.
func (f *lineFinder) lines(d *opened, section int) (m matching, err error) {
	if d.lines == nil { // of all sections at once: many of a document may be shown
		if d.lines, _, err = f.matching(d.doc, f.In(d.doc.Source), d.wanted); err != nil {
			return m, err
		}
	}
	if found := d.lines[section]; found != nil {
		m = *found
	}
	return m, nil
}

// clip implements finder.
func (f *lineFinder) clip(src []byte, line search.Line, most int) (part search.Line, before, after bool) {
	return f.Clip(src, line, min(most, maxLine))
}
