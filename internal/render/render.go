package render

import (
	"strconv"

	"github.com/sectile/sectile/markdown"
)

// Options says how a document is written. The zero value writes what the
// specifications do for their examples.
type Options struct {
	// Safe leaves out raw HTML and the destinations of links that run code in a
	// browser ("javascript:" and the like): for documents from anybody.
	Safe bool
	// NoTagFilter leaves tags as they are that GFM disallows (6.11).
	NoTagFilter bool
	// HTMLAsText writes raw HTML as the text that it is, but as images what is nothing else.
	HTMLAsText bool
	// Link returns what the destination of a link leads to on the page, nil for one that
	// leads nowhere there; Image the same for where an image is taken from, nil for its text in
	// place of it. A nil function takes destinations as they are. What they return is judged like other destinations.
	Link, Image func(destination []byte) []byte
	// Wiki is Link for wiki links, whose destinations are names of documents.
	Wiki func(destination []byte) []byte
	// Reachable names the boxes of tasks, and lets keys reach code and tables, which scroll
	// where they are wider than the page.
	Reachable bool
	// Heading returns the attributes of the element of the heading that is block b, as they
	// are written in HTML, with a space before each; nil for none.
	Heading func(b int) string
}

// AppendHTML appends the document as HTML, without a frame around it. Front matter is
// left out.
func AppendHTML(dst []byte, d *markdown.Document, o Options) []byte {
	w := newWriter(dst, d, o)
	w.all(0, len(d.Blocks))
	return w.out
}

// Blocks writes the blocks with the indexes from start to end, exclusive, of which none begins in
// the middle of another one, and the footnotes that they refer to. It hands them over in pieces of
// some 64 KiB, each valid until the function returns; an error of that ends it, and is returned.
func Blocks(d *markdown.Document, start, end int, o Options, take func(piece []byte) error) error {
	w := newWriter(nil, d, o)
	w.take = take
	w.all(start, end)
	if w.err == nil && len(w.out) > 0 {
		w.err = take(w.out)
	}
	return w.err
}

// pieceSize is the number of bytes from which on a piece is handed over.
const pieceSize = 64 << 10

func newWriter(dst []byte, d *markdown.Document, o Options) *writer {
	return &writer{
		out: dst, doc: d, options: o, start: len(dst), gfm: d.Options() != markdown.CommonMark(), references: referenceBudget(len(d.Source)),
	}
}

// all writes blocks and the footnotes that they refer to.
func (w *writer) all(start, end int) {
	w.blocks(start, end)
	w.footnotes()
}

// goesOn hands over what was written, if that is a piece, and reports whether more is wanted. It is
// asked wherever something is written again and again.
func (w *writer) goesOn() bool {
	if w.take == nil || w.err != nil || len(w.out) < pieceSize {
		return w.err == nil
	}
	w.err = w.take(w.out)
	last := w.out[len(w.out)-1]
	w.out, w.start, w.onLine = w.out[:0], 0, last != '\n'
	return w.err == nil
}

// referenceBudget returns how many bytes references may take that repeat the destination
// and title of definitions, lest a short document with one long definition becomes
// a long page. cmark has the same limit.
func referenceBudget(source int) int { return max(source, 100_000) }

// writer is the state of writing one document.
type writer struct {
	out     []byte
	doc     *markdown.Document
	options Options
	start   int  // where the document begins in out
	onLine  bool // something is on the line that stands before out
	gfm     bool // the document has an extension of GFM, so its filter of tags applies

	open       []element
	inlines    markdown.Inlines
	openInline []int    // the nodes that are open, as indexes
	alignments []string // of the columns of the table that is open
	references int      // how many bytes of definitions may still be repeated
	missing    int      // how many empty cells were written
	scratch    []byte

	take func(piece []byte) error // is handed over what was written; nil for all of it at the end
	err  error                    // of take; then nothing more is wanted

	notes  []note      // in the order in which they are first referred to
	noteOf map[int]int // by block
}

// element is a container that is open.
type element struct {
	end   int // index of the first block behind it
	kind  markdown.Kind
	tight bool // of a list: its paragraphs have no element
	head  bool // of a row
	cells int  // of a row: how many it has
	block int
}

// blocks writes the blocks from index i to end.
func (w *writer) blocks(i, end int) {
	bottom := len(w.open)
	for i < end && w.goesOn() {
		for len(w.open) > bottom && w.open[len(w.open)-1].end <= i && w.goesOn() {
			w.close()
		}
		i = w.block(i)
	}
	for len(w.open) > bottom && w.goesOn() {
		w.close()
	}
}

// block writes block i, or the beginning of a container, and returns the index of the
// next block to write.
func (w *writer) block(i int) int {
	b := &w.doc.Blocks[i]
	switch b.Kind {
	case markdown.BlockQuote:
		w.line("<blockquote>\n")
	case markdown.List:
		w.list(i, b)
	case markdown.Item:
		w.item(b)
	case markdown.Table:
		w.table(i)
	case markdown.TableRow:
		w.row(b)
	case markdown.TableCell:
		w.cell(i)
		return i + 1
	case markdown.FootnoteDefinition, markdown.FrontMatter:
		return int(b.Next) // footnotes come last, if something refers to them
	default:
		w.leaf(i, b)
		return i + 1
	}
	e := element{end: int(b.Next), kind: b.Kind, head: b.Flags&markdown.Head != 0, block: i}
	e.tight = b.Kind == markdown.List && w.doc.Tight(i)
	w.open = append(w.open, e)
	return i + 1
}

// close ends the container that was opened last.
func (w *writer) close() {
	e := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	switch e.kind {
	case markdown.BlockQuote:
		w.line("</blockquote>\n")
	case markdown.List:
		if w.doc.Blocks[e.block].Ordered() {
			w.line("</ol>\n")
		} else {
			w.line("</ul>\n")
		}
	case markdown.Item:
		w.text("</li>\n")
	case markdown.TableRow:
		w.closeRow(&e)
	case markdown.Table:
		if int(w.doc.Blocks[e.block+1].Next) < e.end {
			w.line("</tbody>\n")
		}
		w.line("</table>\n")
	}
}

// list writes the beginning of a list.
func (w *writer) list(i int, b *markdown.Block) {
	if !b.Ordered() {
		w.line("<ul>\n")
		return
	}
	w.line("<ol")
	if n := w.doc.ListStart(i); n != 1 {
		w.out = strconv.AppendInt(append(w.out, ` start="`...), int64(n), 10)
		w.text(`"`)
	}
	w.text(">\n")
}

// item writes the beginning of an item.
func (w *writer) item(b *markdown.Block) {
	w.line("<li>")
	if b.Flags&markdown.Task == 0 {
		return
	}
	w.text("<input ")
	if w.options.Reachable {
		w.text(`aria-label="task" `)
	}
	if b.Flags&markdown.Done != 0 {
		w.text(`checked="" `)
	}
	w.text(`disabled="" type="checkbox"> `)
}

// leaf writes a block that has no others in it.
func (w *writer) leaf(i int, b *markdown.Block) {
	switch b.Kind {
	case markdown.Paragraph:
		w.paragraph(i)
	case markdown.Heading:
		w.line("<h")
		w.out = append(w.out, '0'+b.Level)
		if w.options.Heading != nil {
			w.text(w.options.Heading(i))
		}
		w.text(">")
		w.content(i)
		w.text("</h")
		w.out = append(w.out, '0'+b.Level, '>', '\n')
	case markdown.ThematicBreak:
		w.line("<hr />\n")
	case markdown.FencedCode, markdown.IndentedCode:
		w.code(i)
	case markdown.HTMLBlock:
		w.html(i)
	}
}

// paragraph writes a paragraph, whose element a tight list leaves out.
func (w *writer) paragraph(i int) {
	if n := len(w.open); n > 1 && w.open[n-1].kind == markdown.Item && w.open[n-2].tight {
		w.content(i)
		return
	}
	w.line("<p>")
	w.content(i)
	if n := len(w.open); n > 0 {
		if e := &w.open[n-1]; e.kind == markdown.FootnoteDefinition && i+1 == e.end {
			w.text(" ")
			w.backReferences(e.block)
		}
	}
	w.text("</p>\n")
}

// text writes what is HTML already.
func (w *writer) text(s string) { w.out = append(w.out, s...) }

// escaped writes text.
func (w *writer) escaped(text []byte) {
	const step = pieceSize / 8 // a character may be written as six
	for len(text) > step && w.goesOn() {
		w.out, text = appendEscaped(w.out, text[:step]), text[step:]
	}
	if w.err == nil {
		w.out = appendEscaped(w.out, text)
	}
}

// line writes s at the beginning of a line.
func (w *writer) line(s string) {
	w.lineStart()
	w.out = append(w.out, s...)
}

// lineStart ends the line, if something is on it.
func (w *writer) lineStart() {
	if n := len(w.out); n > w.start && w.out[n-1] != '\n' || n == w.start && w.onLine {
		w.out = append(w.out, '\n')
	}
}
