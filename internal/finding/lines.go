package finding

import (
	"slices"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/search"
)

// lineFinder finds sections by lines, by a pass over all documents. Of a page what it counts is
// kept, and its lines are found again when they are shown: there may be as many as documents
// have. Where all are shown they are made in the pass.
type lineFinder struct{ *search.Lines }

// lineLooker looks for lines in one goroutine.
type lineLooker struct {
	*searching
	find      *lineFinder
	all       bool // sections are shown, all of them
	documents []matchingDocument
	lines     []search.Line // of the current document
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
	if l.lines = slices.AppendSeq(l.lines[:0], l.find.In(src)); len(l.lines) == 0 {
		return nil
	}
	m.version = versionOf(src)
	doc, err := parse(src)
	if err != nil {
		return err
	}
	lines := map[int][]search.Line{}
	for section, line := range l.find.SectionsOf(doc, slices.Values(l.lines)) {
		m.lines++
		if n := len(m.sections); n == 0 || int(m.sections[n-1]) != section {
			m.sections = append(m.sections, int32(section)) //nolint:gosec // indexes are kept in 32 bits
		}
		if l.all {
			lines[section] = append(lines[section], line)
		}
	}
	if m.lines == 0 {
		return nil
	}
	if l.all {
		d := openedOf(path, doc)
		d.lines = lines
		for _, section := range m.sections {
			one, err := l.section(l.find, d, &hit{path: path, section: int(section)})
			if err != nil {
				return err
			}
			m.shown = append(m.shown, one)
		}
	}
	l.documents = append(l.documents, m)
	return nil
}

func (l *lineLooker) lookPart(number int, _ string, part *documents.DocumentPart, version uint64, parse func([]byte) (*markdown.Document, error)) error {
	l.lines = l.lines[:0]
	for line := range l.find.In(part.Source[part.Text:]) {
		l.lines = append(l.lines, search.Line{Start: line.Start + part.Text, End: line.End + part.Text})
	}
	if len(l.lines) == 0 {
		return nil
	}
	doc, err := parse(part.Source)
	if err != nil {
		return err
	}
	for section, line := range l.find.SectionsOf(doc, slices.Values(l.lines)) {
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
		m.lines++
		if n := len(m.sections); n == 0 || int(m.sections[n-1]) != section {
			m.sections = append(m.sections, int32(section)) //nolint:gosec // indexes are kept in 32 bits
		}
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
func (f *lineFinder) lines(d *opened, section int) []search.Line {
	if d.lines == nil { // of all sections at once: many of a document may be shown
		d.lines = map[int][]search.Line{}
		for at, line := range f.Sections(d.doc) {
			d.lines[at] = append(d.lines[at], line)
		}
	}
	return d.lines[section]
}

// clip implements finder.
func (f *lineFinder) clip(src []byte, line search.Line, most int) (part search.Line, before, after bool) {
	return f.Clip(src, line, min(most, maxLine))
}
