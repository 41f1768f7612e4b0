package reading

import (
	"slices"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// What of a passage fits into a number of characters. A section that does not
// fit is thinned by its structure: its own text first, then of each subsection
// the first paragraph, then as many subsections in full as there is room for; at
// the least all headings down to some level. What has no structure, or has more
// headings than there is room for, is cut at the end of a line.
//
// Everything is counted in lines of the source: a reply holds some of them, whole
// and in order, and names all others. A line that is longer than a reply is the
// exception (part.go).

// gapMark stands in a reply in the place of lines that were left out, but for the
// part of the first one that may be there.
func gapMark(l markdown.Lines, part LinePart) string {
	return replies.LeftOutLines(l, part.nextChar(l))
}

// gapCost is the number of characters that leaving the lines out costs: the mark
// in the text and the entry in the head.
func gapCost(l markdown.Lines) int {
	if l.Len() == 0 {
		return 0
	}
	lines := replies.Digits(l.First)
	if l.First != l.Last {
		lines += len("-") + replies.Digits(l.Last)
	}
	return replies.LeftOutLinesChars + 2*lines + len(", ")
}

// gapCost is gapCost with the mark that the line begins with.
func (f *fitter) gapCost(l markdown.Lines) int {
	if l.Len() == 0 {
		return 0
	}
	return gapCost(l) + f.mark.Chars()
}

// fitter fits the lines of a passage into a number of characters.
type fitter struct {
	doc   *markdown.Document
	span  markdown.Span // of the passage
	lines markdown.Lines
	omit  []markdown.Lines // those that were not asked for
	mark  replies.Mark     // of lines of ours
	json  bool             // a text is a string of JSON, in which some characters take several
	sums  []uint32         // sums[i] is what the passage's first i lines take; nil until it is asked for
}

func newFitter(doc *markdown.Document, p *passage) *fitter {
	return &fitter{doc: doc, span: p.span, lines: p.lines, omit: p.omit}
}

// count counts the characters of each line. Lines that were not asked for take
// what the mark in their place does, and it stands where the first of them does.
func (f *fitter) count() {
	f.sums = make([]uint32, 1, f.lines.Len()+1)
	omit := f.omit
	for n := f.lines.First; n <= f.lines.Last; n++ {
		size := 0
		switch {
		case len(omit) == 0 || n < omit[0].First:
			size = f.size(f.text(markdown.Lines{First: n, Last: n}))
		case n == omit[0].First:
			size = f.gapCost(omit[0])
		}
		if len(omit) > 0 && n == omit[0].Last {
			omit = omit[1:]
		}
		f.sums = append(f.sums, f.sums[len(f.sums)-1]+uint32(size))
	}
}

// size returns the number of characters that a text takes in a reply.
func (f *fitter) size(text []byte) int {
	if f.json {
		return replies.StringChars(text)
	}
	return replies.Chars(text)
}

// text returns the source of some of the passage's lines.
func (f *fitter) text(l markdown.Lines) []byte { return f.doc.Text(f.spanOf(l)) }

// spanOf returns the bytes of some of the passage's lines.
func (f *fitter) spanOf(l markdown.Lines) markdown.Span {
	span := f.doc.LineSpan(l)
	span.Start = min(max(span.Start, f.span.Start), f.span.End)
	span.End = max(min(span.End, f.span.End), span.Start)
	return span
}

// chars returns the number of characters that some of the passage's lines take.
func (f *fitter) chars(l markdown.Lines) int {
	if l.Len() == 0 {
		return 0
	}
	if f.sums == nil {
		f.count()
	}
	return int(f.sums[l.Last-f.lines.First+1] - f.sums[l.First-f.lines.First])
}

// fit returns what fits into so many characters, marks and ledger included. Its
// lines are in order and merged, and hold those that were not asked for.
func (f *fitter) fit(room int, structured bool) choice {
	if f.chars(f.lines) <= room {
		return choice{lines: []markdown.Lines{f.lines}}
	}
	if structured {
		if units := f.units(room); units != nil {
			return choice{lines: f.thin(units, room)}
		}
	}
	return f.cut(room)
}

// cut returns the first lines that fit: up to the end of a block if that keeps
// more than half of them; or with a part of the next line, if that line would not
// fit alone either.
func (f *fitter) cut(room int) choice {
	all := room
	room -= f.gapCost(f.lines) // what is left out is no longer than this
	last := f.lines.First - 1
	for last < f.lines.Last && f.chars(markdown.Lines{First: f.lines.First, Last: last + 1}) <= room {
		last++
	}
	var kept choice
	if next := (markdown.Lines{First: last + 1, Last: last + 1}); !f.omits(next.First) && (f.chars(next) > all || last < f.lines.First) {
		kept.part, kept.span = f.part(next.First, all-f.chars(markdown.Lines{First: f.lines.First, Last: last}))
	}
	if last < f.lines.First {
		return kept
	}
	if end := f.blockEnd(last); end-f.lines.First+1 > (last-f.lines.First+1)/2 && kept.part.Line == 0 {
		last = end
	}
	kept.lines = []markdown.Lines{{First: f.lines.First, Last: last}}
	return kept
}

// blockEnd returns the last line up to last with which a block at the top level
// ends, or one that stands between two.
func (f *fitter) blockEnd(last int) int {
	for _, b := range f.doc.Children(-1) {
		if int(b.StartLine) <= last && last < int(b.EndLine) {
			return int(b.StartLine) - 1
		}
	}
	return last
}

// unit is a section of the passage without its subsections, and how much of it is
// kept: its first lines.
type unit struct {
	lines markdown.Lines // with deeper headings if those have no unit
	least int            // the last line of the heading
	gist  int            // the last line of the first paragraph, or least
	last  int            // the last line that is kept
}

// units returns the sections whose headings fit, down to the lowest level where
// all of them do, or nil.
func (f *fitter) units(room int) []unit {
	for level := uint8(6); level >= 1; level-- {
		units := f.unitsTo(level)
		if len(units) < 2 {
			return nil
		}
		cost := 0
		for i := range units {
			cost += f.cost(&units[i], units[i].least)
		}
		if cost <= room {
			return units
		}
	}
	return nil
}

// unitsTo returns the sections of the passage with headings up to the level. What
// stands before the first of them is a unit without a heading.
func (f *fitter) unitsTo(level uint8) []unit {
	var units []unit
	at := f.lines.First
	add := func(first int, u unit) {
		if len(units) > 0 {
			units[len(units)-1].lines.Last = first - 1
		} else if first > at {
			units = append(units, unit{lines: markdown.Lines{First: at, Last: first - 1}, least: at - 1, gist: at - 1})
		}
		units = append(units, u)
	}
	for i := range f.doc.Sections {
		s := &f.doc.Sections[i]
		h := &f.doc.Blocks[s.Heading]
		first := int(h.StartLine)
		if first < f.lines.First || first > f.lines.Last || s.Level > level {
			continue
		}
		u := unit{lines: markdown.Lines{First: first, Last: f.lines.Last}, least: int(h.EndLine)}
		u.gist = u.least
		if p := f.firstParagraph(i); p > 0 {
			u.gist = p
		}
		add(first, u)
	}
	for i := range units {
		units[i].last = units[i].least
	}
	return units
}

// omits reports whether a line was not asked for.
func (f *fitter) omits(line int) bool {
	i, found := slices.BinarySearchFunc(f.omit, line, func(l markdown.Lines, line int) int { return l.First - line })
	return found || i > 0 && line <= f.omit[i-1].Last
}

// firstParagraph returns the last line of the first paragraph in section i's own
// text, or 0.
func (f *fitter) firstParagraph(i int) int {
	end := f.doc.BodySpan(i).End
	for b := f.doc.Blocks[f.doc.Sections[i].Heading].Next; int(b) < len(f.doc.Blocks); b = f.doc.Blocks[b].Next {
		block := &f.doc.Blocks[b]
		if int(block.Start) >= end {
			break
		}
		if block.Kind == markdown.Paragraph {
			return int(block.EndLine)
		}
	}
	return 0
}

// cost returns the number of characters that the unit takes if its lines are kept
// up to last.
func (f *fitter) cost(u *unit, last int) int {
	return f.chars(markdown.Lines{First: u.lines.First, Last: last}) +
		f.gapCost(markdown.Lines{First: last + 1, Last: u.lines.Last})
}

// thin keeps of each unit as much as there is room for, and returns the lines. The text
// before the first subsection goes before all else.
func (f *fitter) thin(units []unit, room int) []markdown.Lines {
	blocks := make([]replies.Block, len(units))
	kept := 0 // for the headings of the others
	for i := range units {
		u := &units[i]
		blocks[i] = replies.Block{f.cost(u, u.lines.Last), f.cost(u, u.gist), f.cost(u, u.least)}
		if i > 0 {
			kept += f.cost(u, u.least)
		}
	}
	first, room := replies.Fit(room-kept, blocks[:1], nil)
	others, room := replies.Fit(room+kept, blocks[1:], nil)
	for i, form := range append(first, others...) {
		u := &units[i]
		u.last = []int{u.lines.Last, u.gist, u.least}[form]
	}
	// What room is left goes to the first that is not whole, line by line.
	if i := slices.IndexFunc(units, func(u unit) bool { return u.last < u.lines.Last }); i >= 0 {
		u := &units[i]
		room += f.cost(u, u.last)
		for u.last < u.lines.Last && f.cost(u, u.last+1) <= room {
			u.last++
		}
	}
	return merged(units)
}

// merged returns the lines that are kept of the units.
func merged(units []unit) []markdown.Lines {
	var kept []markdown.Lines
	for _, u := range units {
		l := markdown.Lines{First: u.lines.First, Last: u.last}
		switch n := len(kept); {
		case l.Len() == 0:
		case n > 0 && kept[n-1].Last+1 == l.First:
			kept[n-1].Last = l.Last
		default:
			kept = append(kept, l)
		}
	}
	return kept
}

// Without returns the lines of all that are not kept.
func Without(all markdown.Lines, kept []markdown.Lines) []markdown.Lines {
	var rest []markdown.Lines
	next := all.First
	for _, k := range kept {
		if k.First > next {
			rest = append(rest, markdown.Lines{First: next, Last: k.First - 1})
		}
		next = k.Last + 1
	}
	if next <= all.Last {
		rest = append(rest, markdown.Lines{First: next, Last: all.Last})
	}
	return rest
}
