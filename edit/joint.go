package edit

import (
	"bytes"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// What takes the place of text that stands without a blank line beside its neighbour stands
// so too, unless it would run into the neighbour then: what was read and is sent back
// changes nothing.

// isAsRead reports whether the text of the operation is what stands there, whatever its line
// endings are and how many blank lines are around it.
func (op *Op) isAsRead(there []byte) bool {
	return withoutGaps(unifiedEndings(op.Text)) == withoutGaps(unifiedEndings(string(there)))
}

// isFlushAfter reports whether the text, in the place of whole lines that begin with text
// right below other text, needs no blank line before it.
func (c *content) isFlushAfter(doc *markdown.Document, at markdown.Span) bool {
	src := doc.Source
	if len(c.doc.Blocks) == 0 || at.Len() == 0 {
		return false
	}
	if first, _, _ := strings.Cut(c.text, "\n"); first == lineText(src, at.Start) {
		return true
	}
	if old := firstBlock(doc, at); old >= 0 && isSameKind(&doc.Blocks[old], &c.doc.Blocks[0]) {
		return true
	}
	before := blockBefore(doc, at.Start)
	return before >= 0 && mayFollow(doc, before, c.doc, 0)
}

// isFlushBefore reports whether the text, in the place of whole lines that end with text
// right above other text, needs no blank line after it.
func (c *content) isFlushBefore(doc *markdown.Document, at markdown.Span) bool {
	src := doc.Source
	last := c.lastBlock()
	if last < 0 || at.Len() == 0 || int(c.doc.Blocks[last].Start) == openFrom(c.doc) {
		return false
	}
	if lastLine(c.text) == lineText(src, lineBefore(src, at.End)) {
		return true
	}
	if old := lastBlock(doc, at); old >= 0 && isSameKind(&doc.Blocks[old], &c.doc.Blocks[last]) {
		return true
	}
	after := firstBlock(doc, markdown.Span{Start: at.End, End: len(src)})
	return after >= 0 && mayFollow(c.doc, last, doc, after)
}

// isSameKind reports whether a block may stand wherever the other one does.
func isSameKind(a, b *markdown.Block) bool {
	return a.Kind == b.Kind && a.Kind != markdown.HTMLBlock && a.Marker == b.Marker && a.Setext() == b.Setext()
}

// lastLine returns the last line of a text that has LF as line ending.
func lastLine(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }

// lineText returns the text from an offset to the end of the line, without its ending.
func lineText(src []byte, at int) string {
	return string(bytes.TrimRight(src[at:lineEnd(src, at)], "\r\n"))
}

// blockBefore returns the last block at the top level that begins before an offset, or -1.
func blockBefore(doc *markdown.Document, at int) int {
	last := -1
	for b, block := range doc.Children(-1) {
		if int(block.Start) >= at {
			break
		}
		last = b
	}
	return last
}

// mayFollow reports whether a block at the top level may stand on the line below another
// one, whatever these hold: the upper one has an end of its own, or the lower one ends it
// (CommonMark 0.31.2, 4 and 5).
func mayFollow(doc *markdown.Document, upper int, lowerDoc *markdown.Document, lower int) bool {
	above, below := &doc.Blocks[upper], &lowerDoc.Blocks[lower]
	switch above.Kind {
	case markdown.Heading, markdown.FencedCode, markdown.ThematicBreak, markdown.FrontMatter:
		return true
	case markdown.Paragraph:
		if below.Kind == markdown.List {
			return interruptsParagraph(lowerDoc, below)
		}
	case markdown.List, markdown.BlockQuote, markdown.IndentedCode, markdown.Table:
	default:
		return false
	}
	return below.Kind == markdown.FencedCode || below.Kind == markdown.Heading && !below.Setext() ||
		below.Kind == markdown.BlockQuote && above.Kind != markdown.BlockQuote
}

// interruptsParagraph reports whether a list may stand on the line below a paragraph: its
// first item isn't empty, and has no number but 1.
func interruptsParagraph(doc *markdown.Document, list *markdown.Block) bool {
	marker, text, _ := strings.Cut(strings.TrimLeft(lineText(doc.Source, int(list.Start)), " "), " ")
	number := strings.TrimRight(marker, ".)")
	return strings.TrimSpace(text) != "" && (number == "1" || number == marker)
}
