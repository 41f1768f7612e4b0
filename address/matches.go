package address

import (
	"context"
	"math"
	"slices"

	"github.com/sectile/sectile/markdown"
)

// A Match is a node that a selector chose.
type Match struct {
	Node
	// Selector is the way that led to it, with an index in every step:
	// "h1.0/para.2" for the third match of "h1/para". It has no namespace, and
	// is "root" for the document.
	Selector string
}

// Select returns the nodes that the selector chooses, in the order in which it
// names them, repeats included. The namespace and the query say nothing about
// nodes and are left to the caller. There may be some more than the document has
// blocks; SelectContext is for those who need fewer.
//
// Its error is a *RangeError if an index is beyond what there is, even if others
// are not; a *NoMatchError if a step without an index finds nothing; or
// ErrTooManyMatches.
func Select(doc *markdown.Document, s *Selector) ([]Match, error) {
	found, err := SelectContext(context.Background(), doc, s, math.MaxInt)
	if err != nil {
		return nil, err
	}
	matches := make([]Match, found.Len())
	for i := range matches {
		matches[i] = Match{Node: found.Node(i), Selector: found.Selector(i)}
	}
	return matches, nil
}

// SelectContext is Select for those who need no more than the first so many
// matches: it goes through the same ones and has the same errors, but keeps no
// others. A match that is kept takes 12 bytes, and while the selector is followed
// 16; so do those of the steps before the last. Most is the largest number of
// matches that are kept, 0 or less for none, math.MaxInt for all. Its error is also
// that of the context, if it ends before the selector is followed.
func SelectContext(ctx context.Context, doc *markdown.Document, s *Selector, most int) (*Matches, error) {
	found, fail := follow(ctx, doc, s, most, -1)
	if fail != nil {
		return nil, fail.err
	}
	return found, nil
}

// Matches are the nodes that a selector chooses in a document: all of them counted,
// and the first of them kept. What a match is called is put together when it is
// asked for. They can be used by several goroutines at once.
type Matches struct {
	trail
	first int // index of the first one's hit
	kept  int
	count int
}

// Count returns the number of all matches.
func (m *Matches) Count() int { return m.count }

// Len returns the number of matches that are kept: the first of all.
func (m *Matches) Len() int { return m.kept }

// Node returns the node of match i, from 0 to Len-1.
func (m *Matches) Node(i int) Node { return m.node(m.first + i) }

// Selector returns the way to match i, from 0 to Len-1, as that of a Match.
func (m *Matches) Selector(i int) string { return m.selector(m.first + i) }

// In returns the matches in another document that has the same source and was
// parsed with the same options, so that the one in which they were found can be
// given up.
func (m *Matches) In(doc *markdown.Document) *Matches {
	other := *m
	other.doc = doc
	return &other
}

// hit is a node that a step found.
type hit struct {
	block   int32 // the block, of a section its heading; -1 for the document
	ordinal int32 // among the children of the node before that a step of its type finds
	from    int32 // the index of the node before, -1 for the document
}

// documentHit is what every selector begins with, the first hit of all.
var documentHit = hit{block: -1, from: -1}

// trail are the hits of a selector, those of each step after those of the one
// before.
type trail struct {
	doc  *markdown.Document
	hits []hit
}

// node returns the node of hit i.
func (t *trail) node(i int) Node {
	if t.hits[i].block < 0 {
		return NodeOfDocument()
	}
	return NodeOfBlock(t.doc, int(t.hits[i].block))
}

// selector returns the way to hit i, "root" for the document.
func (t *trail) selector(i int) string {
	var few [8]*hit
	way := few[:0]
	for h := &t.hits[i]; h.from >= 0; h = &t.hits[h.from] {
		way = append(way, h)
	}
	if len(way) == 0 {
		return TypeRoot.String()
	}
	var text []byte
	for i, h := range slices.Backward(way) {
		text = appendStep(text, typeOf(&t.doc.Blocks[h.block]), int(h.ordinal))
		if i > 0 {
			text = append(text, '/')
		}
	}
	return string(text)
}

// place names hit i as the place that was searched.
func (t *trail) place(i int) string {
	if t.hits[i].from < 0 {
		return "document"
	}
	return t.selector(i)
}
