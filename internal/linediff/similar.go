package linediff

import (
	"bytes"
	"math/bits"
	"slices"
)

// What is similar to a text has many of its pieces in one place, rare ones above
// all. That is found by going over the document with a window as long as the text,
// and then looked at closely at a few places. Pieces are some bytes long: words
// are too coarse for a short text with a typing error.

const (
	// maxAligned is the number of bytes up to which texts are compared byte by
	// byte; longer ones word by word.
	maxAligned = 600
	// maxWindows is at how many places that is done.
	maxWindows = 3
	// minShort, minAligned and minCommon are how much of a text has to be there, of
	// one up to shortText bytes, of others and in words: what is there by chance is
	// less.
	minShort, minAligned, minCommon = 0.7, 0.6, 0.5
	shortText                       = 32
	// minSimilar is the number of bytes below which nothing is similar.
	minSimilar = 5
)

// Span is a range of bytes of a text, End exclusive.
type Span struct{ Start, End int }

// Len returns the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// Similar returns the part of a text that is most like another text; ok is false if none is.
func Similar(text, want []byte) (best Span, ok bool) {
	if len(want) < minSimilar {
		return best, false
	}
	most := 0.0 // of the least that has to be there
	for _, w := range richWindows(text, want) {
		span, likeness := compared(text, w, want)
		if likeness > most {
			best, most = span, likeness
		}
	}
	for best.Len() > 0 && text[best.Start] == ' ' {
		best.Start++
	}
	for best.Len() > 0 && text[best.End-1] == ' ' {
		best.End--
	}
	return best, most >= 1 && best.Len() > 0
}

// compared returns the part of the text in or near the window that is most like
// want, and its likeness; 1 is the least that is more than chance.
func compared(text []byte, w Span, want []byte) (Span, float64) {
	var span Span
	var likeness, least float64
	if len(want) <= maxAligned {
		slack := len(want)/4 + 16
		w = Span{Start: max(0, w.Start-slack), End: min(len(text), w.End+slack)}
		span, likeness = aligned(text[w.Start:w.End], want)
		least = minAligned
		if len(want) <= shortText {
			least = minShort
		}
	} else {
		span, likeness = commonWords(text[w.Start:w.End], want)
		least = minCommon
	}
	return Span{Start: w.Start + span.Start, End: w.Start + span.End}, likeness / least
}

// fragment is what is counted of some bytes of a text.
type fragment struct {
	wanted int // how often they are in what is looked for
	there  int // and in the text, or the part of it that is looked at
	weight int
}

// pieces finds pieces by their hashes.
type pieces struct {
	size    int
	numbers [1 << 16]uint16 // of pieces in list
	last    uint16          // of them
	list    []fragment      // the first one stands for all that aren't wanted
}

// newPieces returns the pieces of a text of at most maxWanted bytes.
func newPieces(text []byte) *pieces {
	p := &pieces{size: 4, list: make([]fragment, 1)}
	if len(text) < 16 {
		p.size = 3
	}
	for i := range len(text) - p.size + 1 {
		n := &p.numbers[p.hash(text, i)]
		if *n == 0 {
			p.last++
			*n = p.last
			p.list = append(p.list, fragment{})
		}
		p.list[*n].wanted++
	}
	return p
}

// hash returns the hash of the piece at i.
func (p *pieces) hash(text []byte, i int) uint16 {
	h := uint32(text[i]) | uint32(text[i+1])<<8 | uint32(text[i+2])<<16
	if p.size == 4 {
		h |= uint32(text[i+3]) << 24
	}
	return uint16(h * 2654435761 >> 16)
}

// weigh gives each piece the more weight the rarer it is in the text. It returns
// the pieces at each offset and the weight of what is looked for.
func (p *pieces) weigh(text []byte) (numbers []uint16, total int) {
	numbers = make([]uint16, max(0, len(text)-p.size+1))
	for i := range numbers {
		n := p.numbers[p.hash(text, i)]
		numbers[i] = n
		p.list[n].there++
	}
	for n := range p.list[1:] {
		piece := &p.list[n+1]
		piece.weight = rarity(len(text), piece.there)
		piece.there = 0
		total += piece.weight * piece.wanted
	}
	p.list[0].there = 0
	return numbers, total
}

// richWindows returns the windows of want's length that have most of its pieces,
// the best first. A piece counts as often as want has it.
func richWindows(text, want []byte) []Span {
	p := newPieces(want)
	numbers, total := p.weigh(text)
	width := len(want) - p.size + 1
	best := bestWindows{width: width, bar: total / 8}
	weight := 0
	for i, n := range numbers {
		if i >= width {
			out := &p.list[numbers[i-width]]
			if out.there--; out.there < out.wanted {
				weight -= out.weight
			}
		}
		in := &p.list[n]
		if in.there++; in.there <= in.wanted {
			weight += in.weight
		}
		if weight > best.bar {
			best.add(window{max(0, i-width+1), weight})
		}
	}
	slices.SortStableFunc(best.list, func(a, b window) int { return b.weight - a.weight })
	var spans []Span
	for _, w := range best.list {
		spans = append(spans, Span{Start: w.start, End: min(len(text), w.start+len(want))})
	}
	return spans
}

// rarity returns the weight of what is there so many times in n bytes.
func rarity(n, times int) int {
	return bits.Len(uint(n/max(times, 1))) + 1
}

// window is a part of a text and the weight of what it has.
type window struct {
	start  int
	weight int
}

// bestWindows are the heaviest windows, none of which overlaps another.
type bestWindows struct {
	width int
	bar   int // what does not weigh more is none of them
	list  []window
}

// add adds a window that weighs more than the bar. They come in the order of their
// starts.
func (b *bestWindows) add(w window) {
	if n := len(b.list); n > 0 && b.list[n-1].start+b.width > w.start {
		if b.list[n-1].weight >= w.weight {
			return
		}
		b.list = b.list[:n-1]
	}
	if len(b.list) == maxWindows {
		b.list = slices.Delete(b.list, b.lightest(), b.lightest()+1)
	}
	if b.list = append(b.list, w); len(b.list) == maxWindows {
		b.bar = b.list[b.lightest()].weight
	}
}

// lightest returns the index of the lightest window.
func (b *bestWindows) lightest() int {
	n := 0
	for i := range b.list {
		if b.list[i].weight < b.list[n].weight {
			n = i
		}
	}
	return n
}

// aligned returns the part of a text that takes the fewest changes of bytes to
// become want, and how much of want needs none, from 0 to 1. It is the table of
// the edit distance a column at a time, with free ends in the text (Sellers 1980).
func aligned(text, want []byte) (Span, float64) {
	// For each beginning of want: the cost of the best part of the text that ends
	// here, and where it begins.
	column := make([]cell, len(want)+1)
	for j := range column {
		column[j].cost = j
	}
	best, least := Span{}, len(want)
	for i, c := range text {
		diagonal := column[0]
		column[0].start = i + 1
		for j, w := range want {
			left, up := column[j+1], column[j]
			next := diagonal
			if c != w {
				next.cost++
			}
			next = better(next, cell{left.cost + 1, left.start})
			next = better(next, cell{up.cost + 1, up.start})
			diagonal, column[j+1] = left, next
		}
		if end := column[len(want)]; end.cost < least {
			best, least = Span{Start: end.start, End: i + 1}, end.cost
		}
	}
	return best, 1 - float64(least)/float64(len(want))
}

// cell is in the table of an edit distance: a cost, and where the text begins that
// has it.
type cell struct{ cost, start int }

// better returns the cell of a lower cost; of equals, that of a shorter text.
func better(a, b cell) cell {
	if b.cost < a.cost || b.cost == a.cost && b.start > a.start {
		return b
	}
	return a
}

// commonWords returns the part of a text from the first to the last word that it
// has in common with want, in the same order, and how much of want they are, from
// 0 to 1.
func commonWords(text, want []byte) (span Span, likeness float64) {
	a, starts := words(text)
	b, _ := words(want)
	common, total := 0, 0
	for _, w := range b {
		total += len(w) + 1
	}
	note := func(i, j int) { // the words from i up to j are in both
		if i == j {
			return
		}
		if span.End == 0 {
			span.Start = starts[i]
		}
		span.End = starts[j-1] + len(a[j-1])
		for _, w := range a[i:j] {
			common += len(w) + 1
		}
	}
	last := 0
	for _, d := range Compare(a, b) {
		note(last, d.Start)
		last = d.End
	}
	note(last, len(a))
	return span, float64(common) / float64(max(total, 1))
}

// words returns the words of a folded text and where they begin.
func words(text []byte) (list []string, starts []int) {
	at := 0
	for word := range bytes.SplitSeq(text, []byte(" ")) {
		if len(word) > 0 {
			list, starts = append(list, string(word)), append(starts, at)
		}
		at += len(word) + 1
	}
	return list, starts
}
