package finding

import (
	"slices"

	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/search"
)

// lineFinder finds sections by lines, by a pass over all documents. What it counts is kept, and
// the lines are found again when they are shown: there may be as many as documents have.
type lineFinder struct{ *search.Lines }

// lineLooker looks for lines in one goroutine.
type lineLooker struct {
	find      *search.Lines
	documents []matchingDocument
}

// matchingDocument is a document that has some lines.
type matchingDocument struct {
	number   int
	version  uint64
	sections []int32 // that have some, in their order
	lines    int
}

func (l *lineLooker) look(number int, _ string, src []byte, parse func([]byte) (*markdown.Document, error)) error {
	if !l.find.Has(src) {
		return nil
	}
	doc, err := parse(src)
	if err != nil {
		return err
	}
	m := matchingDocument{number: number}
	for section := range l.find.Sections(doc) {
		m.lines++
		if n := len(m.sections); n == 0 || int(m.sections[n-1]) != section {
			m.sections = append(m.sections, int32(section)) //nolint:gosec // indexes are kept in 32 bits
		}
	}
	if m.lines > 0 {
		m.version = versionOf(src)
		l.documents = append(l.documents, m)
	}
	return nil
}

// find implements finder.
func (f *lineFinder) find(s *searching, from, most int) (*found, error) {
	var lookers []*lineLooker
	p, err := s.each(nil, func() looker {
		l := &lineLooker{find: f.Lines}
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
		for _, section := range m.sections {
			if at := out.sections; at >= from && len(out.hits) < most {
				out.hits = append(out.hits, hit{path: p.paths[m.number], section: int(section), version: m.version})
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
	return f.Clip(src, line, most)
}
