package edit

import (
	"bytes"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// Who changes some words of what was read sends it back with as many lines, each of them
// indented and marked as it was. If these lines make the same blocks in the place of the
// old ones, they are put there as they are: nothing else is changed beside them, and nothing
// at all if no line is another one.

// inPlace returns the change that puts the text in the place of what is read of a part, line
// by line, each with the line ending that is there; nil if it has other lines or would make
// other blocks.
func (op *Op) inPlace(d *draft, doc *markdown.Document, n address.Node) (*change, *Error) {
	for _, region := range op.readAs(doc, n) {
		text := textlines.Bare(op.Text)
		if bytes.HasPrefix(doc.Source[region.Start:], textlines.ByteOrderMark) { // of the text that was read
			text = textlines.WithoutGaps(textlines.WithEnding(op.Text, "\n"))
		}
		whole, changed, ok := textlines.SameLines(doc.Source[region.Start:region.End], text)
		switch {
		case !ok:
			continue
		case !changed:
			return nil, noChange()
		}
		splice := Splice{region, whole}
		now, err := d.with(doc, splice)
		if err != nil {
			return nil, asError(err)
		}
		if !isAlike(doc, now) || n.Kind == address.BlockNode && doc.Blocks[n.Block].Kind == markdown.Paragraph && isOther(d, doc.Source[region.Start:region.End], text) {
			continue
		}
		ch := splicing(splice)
		ch.parsed = now
		ch.first, ch.last = region.Start, region.Start+len(whole)
		start := n.Span(doc).Start
		switch n.Kind {
		case address.SectionNode:
			ch.newStart, ch.after = start, start
		case address.BlockNode:
			ch.newStart, ch.after, ch.kind = start, start, doc.Blocks[n.Block].Kind
		}
		for i := range doc.Sections {
			if b := int(doc.Sections[i].Heading); int(doc.Blocks[b].Start) > start && !bytes.Equal(headingText(doc, i), headingText(now, i)) {
				ch.gone = append(ch.gone, b)
			}
		}
		return ch, nil
	}
	return nil, nil
}

// readAs returns the ranges of a part that it may have been read as: a section also without
// its heading; without the blank lines around and the last line ending.
func (op *Op) readAs(doc *markdown.Document, n address.Node) []markdown.Span {
	spans := []markdown.Span{n.Span(doc)}
	if n.Kind == address.SectionNode {
		s := newSection(doc, n.Section)
		if op.Scope == ScopeBody {
			spans[0].End = s.body
		}
		spans = append(spans, markdown.Span{Start: min(s.below, spans[0].End), End: spans[0].End})
	}
	for i, s := range spans {
		end := textlines.TextEnd(doc.Source, s)
		end -= len(textlines.EndingBefore(doc.Source[s.Start:end], end-s.Start))
		spans[i] = markdown.Span{Start: min(textlines.TextStart(doc.Source, s), end), End: end}
	}
	return spans
}

// isOther reports whether a text that is no paragraph by itself keeps no line of the one that it
// takes the place of. As lazy lines of it, without the marks of containers, it would be one.
func isOther(d *draft, old []byte, text string) bool {
	lines := strings.Split(text, "\n")
	for i, line := range strings.Split(textlines.WithEnding(string(old), "\n"), "\n") {
		if line == lines[i] {
			return false
		}
	}
	c, err := newContent(d, text)
	return err == nil && (len(c.doc.Blocks) != 1 || c.doc.Blocks[0].Kind != markdown.Paragraph)
}

// isAlike reports whether two documents have the same blocks on the same lines, whatever
// tasks are done.
func isAlike(a, b *markdown.Document) bool {
	const ticks = markdown.Task | markdown.Done
	if len(a.Blocks) != len(b.Blocks) {
		return false
	}
	for i := range a.Blocks {
		x, y := a.Blocks[i], b.Blocks[i]
		x.Start, x.End = y.Start, y.End
		x.Flags |= y.Flags & ticks
		y.Flags |= x.Flags & ticks
		if x != y {
			return false
		}
	}
	return true
}
