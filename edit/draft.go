package edit

import (
	"bytes"
	"context"

	"github.com/sectile/sectile/internal/parts"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// A draft is the document while operations are applied to it. Operations mean the
// document as it was before the first one, so the draft knows of each of its bytes
// where it was: it is made of pieces, and marks move with the text around them.

// draft is a document in work.
type draft struct {
	ctx    context.Context // until which it is parsed, within the limits
	limits markdown.Limits

	before *markdown.Document
	src    []byte             // as it is now
	parsed *markdown.Document // the parse of src, nil until it is asked for
	last   *markdown.Document // the last parse of all
	hashes [][2]string        // of the original's sections and of their bodies; nil until they are asked for
	pieces []piece            // of src, without a gap
	marks  []mark

	compared int // titles with addresses that nothing has
}

// piece is a range of the draft: of the original text, or new. No two that follow each
// other are both new, or follow each other in the original.
type piece struct {
	at, n int // in src
	from  int // where it was in the original; -1 for new text
}

// mark is an offset in src that moves with the text around it.
type mark struct {
	at int // -1 when what was there is gone
	// end tells that the mark is after a text and not before one: what is put in
	// where it stands comes after it.
	end bool
	// part and kind tell a part that begins at the mark from others that do.
	part bool
	kind markdown.Kind // 0 for a section
}

func newDraft(ctx context.Context, doc *markdown.Document, limits markdown.Limits) *draft {
	return &draft{ctx: ctx, limits: limits, before: doc, src: doc.Source, parsed: doc, last: doc, pieces: []piece{{0, len(doc.Source), 0}}}
}

// doc returns the parse of the draft.
func (d *draft) doc() (*markdown.Document, error) {
	if d.parsed != nil {
		return d.parsed, nil
	}
	doc, err := d.last.ReparseContext(d.ctx, d.src, d.limits)
	if err != nil {
		return nil, err
	}
	d.parsed, d.last = doc, doc
	return doc, nil
}

// with returns the parse of a document that a splice is made in.
func (d *draft) with(doc *markdown.Document, s Splice) (*markdown.Document, error) {
	src := bytes.Join([][]byte{doc.Source[:s.Start], s.Text, doc.Source[s.End:]}, nil)
	return doc.ReparseContext(d.ctx, src, d.limits)
}

// bears refuses a text that can't be parsed within the limits. Short ones always can.
func (d *draft) bears(text string) *Error {
	if len(text) <= harmless {
		return nil
	}
	if _, err := markdown.ParseContext(d.ctx, []byte(text), d.before.Options(), d.limits); err != nil {
		return asError(err)
	}
	return nil
}

// repeat refuses more of a text that is put into several places than the limits, which it then counts
// against, allow to parse: it is in splices, in the draft and in the one before it.
func (d *draft) repeat(bytes int) *Error {
	const copies = 3
	if most := d.limits.Memory; most > 0 && bytes > 0 {
		if bytes >= most/copies {
			return asError(&markdown.ComplexityError{Memory: most})
		}
		d.limits.Memory -= copies * bytes
	}
	return nil
}

// harmless is the length in bytes up to which a text may be made of anything.
const harmless = 64 << 10

// mark makes a mark and returns its number.
func (d *draft) mark(at int, end bool) int {
	d.marks = append(d.marks, mark{at: at, end: end})
	return len(d.marks) - 1
}

// markPart makes a mark where a block of the kind begins, or a section if it is 0.
func (d *draft) markPart(at int, kind markdown.Kind) int {
	d.marks = append(d.marks, mark{at: at, part: true, kind: kind})
	return len(d.marks) - 1
}

// apply replaces ranges of the draft, in order and disjoint.
func (d *draft) apply(splices []Splice) {
	size := len(d.src)
	for i := range splices {
		size += len(splices[i].Text) - splices[i].Len()
	}
	next := draft{src: make([]byte, 0, size), pieces: make([]piece, 0, len(d.pieces)+2*len(splices))}
	at, p := 0, 0
	keep := func(to int) {
		for ; at < to; p++ {
			old := d.pieces[p]
			n := min(old.at+old.n, to) - at
			from := old.from
			if from >= 0 {
				from += at - old.at
			}
			next.add(d.src[at:at+n], from)
			if at += n; at < old.at+old.n {
				return
			}
		}
	}
	for i := range splices {
		s := &splices[i]
		keep(s.Start)
		next.add(s.Text, -1)
		for at = s.End; p < len(d.pieces) && d.pieces[p].at+d.pieces[p].n <= at; {
			p++
		}
	}
	keep(len(d.src))
	for i := range d.marks {
		d.marks[i].move(splices)
	}
	d.src, d.pieces, d.parsed = next.src, next.pieces, nil
}

// add adds a piece at the end.
func (d *draft) add(text []byte, from int) {
	if len(text) == 0 {
		return
	}
	n := len(d.pieces) - 1
	if n >= 0 && (from < 0 && d.pieces[n].from < 0 || from >= 0 && d.pieces[n].from >= 0 && d.pieces[n].from+d.pieces[n].n == from) {
		d.pieces[n].n += len(text)
	} else {
		d.pieces = append(d.pieces, piece{len(d.src), len(text), from})
	}
	d.src = append(d.src, text...)
}

// move moves the mark as the splices move what is around it.
func (m *mark) move(splices []Splice) {
	if m.at < 0 {
		return
	}
	shift := 0
	for i := range splices {
		s := &splices[i]
		switch {
		case s.Start > m.at, s.Start == m.at && m.end:
			m.at += shift
			return
		case s.Start == m.at && s.Len() > 0, s.End > m.at:
			m.at = -1
			return
		}
		shift += len(s.Text) - s.Len()
	}
	m.at += shift
}

// splices returns what makes the draft of the original: what stands between two
// pieces that were there before.
func (d *draft) splices() []Splice {
	var all []Splice
	var text []byte // of the draft itself, for no two new pieces follow each other
	from := 0
	add := func(to int) {
		if to > from || len(text) > 0 {
			all = append(all, Splice{markdown.Span{Start: from, End: to}, text})
		}
	}
	for _, p := range d.pieces {
		if p.from < 0 {
			text = d.src[p.at : p.at+p.n : p.at+p.n]
			continue
		}
		add(p.from)
		from, text = p.from+p.n, nil
	}
	add(len(d.before.Source))
	return all
}

// isNoChange reports whether the splices put in what is there.
func (d *draft) isNoChange(splices []Splice) bool {
	for i := range splices {
		if !bytes.Equal(splices[i].Text, d.src[splices[i].Start:splices[i].End]) {
			return false
		}
	}
	return true
}

// origin returns the block of the original that block i of the draft was, or -1.
func (d *draft) origin(i int) int {
	block := &d.parsed.Blocks[i]
	for _, p := range d.pieces {
		at := int(block.Start) - p.at
		if p.from < 0 || at < 0 || at >= p.n {
			continue
		}
		return parts.BlockAt(d.before, p.from+at, block.Kind)
	}
	return -1
}

// origins returns the blocks of the original that a change of the draft goes on with.
func (d *draft) origins(ch *change) (all []int) {
	for _, i := range ch.joined {
		if i = d.origin(i); i >= 0 {
			all = append(all, i)
		}
	}
	return all
}

// linesOf returns the lines between two marks.
func (d *draft) linesOf(doc *markdown.Document, marks [2]int) markdown.Lines {
	if marks[0] < 0 {
		return markdown.Lines{First: 1}
	}
	first, last := d.marks[marks[0]].at, d.marks[marks[1]].at
	if first < 0 || last <= first {
		return markdown.Lines{First: 1}
	}
	return markdown.Lines{First: textlines.NumberAt(doc, first), Last: textlines.NumberAt(doc, last-1)}
}

// keepEnding gives the change the line ending that the original has, if no line of
// the draft has one any more.
func (d *draft) keepEnding(ch *change) {
	if bytes.ContainsAny(d.src, "\r\n") || !bytes.ContainsAny(d.before.Source, "\r\n") {
		return
	}
	ending := textlines.EndingAt(d.before.Source, 0)
	grown := 0 // bytes, of the splices so far
	offsets := ch.offsets()
	moved := [4]int{}
	shift := 0 // by which the splices so far have moved what is after them
	for i := range ch.splices {
		s := &ch.splices[i]
		begin := s.Start + shift
		for k, offset := range offsets {
			if *offset > begin {
				text := s.Text[:min(*offset-begin, len(s.Text))]
				moved[k] = grown + len(textlines.WithEnding(string(text), ending)) - len(text)
			}
		}
		text := []byte(textlines.WithEnding(string(s.Text), ending))
		grown += len(text) - len(s.Text)
		shift += len(s.Text) - s.Len()
		s.Text = text
	}
	for k, offset := range offsets {
		*offset += moved[k]
	}
}
