package edit

import (
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
	if op.isIn(doc, span, c) {
		return ch
	}
	return nil
}

// isIn reports whether blocks in a span of the document have the text.
func (op *Op) isIn(doc *markdown.Document, span markdown.Span, c *content) bool {
	if len(c.doc.Blocks) == 0 {
		return false
	}
	var items *parts.Items
	if op.Renumber {
		items = parts.ItemsOf(c.doc)
	}
	const all = -1 // blocks, whatever column they begin in
	forms := map[int]string{all: c.text[c.firstBlock(0):]}
	begins, ends := map[int]map[int]bool{all: {}}, map[int]bool{}
	for b := range doc.Blocks {
		block := doc.Blocks[b].Span()
		if doc.Blocks[b].Kind == markdown.TableCell || block.Start < span.Start || block.End > span.End {
			continue // a cell is text of its row
		}
		if items != nil && items.In(doc, b) {
			return true
		}
		begins[all][block.Start], ends[block.End] = true, true
		if doc.Blocks[b].Kind != markdown.Item || doc.Blocks[doc.Blocks[b].Parent].Parent >= 0 {
			continue
		}
		column := textlines.Columns(string(doc.Source[textlines.Begin(doc.Source, block.Start):block.Start]), 0)
		if begins[column] == nil {
			begins[column] = map[int]bool{}
			forms[column] = strings.TrimLeft(c.among(column), " ")
		}
		begins[column][block.Start] = true
	}
	areRows := parts.AreRows(c.doc) // if not by themselves
	is := func(s markdown.Span) bool {
		return c.isSame(doc, s) == nil || areRows && isKind(doc, s.Start, markdown.TableRow) == nil
	}
	lines := textlines.PlainOf(doc.Source, span)
	for column, form := range forms {
		for at := range parts.Occurrences(lines.Text, []byte(form)) {
			s := lines.In(markdown.Span{Start: at, End: at + len(form)})
			if begins[column][s.Start] && ends[s.End] && is(s) {
				return true
			}
		}
	}
	return false
}
