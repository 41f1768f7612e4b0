package edit

import (
	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/internal/parts"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

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
	damage *blockcheck.Damage // of other blocks, if their numbers go on, which touches them
	gone   []int              // headings that go, with what is below them
	count  int                // of replacements
	idle   bool               // there is nothing to do, and nothing is wrong with that
	parsed *markdown.Document // the new document, if it is known
	// verify checks the new document; it may be nil.
	verify func(*markdown.Document) *Error
}

// offsets returns the offsets then, which move with what is put in before them.
func (c *change) offsets() []*int { return []*int{&c.newStart, &c.after, &c.first, &c.last} }

// splicing is the change that splices are, in order and disjoint, without what else is
// to be told of it.
func splicing(splices ...Splice) *change {
	return &change{splices: splices, newStart: -1, after: -1, first: -1}
}

// put returns the change that puts the text in the place of whole lines, with the gaps that
// it needs: in the place of lines that stand without one, as few as can be.
func (c *content) put(doc *markdown.Document, at markdown.Span) *change {
	ending := textlines.EndingAt(doc.Source, at.Start)
	before, after := textlines.Lead(doc.Source, at.Start, ending), textlines.Trail(doc.Source, at.End, ending)
	isFlushBefore, isFlushAfter := at.Len() > 0 && before == ending, at.Len() > 0 && after == ending+ending
	var ways [][2]string
	if isFlushBefore && isFlushAfter {
		ways = append(ways, [2]string{"", ending})
	}
	if isFlushBefore {
		ways = append(ways, [2]string{"", after})
	}
	if isFlushAfter {
		ways = append(ways, [2]string{before, ending})
	}
	return c.putApart(doc, at, nil, append(ways, [2]string{before, after}))
}

// putSection returns the change that puts a section where one of the level begins, or
// nothing does if that is 0. It stands as near to what is above as that one did.
func (c *content) putSection(doc *markdown.Document, offset int, level uint8) *change {
	at := markdown.Span{Start: offset, End: offset}
	ending := textlines.EndingAt(doc.Source, offset)
	before, after := textlines.Lead(doc.Source, offset, ending), textlines.Trail(doc.Source, offset, ending)
	ways := [][2]string{{before, after}}
	if before == ending && c.level() == level {
		ways = [][2]string{{"", after}, {before, after}}
	}
	return c.putApart(doc, at, nil, ways)
}

// putApart returns the first change that puts the text in the place of whole lines and leaves
// what stands around as it is, but for blocks that it goes on with; or the last. The ways are
// the line endings before and after it.
func (c *content) putApart(doc *markdown.Document, at markdown.Span, joined []int, ways [][2]string) *change {
	for {
		ch := c.putBetween(doc.Source, at, ways[0][0], ways[0][1])
		ch.joined = joined
		if ways = ways[1:]; len(ways) == 0 || c.isApart(doc, ch) {
			return ch
		}
	}
}

// putBetween returns the change that puts the text in the place of whole lines, with line
// endings before and after it.
func (c *content) putBetween(src []byte, at markdown.Span, before, after string) *change {
	ending := textlines.EndingAt(src, at.Start)
	text := textlines.WithEndings(c.text, src[at.Start:at.End], ending)
	if after == ending && at.Len() > 0 { // the last line has the ending that it had
		after = string(textlines.EndingBefore(src, at.End))
	}
	s := Splice{at, []byte(before + text + after)}.apart(src)
	ch := splicing(s)
	ch.first = at.Start + len(before)
	ch.last = at.Start + len(s.Text) - len(after)
	return ch
}

// isApart reports whether the change of whole lines leaves what stands around as it is, and
// makes of the text what it is by itself, or rows of a table that it goes on with.
func (c *content) isApart(doc *markdown.Document, ch *change) bool {
	s, end := ch.splices[0], len(doc.Source)
	if textlines.TextStart(doc.Source, markdown.Span{Start: s.End, End: end}) == end {
		s.End = end // without the blanks that are of the text where nothing closes it
	}
	now, err := c.draft.with(doc, s)
	return err == nil && compare(doc, now, []Splice{s}, ch.joined, blockcheck.Comparison{}).Total == 0 &&
		(ch.joined != nil && parts.AreRows(c.doc) || c.isSame(now, markdown.Span{Start: ch.first, End: ch.last}) == nil)
}
