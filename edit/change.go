package edit

import "github.com/sectile/sectile/markdown"

// A change is what an operation has come to: splices of the draft, and what the reply
// has to know of them.

// change is what an operation does to the draft.
type change struct {
	splices []Splice
	// newStart is where the target begins then, and after where what the reply is
	// about does, of the kind, or 0 for a section; -1 if there is no such part.
	newStart, after int
	kind            markdown.Kind
	// first and last are the offsets then of the new text; first is -1 if there is
	// none.
	first, last int
	// joined are blocks that the text becomes part of although it stands beside them.
	joined []int
	gone   []int // headings that go, with what is below them
	count  int   // of replacements
	// verify checks the new document; it may be nil.
	verify func(*markdown.Document) *Error
}

// splicing is the change that splices are, in order and disjoint, without what else is
// to be told of it.
func splicing(splices ...Splice) *change {
	return &change{splices: splices, newStart: -1, after: -1, first: -1}
}

// put returns the change that puts the text in the place of whole lines, with the gaps
// that it needs.
func (c *content) put(src []byte, at markdown.Span) *change {
	ch := splicing(put(src, at, c.text))
	ending := endingAt(src, at.Start)
	ch.first = at.Start + len(lead(src, at.Start, ending))
	ch.last = at.Start + len(ch.splices[0].Text) - len(trail(src, at.End, ending))
	return ch
}
