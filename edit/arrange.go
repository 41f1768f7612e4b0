package edit

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/arrange"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// What an action on the structure comes to: parts of the document in another order, headings
// with other levels, and a heading that goes. internal/arrange makes the document of it, and
// proves that it is the one that was meant.

// arrangement is what an action makes of the document.
type arrangement struct {
	*arrange.Arrangement
	doc    *markdown.Document
	target int    // the section, -1 for the document
	way    string // what to do instead where others would come to stand elsewhere
}

// rearrange applies an action on the structure, the only operation of its batch.
func (b *batch) rearrange(w *work) *Error {
	d := b.draft
	a, err := w.op.arrange(d.ctx, d.before, w.target.res.Node, b.options)
	if err != nil {
		return err
	}
	if a.IsAsItWas() {
		return noChange()
	}
	for _, apart := range []bool{false, true} {
		r := a.Rebuild(apart)
		if bytes.Equal(r.Source, d.before.Source) { // sections that are the same have changed places
			return noChange()
		}
		doc, parseErr := d.before.ReparseContext(d.ctx, r.Source, d.limits)
		if parseErr != nil {
			return asError(parseErr)
		}
		proof, fault := r.Prove(doc)
		if fault == nil {
			b.keep(w, a.target, r, doc, proof)
			return nil
		}
		if err = a.notMeant(doc, fault); !r.Tight {
			break
		}
	}
	return err
}

// keep makes the rebuilt document the draft, and marks what the reply is about: the section that
// was the target, if it was one.
func (b *batch) keep(w *work, section int, r *arrange.Rebuilt, doc *markdown.Document, proof arrange.Proof) {
	d := b.draft
	next := draft{src: make([]byte, 0, len(r.Source))}
	for _, p := range r.Pieces {
		from := p.From
		if from >= 0 && p.Moved {
			b.moved = append(b.moved, Moved{
				Before: markdown.Span{Start: from, End: from + p.Len}, After: markdown.Span{Start: p.At, End: p.At + p.Len},
			})
			from = -1
		}
		next.add(r.Source[p.At:p.At+p.Len], from)
	}
	d.src, d.pieces, d.parsed, d.last = next.src, next.pieces, doc, doc
	for i := range d.marks {
		d.marks[i].at = -1
	}
	if section >= 0 && proof.Sections[section] < 0 { // its heading is gone
		w.change.Headings = []string{address.HeadingOf(d.before, section)}
		section = int(d.before.Sections[section].Parent)
	}
	if section >= 0 {
		span := doc.SectionSpan(proof.Sections[section])
		w.after = d.markPart(span.Start, 0)
		if w.op.Action == Move {
			w.lines = [2]int{d.mark(span.Start, false), d.mark(textlines.TextEnd(doc.Source, span), true)}
		}
	}
	b.blocks = proof.Blocks
}

// notMeant is the error of an arrangement whose document isn't the one that was meant.
func (a *arrangement) notMeant(now *markdown.Document, fault *arrange.Fault) *Error {
	if fault.Block != "" {
		return becoming(fault.Block, "; close what is open before it, or change the blocks that would run into each other first")
	}
	e := &Error{Code: StructureChanged, Total: len(fault.Strays)}
	for _, s := range fault.Strays[:min(len(fault.Strays), maxListed)] {
		in := "no section"
		if s.In >= 0 {
			in = "the section " + quoted(address.HeadingOf(now, s.In))
		}
		e.Changed = append(e.Changed, fmt.Sprintf("the section %s would come to stand in %s", quoted(address.HeadingOf(a.doc, s.Section)), in))
	}
	e.Message = e.Changed[0] + "; " + a.way
	return e
}

// arrange returns what an action on the structure makes of the document.
func (op *Op) arrange(ctx context.Context, doc *markdown.Document, n address.Node, o Options) (*arrangement, *Error) {
	a := &arrangement{Arrangement: arrange.Of(doc), doc: doc, target: n.Section, way: "choose another place"}
	if n.Kind != address.SectionNode && (op.Action != Reorder || n.Kind != address.DocumentNode) {
		return nil, &Error{Code: InvalidArgument, Message: fmt.Sprintf("%s is for sections; name one by its heading", op.Action)}
	}
	var err *Error
	switch op.Action {
	case Move:
		err = a.move(op, o)
	case Promote:
		a.way = fmt.Sprintf("use %s to put it after the section that it is in, which gives it this level too", Move)
		a.Free, err = a.target, a.relevel(a.target, -1)
	case Demote:
		a.Free, err = a.target, a.relevel(a.target, 1)
	case Dissolve:
		err = a.dissolve()
	case Reorder:
		err = a.reorder(ctx, op, o)
	default:
		err = &Error{Code: InvalidArgument, Message: fmt.Sprintf("%s is no action on the structure", op.Action)}
	}
	return a, err
}

// Relevel returns the splices that add to the levels of section i and of those below it. The
// error is an *Error with the code LevelMismatch.
func Relevel(doc *markdown.Document, i, by int) ([]Splice, error) {
	edits, err := arrange.Relevel(doc, i, by)
	if err != nil {
		return nil, levelMismatch(doc, err)
	}
	splices := make([]Splice, len(edits))
	for i, s := range edits {
		splices[i] = Splice(s)
	}
	return splices, nil
}

// relevel changes the level of section i and those below it.
func (a *arrangement) relevel(i, by int) *Error {
	if err := a.Relevel(i, by); err != nil {
		return levelMismatch(a.doc, err)
	}
	return nil
}

// levelMismatch is the error of a heading that can't have a level.
func levelMismatch(doc *markdown.Document, err *arrange.LevelError) *Error {
	h, heading := &doc.Blocks[doc.Sections[err.Section].Heading], quoted(address.HeadingOf(doc, err.Section))
	e := &Error{Code: LevelMismatch}
	switch err.Why {
	case arrange.OwnMarker:
		e.Message = fmt.Sprintf(
			"the heading %s on %s is one by a pattern of your own, which gives it level %d and no other; write it with marks (%s) first, or leave the levels as they are",
			heading, textlines.Named(h.Lines()), h.Level, strings.Repeat("#", err.Level))
	case arrange.ManyLines:
		e.Message = fmt.Sprintf(
			"the underlined heading on %s has several lines, which no heading of level %d can have; rename it first", textlines.Named(h.Lines()), err.Level)
	default:
		e.Message = fmt.Sprintf("the heading %s would get level %d, and there are 1 to 6", heading, err.Level)
	}
	return e
}

// move puts the target beside another section or into it.
func (a *arrangement) move(op *Op, o Options) *Error {
	doc, i := a.doc, a.target
	to, err := op.destination(doc, i, o)
	if err != nil {
		return err
	}
	there := newSection(doc, to)
	at, level, parent := there.all.Start, there.level, int(doc.Sections[to].Parent)
	if op.Where == After || op.Where == Last {
		at = there.all.End
	}
	if op.Where == First || op.Where == Last {
		parent, level = to, there.level+1
		if there.hasChildren() {
			level = there.childLevel()
		}
	}
	if op.Where == First {
		if at = there.body; there.hasChildren() {
			level = doc.Sections[to+1].Level
		}
	}
	if parent != int(doc.Sections[i].Parent) {
		a.Parents[i] = parent
	}
	if a.way = "let the levels be adjusted"; !op.KeepLevels {
		err = a.relevel(i, int(level)-int(doc.Sections[i].Level))
	}
	a.Move(i, at)
	return err
}

// destination returns the section that the operation moves section i to or beside.
func (op *Op) destination(doc *markdown.Document, i int, o Options) (int, *Error) {
	res, err := address.Resolver{Doc: doc, Write: true}.Nth(op.To, 0)
	var e *Error
	switch {
	case err != nil:
		e = asError(err)
	case res.Kind != address.SectionNode:
		e = &Error{Code: InvalidArgument, Message: "a section moves to another section; name one by its heading"}
	case res.ByPosition && !o.Pinned:
		e = &Error{Code: HashRequired, Current: res, Hint: GiveVersion, Message: fmt.Sprintf(
			"%s counts, and what it counts may have changed", quoted(op.To))}
	case res.Section >= i && res.Section < int(doc.Sections[i].Next):
		e = &Error{Code: InvalidArgument, Message: "a section can't be moved to itself or to one below it; name another one"}
	default:
		return res.Section, nil
	}
	e.Address = op.To
	return 0, e
}

// LooseName returns a warning that a name stands for a section by a part of its heading alone,
// "" if it doesn't.
func LooseName(doc *markdown.Document, name string) string {
	res, err := address.Resolver{Doc: doc, Write: true}.Nth(name, 0)
	if err != nil || res.Tier <= address.TierStripped {
		return ""
	}
	return fmt.Sprintf("%s was taken for the heading %s, of which it is a part", quoted(name), quoted(address.HeadingOf(doc, res.Section)))
}

// dissolve takes the target's heading out. Its text stays where it is, which must be in the
// section that it is in; its subsections come to stand beside where it stood.
func (a *arrangement) dissolve() *Error {
	doc, i := a.doc, a.target
	s, h := newSection(doc, i), int(doc.Sections[i].Heading)
	parent := int(doc.Sections[i].Parent)
	hasText := int(doc.Blocks[h].Next) < len(doc.Blocks) && int(doc.Blocks[doc.Blocks[h].Next].Start) < s.body
	if hasText && i != parent+1 {
		above := "the section " + quoted(address.HeadingOf(doc, i-1))
		return &Error{
			Code: StructureChanged, Changed: []string{"its text would stand in " + above}, Total: 1,
			Message: fmt.Sprintf("its text would come to stand in %s, which is before it; %s it first into the section that it is in, or put its text where it is to stand",
				above, Move),
		}
	}
	heading := cut(doc.Source, markdown.Span{Start: s.all.Start, End: s.below})
	if err := a.Dissolve(i, arrange.Splice(heading)); err != nil {
		return levelMismatch(doc, err)
	}
	return nil
}

// reorder puts the subsections of the target in another order.
func (a *arrangement) reorder(ctx context.Context, op *Op, o Options) *Error {
	doc, end := a.doc, len(a.doc.Sections)
	if a.target >= 0 {
		end = int(doc.Sections[a.target].Next)
	}
	var children []int
	for c := a.target + 1; c < end; c = int(doc.Sections[c].Next) {
		children = append(children, c)
	}
	if len(children) == 0 {
		return &Error{Code: InvalidArgument, Message: "it has no subsections to reorder"}
	}
	a.way = "give those in question the same level first"
	if len(op.Order) == 0 {
		a.Reorder(children, arrange.ByTitle(doc, children))
		return nil
	}
	order, err := ordered(ctx, doc, children, op.Order, o)
	if err == nil {
		a.Reorder(children, order)
	}
	return err
}

// ordered returns the order of sections, all of which are named.
func ordered(ctx context.Context, doc *markdown.Document, sections []int, named []string, o Options) ([]int, *Error) {
	order, seen := make([]int, 0, len(sections)), make([]bool, len(sections))
	called := calledBy(doc, sections)
	for _, name := range named {
		if err := ctx.Err(); err != nil {
			return nil, asError(err)
		}
		k, err := oneOf(doc, sections, called, name, o)
		if err != nil {
			return nil, err
		}
		if seen[k] {
			return nil, &Error{Code: InvalidArgument, Message: quoted(name) + " is in the order twice; name each of them once"}
		}
		order, seen[k] = append(order, k), true
	}
	if k := slices.Index(seen, false); k >= 0 {
		return nil, &Error{Code: InvalidArgument, Message: fmt.Sprintf(
			"the order lacks %d of %d subsections, %s the first of them; name all of them", len(sections)-len(order), len(sections), quoted(address.HeadingOf(doc, sections[k])))}
	}
	return order, nil
}

// calledBy returns the numbers of the sections that have a heading, as it is written or by its title.
func calledBy(doc *markdown.Document, sections []int) map[string][]int {
	called := make(map[string][]int, 2*len(sections))
	for k, s := range sections {
		heading, title := address.HeadingOf(doc, s), doc.SectionTitle(s)
		called[heading] = append(called[heading], k)
		if title != heading {
			called[title] = append(called[title], k)
		}
	}
	return called
}

// oneOf returns the number of the section among others that a heading or another address
// stands for.
func oneOf(doc *markdown.Document, sections []int, called map[string][]int, name string, o Options) (int, *Error) {
	name = strings.TrimSpace(name)
	e := &Error{Code: address.AmbiguousHeading, Hint: PinSelectors, Message: "several subsections have the heading " + quoted(name)}
	switch found := called[name]; len(found) {
	case 0:
	case 1:
		return found[0], nil
	default:
		for _, k := range found {
			e.addCandidate(doc, address.NodeOfSection(sections[k]))
		}
		return 0, e
	}
	res, err := address.Resolver{Doc: doc, Write: true}.Nth(name, 0)
	if err == nil && res.Kind == address.SectionNode && (!res.ByPosition || o.Pinned) {
		if k := slices.Index(sections, res.Section); k >= 0 {
			return k, nil
		}
	}
	e.Code, e.Hint, e.Message = address.HeadingNotFound, "", "no subsection of it has the heading "+quoted(name)
	for _, s := range sections {
		e.addCandidate(doc, address.NodeOfSection(s))
	}
	return 0, e
}
