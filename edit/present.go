package edit

import (
	"bytes"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/parts"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// present returns the change that an append is which looks whether its text is there already, if
// it is: none. It is there if blocks of the part, of a section those before its first subsection,
// have it as their text, whatever the line endings, and whatever the numbers of items that are to
// go on with those of a list. Else it is nil.
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
	text := textlines.WithEnding(c.text, textlines.EndingAt(doc.Source, span.Start))
	var items *parts.Items
	if op.Renumber {
		items = parts.ItemsOf(c.doc)
	}
	ends := map[int]bool{}
	for b := len(doc.Blocks) - 1; b >= 0; b-- {
		block := doc.Blocks[b].Span()
		if doc.Blocks[b].Kind == markdown.TableCell || block.Start < span.Start || block.End > span.End {
			continue // a cell is text of its row
		}
		ends[block.End] = true
		if bytes.HasPrefix(doc.Source[block.Start:span.End], []byte(text)) && ends[block.Start+len(text)] {
			return ch
		}
		if items != nil && items.In(doc, b) {
			return ch
		}
	}
	return nil
}
