package parts

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// A table is made of rows of texts, the first of which is its head. The cells are written as a
// cell that is changed is, and no row has more or fewer than the head.

// NewTable returns the text of a table with the rows, the head first.
func NewTable(rows [][]string) (string, *Error) {
	if len(rows) == 0 {
		return "", invalid("there are no rows; give the head of the table as the first one")
	}
	columns := len(rows[0])
	if columns == 0 {
		return "", invalid("row 1, the head of the table, has no cells; give a text for each column")
	}
	if err := areWide(rows, columns, "the first one"); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(rowText(rows[0]) + "\n|" + strings.Repeat(" --- |", columns))
	for _, row := range rows[1:] {
		b.WriteString("\n" + rowText(row))
	}
	return b.String(), nil
}

// MoreRows returns the text of rows for the table that block b is. A first one that is the head of
// that table is left out.
func MoreRows(doc *markdown.Document, b int, rows [][]string) (string, *Error) {
	t := tableAt(doc, b)
	head := t.texts()[0]
	if len(rows) > 0 && slices.EqualFunc(rows[0], head, func(cell, is string) bool { return cellText(cell) == is }) {
		rows = rows[1:]
	}
	if len(rows) == 0 {
		return "", invalid("there are no rows for the table; give at least one besides its head")
	}
	if err := areWide(rows, len(head), "the table"); err != nil {
		return "", err
	}
	var text strings.Builder
	for i, row := range rows {
		line := rowText(row)
		if strings.Trim(line, "|:- ") == "" && strings.Contains(line, "-") { // it would be a row of dashes by itself
			line = strings.Replace(line, "-", `\-`, 1)
		}
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(line)
	}
	return text.String(), nil
}

// areWide refuses rows that have not so many cells as a table or its head.
func areWide(rows [][]string, columns int, of string) *Error {
	for i, row := range rows {
		if len(row) != columns {
			return invalid("row %d (%.40q) has %d cells and %s %d; give each row as many, empty ones too", i+1, strings.Join(row, ", "), len(row), of, columns)
		}
	}
	return nil
}

// rowText returns a row of a table.
func rowText(cells []string) string {
	var b strings.Builder
	b.WriteByte('|')
	for _, cell := range cells {
		b.WriteString(" " + cellText(cell) + " |")
	}
	return b.String()
}

// AreRows reports whether a text is rows of a table, without a head.
func AreRows(text *markdown.Document) bool {
	if len(text.Blocks) != 1 || text.Blocks[0].Kind != markdown.Paragraph {
		return false
	}
	for line := range strings.SplitSeq(string(text.Source), "\n") {
		if !strings.HasPrefix(line, "|") || strings.Trim(line, "|:- \t") == "" { // or is a delimiter
			return false
		}
	}
	return true
}

// HasRows reports whether the table that block b is has each row of a text.
func HasRows(doc *markdown.Document, b int, text string) bool {
	t := tableAt(doc, b)
	key := func(row []string) string { // no cell has a line ending, and those that a row lacks are empty
		return strings.TrimRight(strings.Join(row, "\n"), "\n")
	}
	has, columns := map[string]bool{}, t.columns()
	for _, row := range t.texts()[1:] {
		has[key(row)] = true
	}
	for line := range strings.SplitSeq(text, "\n") {
		l := newTableLine([]byte(line), markdown.Span{End: len(line)})
		var row []string
		for _, part := range l.parts[:min(len(l.parts), columns)] {
			row = append(row, strings.Trim(line[part.Start:part.End], " \t"))
		}
		if !has[key(row)] {
			return false
		}
	}
	return true
}
