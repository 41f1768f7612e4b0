package edit

import (
	"strings"

	"github.com/sectile/sectile/internal/parts"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// Text goes into what stands in whole lines, the body of a section or the preamble: in
// its place, before it or after it.

// putInto returns the change that puts the text in the place of all that stands in
// whole lines but the gaps around it; if the text is empty, that goes.
func (c *content) putInto(doc *markdown.Document, region markdown.Span) *change {
	src := doc.Source
	end := textlines.TextEnd(src, region)
	if end > region.Start {
		region = markdown.Span{Start: textlines.TextStart(src, region), End: end}
	} else {
		region.End = region.Start
	}
	switch {
	case c.text != "":
		return c.put(doc, region)
	case region.Len() == 0: // empty as it is
		return splicing()
	}
	return splicing(cut(src, region))
}

// appendTo returns the change that puts the text after what stands in whole lines.
// A list goes on with the list that it finds there, and rows with their table.
func (c *content) appendTo(doc *markdown.Document, body markdown.Span) *change {
	src := doc.Source
	at := outside(doc, textlines.TextEnd(src, body))
	here := markdown.Span{Start: at, End: at}
	last := lastBlock(doc, markdown.Span{Start: body.Start, End: at})
	rows := last >= 0 && doc.Blocks[last].Kind == markdown.Table && parts.AreRows(c.doc)
	if last < 0 || !rows && !c.continues(doc, last, 0) {
		return c.put(doc, here)
	}
	ending := textlines.EndingAt(src, at)
	before, after, end := textlines.Lead(src, at, ending), textlines.Trail(src, at, ending), ""
	if len(textlines.EndingBefore(src, at)) == 0 { // the last line has no ending
		before, end = ending, ending
	}
	isFlush := before == ending && after == ending+ending
	if before == ending && (rows || doc.Tight(last) && c.doc.Tight(0)) {
		before = ""
	}
	before = end + before
	ways := [][2]string{{before, after}}
	if isFlush {
		ways = [][2]string{{before, ending}, {before, after}}
	}
	ch := c.putAmong(doc, here, last, InsertAfter, ways)
	if rows {
		ch.verify = func(doc *markdown.Document) *Error { return isKind(doc, ch.first, markdown.TableRow) }
	}
	return ch
}

// prependTo returns the change that puts the text before what stands in whole
// lines. A list is put before the list that it finds there.
func (c *content) prependTo(doc *markdown.Document, body markdown.Span) *change {
	src := doc.Source
	at := body.Start
	next, last := firstBlock(doc, body), lastBlock(c.doc, markdown.Span{End: len(c.doc.Source)})
	if next < 0 || last < 0 || !c.continues(doc, next, last) {
		return c.put(doc, markdown.Span{Start: at, End: at})
	}
	at = textlines.Begin(src, int(doc.Blocks[next].Start))
	ending := textlines.EndingAt(src, at)
	before, after := textlines.Lead(src, at, ending), textlines.Trail(src, at, ending)
	isFlush := before == ending && after == ending+ending
	if after == ending+ending && doc.Tight(next) && c.doc.Tight(last) {
		after = ending
	}
	ways := [][2]string{{before, after}}
	if isFlush {
		ways = [][2]string{{"", after}, {before, after}}
	}
	return c.putAmong(doc, markdown.Span{Start: at, End: at}, next, InsertBefore, ways)
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

// putAmong returns the change that puts the text before or after a block that it goes on with:
// items not to the left of the item beside them, if they are there the text that was sent, and
// else as they are.
func (c *content) putAmong(doc *markdown.Document, at markdown.Span, beside int, action Action, ways [][2]string) *change {
	if doc.Blocks[beside].Kind == markdown.List {
		start := itemAt(doc, beside, action).Span(doc).Start
		if text := c.among(textlines.Columns(string(doc.Source[textlines.Begin(doc.Source, start):start]), 0)); text != c.text {
			indented := *c
			indented.text = text
			if ch := indented.putApart(doc, at, []int{beside}, ways); c.isApart(doc, ch) {
				return ch
			}
		}
	}
	return c.putApart(doc, at, []int{beside}, ways)
}

// among returns the text as it is written among items of a list at the top level that begin in the
// column. A text that is no list is returned as it is.
func (c *content) among(column int) string {
	if len(c.doc.Blocks) == 0 || c.doc.Blocks[0].Kind != markdown.List || int(c.doc.Blocks[0].Next) < len(c.doc.Blocks) {
		return c.text
	}
	return textlines.Indented(c.text, strings.Repeat(" ", max(0, column-int(c.doc.Blocks[0].Start))))
}

// outside returns the offset, which is the start of a line or the end of the source,
// or the end of the block at the top level that goes on after it: blank lines belong
// to what nothing has closed.
func outside(doc *markdown.Document, at int) int {
	for b := blockFrom(doc, at) - 1; b >= 0; b = int(doc.Blocks[b].Parent) {
		if end := int(doc.Blocks[b].End); end > at {
			at = textlines.End(doc.Source, end)
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
