package sectiondiff

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// section is a section of one side, or what stands before the first one of a document:
// then it has no title and holds all sections of the highest level.
type section struct {
	doc      int // index of the pair
	index    int // in the document's sections; -1 for what stands before them
	parent   int // in the side's list; -1 for the first of a document
	children []int

	title   string
	level   int
	heading []byte // the heading as it is written
	text    []byte // that without its marks
	body    []byte // what follows it up to the first subsection, without blank lines around it
	own     uint64 // hash of body
	whole   uint64 // hash of titles and bodies of the section and all below it
	counted bool   // words is the number of words in body, which few sections need
	words   int

	match int // the same section on the other side; -1 for none
}

// side is one state of all documents.
type side struct {
	list []section
	seed maphash.Seed // the same on both sides
}

// add appends the sections of a document, each before those below it, and returns the place
// of what stands before the first.
func (s *side) add(pair int, doc *markdown.Document) int {
	root := len(s.list)
	s.list = append(s.list, section{doc: pair, index: -1, parent: -1, match: -1, body: trimBlankLines(doc.Text(doc.Preamble()))})
	for i, of := range doc.Sections {
		parent := root
		if of.Parent >= 0 {
			parent = root + 1 + int(of.Parent)
		}
		heading := doc.Blocks[of.Heading].Span()
		body := doc.BodySpan(i)
		s.list[parent].children = append(s.list[parent].children, len(s.list))
		s.list = append(s.list, section{
			doc: pair, index: i, parent: parent, match: -1,
			title: doc.SectionTitle(i), level: int(of.Level), heading: doc.Text(heading), text: doc.Text(doc.Content(int(of.Heading))),
			body: trimBlankLines(doc.Text(markdown.Span{Start: heading.End, End: body.End})),
		})
	}
	for i := len(s.list) - 1; i >= root; i-- {
		s.list[i].sum(s)
	}
	return root
}

// sum hashes a section whose subsections have been.
func (of *section) sum(s *side) {
	of.own = maphash.Bytes(s.seed, of.body)
	sums := binary.LittleEndian.AppendUint64(nil, of.own)
	for _, child := range of.children {
		c := &s.list[child]
		sums = binary.LittleEndian.AppendUint64(sums, maphash.String(s.seed, c.title))
		sums = binary.LittleEndian.AppendUint64(sums, c.whole)
	}
	of.whole = maphash.Bytes(s.seed, sums)
}

// ownWords returns the number of words of a section's own text.
func (of *section) ownWords() int {
	if !of.counted {
		of.counted, of.words = true, countWords(of.body)
	}
	return of.words
}

// allWords returns the number of words of a section with all below it, without headings.
func (s *side) allWords(at int) int {
	n := s.list[at].ownWords()
	for _, child := range s.list[at].children {
		n += s.allWords(child)
	}
	return n
}

// trimBlankLines returns a text without the blank lines at its beginning and end, and without
// its last line ending: those belong to what stands beside it.
func trimBlankLines(text []byte) []byte {
	text = bytes.TrimRight(text, " \t\r\n")
	for {
		end := bytes.IndexByte(text, '\n')
		if end < 0 || len(bytes.TrimSpace(text[:end])) > 0 {
			return text
		}
		text = text[end+1:]
	}
}

// countWords returns the number of words of a text, which blanks divide.
func countWords(text []byte) int {
	n := 0
	for range bytes.FieldsSeq(text) {
		n++
	}
	return n
}

// wordsOf returns the words of a text, which blanks divide.
func wordsOf(text []byte) []string { return strings.Fields(string(text)) }
