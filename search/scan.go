package search

import (
	"math"
	"slices"

	"github.com/sectile/sectile/markdown"
)

// A section is a candidate if it has a word of the query. Of a candidate nothing is kept but
// what its score is made of, for how rare each word is is known only when all documents have
// been looked at.

// counts are how often a word of the query is in the fields of a section.
type counts struct{ title, around, path, body uint16 }

// candidate is a section that has a word of the query.
type candidate struct {
	document int32
	section  int32 // as Hit has it
	size     int32 // bytes of the section up to its first subsection
	title    int32 // bytes of its heading
	beside   bool  // all words stand side by side, in their order
	whole    bool  // its heading has all words of the query, and no others
	counts   []counts
}

// Scanner looks at documents, one after another, for one query. It must not be used by several
// goroutines at once; several scanners of a query may be.
type Scanner struct {
	query   *Query
	scan    *filter
	phrases []*sequence // of the query
	beside  *sequence   // of all its words

	found      []found // of one section
	inPath     []found
	candidates []candidate
	room       []counts // of candidates,
	taken      int      // so many of which are
	sections   []openSection
	divided    divided

	has       []bool // the phrases of the query that a section has
	seen      []bool // the words of the query that a section has, whether or not it is a candidate
	documents int
	partsOf   int   // one more than the number of the document whose parts were looked at last
	parsed    int   // documents with a word of the query
	bytes     int64 // of all documents
}

// divided is the last section of a part of a document that had words, with which the next part may
// go on.
type divided struct {
	candidate

	phrases  []bool // that it has
	bytes    int64  // of all documents up to the end of the part
	accepted bool   // it is the last candidate
}

// openSection is a section that the current one stands in, with the words in its title.
type openSection struct {
	section int32
	title   []bool // nil for none
}

// Scanner returns a scanner that has looked at nothing.
func (q *Query) Scanner() *Scanner {
	s := &Scanner{query: q, scan: newFilter(q.terms), seen: make([]bool, len(q.terms)), has: make([]bool, len(q.phrases))}
	s.divided.document = -1
	for i := range q.phrases {
		s.phrases = append(s.phrases, newSequence(len(q.terms), q.phrases[i].terms))
	}
	var all []int
	for i := range q.terms {
		if t := &q.terms[i]; !t.not && !t.hidden {
			all = append(all, i)
		}
	}
	s.beside = newSequence(len(q.terms), all)
	return s
}

// Scan looks at a document: number is what [Hit.Document] says of it, and path is a field that
// words are looked for in. Parse is called only if the source has a word of the query; its
// document must be of this source, and is not kept. The error is that of parse.
func (s *Scanner) Scan(number int, path string, src []byte, parse func([]byte) (*markdown.Document, error)) error {
	s.documents++
	s.bytes += int64(len(src))
	if s.found = s.scan.appendFound(s.found[:0], src, 0, 1); len(s.found) == 0 {
		return nil
	}
	first := int(s.found[0].start)
	doc, err := parse(src)
	if err != nil {
		return err
	}
	s.parsed++
	s.inPath = s.scan.appendFound(s.inPath[:0], []byte(path), 0, maxFound)
	s.collect(int32(number), doc, first, Part{})
	return nil
}

// Part is a part of a document of which not all is in memory: of whole sections, or some of
// the text of one.
type Part struct {
	Source []byte // lines of the headings that the text stands in, outermost first, of what opens the code or HTML that it begins within, and the text
	Text   int    // offset of the text
	Above  int    // number of those headings
	First  int    // number of sections of the document that begin before the text
}

// sectionOf returns the index in the document of a section of the part.
func (p *Part) sectionOf(i int) int32 {
	if i >= 0 {
		i += p.First - p.Above
	}
	return int32(i)
}

// ScanPart is Scan for a part of a document, all parts of which have the same number and are
// looked at in their order by one scanner. A section that several parts have some of is found once;
// a phrase must be in one of them.
func (s *Scanner) ScanPart(number int, path string, part Part, parse func([]byte) (*markdown.Document, error)) error {
	if s.partsOf != number+1 {
		s.documents++
		s.partsOf = number + 1
	}
	s.bytes += int64(len(part.Source) - part.Text)
	if s.found = s.scan.appendFound(s.found[:0], part.Source[part.Text:], part.Text, 1); len(s.found) == 0 {
		return nil
	}
	doc, err := parse(part.Source)
	if err != nil {
		return err
	}
	s.parsed++
	s.inPath = s.scan.appendFound(s.inPath[:0], []byte(path), 0, maxFound)
	s.collect(int32(number), doc, 0, part)
	return nil
}

// maxFound is the number of words of the query that are looked at in one section: there may be
// as many as it has bytes. What comes after them doesn't count.
const maxFound = 1 << 17

// collect makes candidates of the sections of a document, whose first word of the query is
// given, or of a part of one, which is empty for the whole.
func (s *Scanner) collect(number int32, doc *markdown.Document, first int, part Part) {
	s.sections = s.sections[:0]
	block := 0
	from, end := FirstOf(doc), len(doc.Sections)
	if s.query.Only != nil {
		from, end = s.query.Only(doc)
	}
	for i := FirstOf(doc); i < len(doc.Sections); i++ {
		span, heading := BodyOf(doc, i), markdown.Span{}
		if i >= 0 {
			heading = doc.Blocks[doc.Sections[i].Heading].Span()
			s.leave(doc.Sections[i].Parent)
		}
		s.found = s.found[:0]
		if start := max(span.Start, first); start < span.End {
			s.found = s.scan.appendFound(s.found, doc.Source[start:span.End], start, maxFound)
		}
		if i == part.Above-1 { // its heading and the text are parts of it
			s.found = slices.DeleteFunc(s.found, func(f found) bool { return int(f.start) >= heading.End && int(f.start) < part.Text })
		}
		if s.query.In == InCode {
			block = s.keepInCode(doc, block)
		}
		var title []bool
		switch {
		case i < from || i >= end || i < part.Above && !s.foundFrom(part.Text):
			title = s.titleOf(heading.End)
		case len(s.found) > 0:
			at := located{number, part.sectionOf(i), span, heading, levelOf(doc, i), part.Source != nil}
			if i == part.Above-1 && s.divided.document == number && s.divided.section == at.section {
				title = s.titleOf(heading.End)
				s.addMore(doc, at, part)
			} else {
				title = s.add(doc, s.found, at, nil)
			}
		}
		if i >= 0 {
			s.sections = append(s.sections, openSection{int32(i), title})
		}
	}
}

// foundFrom reports whether a word of the query was found from an offset on.
func (s *Scanner) foundFrom(offset int) bool {
	return len(s.found) > 0 && int(s.found[len(s.found)-1].start) >= offset
}

// titleOf returns which words of the query were found before the end of a heading, nil for none.
func (s *Scanner) titleOf(end int) (title []bool) {
	for _, f := range s.found {
		if int(f.start) < end {
			if title == nil {
				title = make([]bool, len(s.query.terms))
			}
			title[f.term] = true
		}
	}
	return title
}

// keepInCode keeps the words that stand in code, of which the block is not before the given one,
// and returns the block to go on with.
func (s *Scanner) keepInCode(doc *markdown.Document, block int) int {
	kept := s.found[:0]
	for _, f := range s.found {
		for block < len(doc.Blocks) && (!isCode(&doc.Blocks[block]) || int32(doc.Blocks[block].End) <= f.start) {
			block++
		}
		if block < len(doc.Blocks) && f.start >= int32(doc.Blocks[block].Start) {
			kept = append(kept, f)
		}
	}
	s.found = kept
	return block
}

func isCode(b *markdown.Block) bool {
	return b.Kind == markdown.FencedCode || b.Kind == markdown.IndentedCode
}

// leave leaves the sections that don't hold the next one, whose parent is given.
func (s *Scanner) leave(parent int32) {
	for n := len(s.sections); n > 0 && s.sections[n-1].section != parent; n-- {
		s.sections = s.sections[:n-1]
	}
}

// located says where a section is.
type located struct {
	document, section int32
	span, heading     markdown.Span // up to the first subsection; of the heading, empty for none
	level             uint8         // 0 for parts before the first section
	inPart            bool          // it is in a part of a document
}

func levelOf(doc *markdown.Document, section int) uint8 {
	if section < 0 {
		return 0
	}
	return doc.Sections[section].Level
}

// addMore adds what a part has of the section that the part before has ended in.
func (s *Scanner) addMore(doc *markdown.Document, at located, part Part) {
	before := s.divided
	if before.accepted {
		s.candidates = s.candidates[:len(s.candidates)-1]
	}
	skipped := s.bytes - int64(len(part.Source)-part.Text) - before.bytes // in parts without a word
	before.size = int32(min(int64(before.size)+skipped, math.MaxInt32/2))
	at.span.Start = part.Text
	first := slices.IndexFunc(s.found, func(f found) bool { return int(f.start) >= part.Text })
	s.add(doc, s.found[first:], at, &before)
}

// add adds a section with these words as a candidate, if it may be one, and returns which
// words its title has, nil for none. Of a section of which parts before have some, that is given.
func (s *Scanner) add(doc *markdown.Document, own []found, at located, before *divided) (title []bool) {
	terms := s.query.terms
	list := s.take(len(terms))
	for _, f := range own {
		s.seen[f.term] = true
		c := &list[f.term]
		if inTitle := int(f.start) < at.heading.End; inTitle {
			if title == nil {
				title = make([]bool, len(terms))
			}
			title[f.term] = true
			c.title = increased(c.title)
		} else {
			c.body = increased(c.body)
		}
	}
	if before != nil {
		for i, c := range before.counts {
			list[i].title, list[i].body = c.title, min(list[i].body+c.body, 1<<15)
		}
	}
	accepted := s.accepts(list)
	if accepted || at.inPart {
		accepted = s.phrasesFit(doc.Source, own, at.heading.End, before) && accepted
	}
	if !accepted && !at.inPart {
		s.giveBack(list)
		return title
	}
	c := candidate{document: at.document, section: at.section, size: int32(at.span.Len()), counts: list, beside: s.standBeside(doc.Source, own)}
	switch {
	case before != nil:
		c.size += before.size
		c.title, c.whole, c.beside = before.title, before.whole, c.beside || before.beside
	case at.section >= 0:
		c.title = int32(max(at.heading.Len()-int(at.level), 0))
		c.whole = title != nil && s.query.isWhole(doc.Text(at.heading), own, at.heading.End, list)
	}
	if at.inPart {
		s.divided = divided{c, slices.Clone(s.has), s.bytes, accepted}
		s.divided.counts = slices.Clone(list)
	}
	if !accepted {
		s.giveBack(list)
		return title
	}
	for _, up := range s.sections {
		for i, is := range up.title {
			if is {
				list[i].around = increased(list[i].around)
			}
		}
	}
	for _, f := range s.inPath {
		list[f.term].path = 1
	}
	s.candidates = append(s.candidates, c)
	return title
}

// isWhole reports whether a heading has all words of the query, and no other words but those
// that every text has.
func (q *Query) isWhole(heading []byte, own []found, end int, list []counts) bool {
	for i := range q.terms {
		if t := &q.terms[i]; !t.not && !t.hidden && list[i].title == 0 {
			return false
		}
	}
	words, last := 0, int32(-1)
	for _, f := range own {
		if int(f.start) < end && f.start != last {
			words++
			last = f.start
		}
	}
	for at := 0; ; {
		start, stop, _ := nextWord(heading, at)
		if start == len(heading) {
			return words >= 0
		}
		at = stop
		if isStopWord(string(appendFolded(nil, heading[start:stop]))) {
			continue
		}
		if words--; words < 0 {
			return false
		}
	}
}

func increased(n uint16) uint16 { return n + 1 - n>>15 } // 32,768 is enough

// take returns empty counts for one candidate.
func (s *Scanner) take(n int) []counts {
	if len(s.room)-s.taken < n {
		s.room, s.taken = make([]counts, 512*n), 0
	}
	s.taken += n
	return s.room[s.taken-n : s.taken : s.taken]
}

// giveBack takes back the counts that take has returned last.
func (s *Scanner) giveBack(list []counts) {
	clear(list)
	s.taken -= len(list)
}

// accepts reports whether a section with these words may be a candidate, by its words alone, and
// leaves those of them that count.
func (s *Scanner) accepts(list []counts) bool {
	q := s.query
	counted := false
	for i := range q.terms {
		t, c := &q.terms[i], &list[i]
		if !q.counts(t, true) {
			c.title = 0
		}
		if !q.counts(t, false) {
			c.body = 0
		}
		has := c.title+c.body > 0
		if t.not && has {
			return false
		}
		if t.title && !t.not && !has {
			return false
		}
		if t.hidden {
			*c = counts{}
			continue
		}
		counted = counted || has
	}
	return counted
}

// phrasesFit reports whether a section has the phrases of the query, and none that it must not
// have, and leaves in s.has which it has.
func (s *Scanner) phrasesFit(src []byte, own []found, headingEnd int, before *divided) bool {
	q := s.query
	counts := func(f *found) bool { return q.counts(&q.terms[f.term], int(f.start) < headingEnd) }
	fit := true
	for i := range q.phrases {
		s.has[i] = before != nil && before.phrases[i] || s.phrases[i].isIn(src, own, counts)
		fit = fit && s.has[i] != q.phrases[i].not
	}
	return fit
}

// counts reports whether a word counts that is in a heading, or not.
func (q *Query) counts(t *term, inTitle bool) bool {
	if inTitle {
		return q.In < InBody
	}
	return q.In != InHeadings && !t.title
}

// maxBetween is the number of bytes between two words that stand side by side, but for blanks.
const maxBetween = 8

// isBeside reports whether no word is between two offsets, and no blank line.
func isBeside(src []byte, from, to int) bool {
	if to < from {
		return false
	}
	signs, lines := 0, 0
	for at := from; at < to; {
		is, size := classAt(src, at)
		switch c := src[at]; {
		case is != between:
			return false
		case c == ' ' || c == '\t' || c == '\r' && at+1 < to && src[at+1] == '\n':
		case c == '\n' || c == '\r':
			lines++
		default:
			signs += size
		}
		if lines > 1 || signs > maxBetween {
			return false
		}
		at += size
	}
	return true
}

// standBeside reports whether all words of the query stand side by side, in their order, in a
// section, and there are several.
func (s *Scanner) standBeside(src []byte, own []found) bool {
	return s.beside.length > 1 && s.beside.isIn(src, own, func(*found) bool { return true })
}
