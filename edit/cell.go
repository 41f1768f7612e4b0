package edit

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// A cell is text on one line between pipes: what would end it is escaped, and nothing but its
// own bytes changes.

// onCell returns what the operation does to a cell.
func (op *Op) onCell(doc *markdown.Document, n address.Node) (*change, *Error) {
	if op.Action != Replace {
		return nil, op.impossible("a cell", Replace)
	}
	if op.Scope != AnyScope {
		return nil, &Error{Code: InvalidArgument, Message: "a cell has no scope; leave it out"}
	}
	return replaceCell(doc, n.Block, cellText(op.Text)), nil
}

// replaceCell returns the change that gives a cell another text.
func replaceCell(doc *markdown.Document, b int, text string) *change {
	cell := doc.Blocks[b].Span()
	s := cellSplice(doc.Source, cell, text)
	row := int(doc.Blocks[b].Parent)
	ch := splicing(s)
	at := s.Start + bytes.Index(s.Text, []byte(text))
	ch.first, ch.last = at, at+len(text)
	ch.newStart, ch.after, ch.kind = at, at, markdown.TableCell
	if text == "" {
		ch.newStart, ch.after = -1, -1
	}
	was, number := doc.Blocks[row], b-row
	ch.verify = func(doc *markdown.Document) *Error {
		r := blockAt(doc, int(was.Start), markdown.TableRow)
		if r >= 0 && int(doc.Blocks[r].Next)-r == int(was.Next)-row {
			if now := doc.Blocks[r+number].Span(); (now.Start == at || text == "") && string(doc.Text(now)) == text {
				return nil
			}
		}
		return wouldBe(fmt.Sprintf("in the cell, %s would not be its text; escape what ends it with a backslash", quoted(text)))
	}
	return ch
}

// cellSplice returns the splice that gives a cell another text, with a blank beside the pipes
// of one that was empty.
func cellSplice(src []byte, cell markdown.Span, text string) Splice {
	before, after := "", ""
	if cell.Len() == 0 {
		for cell.Start > 0 && (src[cell.Start-1] == ' ' || src[cell.Start-1] == '\t') && cell.End-cell.Start < 1 {
			cell.Start--
		}
		if cell.Start > 0 && src[cell.Start-1] == '|' {
			before = " "
		}
	}
	slashes := len(text) - len(strings.TrimRight(text, `\`))
	if cell.End < len(src) && src[cell.End] == '|' && (cell.Len() == 0 || slashes%2 == 1) {
		after = " "
	}
	if text == "" {
		before, after = "", ""
	}
	return Splice{cell, []byte(before + text + after)}
}

// cellText returns a text as it stands in a cell: on one line, with its pipes escaped.
func cellText(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.Trim(withEnding(text, "\n"), " \t\n"), "\n") {
		if i > 0 {
			b.WriteString("<br>")
		}
		slashes := 0
		for k := range len(strings.TrimSpace(line)) {
			c := strings.TrimSpace(line)[k]
			if c == '|' && slashes%2 == 0 {
				b.WriteByte('\\')
			}
			if slashes++; c != '\\' {
				slashes = 0
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}

// wouldBe is the error for what would become another thing than was asked for.
func wouldBe(what string) *Error {
	return &Error{Code: StructureChanged, Changed: []string{what}, Total: 1, Message: what}
}

// isInTable reports whether a node is a cell or a column.
func isInTable(doc *markdown.Document, n address.Node) bool {
	return n.Kind == address.ColumnNode || n.Kind == address.BlockNode && doc.Blocks[n.Block].Kind == markdown.TableCell
}
