package edit

import (
	"fmt"

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
	refusal := &Error{Code: InvalidArgument, Message: "rows make a table, or go into one, and don't fit here; give a text"}
	if w.target.key != nil { // of front matter, and it may not be there yet
		return refusal
	}
	res := w.target.res
	table := res.Block
	switch {
	case res.Kind == address.ColumnNode || w.target.kind == markdown.TableCell:
		return refusal
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
	if op.Rows == nil && !parts.AreRows(c.doc) {
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

// warnNarrow warns of the first row with fewer cells than its table has columns that was not
// there before, and says how many such rows there are.
func (r *Result) warnNarrow(before *markdown.Document) {
	rows := parts.Narrow(before, r.Doc)
	if len(rows) == 0 {
		return
	}
	first, s := rows[0], "s"
	if first.Cells == 1 {
		s = ""
	}
	warning := fmt.Sprintf("the row on line %d has %d cell%s, and its table %d columns: the rest of it is shown empty", first.Line, first.Cells, s, first.Columns)
	if len(rows) > 1 {
		warning += fmt.Sprintf("; %d rows that are new have too few cells", len(rows))
	}
	r.Warnings = append(r.Warnings, warning)
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
	for _, row := range parts.Wide(b.draft.before, doc) {
		w := b.writer(doc, row.Line)
		told := func(has, is string) string {
			return fmt.Sprintf("the row on line %d %s more cells than its table has columns, %d, so that %s %s shown nowhere",
				row.Line, has, row.Columns, quoted(row.Beyond), is)
		}
		if w.op.AllowRestructure {
			w.change.Restructured = append(w.change.Restructured, told("has", "is"))
			continue
		}
		e := becoming(told("would have", "would be"), "")
		e.Hint = EscapePipes
		b.fail(w, e)
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
