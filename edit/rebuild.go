package edit

import (
	"bytes"
	"fmt"
	"sort"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// A document in another order is made of pieces of the old one, and proved whole: it has the
// same blocks at the top level in the order that was meant, byte by byte, none more and none
// less; only headings differ, by the level that was meant; and each section is in the one that
// it was in, or that was meant.

// rebuilt is the document that an arrangement makes.
type rebuilt struct {
	*arrangement
	src    []byte
	pieces []piece         // of src; those that moved are from where they were
	moved  []bool          // by piece
	ranges []markdown.Span // of the old document, in the order of the new one
	blocks []int32         // by old block: the new one, -1 for a heading that is gone
	tight  bool            // sections follow each other without a blank line where others did
}

// rearrange applies an action on the structure, the only operation of its batch.
func (b *batch) rearrange(w *work) *Error {
	d := b.draft
	a, err := w.op.arrange(d.before, w.target.res.Node, b.options)
	if err != nil {
		return err
	}
	if len(a.edits) == 0 && a.order == nil {
		return noChange()
	}
	for _, apart := range []bool{false, true} {
		r := a.rebuild(apart)
		if bytes.Equal(r.src, d.before.Source) { // sections that are the same have changed places
			return noChange()
		}
		doc, parseErr := d.before.ReparseContext(d.ctx, r.src, d.limits)
		if parseErr != nil {
			return asError(parseErr)
		}
		var sections []int
		if sections, err = r.prove(doc); err == nil {
			b.keep(w, r, doc, sections)
			return nil
		}
		if !r.tight {
			break
		}
	}
	return err
}

// keep makes the rebuilt document the draft, and marks what the reply is about.
func (b *batch) keep(w *work, r *rebuilt, doc *markdown.Document, sections []int) {
	d := b.draft
	next := draft{src: make([]byte, 0, len(r.src))}
	for i, p := range r.pieces {
		from := p.from
		if from >= 0 && r.moved[i] {
			b.moved = append(b.moved, Moved{
				Before: markdown.Span{Start: from, End: from + p.n}, After: markdown.Span{Start: p.at, End: p.at + p.n},
			})
			from = -1
		}
		next.add(r.src[p.at:p.at+p.n], from)
	}
	d.src, d.pieces, d.parsed, d.last = next.src, next.pieces, doc, doc
	for i := range d.marks {
		d.marks[i].at = -1
	}
	section := r.target
	if section >= 0 && sections[section] < 0 { // its heading is gone
		w.change.Headings = []string{address.HeadingOf(d.before, section)}
		section = int(d.before.Sections[section].Parent)
	}
	if section >= 0 {
		span := doc.SectionSpan(sections[section])
		w.after = d.markPart(span.Start, 0)
		if w.op.Action == Move {
			w.lines = [2]int{d.mark(span.Start, false), d.mark(textlines.TextEnd(doc.Source, span), true)}
		}
	}
	b.blocks = r.blocks
}

// rebuild makes the document; apart puts a blank line between sections that come together
// where there was none.
func (a *arrangement) rebuild(apart bool) *rebuilt {
	r := &rebuilt{arrangement: a}
	src := a.doc.Source
	if a.order == nil {
		r.add(markdown.Span{End: len(src)}, false)
		return r
	}
	first, last := a.chunks[0].Start, a.chunks[len(a.chunks)-1].End
	r.add(markdown.Span{End: first}, false)
	for slot, k := range a.order {
		r.between(a.slotBefore(slot), apart, slot)
		a.put(r, slot, k)
	}
	r.between(a.slotBefore(len(a.order)), apart, len(a.order))
	r.add(markdown.Span{Start: last, End: len(src)}, false)
	return r
}

// text returns the range of chunk k without the blank lines behind it.
func (a *arrangement) text(k int) markdown.Span {
	s := a.chunks[k]
	return markdown.Span{Start: s.Start, End: textlines.TextEnd(a.doc.Source, s)}
}

// gap returns the range of the blank lines behind chunk k.
func (a *arrangement) gap(k int) markdown.Span {
	return markdown.Span{Start: a.text(k).End, End: a.chunks[k].End}
}

// slotBefore returns the range of the blank lines before a chunk's place, or behind the last one.
func (a *arrangement) slotBefore(slot int) markdown.Span {
	if slot > 0 {
		return a.gap(slot - 1)
	}
	top := a.chunks[0].Start
	return markdown.Span{Start: textlines.TextEnd(a.doc.Source, markdown.Span{Start: textlines.Start(a.doc.Source), End: top}), End: top}
}

// between notes that chunks come together without a blank line, and puts one there if they
// are to stand apart.
func (r *rebuilt) between(gap markdown.Span, apart bool, slot int) {
	src := r.doc.Source
	n := len(r.order)
	switch {
	case gap.Len() > 0:
		return
	case slot == 0:
		if r.order[0] == 0 || gap.End == textlines.Start(src) {
			return
		}
	case slot == n:
		if r.order[n-1] == n-1 || gap.End == len(src) {
			return
		}
	case r.order[slot] == r.order[slot-1]+1 && r.gap(r.order[slot-1]).Len() == 0: // as they were
		return
	}
	if r.tight = true; apart {
		r.write(textlines.EndingAt(src, gap.Start))
	}
}

// put puts chunk k in a place, with as many blank lines behind it as stood there.
func (a *arrangement) put(r *rebuilt, slot, k int) {
	src, last := a.doc.Source, len(a.chunks)-1
	text, own, gap := a.text(k), a.gap(k), a.gap(slot)
	ended := len(textlines.EndingBefore(src, text.End)) > 0
	if slot == last && k != last && len(textlines.EndingBefore(src, a.text(last).End)) == 0 {
		text.End -= len(textlines.EndingBefore(src, text.End)) // the end of the source keeps its style
	}
	if bytes.Equal(src[own.Start:own.End], src[gap.Start:gap.End]) && ended && text.End == own.Start {
		r.add(markdown.Span{Start: text.Start, End: own.End}, a.moves[k])
		return
	}
	r.add(text, a.moves[k])
	if !ended && slot < last {
		r.write(textlines.EndingAt(src, text.Start))
	}
	r.write(string(src[gap.Start:gap.End]))
}

// write adds new text.
func (r *rebuilt) write(text string) {
	if rest := strings.TrimLeft(text, "\n"); bytes.HasSuffix(r.src, []byte("\r")) {
		text = strings.Repeat("\r", len(text)-len(rest)) + rest // or two would be one line ending
	}
	if text == "" {
		return
	}
	r.pieces, r.moved = append(r.pieces, piece{len(r.src), len(text), -1}), append(r.moved, false)
	r.src = append(r.src, text...)
}

// add adds a range of the old source with the edits that are in it.
func (r *rebuilt) add(s markdown.Span, moved bool) {
	r.ranges = append(r.ranges, s)
	keep := func(from, to int) {
		if from < to {
			r.pieces, r.moved = append(r.pieces, piece{len(r.src), to - from, from}), append(r.moved, moved)
			r.src = append(r.src, r.doc.Source[from:to]...)
		}
	}
	at := s.Start
	for i := range r.edits {
		if e := &r.edits[i]; e.Start >= s.Start && e.End <= s.End && e.Start < s.End {
			keep(at, e.Start)
			r.write(string(e.Text))
			at = e.End
		}
	}
	keep(at, s.End)
}

// prove compares the rebuilt document with the one that was meant. It returns the number of
// each old section in the new document, -1 for the one whose heading is gone.
func (r *rebuilt) prove(now *markdown.Document) ([]int, *Error) {
	old := r.doc
	sections := make([]int, len(old.Sections))
	r.blocks = make([]int32, len(old.Blocks))
	next, number := int32(0), 0
	for _, s := range r.ranges {
		section := sectionFrom(old, s.Start)
		for b := blockFrom(old, s.Start); int(b) < len(old.Blocks) && int(old.Blocks[b].Start) < s.End; b = old.Blocks[b].Next {
			opens := section < len(old.Sections) && old.Sections[section].Heading == b
			if opens && section == r.gone {
				sections[section], r.blocks[b] = -1, -1
				section++
				continue
			}
			if int(next) >= len(now.Blocks) || !r.isMeant(now, b, next, section, opens) {
				return nil, r.damaged(now, b, next)
			}
			if opens {
				sections[section] = number
				number++
				section++
			}
			for k := b; k < old.Blocks[b].Next; k++ {
				r.blocks[k] = next + k - b
			}
			next = now.Blocks[next].Next
		}
	}
	if int(next) < len(now.Blocks) {
		return nil, r.damaged(now, int32(len(old.Blocks)-1), next) //nolint:gosec // as many as fit
	}
	return sections, r.proveParents(now, sections)
}

// isMeant reports whether block j of the new document is what block i should be.
func (r *rebuilt) isMeant(now *markdown.Document, i, j int32, section int, opens bool) bool {
	a, b := &r.doc.Blocks[i], &now.Blocks[j]
	if level, changed := r.levels[section]; opens && changed {
		return b.Kind == markdown.Heading && b.Level == level && b.Flags == a.Flags &&
			bytes.Equal(r.doc.Text(r.doc.Content(int(i))), now.Text(now.Content(int(j))))
	}
	shift := int(b.Start) - int(a.Start)
	return blockcheck.Same(r.doc, now, i, j, shift) && bytes.Equal(r.doc.Text(a.Span()), now.Text(b.Span()))
}

// damaged says that block i would not be what it is.
func (r *rebuilt) damaged(now *markdown.Document, i, j int32) *Error {
	what := blockcheck.Describe(r.doc, i) + " would be gone"
	if int(j) < len(now.Blocks) {
		what = blockcheck.Describe(r.doc, i) + " would become, or become part of, " + blockcheck.Describe(now, j)
	}
	return &Error{
		Code: StructureChanged, Changed: []string{what}, Total: 1,
		Message: what + "; close what is open before it, or change the blocks that would run into each other first",
	}
}

// proveParents checks that each section is in the one that it was in, or that was meant.
func (r *rebuilt) proveParents(now *markdown.Document, sections []int) *Error {
	e := &Error{Code: StructureChanged}
	for i := range r.doc.Sections {
		if sections[i] < 0 || i == r.free {
			continue
		}
		want := int(r.doc.Sections[i].Parent)
		if other, moved := r.parents[i]; moved {
			want = other
		}
		if want >= 0 {
			want = sections[want]
		}
		is := int(now.Sections[sections[i]].Parent)
		if is == want {
			continue
		}
		in := "no section"
		if is >= 0 {
			in = "the section " + quoted(address.HeadingOf(now, is))
		}
		if e.Total++; e.Total <= maxListed {
			e.Changed = append(e.Changed, fmt.Sprintf("the section %s would come to stand in %s", quoted(address.HeadingOf(r.doc, i)), in))
		}
	}
	if e.Total == 0 {
		return nil
	}
	e.Message = e.Changed[0] + "; " + r.way
	return e
}

// sectionFrom returns the first section that begins at the offset or behind it.
func sectionFrom(doc *markdown.Document, at int) int {
	return sort.Search(len(doc.Sections), func(i int) bool { return doc.SectionSpan(i).Start >= at })
}

// blockFrom returns the first block that begins at the offset or behind it.
func blockFrom(doc *markdown.Document, at int) int32 {
	return int32(sort.Search(len(doc.Blocks), func(i int) bool { return int(doc.Blocks[i].Start) >= at })) //nolint:gosec // as many as fit
}
