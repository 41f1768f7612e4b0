package edit

import (
	"bytes"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/parts"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// present returns the change that an append is which looks whether its text is there already, if
// it is: none. It is there if blocks of the part, of a section those before its first subsection,
// have it as their text, whatever the line endings, or as it is written among the items there, and
// whatever the numbers of items that are to go on with those of a list. Else it is nil.
func (op *Op) present(doc *markdown.Document, n address.Node, c *content) *change {
	span := n.Span(doc)
	ch := splicing()
	ch.idle = true
	switch n.Kind {
	case address.SectionNode:
		ch.newStart, ch.after = span.Start, span.Start
		if op.Scope != ScopeSection {
			span = doc.BodySpan(n.Section)
		}
	case address.DocumentNode, address.PreambleNode:
	case address.BlockNode:
		if doc.Blocks[n.Block].Kind != markdown.Table || !parts.HasRows(doc, n.Block, c.text) {
			return nil
		}
		ch.newStart, ch.after, ch.kind = span.Start, span.Start, markdown.Table
		return ch
	default: // nothing is appended to it
		return nil
	}
	ending := textlines.EndingAt(doc.Source, span.Start)
	var items *parts.Items
	if op.Renumber {
		items = parts.ItemsOf(c.doc)
	}
	forms := map[int]string{-1: textlines.WithEnding(c.text, ending)} // by the column of items, or -1
	ends := map[int]bool{}
	for b := len(doc.Blocks) - 1; b >= 0; b-- {
		block := doc.Blocks[b].Span()
		if doc.Blocks[b].Kind == markdown.TableCell || block.Start < span.Start || block.End > span.End {
			continue // a cell is text of its row
		}
		ends[block.End] = true
		column := itemColumn(doc, b)
		if _, ok := forms[column]; !ok {
			forms[column] = textlines.WithEnding(strings.TrimLeft(c.among(column), " "), ending)
		}
		for _, text := range []string{forms[-1], forms[column]} {
			if bytes.HasPrefix(doc.Source[block.Start:span.End], []byte(text)) && ends[block.Start+len(text)] &&
				(len(c.doc.Blocks) == 0 || c.doc.Blocks[0].Kind != markdown.List || c.isSame(doc, markdown.Span{Start: block.Start, End: block.Start + len(text)}) == nil) {
				return ch
			}
		}
		if items != nil && items.In(doc, b) {
			return ch
		}
	}
	return nil
}

// itemColumn returns the column where an item of a list at the top level begins, or -1 for other
// blocks.
func itemColumn(doc *markdown.Document, b int) int {
	start := int(doc.Blocks[b].Start)
	lead := doc.Source[textlines.Begin(doc.Source, start):start]
	if doc.Blocks[b].Kind != markdown.Item || doc.Blocks[doc.Blocks[b].Parent].Parent >= 0 || !textlines.IsBlank(lead, "") {
		return -1
	}
	return textlines.Columns(string(lead), 0)
}
