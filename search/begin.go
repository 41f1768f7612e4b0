package search

import (
	"encoding/binary"
)

// Where one of some texts may begin is told by their first three bytes, at each place of another
// text: five bits of each byte, which are the same for both cases of a letter, are the number of
// an entry of a table. Six places are looked at together, none of which waits for another, which
// is faster than to leap ahead (Wu and Manber, 1994) unless all of the texts are long.

// beginnings tells where some texts may begin.
type beginnings struct {
	may [1 << 15]uint8 // by three bytes: 1 if one of the texts may begin with them
}

// add adds a text of at least one byte.
func (b *beginnings) add(text string) {
	n := min(len(text), 3)
	number, step := 0, 1
	for i := range n {
		number |= int(text[i]&31) << (5 * i)
		step <<= 5
	}
	for ; number < len(b.may); number += step { // whatever follows a shorter one
		b.may[number] = 1
	}
}

// next returns the next place of a text, from an offset on, at which one of the texts may begin;
// the length of the text if there is none.
func (b *beginnings) next(src []byte, at int) int {
	for ; at+8 <= len(src); at += 6 {
		x := fiveBits(binary.LittleEndian.Uint64(src[at:]))
		if b.may[x&0x7fff]|b.may[x>>5&0x7fff]|b.may[x>>10&0x7fff]|b.may[x>>15&0x7fff]|b.may[x>>20&0x7fff]|b.may[x>>25&0x7fff] != 0 {
			return at + b.first(x)
		}
	}
	for at < len(src) { // the last bytes, as if zeros followed
		var last [8]byte
		n := copy(last[:], src[at:])
		x := fiveBits(binary.LittleEndian.Uint64(last[:]))
		if i := b.first(x); i < min(n, 6) {
			return at + i
		}
		at += 6
	}
	return len(src)
}

// first returns the first of six places at which one of the texts may begin, 6 for none.
func (b *beginnings) first(x uint64) int {
	i := 0
	for i < 6 && b.may[x&0x7fff] == 0 {
		x >>= 5
		i++
	}
	return i
}

// fiveBits returns the lowest five bits of each of eight bytes, side by side.
func fiveBits(x uint64) uint64 {
	x = x&0x001f001f001f001f | x>>3&0x03e003e003e003e0
	x = x&0x000003ff000003ff | x>>6&0x000ffc00000ffc00
	return x&0xfffff | x>>12&0xfffff00000
}
