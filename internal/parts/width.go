package parts

import (
	"fmt"
	"iter"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// Row is a row below the head of a table that has more or fewer cells than that has columns.
type Row struct {
	Line           int // from 1
	Cells, Columns int
	Beyond         string // the text in cells that its table has no columns for
}

// rowsOf yields the block of each row below a head, and the number of columns of its table.
func rowsOf(doc *markdown.Document) iter.Seq2[int, int] {
	return func(yield func(row, columns int) bool) {
		columns := 0
		for i := range doc.Blocks {
			b := &doc.Blocks[i]
			switch {
			case b.Kind == markdown.Table:
				columns = 0
			case b.Kind != markdown.TableRow:
			case columns == 0: // the head comes first
				columns = int(b.Next) - i - 1
			case !yield(i, columns):
				return
			}
		}
	}
}

// Wide returns the rows of a document with text beyond the columns of their tables, but for those
// that were in it before.
func Wide(before, now *markdown.Document) []Row {
	return rowsSince(before, now, func(doc *markdown.Document, row, columns int) (Row, string) {
		b := &doc.Blocks[row]
		if int(b.Next)-row-1 != columns {
			return Row{}, ""
		}
		// Behind the last cell stand blanks and a pipe, if that ends it; cells without text
		// lose nothing.
		last := &doc.Blocks[b.Next-1]
		beyond := strings.Trim(string(doc.Source[last.End:b.End]), " \t|")
		return Row{Line: int(b.StartLine), Columns: columns, Beyond: beyond}, beyond
	})
}

// Narrow returns the rows of a document with fewer cells than their tables have columns, but for
// those that were in it before.
func Narrow(before, now *markdown.Document) []Row {
	return rowsSince(before, now, func(doc *markdown.Document, row, columns int) (Row, string) {
		b := &doc.Blocks[row]
		cells := int(b.Next) - row - 1
		if cells >= columns {
			return Row{}, ""
		}
		return Row{Line: int(b.StartLine), Cells: cells, Columns: columns}, fmt.Sprint(columns, " ", string(doc.Text(b.Span())))
	})
}

// rowsSince returns the rows that are found in a document and were not in it before: they have a
// key, by which those that were there are counted. Others have none.
func rowsSince(before, now *markdown.Document, found func(doc *markdown.Document, row, columns int) (r Row, key string)) []Row {
	var rows []Row
	var keys []string
	for row, columns := range rowsOf(now) {
		if r, key := found(now, row, columns); key != "" {
			rows, keys = append(rows, r), append(keys, key)
		}
	}
	if rows == nil {
		return nil
	}
	had := map[string]int{}
	for row, columns := range rowsOf(before) {
		if _, key := found(before, row, columns); key != "" {
			had[key]++
		}
	}
	var since []Row
	for i, key := range keys {
		if had[key]--; had[key] < 0 {
			since = append(since, rows[i])
		}
	}
	return since
}
