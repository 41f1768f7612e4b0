package parts

import (
	"bytes"
	"slices"
	"strings"

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
func (l *tableLine) without(src []byte, i int) Splice {
	s := l.parts[i]
	switch {
	case i > 0 && i == len(l.parts)-1 && !l.ended && isBlank(src, l.parts[i-1]): // the pipe ends an empty cell then
	case l.led || i > 0:
		s.Start--
	default:
		next := l.parts[1]
		next.Start += len(src[next.Start:next.End]) - len(bytes.TrimLeft(src[next.Start:next.End], " \t"))
		if next.Len() > 0 && beginsRow(src[next.Start:l.span.End]) { // else the pipe behind it does
			s.End = next.Start
		}
	}
	return Splice{Span: s}
}

// beginsRow reports whether a row may begin with a text without a pipe before it: another block
// would begin with some texts, as with "- x".
func beginsRow(text []byte) bool {
	doc, err := markdown.Parse(text)
	return err == nil && len(doc.Blocks) > 0 && doc.Blocks[0].Kind == markdown.Paragraph
}

// isBlank reports whether nothing but blanks is in a span.
func isBlank(src []byte, s markdown.Span) bool {
	return len(bytes.Trim(src[s.Start:s.End], " \t")) == 0
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
	case text == "": // a pipe ends it
		at, text = l.span.End, strings.Repeat(" | ", i-n)+" |  |"
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
			at := nextLine(src, int(t.doc.Blocks[row].End))
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

// texts returns the texts of its cells, row by row: as many as a row has, which may be fewer than
// there are columns.
func (t *table) texts() [][]string {
	texts := make([][]string, len(t.rows))
	for i, row := range t.rows {
		for cell := range t.doc.Children(row) {
			texts[i] = append(texts[i], string(t.doc.Text(t.doc.Blocks[cell].Span())))
		}
	}
	return texts
}

// sameTexts reports whether two rows have the same texts; cells that one lacks are empty.
func sameTexts(a, b []string) bool {
	n := min(len(a), len(b))
	isText := func(s string) bool { return s != "" }
	return slices.Equal(a[:n], b[:n]) && !slices.ContainsFunc(a[n:], isText) && !slices.ContainsFunc(b[n:], isText)
}

// TableOf returns the number of columns of the table that block b is, and the text of the head of
// a column of it.
func TableOf(doc *markdown.Document, b, column int) (columns int, head string) {
	t := tableAt(doc, b)
	n := t.columns()
	if column < n {
		head = string(doc.Text(doc.Blocks[t.rows[0]+1+column].Span()))
	}
	return n, head
}

// RenameColumn returns the change that gives a column of the table that block b is another head.
func RenameColumn(doc *markdown.Document, b, column int, text string) (*Change, *Error) {
	t := tableAt(doc, b)
	want, title := t.texts(), cellText(text)
	if strings.Contains(title, "<br>") {
		return nil, invalid("the head of a column is one line; leave the line breaks out")
	}
	want[0][column] = title
	cell := t.rows[0] + 1 + column
	ch := t.change([]Splice{cellSplice(doc, cell, title)}, want)
	ch.Joined = append(ch.Joined, cell) // an empty one has no bytes
	return ch, nil
}

// RemoveColumn returns the change that takes out a column of the table that block b is.
func RemoveColumn(doc *markdown.Document, b, column int) (*Change, *Error) {
	t := tableAt(doc, b)
	if t.columns() == 1 {
		return nil, invalid("it is the only column; remove the table")
	}
	var splices []Splice
	want := t.texts()
	for i, l := range t.lines() {
		switch {
		case column >= len(l.parts):
		case len(l.parts) == 1: // a row without its only cell would be none for some readers
			splices = append(splices, Splice{l.span, []byte("| |")})
		case len(l.parts) == 2 && !l.led && !l.ended: // without a pipe it would be none
			rest := strings.Trim(string(doc.Text(l.parts[1-column])), " \t")
			splices = append(splices, Splice{l.span, []byte("| " + rest + " |")})
		default:
			splices = append(splices, l.without(doc.Source, column))
		}
		if row := max(i-1, 0); i != 1 && column < len(want[row]) {
			want[row] = append(want[row][:column:column], want[row][column+1:]...)
		}
	}
	ch := t.change(splices, want)
	ch.First = -1
	for _, row := range t.rows { // an empty cell has no bytes
		if cell := row + 1 + column; cell < int(doc.Blocks[row].Next) {
			ch.Joined = append(ch.Joined, cell)
		}
	}
	return ch, nil
}

// change returns the change of a table that splices make, which has the texts then.
func (t *table) change(splices []Splice, want [][]string) *Change {
	start := int(t.doc.Blocks[t.b].Start)
	ch := &Change{Splices: splices, Start: start, Kind: markdown.Table, First: splices[0].Start}
	ch.Last = ch.First + len(splices[0].Text)
	for _, row := range t.rows { // text that stands at its edge is part of it
		for _, edge := range [2]uint32{t.doc.Blocks[row].Start, t.doc.Blocks[row].End} {
			if _, ok := slices.BinarySearchFunc(splices, int(edge), func(s Splice, at int) int { return s.Start - at }); ok {
				ch.Joined = append(ch.Joined, row, t.b)
			}
		}
	}
	for b := int(t.doc.Blocks[t.b].Parent); b >= 0 && ch.Joined != nil; b = int(t.doc.Blocks[b].Parent) {
		ch.Joined = append(ch.Joined, b)
	}
	ch.Verify = func(doc *markdown.Document) string { return isTable(doc, start, want) }
	return ch
}

// maxLacking is how many empty cells are made up in rows that have fewer than the table has columns.
const maxLacking = 1_000_000

// InsertColumn returns the change that puts a column before column i of the table that block b
// is, or behind the last one: the first line of the text is its head, and each other one a cell.
// Empty ones are empty cells.
func InsertColumn(doc *markdown.Document, b, i int, text string) (*Change, *Error) {
	t := tableAt(doc, b)
	texts, want := strings.Split(strings.TrimRight(lineEndings.Replace(text), " \t\n"), "\n"), t.texts()
	if len(texts) > len(t.rows) {
		return nil, invalid("the text has %d lines and the table %d rows, with its head; give the head, and a line for each row below it", len(texts), len(t.rows))
	}
	var splices []Splice
	lacking := 0 // cells
	for k, l := range t.lines() {
		row, text := max(k-1, 0), "---"
		if k != 1 {
			text = ""
			if row < len(texts) {
				text = cellText(texts[row])
			}
		}
		if text == "" && k > 0 && i >= len(l.parts) {
			continue
		}
		if lacking += max(i-len(l.parts), 0); lacking > maxLacking {
			return nil, invalid("the rows lack more than %d cells before the column; write the table anew", maxLacking)
		}
		splices = append(splices, l.with(i, text))
		if k != 1 {
			for len(want[row]) < i {
				want[row] = append(want[row], "")
			}
			want[row] = slices.Insert(want[row], i, text)
		}
	}
	return t.change(splices, want), nil
}

// isTable says what is wrong if the table at an offset has not the texts.
func isTable(doc *markdown.Document, at int, want [][]string) string {
	if b := BlockAt(doc, at, markdown.Table); b >= 0 {
		t := tableAt(doc, b)
		if slices.EqualFunc(t.texts(), want, sameTexts) {
			return ""
		}
	}
	return "the table would be another one than its columns and the change make; write it anew"
}

// nextLine returns where the line behind the one that ends at the offset begins.
func nextLine(src []byte, at int) int {
	for at < len(src) && src[at] != '\n' && src[at] != '\r' {
		at++
	}
	if at < len(src) && src[at] == '\r' {
		at++
	}
	if at < len(src) && src[at] == '\n' {
		at++
	}
	return at
}
