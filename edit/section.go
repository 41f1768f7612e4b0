package edit

import (
	"fmt"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// What each action does to a section: one splice of whole lines.

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
	s.below = textlines.End(doc.Source, int(doc.Blocks[doc.Sections[i].Heading].End))
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

// levelAfter returns the level of the section after the section and its subsections, or 0.
func (s *section) levelAfter() uint8 {
	if next := int(s.doc.Sections[s.index].Next); next < len(s.doc.Sections) {
		return s.doc.Sections[next].Level
	}
	return 0
}

// children returns the section's subsections, those below them too.
func (s *section) children() []int {
	var all []int
	for i := s.index + 1; i < int(s.doc.Sections[s.index].Next); i++ {
		all = append(all, i)
	}
	return all
}

// headings returns the heading blocks of sections.
func headings(doc *markdown.Document, sections []int) []int {
	blocks := make([]int, len(sections))
	for i, s := range sections {
		blocks[i] = int(doc.Sections[s].Heading)
	}
	return blocks
}

// onSection returns what the operation does to section i.
func (op *Op) onSection(doc *markdown.Document, i int, c *content) (*change, *Error) {
	s := newSection(doc, i)
	switch op.Action {
	case Replace:
		return op.replaceSection(s, c)
	case InsertBefore:
		if err := op.fits(c, s.level, s.level, true); err != nil {
			return nil, err
		}
		ch := c.putSection(doc, s.all.Start, s.level)
		ch.after, ch.newStart = ch.first, s.all.Start+len(ch.splices[0].Text)
		return ch, nil
	case InsertAfter:
		if err := op.fits(c, s.level, s.childLevel(), true); err != nil {
			return nil, err
		}
		return s.putBehind(c), nil
	case Remove:
		return op.removeSection(s)
	case Append:
		if op.Scope == ScopeSection && s.hasChildren() {
			return op.appendSubsection(s, c)
		}
		if err := op.fits(c, s.level+1, 6, false); err != nil {
			return nil, err
		}
		return s.keeping(c.appendTo(doc, markdown.Span{Start: s.below, End: s.body})), nil
	case Prepend:
		if err := op.fits(c, s.level+1, 6, false); err != nil {
			return nil, err
		}
		return s.keeping(c.prependTo(doc, markdown.Span{Start: s.below, End: s.body})), nil
	case Rename:
		return op.rename(s, c)
	}
	return nil, op.impossible("a section", Replace, InsertBefore, InsertAfter, Remove, Append, Prepend, Rename)
}

// appendSubsection puts the text behind the subsections of a section, as the last of them.
func (op *Op) appendSubsection(s *section, c *content) (*change, *Error) {
	if c.level() == 0 && !op.AllowRestructure {
		return nil, &Error{Code: HeadingRequired, Hint: UseBodyScope, Message: fmt.Sprintf(
			"behind the subsections the text would belong to the last of them; let it begin with a heading of level %d (%s)", s.level+1, marks(s.level+1))}
	}
	if err := op.fits(c, s.level+1, s.childLevel(), true); err != nil {
		return nil, err
	}
	return s.keeping(s.putBehind(c)), nil
}

// putBehind puts the text behind the section and its subsections.
func (s *section) putBehind(c *content) *change {
	at, level := s.all.End, s.levelAfter()
	if level == 0 {
		at = outside(s.doc, textlines.TextEnd(s.doc.Source, s.all))
	}
	ch := c.putSection(s.doc, at, level)
	ch.after, ch.newStart = ch.first, s.all.Start
	return ch
}

// keeping says that the section is where it was.
func (s *section) keeping(ch *change) *change {
	ch.newStart, ch.after = s.all.Start, s.all.Start
	return ch
}

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
	if own && end == s.body && s.hasChildren() && !op.AllowRestructure {
		if other := c.adopts(s.doc.Sections[s.index+1].Level); other > 0 {
			return nil, &Error{Code: LevelMismatch, Message: fmt.Sprintf(
				"the subsections that stay would come to stand below %s of the text; put in with %s what is to stand behind them",
				quoted(address.HeadingOf(c.doc, other)), InsertAfter)}
		}
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
		ch.gone = headings(s.doc, s.children())
	}
	return ch, nil
}

// dropsChildren refuses to lose subsections.
func (s *section) dropsChildren() *Error {
	children := s.children()
	have := fmt.Sprintf("%d subsections", len(children))
	if len(children) == 1 {
		have = "a subsection"
	}
	return dropping(s.doc, headings(s.doc, children), "the section has "+have+" and the text has none", ChooseScope)
}

// dropping is the error for headings that would go without a word, with what is below
// them.
func dropping(doc *markdown.Document, headings []int, message string, hint Hint) *Error {
	e := &Error{Code: HasSubsections, Message: message, Hint: hint}
	for _, b := range headings {
		e.addCandidate(doc, address.NodeOfBlock(doc, b))
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
		return nil, op.structureChanged(blockcheck.Damage{Changed: changed, Total: len(children)})
	}
	region.End = textlines.TextEnd(s.doc.Source, region)
	splice := cut(s.doc.Source, region)
	whole := op.Scope != ScopeBody || !s.hasChildren()
	if src := s.doc.Source; whole && splice.Span == region && len(splice.Text) == 0 && s.levelAfter() == s.level && textlines.IsATX(src[s.all.End:]) {
		splice.End = s.all.End // the next one stands as near to what is above as this one did
		splice = splice.apart(src)
	}
	ch := splicing(splice)
	gone := []int{s.index}
	if op.Scope != ScopeBody {
		gone = append(gone, s.children()...)
	}
	ch.gone = headings(s.doc, gone)
	return ch, nil
}
