package edit

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// What each action does to a block. At the top level it is one of whole lines, as
// for sections; in containers see nested.go.

// onBlock returns what the operation does to a block.
func (op *Op) onBlock(doc *markdown.Document, n address.Node, c *content) (*change, *Error) {
	isTable := doc.Blocks[n.Block].Kind == markdown.Table
	actions := []Action{Replace, InsertBefore, InsertAfter, Remove}
	if isTable {
		actions = append(actions, Append)
	}
	if !slices.Contains(actions, op.Action) {
		return nil, op.impossible("this "+kindName(doc.Blocks[n.Block].Kind), actions...)
	}
	if op.Scope != AnyScope {
		return nil, &Error{Code: InvalidArgument, Message: "a block has no scope; leave it out"}
	}
	if op.Action == Append {
		return op.appendRows(doc, n.Block, c)
	}
	switch {
	case op.Action == Remove:
		n = onlyChild(doc, n)
	case op.Action != Replace && c.continues(doc, n.Block, 0):
		n = itemAt(doc, n.Block, op.Action)
	}
	span := n.Span(doc)
	if doc.Blocks[n.Block].Parent >= 0 {
		return op.onNested(newNested(doc, n.Block, span), c)
	}
	src := doc.Source
	lines := markdown.Span{Start: textlines.Begin(src, span.Start), End: textlines.End(src, span.End)}
	var ch *change
	switch op.Action {
	case Remove:
		return splicing(cut(src, lines)), nil
	case Replace:
		var err *Error
		if c, err = op.withIndent(newNested(doc, n.Block, span), c); err != nil {
			return nil, err
		}
		if last := src[max(textlines.Begin(src, span.End), span.Start):span.End]; strings.HasSuffix("\n"+c.text, "\n"+string(last)) {
			c.text += textlines.Text(src, span.End) // blanks, which a read doesn't show
		}
		ch = c.put(doc, lines)
		ch.newStart = c.firstBlock(ch.first)
	case InsertBefore:
		ch = c.put(doc, markdown.Span{Start: lines.Start, End: lines.Start})
		ch.newStart = span.Start + len(ch.splices[0].Text)
	case InsertAfter:
		ch = c.put(doc, markdown.Span{Start: lines.End, End: lines.End})
		ch.newStart = span.Start
	}
	ch.after, ch.kind = c.firstBlock(ch.first), c.doc.Blocks[0].Kind
	return ch, nil
}

// withIndent returns a text as it is put in the place of a block that is indented, though
// it needn't be: with the same blanks before its first line, which a read doesn't show,
// if they stand before the others. A text that begins with blanks stands as it was sent.
func (op *Op) withIndent(n *nested, c *content) (*content, *Error) {
	lead := string(n.doc.Source[n.line:n.span.Start])
	if lead == "" || !n.own || len(c.doc.Blocks) > 0 && c.firstBlock(0) > 0 {
		return c, nil
	}
	n.containers = textlines.Containers{textlines.Columns(lead, 0)}
	_, written, err := op.asRead(n, c)
	if err != nil || written == nil {
		return c, err
	}
	return newContent(c.draft, lead+strings.Join(written, "\n"))
}

// itemAt returns the item of a list beside which other items of it are put: before the list
// they are before its first one, and after it after its last.
func itemAt(doc *markdown.Document, list int, action Action) address.Node {
	item := list + 1
	for b := range doc.Children(list) {
		if action == InsertAfter {
			item = b
		}
	}
	return address.NodeOfBlock(doc, item)
}

// onlyChild returns the outermost container that holds nothing but the node: with
// the only item, the list goes.
func onlyChild(doc *markdown.Document, n address.Node) address.Node {
	b := n.Block
	for {
		parent := int(doc.Blocks[b].Parent)
		if parent < 0 || parent+1 != b || doc.Blocks[parent].Next != doc.Blocks[b].Next ||
			doc.Blocks[parent].Kind == markdown.Item || doc.Blocks[parent].Kind == markdown.FootnoteDefinition ||
			n.Span(doc).End != int(doc.Blocks[b].End) { // a heading with what is below it
			return address.NodeOfBlock(doc, b)
		}
		b = parent
		n = address.NodeOfBlock(doc, b)
	}
}
