package render

import (
	"strconv"

	"github.com/sectile/sectile/markdown"
)

// Footnotes stand at the end, numbered in the order in which they are first referred to, in
// the document and then in the footnotes; those that nothing refers to are left out.

// note is a footnote that something refers to.
type note struct {
	block      int
	references int // to it
}

// noteNumber returns the number of the footnote that block b defines, from 1 on, and
// counts the reference to it.
func (w *writer) noteNumber(b int) (number, reference int) {
	n, ok := w.noteOf[b]
	if !ok {
		if w.noteOf == nil {
			w.noteOf = map[int]int{}
		}
		n = len(w.notes)
		w.noteOf[b] = n
		w.notes = append(w.notes, note{block: b})
	}
	w.notes[n].references++
	return n + 1, w.notes[n].references
}

// footnoteReference writes the reference to the footnote of block b.
func (w *writer) footnoteReference(b int) {
	number, reference := w.noteNumber(b)
	w.text(`<sup class="footnote-ref"><a href="#fn-`)
	w.number(number)
	w.text(`" id="fnref-`)
	w.number(number)
	w.again(reference)
	w.text(`" data-footnote-ref>`)
	w.number(number)
	w.text("</a></sup>")
}

// number writes the number of a footnote or of a reference to it, by which their elements are known:
// labels would give one id to the second reference to "q" and to the first one to "q-2".
func (w *writer) number(n int) { w.out = strconv.AppendInt(w.out, int64(n), 10) }

// again tells a reference from those before it.
func (w *writer) again(reference int) {
	if reference > 1 {
		w.text("-")
		w.number(reference)
	}
}

// footnotes writes all that something refers to, also in one of them.
func (w *writer) footnotes() {
	if len(w.notes) == 0 {
		return
	}
	w.line("<section class=\"footnotes\" data-footnotes>\n<ol>\n")
	for n := 0; n < len(w.notes) && w.goesOn(); n++ { // a footnote refers to others, so that notes grows
		w.footnote(w.notes[n].block)
	}
	w.line("</ol>\n</section>\n")
}

// footnote writes the footnote that block b defines.
func (w *writer) footnote(b int) {
	w.line(`<li id="fn-`)
	w.number(w.noteOf[b] + 1)
	w.text("\">\n")
	end := int(w.doc.Blocks[b].Next)
	last, lastIndex := markdown.Kind(0), 0
	for i, child := range w.doc.Children(b) {
		last, lastIndex = child.Kind, i
	}
	w.open = append(w.open, element{end: end, kind: markdown.FootnoteDefinition, block: b})
	w.blocks(b+1, end)
	w.open = w.open[:len(w.open)-1]
	if last != markdown.Paragraph || lastIndex+1 != end {
		w.backReferences(b)
		w.lineStart()
	}
	w.text("</li>\n")
}

// maxBackReferences is how many references a footnote leads back to.
const maxBackReferences = 1000

// backReferences writes links from the footnote of block b to the references to it.
func (w *writer) backReferences(b int) {
	for reference := 1; reference <= min(w.notes[w.noteOf[b]].references, maxBackReferences) && w.goesOn(); reference++ {
		if reference > 1 {
			w.text(" ")
		}
		w.text(`<a href="#fnref-`)
		w.number(w.noteOf[b] + 1)
		w.again(reference)
		w.text(`" class="footnote-backref" data-footnote-backref aria-label="Back to content">↩`)
		if reference > 1 {
			w.text(`<sup class="footnote-ref">`)
			w.number(reference)
			w.text("</sup>")
		}
		w.text("</a>")
	}
}
