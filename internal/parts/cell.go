package parts

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// A cell is text on one line between pipes: what would end it is escaped, and nothing but its
// own bytes changes.

// ReplaceCell returns the change that gives the cell that block b is another text.
func ReplaceCell(doc *markdown.Document, b int, text string) *Change {
	text = cellText(text)
	s := cellSplice(doc, b, text)
	row := int(doc.Blocks[b].Parent)
	at := s.Start + bytes.Index(s.Text, []byte(text))
	ch := &Change{Splices: []Splice{s}, Start: at, Kind: markdown.TableCell, First: at, Last: at + len(text), Joined: []int{b}} // an empty one has no bytes
	if text == "" {
		ch.Start = -1
	}
	was, number := doc.Blocks[row], b-row
	ch.Verify = func(doc *markdown.Document) string {
		r := BlockAt(doc, int(was.Start), markdown.TableRow)
		if r >= 0 && int(doc.Blocks[r].Next)-r == int(was.Next)-row {
			if now := doc.Blocks[r+number].Span(); (now.Start == at || text == "") && string(doc.Text(now)) == text {
				return ""
			}
		}
		return fmt.Sprintf("in the cell, %.80q would not be its text; escape what ends it with a backslash", text)
	}
	return ch
}

// cellSplice returns the splice that gives the cell that block b is another text, with a blank
// beside the pipes of one that was empty, and a pipe where the row would begin or end otherwise.
func cellSplice(doc *markdown.Document, b int, text string) Splice {
	src, cell := doc.Source, doc.Blocks[b].Span()
	row := newTableLine(src, doc.Blocks[doc.Blocks[b].Parent].Span())
	isFirst := !row.led && cell.Start == row.span.Start
	isLast := !row.ended && cell.End == row.span.End
	before, after := "", ""
	isEmpty := cell.Len() == 0
	if isEmpty {
		for cell.Start > 0 && (src[cell.Start-1] == ' ' || src[cell.Start-1] == '\t') && cell.End-cell.Start < 1 {
			cell.Start--
		}
		if cell.Start > 0 && src[cell.Start-1] == '|' {
			before = " "
		}
	}
	slashes := len(text) - len(strings.TrimRight(text, `\`))
	if cell.End < len(src) && src[cell.End] == '|' && (isEmpty || slashes%2 == 1) {
		after = " "
	}
	if text == "" {
		before, after = "", ""
	}
	if isFirst && (text == "" || !beginsRow(slices.Concat([]byte(text), src[cell.End:row.span.End]))) {
		before = "| "
	}
	if isLast && text == "" {
		after = " |"
	}
	return Splice{cell, []byte(before + text + after)}
}

// cellText returns a text as it stands in a cell: on one line, with its pipes escaped.
func cellText(text string) string {
	var b strings.Builder
	for i, line := range lines(text) {
		if i > 0 {
			b.WriteString("<br>")
		}
		line = strings.Trim(line, " \t\r") // what else Unicode calls white space is text of the cell
		slashes := 0
		for k := range len(line) {
			c := line[k]
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
