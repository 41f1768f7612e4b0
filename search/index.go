package search

import (
	"slices"

	"github.com/sectile/sectile/markdown"
)

// An index elsewhere, such as a search engine, can find the sections that a query may be about
// where there are too many documents to look at all of them. It is given the words of texts as
// this package takes them, a query as clauses about such words, and tells how many sections
// match; the sections that it finds are then scanned and ranked as all others are.

// gap stands between words that don't stand side by side. It is no word.
const gap = "."

// AppendStems appends the words of a text for an index whose words are divided by spaces: of
// English words the stem, others in lower case and normal form C, those of scripts without
// spaces as pieces of two characters and their last one. Where two words don't stand side by
// side there is one that no text has, so that phrases don't reach across.
func AppendStems(dst, text []byte) []byte {
	last := -1
	for at := 0; ; {
		start, end, is := nextWord(text, at)
		if start == len(text) {
			return dst
		}
		if at = end; last >= 0 && !isBeside(text, last, start) || end-start > maxWord && is == spaced {
			dst = append(append(dst, gap...), ' ')
		}
		last = end
		word := string(appendFolded(nil, text[start:end]))
		switch {
		case is == unspaced:
			list := pieces(word)
			for _, piece := range list {
				dst = append(append(dst, piece...), ' ')
			}
			if len(list) > 1 || len([]rune(word)) == 2 {
				runes := []rune(word)
				dst = append(append(dst, string(runes[len(runes)-1])...), ' ')
			}
		case end-start <= maxWord:
			dst = append(append(dst, stem(word)...), ' ')
		}
	}
}

// AppendWords is AppendStems with the words themselves, in lower case and normal form C, without
// those of scripts without spaces, and each once.
func AppendWords(dst, text []byte) []byte {
	seen := map[string]bool{}
	for at := 0; ; {
		start, end, is := nextWord(text, at)
		if start == len(text) {
			return dst
		}
		at = end
		if is != spaced || end-start > maxWord {
			continue
		}
		word := string(appendFolded(nil, text[start:end]))
		if seen[word] {
			continue
		}
		seen[word] = true
		dst = append(append(dst, word...), ' ')
	}
}

// AppendCode appends the code of a section up to its first subsection, or of [Preamble], with
// empty lines between: what [InCode] looks at.
func AppendCode(dst []byte, doc *markdown.Document, section int) []byte {
	span := BodyOf(doc, section)
	for i := range doc.Blocks {
		if b := &doc.Blocks[i]; isCode(b) && int(b.Start) >= span.Start && int(b.Start) < span.End {
			dst = append(append(dst, doc.Text(b.Span())...), "\n\n"...)
		}
	}
	return dst
}

// The parts of a document before its first section, as indexes among its sections: what is looked
// for must be in one of them, and each is found by itself.
const (
	Preamble    = -1 // what stands there but front matter
	FrontMatter = -2 // of a document that has some
)

// BodyOf returns the range of a section up to its first subsection, or of [Preamble] or
// [FrontMatter].
func BodyOf(doc *markdown.Document, section int) markdown.Span {
	if section >= 0 {
		return doc.BodySpan(section)
	}
	span := doc.Preamble()
	if matter := doc.FrontMatter(); matter >= 0 {
		end := int(doc.Blocks[matter].End)
		if section == FrontMatter {
			return markdown.Span{Start: span.Start, End: end}
		}
		span.Start = end
	}
	return span
}

// FirstOf returns the index of the first part of a document.
func FirstOf(doc *markdown.Document) int {
	if doc.FrontMatter() >= 0 {
		return FrontMatter
	}
	return Preamble
}

// Clause is a word of a query as an index finds it. One of the lists has at least one entry; a
// text has the word if it has what one entry of any list says.
type Clause struct {
	Word      string   // in lower case and normal form C, as Ranking.Absent has it
	Stems     []string // among those of AppendStems
	BeginStem []string // what one of those of AppendStems begins with
	Words     []string // among those of AppendWords
	BeginWord []string // what one of those of AppendWords begins with

	Title  bool // the section's own heading must have it
	Not    bool // no section that has it matches
	Hidden bool // it is in a phrase that no section may have, and says nothing by itself
}

// Clauses returns the words of the query. Sections match that have one of those that are
// neither Not nor Hidden, all that are Title and not Not, none that is Not, and as Phrases says.
func (q *Query) Clauses() []Clause {
	list := make([]Clause, len(q.terms))
	for i := range q.terms {
		t := &q.terms[i]
		c := Clause{Word: t.word, Title: t.title, Not: t.not, Hidden: t.hidden, Words: slices.Clone(t.others)}
		switch {
		case t.piece && len([]rune(t.word)) == 1:
			c.BeginStem = []string{t.word}
		case t.piece:
			c.Stems = []string{t.word}
		case t.prefix:
			c.BeginWord = []string{t.word}
		default:
			c.Stems = []string{t.stem}
		}
		list[i] = c
	}
	return list
}

// Phrase is words that must stand side by side in a section, or must not.
type Phrase struct {
	Clauses []int // in their order
	Not     bool
	// Exact says that each word is one word of AppendStems, so that a phrase of those is
	// this phrase; otherwise a section that has it has its words.
	Exact bool
}

// Phrases returns the phrases of the query.
func (q *Query) Phrases() []Phrase {
	var list []Phrase
	for _, p := range q.phrases {
		one := Phrase{Clauses: slices.Clone(p.terms), Not: p.not, Exact: true}
		for _, i := range p.terms {
			t := &q.terms[i]
			one.Exact = one.Exact && !t.piece && !t.prefix && len(t.others) == 0
		}
		list = append(list, one)
	}
	return list
}

// ScanSection looks at one section of a document, of which only its text up to its first
// subsection is at hand, as a document of its own, and the headings that it stands below, from
// the outermost on. Section is its index in its own document, as [Hit] has it; of a part before
// the first section the text is that of the document up to its end.
func (s *Scanner) ScanSection(number, section int, path string, around []string, doc *markdown.Document) {
	s.documents++
	s.inPath = s.scan.appendFound(s.inPath[:0], []byte(path), 0, maxFound)
	s.sections = s.sections[:0]
	for _, heading := range around {
		up := openSection{section: int32(len(s.sections))}
		for _, f := range s.scan.appendFound(nil, []byte(heading), 0, maxFound) {
			if up.title == nil {
				up.title = make([]bool, len(s.query.terms))
			}
			up.title[f.term] = true
		}
		s.sections = append(s.sections, up)
	}
	at := located{document: int32(number), section: int32(section), span: BodyOf(doc, min(section, Preamble))}
	if section >= 0 && len(doc.Sections) > 0 {
		at.span, at.heading, at.level = doc.BodySpan(0), doc.Blocks[doc.Sections[0].Heading].Span(), doc.Sections[0].Level
	}
	s.found = s.scan.appendFound(s.found[:0], doc.Text(at.span), at.span.Start, maxFound)
	if s.query.In == InCode {
		s.keepInCode(doc, 0)
	}
	if len(s.found) > 0 {
		s.add(doc, s.found, at, nil)
	}
}
