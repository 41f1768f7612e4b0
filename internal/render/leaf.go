package render

import (
	"bytes"

	"github.com/sectile/sectile/internal/syntax"
	"github.com/sectile/sectile/markdown"
)

// code writes fenced or indented code.
func (w *writer) code(i int) {
	w.line(w.scrolling("<pre") + "<code")
	w.scratch = syntax.AppendUnescaped(w.scratch[:0], w.doc.Info(i), false)
	language := w.scratch
	// What is behind a blank, also one that an entity stands for, would be a class for itself, such
	// as one of the page's own.
	if end := bytes.IndexAny(language, " \t\n\v\f\r"); end >= 0 {
		language = language[:end]
	}
	if len(language) > 0 {
		w.text(` class="language-`)
		w.escaped(language)
		w.text(`"`)
	}
	w.text(">")
	for l := range w.doc.ContentLines(i) {
		if !w.goesOn() {
			return
		}
		w.out = append(w.out, bytes.Repeat([]byte{' '}, l.Columns)...)
		w.escaped(w.doc.Text(l.Span))
		w.out = append(w.out, '\n')
	}
	w.text("</code></pre>\n")
}

// scrolling returns the opening tag of what may scroll, whose beginning is given.
func (w *writer) scrolling(tag string) string {
	if w.options.Reachable {
		return tag + ` tabindex="0">`
	}
	return tag + ">"
}

// html writes a block of HTML.
func (w *writer) html(i int) {
	w.lineStart()
	if w.options.Safe && !w.options.HTMLAsText {
		w.text("<!-- raw HTML omitted -->\n")
		return
	}
	w.scratch = w.scratch[:0]
	for l := range w.doc.ContentLines(i) {
		if len(w.scratch) > 0 {
			w.scratch = append(w.scratch, '\n')
		}
		w.scratch = append(w.scratch, bytes.Repeat([]byte{' '}, l.Columns)...)
		w.scratch = append(w.scratch, w.doc.Text(l.Span)...)
	}
	if w.options.HTMLAsText && w.pictures(w.scratch, true) {
		return
	}
	if w.options.HTMLAsText {
		w.text(`<pre class="raw">`)
		w.escaped(w.scratch)
		w.text("</pre>\n")
		return
	}
	w.rawHTML(w.scratch)
	w.lineStart()
}

// table writes the beginning of a table, and keeps how its columns are aligned.
func (w *writer) table(i int) {
	w.line(w.scrolling("<table") + "\n")
	w.alignments = w.alignments[:0]
	n := 0
	for l := range w.doc.ContentLines(i) {
		if n++; n < 2 {
			continue
		}
		row := bytes.Trim(w.doc.Text(l.Span), " \t|")
		for cell := range bytes.SplitSeq(row, []byte{'|'}) {
			cell = bytes.Trim(cell, " \t")
			left, right := bytes.HasPrefix(cell, []byte{':'}), bytes.HasSuffix(cell, []byte{':'})
			alignment := ""
			switch {
			case left && right:
				alignment = ` align="center"`
			case left:
				alignment = ` align="left"`
			case right:
				alignment = ` align="right"`
			}
			w.alignments = append(w.alignments, alignment)
		}
		return
	}
}

// row writes the beginning of a row.
func (w *writer) row(b *markdown.Block) {
	table := &w.open[len(w.open)-1]
	switch {
	case b.Flags&markdown.Head != 0:
		w.line("<thead>\n")
	case table.cells == 0: // of a table: how many rows its body has
		w.line("<tbody>\n")
		table.cells++
	}
	w.line("<tr>\n")
}

// cell writes a cell.
func (w *writer) cell(i int) {
	row := &w.open[len(w.open)-1]
	w.openCell(row)
	w.content(i)
	w.closeCell(row)
}

func (w *writer) openCell(row *element) {
	w.lineStart()
	w.text(tagOf(row, "<th", "<td"))
	if row.cells < len(w.alignments) {
		w.text(w.alignments[row.cells])
	}
	w.text(">")
	row.cells++
}

func (w *writer) closeCell(row *element) { w.text(tagOf(row, "</th>\n", "</td>\n")) }

// tagOf returns what a cell of the row is called.
func tagOf(row *element, head, body string) string {
	if row.head {
		return head
	}
	return body
}

// maxMissing is how many empty cells are written in all rows for those that aren't there:
// a table may have a wide head and many empty rows.
const maxMissing = 1 << 16

// closeRow writes the cells that the row has not, and its end.
func (w *writer) closeRow(row *element) {
	for row.cells < len(w.alignments) && w.missing < maxMissing && w.goesOn() {
		w.openCell(row)
		w.closeCell(row)
		w.missing++
	}
	w.line("</tr>\n")
	if row.head {
		w.line("</thead>\n")
	}
}
