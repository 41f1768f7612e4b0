package arrange

import (
	"bytes"
	"strings"

	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// Rebuilt is the document that an arrangement makes.
type Rebuilt struct {
	arrangement *Arrangement
	ranges      []markdown.Span // of the old document, in the order of the new one

	Source []byte
	Pieces []Piece // of Source
	Tight  bool    // sections follow each other without a blank line where others did
}

// Piece is a range of the new document.
type Piece struct {
	At, Len int  // in its source
	From    int  // where it was in the old one; -1 for new text
	Moved   bool // it is told as moved
}

// Rebuild makes the document; apart puts a blank line between sections that come together
// where there was none.
func (a *Arrangement) Rebuild(apart bool) *Rebuilt {
	r := &Rebuilt{arrangement: a}
	src := a.doc.Source
	if a.order == nil {
		r.add(markdown.Span{End: len(src)}, false)
		return r
	}
	first, last := a.chunks[0].Start, a.chunks[len(a.chunks)-1].End
	r.add(markdown.Span{End: first}, false)
	for slot, k := range a.order {
		r.between(a.slotBefore(slot), apart, slot)
		a.put(r, slot, k)
	}
	r.between(a.slotBefore(len(a.order)), apart, len(a.order))
	r.add(markdown.Span{Start: last, End: len(src)}, false)
	return r
}

// text returns the range of chunk k without the blank lines behind it.
func (a *Arrangement) text(k int) markdown.Span {
	s := a.chunks[k]
	return markdown.Span{Start: s.Start, End: textlines.TextEnd(a.doc.Source, s)}
}

// gap returns the range of the blank lines behind chunk k.
func (a *Arrangement) gap(k int) markdown.Span {
	return markdown.Span{Start: a.text(k).End, End: a.chunks[k].End}
}

// slotBefore returns the range of the blank lines before a chunk's place, or behind the last one.
func (a *Arrangement) slotBefore(slot int) markdown.Span {
	if slot > 0 {
		return a.gap(slot - 1)
	}
	top := a.chunks[0].Start
	return markdown.Span{Start: textlines.TextEnd(a.doc.Source, markdown.Span{Start: textlines.Start(a.doc.Source), End: top}), End: top}
}

// between notes that chunks come together without a blank line, and puts one there if they
// are to stand apart.
func (r *Rebuilt) between(gap markdown.Span, apart bool, slot int) {
	a := r.arrangement
	src, n := a.doc.Source, len(a.order)
	switch {
	case gap.Len() > 0:
		return
	case slot == 0:
		if a.order[0] == 0 || gap.End == textlines.Start(src) {
			return
		}
	case slot == n:
		if a.order[n-1] == n-1 || gap.End == len(src) {
			return
		}
	case a.order[slot] == a.order[slot-1]+1 && a.gap(a.order[slot-1]).Len() == 0: // as they were
		return
	}
	if r.Tight = true; apart {
		r.write(textlines.EndingAt(src, gap.Start))
	}
}

// put puts chunk k in a place, with as many blank lines behind it as stood there.
func (a *Arrangement) put(r *Rebuilt, slot, k int) {
	src, last := a.doc.Source, len(a.chunks)-1
	text, own, gap := a.text(k), a.gap(k), a.gap(slot)
	ended := len(textlines.EndingBefore(src, text.End)) > 0
	if slot == last && k != last && len(textlines.EndingBefore(src, a.text(last).End)) == 0 {
		text.End -= len(textlines.EndingBefore(src, text.End)) // the end of the source keeps its style
	}
	if bytes.Equal(src[own.Start:own.End], src[gap.Start:gap.End]) && ended && text.End == own.Start {
		r.add(markdown.Span{Start: text.Start, End: own.End}, a.moves[k])
		return
	}
	r.add(text, a.moves[k])
	if !ended && slot < last {
		r.write(textlines.EndingAt(src, text.Start))
	}
	r.write(string(src[gap.Start:gap.End]))
}

// write adds new text.
func (r *Rebuilt) write(text string) {
	if rest := strings.TrimLeft(text, "\n"); bytes.HasSuffix(r.Source, []byte("\r")) {
		text = strings.Repeat("\r", len(text)-len(rest)) + rest // or two would be one line ending
	}
	if text == "" {
		return
	}
	r.Pieces = append(r.Pieces, Piece{len(r.Source), len(text), -1, false})
	r.Source = append(r.Source, text...)
}

// add adds a range of the old source with the edits that are in it.
func (r *Rebuilt) add(s markdown.Span, moved bool) {
	r.ranges = append(r.ranges, s)
	keep := func(from, to int) {
		if from < to {
			r.Pieces = append(r.Pieces, Piece{len(r.Source), to - from, from, moved})
			r.Source = append(r.Source, r.arrangement.doc.Source[from:to]...)
		}
	}
	at := s.Start
	for i := range r.arrangement.edits {
		if e := &r.arrangement.edits[i]; e.Start >= s.Start && e.End <= s.End && e.Start < s.End {
			keep(at, e.Start)
			r.write(string(e.Text))
			at = e.End
		}
	}
	keep(at, s.End)
}
