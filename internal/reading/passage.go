package reading

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// passage is a part of a document that is read.
type passage struct {
	asked      string              // the address, empty for a range of lines
	res        *address.Resolution // nil for a range of lines
	span       markdown.Span       // its bytes; they may begin inside the first line
	lines      markdown.Lines
	structured bool           // its subsections may be thinned
	of         int            // the number of lines of the part, if a query asks for some of them
	receipt    bool           // the head is that of a complete document
	beyond     int            // the last line that was asked for, if the document ends before it
	err        *replies.Error // it can't be read

	startChar int              // of the first line, if that was asked for
	omit      []markdown.Lines // what was not asked for of it, merged
	omitted   []int            // the sections that are there, without those in them

	kept, left []markdown.Lines // whole lines, and lines of which something is left out
	part       LinePart         // what is there of the first line after those that are kept
	spans      []markdown.Span  // the bytes that are there
	unseen     replies.Unseen   // what of them can't be seen
	warning    string           // about them
	next       []Continuation
	head, text []byte
	ended      bool // the text has a line ending at its end that the document hasn't
	facts      int  // bytes of the head before what is said of the text
}

// leastDetail is the number of characters that texts from the document are cut to
// when there is room for hardly anything.
const leastDetail = 12

// render fits the passage into so many characters, 0 for any number, head
// included.
func (r *reading) render(p *passage, room int) error {
	f := newFitter(r.doc, p)
	f.mark, f.json = r.mark, r.req.JSON
	if room == 0 {
		room = math.MaxInt
	}
	for _, detail := range []int{160, 40, leastDetail, 0} {
		r.terse = detail == 0
		base := r.mark.Lines(r.head(p, max(detail, leastDetail), room))
		p.facts, p.next = len(base), nil // of a try before
		if replies.Chars(base) > room/2 && detail > leastDetail {
			continue // a long heading must not take the place of the text
		}
		p.keep(f, choice{lines: []markdown.Lines{p.lines}})
		p.head = slices.Concat(base, r.mark.Lines(r.ledger(p)))
		if p.lines.Len() == 0 || replies.Chars(p.head)+p.textChars(f) <= room {
			return nil
		}
		if r.thinned(p, f, base, room) {
			return nil
		}
	}
	return errTooSmall
}

// thinned leaves out of the passage what does not fit, and reports whether the
// rest does, and is something. A request for lines must get something, or it would
// be repeated; one for a heading may get nothing but a head, if all else fails.
func (r *reading) thinned(p *passage, f *fitter, base []byte, room int) bool {
	p.keep(f, choice{})
	forText := room - replies.Chars(base) - replies.Chars(r.mark.Lines(r.ledger(p))) - len("\n")
	for range 8 { // the ledger may be longer than was thought, and have a warning
		p.keep(f, f.fit(forText, p.structured))
		p.head = slices.Concat(base, r.mark.Lines(r.ledger(p)))
		over := replies.Chars(p.head) + p.textChars(f) - room
		if over <= 0 {
			p.text = bytes.Clone(p.text) // which was that of all lines before
			p.next = r.continuations(p)
			return len(p.spans) > 0 || p.res != nil && (r.terse || len(p.next) == 0)
		}
		forText = min(forText-over, p.textChars(f)-1) // not the same again
	}
	return false
}

// keep sets what is kept of the passage, and the text that the reply has of it.
func (p *passage) keep(f *fitter, c choice) {
	p.kept, p.part = outside(c.lines, p.omit), c.part
	p.left = Without(p.lines, p.kept)
	p.text, p.spans = p.text[:0], p.spans[:0]
	at := p.lines.First
	mark := func(last int) {
		if gap := (markdown.Lines{First: at, Last: last}); gap.Len() > 0 {
			p.text = append(append(replies.WithNewline(p.text), f.mark...), gapMark(gap, p.part)...)
		}
	}
	add := func(span markdown.Span) {
		p.spans = append(p.spans, span)
		p.text = append(p.text, f.doc.Text(span)...)
	}
	for _, k := range p.kept {
		mark(k.First - 1)
		add(f.spanOf(k))
		at = k.Last + 1
	}
	if p.part.Line > 0 {
		add(c.span)
	}
	p.unseen = replies.Unseen{}
	for _, span := range p.spans {
		p.unseen.Look(f.doc, span)
	}
	p.warning = p.unseen.Warning()
	if len(p.spans) > 0 { // a head alone says it all
		before := len(p.text)
		p.text = replies.WithNewline(p.text)
		p.ended = len(p.text) > before
		mark(p.lines.Last)
	}
}

// textChars counts the text, as the reply has it, and the empty line before it.
func (p *passage) textChars(f *fitter) int {
	if len(p.text) == 0 {
		return 0
	}
	return f.size(p.text) + len("\n")
}

// head renders what is known about the passage: a line with its place, address, hash and
// titles, and what else there is to say. Texts from the document are cut to so many
// characters of detail, and a part of the room can be used for them.
func (r *reading) head(p *passage, detail, room int) []byte {
	facts := []string{r.place(p)}
	switch {
	case p.receipt:
		facts = append(facts, replies.HashMark+r.doc.Version())
	case p.res == nil:
		facts = append(facts, "of "+replies.Plural(r.doc.LineCount, "line"))
		if v := r.doc.Version(); v != "" {
			facts = append(facts, "version "+replies.HashMark+v)
		}
		if p.beyond > 0 {
			facts = append(facts, fmt.Sprintf("(there is no line %d)", p.beyond))
		}
	default:
		facts = append(facts, r.named(p, detail, room)...)
	}
	h := replies.Head(strings.Join(facts, " ") + "\n")
	if p.receipt {
		r.receipt(&h)
	}
	if p.res != nil {
		if detail == leastDetail { // there is room for nothing else
			room = 0
		}
		r.omittedHead(&h, p, room/4, min(detail, 80))
	}
	return h
}

// place returns where the passage is, in the form that editors and terminals open.
func (r *reading) place(p *passage) string {
	place := r.shownPath() + ":" + replies.LineRange(p.lines)
	if p.startChar > 0 {
		place += fmt.Sprintf(":%d", p.startChar)
	}
	return place
}

// named returns the address, the hashes and the titles of a part that has an address.
func (r *reading) named(p *passage, detail, room int) []string {
	var facts []string
	if s := p.res.Selector; s == "" {
		facts = append(facts, KindOf(r.doc, p.res.Node))
	} else if !r.terse || len(s) <= room/4 {
		facts = append(facts, s)
	}
	all, body := r.hashes(p)
	if all != "" {
		facts = append(facts, replies.HashMark+all)
	}
	section := p.res.Kind == address.SectionNode
	if section && int(r.doc.Sections[p.res.Section].Next) > p.res.Section+1 {
		facts = append(facts, "body "+replies.HashMark+body)
	}
	if p.of > 0 {
		facts = append(facts, fmt.Sprintf("(%d of %d lines)", p.lines.Len(), p.of))
	}
	if r.terse {
		return facts
	}
	if p.res.ByPosition && !r.doc.Abridged() && r.hasTwin(p) { // the hash doesn't tell which of them was read
		facts = append(facts, "version "+replies.HashMark+r.doc.Version())
	}
	if t := p.res.Tier; t > address.TierExact {
		facts = append(facts, "~ "+t.String())
	}
	titles := p.res.Breadcrumb
	if section {
		titles = append(slices.Clone(titles), r.doc.SectionTitle(p.res.Section))
	}
	if n := len(titles); n > 0 {
		all := replies.Safe(strings.Join(titles, " > "))
		if detail <= leastDetail || utf8.RuneCountInString(all) > 2*detail {
			all = replies.Clip(replies.Safe(titles[n-1]), detail) // at its end, as edits know a cut title
		}
		facts = append(facts, all)
	}
	return facts
}

// hasTwin reports whether another part of the document is the same as the passage, byte by
// byte: a section for a section, a block of its kind for a block.
func (r *reading) hasTwin(p *passage) bool {
	text := r.doc.Text(p.res.Span(r.doc))
	same := func(n address.Node) bool {
		if n == p.res.Node {
			return false
		}
		span := n.Span(r.doc)
		return span.Len() == len(text) && bytes.Equal(r.doc.Text(span), text)
	}
	if p.res.Kind == address.SectionNode {
		for i := range r.doc.Sections {
			if same(address.NodeOfSection(i)) {
				return true
			}
		}
		return false
	}
	if p.res.Kind != address.BlockNode {
		return false
	}
	kind := r.doc.Blocks[p.res.Block].Kind
	for i := range r.doc.Blocks {
		if r.doc.Blocks[i].Kind == kind && same(address.NodeOfBlock(r.doc, i)) {
			return true
		}
	}
	return false
}

// HeadingOf returns section i's heading as it is written, on one line.
func HeadingOf(doc *markdown.Document, i int) string {
	s := &doc.Sections[i]
	return "######"[:s.Level] + " " + replies.Safe(string(doc.Text(doc.Content(int(s.Heading)))))
}

// KindOf names the kind of a part that is no section.
func KindOf(doc *markdown.Document, n address.Node) string {
	if n.Kind == address.BlockNode {
		return doc.Blocks[n.Block].Kind.String()
	}
	return n.Kind.String()
}

// ledger renders the warning about what is there, what was left out, and how to
// go on.
func (r *reading) ledger(p *passage) []byte {
	var h replies.Head
	switch {
	case p.warning == "":
	case r.terse:
		h.Add("warning", p.unseen.Number())
	default:
		h.Add("warning", p.warning)
	}
	if len(p.left) == 0 {
		return h
	}
	n := 0
	ranges := make([]string, len(p.left))
	for i, l := range p.left {
		n += l.Len()
		ranges[i] = replies.LineRanges(l, p.part.nextChar(l))
	}
	h.Add("left_out", fmt.Sprintf("%d of %d lines: %s", n, p.lines.Len(), strings.Join(ranges, ", ")))
	switch next := r.continuations(p); {
	case len(next) == 0:
	case r.terse:
		h.Add("continue", "the same path with "+next[0].linesAndLength())
	default:
		h.Add("continue", r.req.Call(next[0]))
		if next[0].StartChar > 0 && len(next) > 1 && !r.req.JSON { // which lists all
			// The rest of a line says nothing of what is after the line.
			h.Add("then", r.req.Call(next[1]))
		}
	}
	return h
}

// shownPath returns the path as a head shows it: cut in the middle if it would take too
// much of the reply, and shorter in heads after the first.
func (r *reading) shownPath() string {
	path := replies.Safe(r.path)
	if r.pathRoom == 0 {
		return path
	}
	return replies.ClipMiddle(path, r.pathRoom)
}
