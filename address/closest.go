package address

import (
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// What was probably meant is what needs the fewest changes. Titles are many and
// short, so the distance to one text is computed a column of the table at a time
// in the bits of a word (Myers 1999; Hyyrö 2003). The library that compares names
// elsewhere goes from cell to cell, which takes many times as long.

// closest returns the sections of the intervals whose titles are nearest to the
// text without case and formatting, nearest first; with an empty text, the first
// ones.
func closest(doc *markdown.Document, text string, in []interval) []int {
	d := newDistance(runes.AppendFolded(nil, appendStripped(nil, text)))
	m := matcher{doc: doc}
	var best []int
	var costs [maxCandidates]int
	for _, s := range in {
		for i := s.first; i < s.end; i++ {
			cost := 0
			if d.length > 0 {
				cost = d.to(m.foldedTitle(i))
			}
			at := len(best)
			for at > 0 && costs[at-1] > cost {
				at--
			}
			if at == maxCandidates {
				continue
			}
			best = append(best[:min(len(best), maxCandidates-1)], 0)
			copy(best[at+1:], best[at:])
			copy(costs[at+1:], costs[at:])
			best[at], costs[at] = i, cost
		}
	}
	return best
}

// foldedTitle returns the folded title of section i, until the next call.
func (m *matcher) foldedTitle(i int) []byte {
	b := int(m.doc.Sections[i].Heading)
	var plain bool
	if m.folded, plain = appendPlain(m.folded[:0], headingText(m.doc, b)); !plain {
		m.stripped = appendStripped(m.stripped[:0], m.doc.Title(b))
		m.folded = runes.AppendFolded(m.folded[:0], m.stripped)
	}
	return m.folded
}

// maxDistance is how many runes of a text count for its distance.
const maxDistance = 64

// distance computes edit distances to one text.
type distance struct {
	ascii  [utf8.RuneSelf]uint64 // the positions of a rune in the text
	others map[rune]uint64
	length int
}

func newDistance(text []byte) *distance {
	d := &distance{others: map[rune]uint64{}}
	for _, r := range string(text) {
		switch {
		case d.length == maxDistance:
			return d
		case r < utf8.RuneSelf:
			d.ascii[r] |= 1 << d.length
		default:
			d.others[r] |= 1 << d.length
		}
		d.length++
	}
	return d
}

// to returns the distance between the beginnings of the text, which is not empty,
// and of s.
func (d *distance) to(s []byte) int {
	plus, minus := ^uint64(0), uint64(0)
	top := uint64(1) << (d.length - 1)
	cost, n := d.length, 0
	for len(s) > 0 && n < maxDistance {
		r, size := rune(s[0]), 1
		var equal uint64
		if r < utf8.RuneSelf {
			equal = d.ascii[r]
		} else {
			r, size = utf8.DecodeRune(s)
			equal = d.others[r]
		}
		s = s[size:]
		n++
		zero := (equal&plus + plus) ^ plus | equal | minus
		up, down := minus|^(zero|plus), plus&zero
		if up&top != 0 {
			cost++
		}
		if down&top != 0 {
			cost--
		}
		up = up<<1 | 1
		down <<= 1
		plus, minus = down|^(zero|up), up&zero
	}
	return cost
}
