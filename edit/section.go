package edit

import (
	"fmt"
	"sort"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// What each action does to a section: one splice of whole lines.

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
	gone   []int // sections that go
	count  int   // of replacements
	// verify checks the new document; it may be nil.
	verify func(*markdown.Document) *Error
}

// put returns the change that puts text in the place of whole lines.
func (c *content) put(src []byte, at markdown.Span) *change {
	return putSplice(src, put(src, at, c.text), at.Start)
}

// putSplice returns the change that a splice is, which has a text between two gaps.
func putSplice(src []byte, s Splice, at int) *change {
	ending := endingAt(src, at)
	first := at + len(lead(src, at, ending))
	last := at + len(s.Text) - len(trail(src, s.End, ending))
	return &change{splices: []Splice{s}, newStart: -1, after: -1, first: first, last: last}
}

// section is a section of a document and what an operation on it needs to know.
type section struct {
	doc   *markdown.Document
	index int
	level uint8
	all   markdown.Span // with its subsections
	body  int           // where the first subsection begins, or all ends
	below int           // where the line below the heading begins
}

func newSection(doc *markdown.Document, i int) *section {
	s := &section{doc: doc, index: i, level: doc.Sections[i].Level, all: doc.SectionSpan(i), body: doc.BodySpan(i).End}
	s.below = lineEnd(doc.Source, int(doc.Blocks[doc.Sections[i].Heading].End))
	return s
}

// hasChildren reports whether the section has subsections.
func (s *section) hasChildren() bool { return s.body < s.all.End }

// childLevel returns the deepest level of a heading at the section's end that makes
// it a child of the section: that of its last child, or any.
func (s *section) childLevel() uint8 {
	level := uint8(6)
	for i := s.index + 1; i < int(s.doc.Sections[s.index].Next); i = int(s.doc.Sections[i].Next) {
		level = s.doc.Sections[i].Level
	}
	return level
}

// onSection returns what the operation does to section i.
func (op *Op) onSection(doc *markdown.Document, i int, c *content) (*change, *Error) {
	s := newSection(doc, i)
	src := doc.Source
	switch op.Action {
	case Replace:
		return op.replaceSection(s, c)
	case InsertBefore:
		if err := op.fits(c, s.level, s.level, true); err != nil {
			return nil, err
		}
		ch := c.put(src, markdown.Span{Start: s.all.Start, End: s.all.Start})
		ch.after, ch.newStart = ch.first, s.all.Start+len(ch.splices[0].Text)
		return ch, nil
	case InsertAfter:
		if err := op.fits(c, s.level, s.childLevel(), true); err != nil {
			return nil, err
		}
		at := outside(doc, textEnd(src, s.all))
		ch := c.put(src, markdown.Span{Start: at, End: at})
		ch.after, ch.newStart = ch.first, s.all.Start
		return ch, nil
	case Remove:
		return op.removeSection(s)
	case Append:
		if err := op.fits(c, s.level+1, 6, false); err != nil {
			return nil, err
		}
		return s.keeping(c.appendTo(doc, markdown.Span{Start: s.below, End: s.body})), nil
	case Prepend:
		if err := op.fits(c, s.level+1, 6, false); err != nil {
			return nil, err
		}
		return s.keeping(c.prependTo(doc, markdown.Span{Start: s.below, End: s.body})), nil
	}
	return op.rename(s, c)
}

// keeping says that the section is where it was.
func (s *section) keeping(ch *change) *change {
	ch.newStart, ch.after = s.all.Start, s.all.Start
	return ch
}

// fits checks the headings of the text: none of them may be of a level above high;
// and it begins with one that is no deeper than low, if it must.
func (op *Op) fits(c *content, high, low uint8, heading bool) *Error {
	if op.AllowRestructure {
		return nil
	}
	level := c.level()
	switch {
	case heading && level == 0:
		return &Error{Code: HeadingRequired, Message: fmt.Sprintf(
			"%s puts in a section, which begins with a heading; let the text begin with one of level %d (%s), or use %s or %s for text",
			op.Action, high, marks(high), Append, Prepend)}
	case heading && level > low:
		return &Error{Code: LevelMismatch, Message: fmt.Sprintf(
			"the text begins with a heading of level %d, which is too deep for this place; let it begin with %s",
			level, levels(high, low))}
	case heading && c.highest() < high:
		return &Error{Code: LevelMismatch, Message: fmt.Sprintf(
			"the text has a heading of level %d, below which the sections behind it would come to stand; let its headings be %s or deeper",
			c.highest(), marks(high))}
	case c.highest() < high:
		return &Error{Code: LevelMismatch, Message: fmt.Sprintf(
			"the text has a heading of level %d, which would end the section that it belongs to; %s",
			c.highest(), deepest(high))}
	}
	return nil
}

// deepest says which headings a text may have.
func deepest(high uint8) string {
	if high > 6 {
		return "a section of level 6 has no subsections: use bold text"
	}
	return fmt.Sprintf("headings may be %s or deeper, or use %s for a section of its own", marks(high), InsertAfter)
}

// levels names what a heading of one of the levels begins with.
func levels(high, low uint8) string {
	if high == low {
		return marks(high)
	}
	return marks(high) + " to " + marks(low)
}

// marks returns what a heading of the level begins with.
func marks(level uint8) string { return "######"[:min(level, 6)] }

// replaceSection replaces the body of a section, or all of it.
func (op *Op) replaceSection(s *section, c *content) (*change, *Error) {
	own := c.level() == s.level && c.text != ""
	high := s.level + 1
	if own {
		high = s.level
	}
	if err := op.fits(c, high, 6, false); err != nil {
		return nil, err
	}
	end := s.body
	if op.Scope != ScopeBody {
		if s.hasChildren() && op.Scope == AnyScope && !c.hasBelow(s.level) {
			return nil, s.dropsChildren()
		}
		end = s.all.End
	}
	region := markdown.Span{Start: s.below, End: end}
	if own {
		region.Start = s.all.Start
	}
	ch := c.putInto(s.doc, region)
	ch.newStart, ch.after = s.all.Start, s.all.Start
	if own {
		ch.newStart, ch.after = ch.first, ch.first
	}
	if end > s.body {
		ch.gone = s.children()
	}
	return ch, nil
}

// children returns the section's subsections, those below them too.
func (s *section) children() []int {
	var all []int
	for i := s.index + 1; i < int(s.doc.Sections[s.index].Next); i++ {
		all = append(all, i)
	}
	return all
}

// dropsChildren refuses to lose subsections.
func (s *section) dropsChildren() *Error {
	children := s.children()
	have := fmt.Sprintf("%d subsections", len(children))
	if len(children) == 1 {
		have = "a subsection"
	}
	return dropping(s.doc, children, fmt.Sprintf(
		"the section has %s and the text has none; give scope %q to keep what is below, or %q to drop it", have, ScopeBody, ScopeSection))
}

// dropping is the error for sections that would go without a word.
func dropping(doc *markdown.Document, sections []int, message string) *Error {
	e := &Error{Code: HasSubsections, Total: len(sections), Message: message}
	for _, i := range sections[:min(len(sections), maxListed)] {
		e.Candidates = append(e.Candidates, candidate(doc, address.NodeOfSection(i)))
	}
	return e
}

// removeSection takes a section out. Without its heading its subsections would come
// to stand in another section.
func (op *Op) removeSection(s *section) (*change, *Error) {
	region := s.all
	if op.Scope == ScopeBody {
		region.End = s.body
	}
	if children := s.children(); op.Scope == ScopeBody && len(children) > 0 && !op.AllowRestructure {
		var changed []string
		for _, i := range children[:min(len(children), maxListed)] {
			changed = append(changed, fmt.Sprintf("the section that begins on line %d would stand elsewhere", s.doc.SectionLines(i).First))
		}
		return nil, structureChanged(changed, len(children))
	}
	region.End = textEnd(s.doc.Source, region)
	ch := &change{splices: []Splice{cut(s.doc.Source, region)}, newStart: -1, after: -1, first: -1, gone: []int{s.index}}
	if op.Scope != ScopeBody {
		ch.gone = append(ch.gone, s.children()...)
	}
	return ch, nil
}

// putInto returns the change that puts the text in the place of all that stands in
// whole lines but the gaps around it; if the text is empty, that goes.
func (c *content) putInto(doc *markdown.Document, region markdown.Span) *change {
	src := doc.Source
	end := textEnd(src, region)
	if end > region.Start {
		region = markdown.Span{Start: textStart(src, region), End: end}
	} else {
		region.End = region.Start
	}
	switch {
	case c.text != "":
		return c.put(src, region)
	case region.Len() == 0: // empty as it is
		return &change{newStart: -1, after: -1, first: -1}
	}
	return &change{splices: []Splice{cut(src, region)}, newStart: -1, after: -1, first: -1}
}

// appendTo returns the change that puts the text behind what stands in whole lines.
// A list goes on with the list that it finds there, and rows with their table.
func (c *content) appendTo(doc *markdown.Document, body markdown.Span) *change {
	src := doc.Source
	at := outside(doc, textEnd(src, body))
	s := put(src, markdown.Span{Start: at, End: at}, c.text)
	ch := putSplice(src, s, at)
	last := lastBlock(doc, markdown.Span{Start: body.Start, End: at})
	rows := last >= 0 && doc.Blocks[last].Kind == markdown.Table && c.isRows()
	if last < 0 || !rows && !c.continues(doc, last, 0) {
		return ch
	}
	ch.joined = []int{last}
	if rows {
		ch.verify = func(doc *markdown.Document) *Error { return isKind(doc, ch.first, markdown.TableRow) }
	}
	if ending := endingAt(src, at); (rows || doc.Tight(last) && c.doc.Tight(0)) && lead(src, at, ending) != "" {
		ch.splices[0].Text = ch.splices[0].Text[len(ending):]
		ch.first -= len(ending)
		ch.last -= len(ending)
	}
	return ch
}

// prependTo returns the change that puts the text before what stands in whole
// lines. A list is put before the list that it finds there.
func (c *content) prependTo(doc *markdown.Document, body markdown.Span) *change {
	src := doc.Source
	at := body.Start
	next, last := firstBlock(doc, body), c.lastBlock()
	if next < 0 || last < 0 || !c.continues(doc, next, last) {
		return putSplice(src, put(src, markdown.Span{Start: at, End: at}, c.text), at)
	}
	at = lineStart(src, int(doc.Blocks[next].Start))
	ch := putSplice(src, put(src, markdown.Span{Start: at, End: at}, c.text), at)
	ch.joined = []int{next}
	if doc.Tight(next) && c.doc.Tight(last) {
		text := ch.splices[0].Text
		ch.splices[0].Text = text[:len(text)-len(endingAt(src, at))]
	}
	return ch
}

// isRows reports whether the text is rows of a table, without a head.
func (c *content) isRows() bool {
	if len(c.doc.Blocks) != 1 || c.doc.Blocks[0].Kind != markdown.Paragraph {
		return false
	}
	for line := range strings.SplitSeq(c.text, "\n") {
		if !strings.HasPrefix(line, "|") || strings.Trim(line, "|:- \t") == "" { // or is a delimiter
			return false
		}
	}
	return true
}

// lastBlock returns the last block of the text at its top level, or -1.
func (c *content) lastBlock() int {
	return lastBlock(c.doc, markdown.Span{End: len(c.doc.Source)})
}

// continues reports whether block b of the text is a list and goes on with the
// list that block i of the document is.
func (c *content) continues(doc *markdown.Document, i, b int) bool {
	if len(c.doc.Blocks) == 0 {
		return false
	}
	old, more := &doc.Blocks[i], &c.doc.Blocks[b]
	return old.Kind == markdown.List && more.Kind == markdown.List && old.Marker == more.Marker
}

// outside returns the offset, which is the start of a line or the end of the source,
// or the end of the block at the top level that goes on behind it: blank lines belong
// to what nothing has closed.
func outside(doc *markdown.Document, at int) int {
	b := sort.Search(len(doc.Blocks), func(i int) bool { return int(doc.Blocks[i].Start) >= at }) - 1
	for ; b >= 0; b = int(doc.Blocks[b].Parent) {
		if end := int(doc.Blocks[b].End); end > at {
			at = lineEnd(doc.Source, end)
		}
	}
	return at
}

// lastBlock returns the last block at the top level that ends in the range, or -1.
func lastBlock(doc *markdown.Document, s markdown.Span) int {
	last := -1
	for b, block := range doc.Children(-1) {
		if int(block.Start) >= s.Start && int(block.End) <= s.End {
			last = b
		}
	}
	return last
}

// firstBlock returns the first block at the top level that begins in the range, or
// -1.
func firstBlock(doc *markdown.Document, s markdown.Span) int {
	for b, block := range doc.Children(-1) {
		if int(block.Start) >= s.Start && int(block.Start) < s.End {
			return b
		}
	}
	return -1
}

// maxListed is the number of things that an error lists.
const maxListed = 10

// candidate describes a node.
func candidate(doc *markdown.Document, n address.Node) address.Candidate {
	lines := n.Lines(doc)
	c := address.Candidate{
		Address: address.AddressOf(doc, n), Selector: address.SelectorOf(doc, n), StartLine: lines.First, EndLine: lines.Last,
	}
	if n.Kind == address.SectionNode {
		c.Level = int(doc.Sections[n.Section].Level)
		c.Heading = headingOf(doc, n.Section)
	}
	return c
}
