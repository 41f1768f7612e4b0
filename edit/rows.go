package edit

import (
	"fmt"
	"iter"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/parts"
	"github.com/sectile/sectile/markdown"
)

// GFM shows of a row as many cells as the head of its table has, and drops those beyond
// without a word. So no operation makes a row that loses text so: neither one that it
// writes, nor one whose head it changes. What was too wide before may stay, be written back,
// and be changed in the cells that are shown. A row with fewer cells loses nothing, for the
// rest is shown empty, but it may be a slip: of one that was not there before is warned.

// prepareRows makes of an operation's rows a text for its target, which is a new table but for
// what goes into one that is there.
func (b *batch) prepareRows(w *work) *Error {
	res := w.target.res
	table := res.Block
	switch {
	case res.Kind == address.KeyNode || res.Kind == address.ColumnNode || w.target.kind == markdown.TableCell:
		return &Error{Code: InvalidArgument, Message: "rows make a table, or go into one, and don't fit here; give a text"}
	case res.Kind == address.BlockNode && w.target.kind == markdown.TableRow:
		table = int(b.draft.before.Blocks[table].Parent)
	case res.Kind == address.BlockNode && w.target.kind == markdown.Table && w.op.Action == Append:
	default:
		return nil
	}
	text, refused := parts.MoreRows(b.draft.before, table, w.op.Rows)
	if refused != nil {
		return asError(refused)
	}
	var err *Error
	w.text, err = b.contentOf(text)
	return err
}

// appendRows returns the change that puts rows at the end of the table that a block is.
func (op *Op) appendRows(doc *markdown.Document, table int, c *content) (*change, *Error) {
	if op.Rows == nil && !c.isRows() {
		return nil, &Error{Code: InvalidArgument, Message: "the text is no row of a table; append rows alone, such as | a | b |"}
	}
	last := table
	for row := range doc.Children(table) {
		last = row
	}
	after := Op{Action: InsertAfter}
	ch, err := after.onNested(newNested(doc, last, doc.Blocks[last].Span()), c)
	if err == nil {
		ch.newStart = int(doc.Blocks[table].Start)
	}
	return ch, err
}

// wideRow is a row with text in cells that its table has no columns for.
type wideRow struct {
	beyond  string // what is dropped
	line    int    // from 1
	columns int
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

// wideRows returns the rows of the document that are too wide.
func wideRows(doc *markdown.Document) []wideRow {
	var rows []wideRow
	for i, columns := range rowsOf(doc) {
		b := &doc.Blocks[i]
		if int(b.Next)-i-1 != columns {
			continue
		}
		// Behind the last cell stand blanks and a pipe, if that ends it; cells without text
		// lose nothing.
		last := &doc.Blocks[b.Next-1]
		if beyond := strings.Trim(string(doc.Source[last.End:b.End]), " \t|"); beyond != "" {
			rows = append(rows, wideRow{beyond, int(b.StartLine), columns})
		}
	}
	return rows
}

// warnNarrow warns of the first row with fewer cells than its table has columns that was not
// there before, and says how many such rows there are.
func (r *Result) warnNarrow(before *markdown.Document) {
	had := map[string]int{} // rows by their columns and text
	narrow := func(doc *markdown.Document, found func(row, cells, columns int, key string)) {
		for i, columns := range rowsOf(doc) {
			if cells := int(doc.Blocks[i].Next) - i - 1; cells < columns {
				found(i, cells, columns, fmt.Sprint(columns, " ", string(doc.Text(doc.Blocks[i].Span()))))
			}
		}
	}
	narrow(before, func(_, _, _ int, key string) { had[key]++ })
	first, count := "", 0
	narrow(r.Doc, func(row, cells, columns int, key string) {
		if had[key]--; had[key] >= 0 {
			return
		}
		if count++; count == 1 {
			s := "s"
			if cells == 1 {
				s = ""
			}
			first = fmt.Sprintf("the row on line %d has %d cell%s, and its table %d columns: the rest of it is shown empty",
				r.Doc.Blocks[row].StartLine, cells, s, columns)
		}
	})
	switch {
	case count > 1:
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s; %d rows that are new have too few cells", first, count))
	case count == 1:
		r.Warnings = append(r.Warnings, first)
	}
}

// checkRows refuses operations after which rows are too wide that were not before.
func (b *batch) checkRows() {
	if b.options.Plain {
		return
	}
	doc, err := b.draft.doc()
	if err != nil {
		return // result fails too
	}
	rows := wideRows(doc)
	if rows == nil {
		return
	}
	before := map[string]int{}
	for _, row := range wideRows(b.draft.before) {
		before[row.beyond]++
	}
	for _, row := range rows {
		if before[row.beyond] > 0 {
			before[row.beyond]--
			continue
		}
		w := b.writer(doc, row.line)
		told := func(has, is string) string {
			return fmt.Sprintf("the row on line %d %s more cells than its table has columns, %d, so that %s %s shown nowhere",
				row.line, has, row.columns, quoted(row.beyond), is)
		}
		if w.op.AllowRestructure {
			w.change.Restructured = append(w.change.Restructured, told("has", "is"))
			continue
		}
		what := told("would have", "would be")
		b.fail(w, &Error{Code: StructureChanged, Changed: []string{what}, Total: 1, Message: what, Hint: EscapePipes})
		return
	}
}

// writer returns the operation whose text has the line of the new document; if none has,
// one that may change what is around, or the last.
func (b *batch) writer(doc *markdown.Document, line int) *work {
	found := &b.work[len(b.work)-1]
	for i := range b.work {
		w := &b.work[i]
		if lines := b.draft.linesOf(doc, w.lines); lines.First <= line && line <= lines.Last {
			return w
		}
		if w.op.AllowRestructure {
			found = w
		}
	}
	return found
}
