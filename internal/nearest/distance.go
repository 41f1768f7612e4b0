package nearest

import "unicode/utf8"

// maxCompared is how many characters of a text count: a column of the table of a distance
// is computed at a time, in the bits of a word.
const maxCompared = 64

// Distance computes edit distances to one text (Myers 1999; Hyyrö 2003). The titles of a
// document are many and short, and going from cell to cell takes many times as long.
type Distance struct {
	ascii  [utf8.RuneSelf]uint64 // the positions of a rune in the text
	others map[rune]uint64
	length int // in characters, those that count
}

// NewDistance returns the distance to a text, of which the first 64 characters count.
func NewDistance(text []byte) *Distance {
	d := &Distance{}
	for _, r := range string(text) {
		switch {
		case d.length == maxCompared:
			return d
		case r < utf8.RuneSelf:
			d.ascii[r] |= 1 << d.length
		default:
			if d.others == nil {
				d.others = map[rune]uint64{}
			}
			d.others[r] |= 1 << d.length
		}
		d.length++
	}
	return d
}

// To returns the distance between the beginnings of the text and of s. Bytes that are no
// characters are all the same.
func (d *Distance) To(s []byte) int {
	if d.length == 0 {
		return min(utf8.RuneCount(s), maxCompared)
	}
	plus, minus := ^uint64(0), uint64(0)
	top := uint64(1) << (d.length - 1)
	cost, n := d.length, 0
	for len(s) > 0 && n < maxCompared {
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
