package markdown

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// Titles cost nothing until they are asked for: the parser reads no inline
// content.

// Title returns the plain text of heading b: emphasis, code marks, link targets
// and HTML tags are removed, images stand as their alternative text, escapes and
// entities are resolved, white space is collapsed. It is empty for an empty
// heading and for a block that is no heading. Of a heading of more than 64 KiB it is the
// text of the first 64 KiB.
func (d *Document) Title(b int) string {
	if d.Blocks[b].Kind == Heading {
		if src := d.Text(d.Content(b)); len(src) <= maxTitle && isPlain(src) {
			return string(src)
		}
	}
	var room [128]byte
	return string(d.AppendTitle(room[:0], b))
}

// AppendTitle appends the Title of heading b to dst, without making a string.
func (d *Document) AppendTitle(dst []byte, b int) []byte {
	if d.Blocks[b].Kind != Heading {
		return dst
	}
	return d.appendPlain(dst, b, false)
}

// PlainText returns the text of block b as Title has it of a heading: of a paragraph, without the
// box of a task, of a heading, or of a cell. It is empty for any other block.
func (d *Document) PlainText(b int) string {
	switch d.Blocks[b].Kind {
	case Paragraph, Heading, TableCell:
		return string(d.appendPlain(nil, b, false))
	}
	return ""
}

// AppendTextContent appends to dst the text of heading or paragraph b as its element in HTML has it
// (textContent of the DOM): like Title, but white space is not collapsed, so that "a  b"
// has two spaces and what stands for "&#x20;" is one; a line ending outside of code is
// '\n', and an image has no text.
func (d *Document) AppendTextContent(dst []byte, b int) []byte {
	if k := d.Blocks[b].Kind; k != Heading && k != Paragraph {
		return dst
	}
	return d.appendPlain(dst, b, true)
}

// appendPlain appends the text of block b, which has inline content, to dst.
func (d *Document) appendPlain(dst []byte, b int, exact bool) []byte {
	if src := bytes.Trim(d.Text(d.Content(b)), " \t"); len(src) <= maxTitle && isPlain(src) {
		return append(dst, src...)
	}
	// Who comes while another goroutine has the memory makes some of its own.
	in := d.lazy.titles.Swap(nil)
	if in == nil {
		in = new(Inlines)
	}
	in.readUpTo(d, b, maxTitle)
	dst = in.appendPlain(dst, 0, len(in.Nodes), exact)
	if cap(in.Nodes) <= maxKeptTitle && cap(in.joined) <= maxKeptTitle {
		d.lazy.titles.Store(in)
	}
	return dst
}

// maxKeptTitle is how many nodes and bytes of a title are kept in memory for the next.
const maxKeptTitle = 4 << 10

// maxTitle is the length in bytes up to which the inline content of a heading is read:
// reading it takes some tens of times as much memory, for each who asks.
const maxTitle = 64 << 10

// notPlain holds the bytes that a text may not have that is its own plain text.
var notPlain = [256]bool{
	0: true, '\t': true, '\n': true, '\r': true,
	'\\': true, '&': true, '`': true, '<': true, '*': true, '_': true, '~': true, '[': true,
}

// isPlain reports whether src, which neither begins nor ends with a space, is
// its own text.
func isPlain(src []byte) bool {
	for i, c := range src {
		if notPlain[c] || c == ' ' && src[i+1] == ' ' {
			return false
		}
	}
	return true
}

// AppendPlain appends the text of the nodes from one up to another as [Document.Title] has it.
func (in *Inlines) AppendPlain(dst []byte, from, end int) []byte {
	return in.appendPlain(dst, from, end, false)
}

// appendPlain appends the text of the nodes from one up to another without its markup.
//
// Runs of spaces, tabs and newlines become one space, and none is left at the
// ends; those that come from code or from an entity such as &#32; are no
// exception, so a text is always one line. Any other white space, U+00A0 of
// &nbsp; above all, is text like a letter. If exact is set, white space stays, and images
// are left out.
func (in *Inlines) appendPlain(dst []byte, from, end int, exact bool) []byte {
	w := titleWriter{out: dst, start: len(dst), exact: exact}
	if from < end {
		w.out = slices.Grow(dst, int(in.Nodes[end-1].End-in.Nodes[from].Start))
	}
	var room [64]byte
	for i := from; i < end; i++ {
		n := &in.Nodes[i]
		switch {
		case n.Kind == InlineHTML:
		case n.Kind == InlineImage && exact:
			i = int(n.Next) - 1
		case n.Kind == InlineText:
			w.write(in.source()[n.Start:n.End])
		default:
			w.write(in.AppendText(room[:0], i))
		}
	}
	return w.out
}

// titleWriter writes text and collapses its white space.
type titleWriter struct {
	out   []byte
	start int  // where the text begins in out
	exact bool // white space is written as it is
	space bool // white space stands between what is written and what comes
}

func (w *titleWriter) write(text []byte) {
	if w.exact {
		w.out = appendLiteral(w.out, text)
		return
	}
	for _, c := range text {
		if c == ' ' || c == '\t' || c == '\n' {
			w.space = len(w.out) > w.start
			continue
		}
		if w.space {
			w.out = append(w.out, ' ')
			w.space = false
		}
		if c == 0 { // 2.3
			w.out = utf8.AppendRune(w.out, utf8.RuneError)
			continue
		}
		w.out = append(w.out, c)
	}
}
