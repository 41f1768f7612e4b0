package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// A column is a cell in every row of a table, and one in the row of dashes. Rows keep their
// pipes, their blanks and how the others are aligned: only what a column adds or takes away
// changes.

// tableLine is a row of a table or its row of dashes: what stands between its pipes.
type tableLine struct {
	span  markdown.Span
	parts []markdown.Span // between pipes, with the blanks
	led   bool            // a pipe stands before the first part
	ended bool            // a pipe stands behind the last one
}

// newTableLine divides a line at its pipes.
func newTableLine(src []byte, span markdown.Span) tableLine {
	for span.End > span.Start && (src[span.End-1] == ' ' || src[span.End-1] == '\t') {
		span.End--
	}
	l := tableLine{span: span}
	from, slashes := span.Start, 0
	for i := span.Start; i < span.End; i++ {
		c := src[i]
		if c == '\\' {
			slashes++
			continue
		}
		if c == '|' && slashes%2 == 0 {
			if i == span.Start {
				l.led = true
			} else {
				l.parts = append(l.parts, markdown.Span{Start: from, End: i})
			}
			from = i + 1
		}
		slashes = 0
	}
	if from < span.End {
		l.parts = append(l.parts, markdown.Span{Start: from, End: span.End})
	} else {
		l.ended = true
	}
	return l
}

// without returns the splice that takes a part out, with a pipe.
func (l *tableLine) without(i int) Splice {
	s := l.parts[i]
	if l.led || i > 0 {
		s.Start--
	} else {
		s.End++
	}
	return Splice{Span: s}
}

// with returns the splice that puts a part with a text before part i, or behind the last one.
// Missing ones are made up.
func (l *tableLine) with(i int, text string) Splice {
	at := l.span.Start
	switch n := len(l.parts); {
	case i == 0 && !l.led:
		text = "| " + text + " | "
	case i == 0:
		at, text = l.span.Start+1, " "+text+" |"
	case i < n:
		at, text = l.parts[i].Start, " "+text+" |"
	case l.ended:
		at, text = l.span.End, strings.Repeat("  |", i-n)+" "+text+" |"
	default:
		at, text = l.span.End, strings.Repeat(" | ", i-n)+" | "+text
	}
	return Splice{markdown.Span{Start: at, End: at}, []byte(text)}
}

// table is a table in work.
type table struct {
	doc  *markdown.Document
	b    int   // its block
	rows []int // blocks of its rows
}

// tableAt returns the table that a block is.
func tableAt(doc *markdown.Document, b int) table {
	t := table{doc: doc, b: b}
	for row := range doc.Children(b) {
		t.rows = append(t.rows, row)
	}
	return t
}

// columns returns the number of its columns.
func (t *table) columns() int { return int(t.doc.Blocks[t.rows[0]].Next) - t.rows[0] - 1 }

// lines returns its lines: the head, the row of dashes, the other rows.
func (t *table) lines() []tableLine {
	src := t.doc.Source
	var lines []tableLine
	for i, row := range t.rows {
		lines = append(lines, newTableLine(src, t.doc.Blocks[row].Span()))
		if i == 0 {
			at := lineEnd(src, int(t.doc.Blocks[row].End))
			for at < len(src) && strings.IndexByte(" \t>", src[at]) >= 0 {
				at++
			}
			end := at
			for end < len(src) && src[end] != '\n' && src[end] != '\r' {
				end++
			}
			lines = append(lines, newTableLine(src, markdown.Span{Start: at, End: end}))
		}
	}
	return lines
}

// texts returns the texts of its cells, row by row, as many as there are columns.
func (t *table) texts() [][]string {
	texts := make([][]string, len(t.rows))
	for i, row := range t.rows {
		texts[i] = make([]string, t.columns())
		k := 0
		for cell := range t.doc.Children(row) {
			texts[i][k] = string(t.doc.Text(t.doc.Blocks[cell].Span()))
			k++
		}
	}
	return texts
}

// onColumn returns what the operation does to a column.
func (op *Op) onColumn(doc *markdown.Document, n address.Node) (*change, *Error) {
	if op.Scope != AnyScope {
		return nil, &Error{Code: InvalidArgument, Message: "a column has no scope; leave it out"}
	}
	t := tableAt(doc, n.Block)
	want := t.texts()
	var ch *change
	switch op.Action {
	case Rename:
		title := cellText(op.Text)
		if strings.Contains(title, "<br>") {
			return nil, &Error{Code: InvalidArgument, Message: "the head of a column is one line; leave the line breaks out"}
		}
		want[0][n.Column] = title
		ch = splicing(cellSplice(doc.Source, doc.Blocks[t.rows[0]+1+n.Column].Span(), title))
	case Remove:
		if t.columns() == 1 {
			return nil, &Error{Code: InvalidArgument, Message: "it is the only column; remove the table"}
		}
		ch = splicing()
		for i, l := range t.lines() {
			switch {
			case n.Column >= len(l.parts):
			case len(l.parts) == 1: // a row without its only cell would be none for some readers
				ch.splices = append(ch.splices, Splice{l.span, []byte("| |")})
			case len(l.parts) == 2 && !l.led && !l.ended: // without a pipe it would be none
				rest := strings.Trim(string(doc.Text(l.parts[1-n.Column])), " \t")
				ch.splices = append(ch.splices, Splice{l.span, []byte("| " + rest + " |")})
			default:
				ch.splices = append(ch.splices, l.without(n.Column))
			}
			if row := max(i-1, 0); i != 1 {
				want[row] = append(want[row][:n.Column:n.Column], want[row][n.Column+1:]...)
			}
		}
	case InsertBefore, InsertAfter:
		at := n.Column
		if op.Action == InsertAfter {
			at++
		}
		var err *Error
		if ch, err = t.insert(op, at, want); err != nil {
			return nil, err
		}
	default:
		return nil, op.impossible("a column", InsertBefore, InsertAfter, Remove, Rename)
	}
	start := int(doc.Blocks[t.b].Start)
	ch.newStart, ch.after, ch.kind = start, start, markdown.Table
	if op.Action != Remove {
		ch.first, ch.last = ch.splices[0].Start, ch.splices[0].Start+len(ch.splices[0].Text)
	}
	for _, row := range t.rows { // text that stands at its edge is part of it
		for _, edge := range [2]uint32{doc.Blocks[row].Start, doc.Blocks[row].End} {
			if _, ok := slices.BinarySearchFunc(ch.splices, int(edge), func(s Splice, at int) int { return s.Start - at }); ok {
				ch.joined = append(ch.joined, row, t.b)
			}
		}
	}
	for b := int(doc.Blocks[t.b].Parent); b >= 0 && ch.joined != nil; b = int(doc.Blocks[b].Parent) {
		ch.joined = append(ch.joined, b)
	}
	ch.verify = func(doc *markdown.Document) *Error { return isTable(doc, start, want) }
	return ch, nil
}

// insert returns the change that puts a column before column i, or behind the last one, and
// puts its texts into those that are wanted: the head, and a line for each row below it.
func (t *table) insert(op *Op, i int, want [][]string) (*change, *Error) {
	texts := strings.Split(strings.Trim(withEnding(op.Text, "\n"), " \t\n"), "\n")
	if len(texts) > len(t.rows) {
		return nil, &Error{Code: InvalidArgument, Message: fmt.Sprintf(
			"the text has %d lines and the table %d rows, with its head; give the head, and a line for each row below it", len(texts), len(t.rows))}
	}
	ch := splicing()
	for k, l := range t.lines() {
		row, text := max(k-1, 0), "---"
		if k != 1 {
			text = ""
			if row < len(texts) {
				text = cellText(texts[row])
			}
			want[row] = append(want[row][:i:i], append([]string{text}, want[row][i:]...)...)
		}
		if text != "" || i < len(l.parts) {
			ch.splices = append(ch.splices, l.with(i, text))
		}
	}
	return ch, nil
}

// isTable checks that the table at an offset has the texts.
func isTable(doc *markdown.Document, at int, want [][]string) *Error {
	if b := blockAt(doc, at, markdown.Table); b >= 0 {
		t := tableAt(doc, b)
		if now := t.texts(); fmt.Sprintf("%q", now) == fmt.Sprintf("%q", want) {
			return nil
		}
	}
	return wouldBe("the table would be another one than its columns and the change make; write it anew")
}
