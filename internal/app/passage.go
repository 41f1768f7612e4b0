package app

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// passage is a part of a document that is read.
type passage struct {
	asked      string              // the address, empty for a range of lines
	res        *address.Resolution // nil for a range of lines
	span       markdown.Span       // its bytes; they may begin inside the first line
	lines      markdown.Lines
	structured bool   // its subsections may be thinned
	receipt    bool   // the head is that of a complete document
	err        *Error // it can't be read

	kept, left []markdown.Lines
	next       []Continuation
	head, text []byte
}

// render fits the passage into so many characters, 0 for any number, head
// included.
func (r *reading) render(p *passage, room int) error {
	f := newFitter(r.doc, p)
	if room == 0 {
		room = int(^uint(0) >> 1)
	}
	for _, detail := range []int{160, 40, 12} {
		base := r.head(p, detail)
		if chars(base) > room/2 && detail > 12 {
			continue // a long heading must not take the place of the text
		}
		p.head = base
		p.keep(f, []markdown.Lines{p.lines})
		if p.lines.Len() == 0 || chars(p.head)+p.textChars() <= room {
			return nil
		}
		if r.thinned(p, f, base, room) {
			return nil
		}
	}
	return errTooSmall
}

// thinned leaves out of the passage what does not fit, and reports whether the
// rest does.
func (r *reading) thinned(p *passage, f *fitter, base []byte, room int) bool {
	p.keep(f, nil)
	all := r.ledger(p, []markdown.Lines{p.lines}, 0)
	forText := room - chars(base) - chars(all) - len("\n")
	for range 4 { // numbers in the ledger may have more digits than was thought
		p.keep(f, f.fit(forText, p.structured))
		needs := 0
		if len(p.kept) == 0 {
			first := markdown.Lines{First: p.lines.First, Last: p.lines.First}
			needs = (f.chars(first)/100+1)*100 + max(MinChars, 2*(chars(base)+chars(all)))
		}
		p.head = slices.Concat(base, r.ledger(p, p.left, needs))
		over := chars(p.head) + p.textChars() - room
		if over <= 0 {
			p.next = r.continuations(p.left, needs)
			return true
		}
		forText -= over
	}
	return false
}

// keep sets the lines that are kept, and the text that the reply has of them.
func (p *passage) keep(f *fitter, kept []markdown.Lines) {
	p.kept, p.left = kept, without(p.lines, kept)
	p.text = p.text[:0]
	at := p.lines.First
	mark := func(last int) {
		if gap := (markdown.Lines{First: at, Last: last}); gap.Len() > 0 {
			p.text = append(p.text, gapMark(gap)...)
		}
	}
	for _, k := range kept {
		mark(k.First - 1)
		p.text = append(p.text, f.text(k)...)
		at = k.Last + 1
	}
	if len(kept) > 0 { // a head alone says it all
		p.text = withNewline(p.text)
		mark(p.lines.Last)
	}
}

// textChars counts the text and the empty line before it.
func (p *passage) textChars() int {
	if len(p.text) == 0 {
		return 0
	}
	return chars(p.text) + len("\n")
}

// withNewline ends text with a line ending, unless it is empty.
func withNewline(text []byte) []byte {
	if n := len(text); n > 0 && text[n-1] != '\n' && text[n-1] != '\r' {
		text = append(text, '\n')
	}
	return text
}

// head renders what is known about the passage. Texts from the document are cut
// to so many characters.
func (r *reading) head(p *passage, detail int) []byte {
	var h head
	if p.res != nil {
		if p.res.Kind == address.SectionNode {
			h.add("heading", clip(r.headingOf(p.res.Section), detail))
		} else {
			h.add("part", r.kindOf(p.res.Node))
		}
		if p.res.Selector != "" {
			h.add("selector", p.res.Selector)
		}
		if len(p.res.Breadcrumb) > 0 && detail > 12 {
			h.add("breadcrumb", clip(safe(strings.Join(p.res.Breadcrumb, " > ")), 2*detail))
		}
		h.add("tier", p.res.Tier.String())
	}
	h.add("start_line", p.lines.First)
	h.add("end_line", p.lines.Last)
	switch {
	case p.receipt:
		r.receipt(&h)
	case p.res == nil:
		h.add("total_lines", r.doc.LineCount)
	default:
		h.add("hash", markdown.Hash(r.doc.Text(p.span)))
		if p.res.Kind == address.SectionNode {
			h.add("body_hash", r.doc.BodyHash(p.res.Section))
		}
	}
	return h
}

// head is the part of a reply before the text: a line for each fact.
type head []byte

func (h *head) add(key string, value any) { *h = fmt.Appendf(*h, "%s: %v\n", key, value) }

// headingOf returns section i's heading as it is written, on one line.
func (r *reading) headingOf(i int) string {
	s := &r.doc.Sections[i]
	return "######"[:s.Level] + " " + safe(string(r.doc.Text(r.doc.Content(int(s.Heading)))))
}

// kindOf names the kind of a part that is no section.
func (r *reading) kindOf(n address.Node) string {
	if n.Kind == address.BlockNode {
		return r.doc.Blocks[n.Block].Kind.String()
	}
	return n.Kind.String()
}

// ledger renders what was left out and how to go on.
func (r *reading) ledger(p *passage, left []markdown.Lines, needs int) []byte {
	if len(left) == 0 {
		return nil
	}
	n := 0
	ranges := make([]string, len(left))
	for i, l := range left {
		n += l.Len()
		ranges[i] = lineRange(l)
	}
	var h head
	h.add("left_out", fmt.Sprintf("%d of %d lines: %s", n, p.lines.Len(), strings.Join(ranges, ", ")))
	h.add("continue", r.req.Call(r.continuations(left[:1], needs)[0]))
	return h
}

// continuations returns the requests for the lines that were left out.
func (r *reading) continuations(left []markdown.Lines, needs int) []Continuation {
	next := make([]Continuation, len(left))
	for i, l := range left {
		next[i] = Continuation{Path: r.source, StartLine: l.First, EndLine: l.Last, MaxChars: max(r.req.MaxChars, needs)}
		needs = 0
	}
	return next
}

// safe makes text from a document fit into a line of ours.
func safe(s string) string { return string(outline.AppendSafe(nil, s)) }

// clip cuts s to so many characters, the last one being an ellipsis then.
func clip(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == limit {
			return s[:i] + "…"
		}
	}
	return s
}
