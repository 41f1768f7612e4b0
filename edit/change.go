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
	gone   []int              // headings that go, with what is below them
	count  int                // of replacements
	parsed *markdown.Document // the new document, if it is known
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
func (c *content) put(doc *markdown.Document, at markdown.Span) *change {
	src := doc.Source
	ending := endingAt(src, at.Start)
	before, after := lead(src, at.Start, ending), trail(src, at.End, ending)
	if at.Len() == 0 {
		return c.putBetween(src, at, before, after)
	}
	isFlushBefore, isFlushAfter := before == ending, after == ending+ending
	if isFlushBefore && isFlushAfter {
		if ch := c.putBetween(src, at, "", ending); c.isApart(doc, ch) {
			return ch
		}
	}
	if isFlushBefore {
		if ch := c.putBetween(src, at, "", after); c.isApart(doc, ch) {
			return ch
		}
	}
	if isFlushAfter {
		if ch := c.putBetween(src, at, before, ending); c.isApart(doc, ch) {
			return ch
		}
	}
	return c.putBetween(src, at, before, after)
}

// putBetween returns the change that puts the text in the place of whole lines, with line
// endings before and after it.
func (c *content) putBetween(src []byte, at markdown.Span, before, after string) *change {
	ending := endingAt(src, at.Start)
	text := withEndings(c.text, src[at.Start:at.End], ending)
	if after == ending && at.Len() > 0 { // the last line has the ending that it had
		after = string(endingBefore(src, at.End))
	}
	s := Splice{at, []byte(before + text + after)}.apart(src)
	ch := splicing(s)
	ch.first = at.Start + len(before)
	ch.last = at.Start + len(s.Text) - len(after)
	return ch
}

// isApart reports whether the change of whole lines leaves what stands around as it is, and
// makes of the text what it is by itself.
func (c *content) isApart(doc *markdown.Document, ch *change) bool {
	now, err := c.draft.with(doc, ch.splices[0])
	return err == nil && compare(doc, now, ch.splices, nil, false).total == 0 &&
		c.isSame(now, markdown.Span{Start: ch.first, End: ch.last}) == nil
}
