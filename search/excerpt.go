package search

import (
	"math/bits"

	"github.com/sectile/sectile/markdown"
)

// Excerpts finds the lines of sections that show best why a query found them. It must not be
// used by several goroutines at once.
type Excerpts struct {
	query *Query
	scan  *filter
	found []found
}

// maxExcerpt is the number of words that the lines to show are chosen from: there are not many
// better ones behind them.
const maxExcerpt = 1 << 14

// Excerpts returns what finds the lines to show for the query.
func (q *Query) Excerpts() *Excerpts { return &Excerpts{query: q, scan: newFilter(q.terms)} }

// Lines returns at most so many lines that follow each other in a section up to its first
// subsection, below its heading: those with the most different words of the query. It is empty
// if only the heading has one. Index is that of the section, as [Hit] has it.
func (e *Excerpts) Lines(doc *markdown.Document, index, most int) []Line {
	span := BodyOf(doc, index)
	if index >= 0 {
		span.Start = int(doc.Blocks[doc.Sections[index].Heading].End)
	}
	src := doc.Text(span)
	e.found = e.scan.appendFound(e.found[:0], src, 0, maxExcerpt)
	type shown struct {
		line  Line
		terms uint64
	}
	var lines []shown
	for _, f := range e.found {
		if t := &e.query.terms[f.term]; t.not || t.hidden || t.title {
			continue
		}
		if n := len(lines); n > 0 && int(f.start) < lines[n-1].line.End {
			lines[n-1].terms |= 1 << f.term
			continue
		}
		lines = append(lines, shown{lineAround(src, 0, int(f.start)), 1 << f.term})
	}
	best, score := -1, 0
	for i := range lines {
		terms := lines[i].terms
		own := bits.OnesCount64(terms)
		if i+1 < len(lines) && most > 1 && lines[i+1].line.Start <= afterLine(src, lines[i].line.End) {
			terms |= lines[i+1].terms
		}
		if n := 2*bits.OnesCount64(terms) + min(own, 1); n > score {
			best, score = i, n
		}
	}
	if best < 0 {
		return nil
	}
	var list []Line
	for i := best; i < len(lines) && len(list) < most; i++ {
		if i > best && (lines[i].line.Start > afterLine(src, lines[i-1].line.End) || lines[i].terms&^lines[best].terms == 0) {
			break
		}
		list = append(list, Line{lines[i].line.Start + span.Start, lines[i].line.End + span.Start})
	}
	return list
}

// Clip returns the part of a line around the first word of the query in it, in at most so many
// bytes, and whether there is more before and after.
func (e *Excerpts) Clip(src []byte, line Line, most int) (part Line, before, after bool) {
	return clip(src, line, most, func(text []byte) int {
		if e.found = e.scan.appendFound(e.found[:0], text, 0, 1); len(e.found) > 0 {
			return int(e.found[0].start)
		}
		return 0
	})
}

// Words returns where words of the query stand in a text, in their order. Those that stand side by
// side are apart.
func (e *Excerpts) Words(text []byte) []Line {
	e.found = e.scan.appendFound(e.found[:0], text, 0, maxExcerpt)
	var list []Line
	for _, f := range e.found {
		if t := &e.query.terms[f.term]; t.not || t.hidden {
			continue
		}
		if n := len(list); n > 0 && int(f.start) < list[n-1].End { // the same word, or a part of it
			list[n-1].End = max(list[n-1].End, int(f.end))
			continue
		}
		list = append(list, Line{int(f.start), int(f.end)})
	}
	return list
}
