package markdown

import (
	"unicode"
	"unicode/utf8"
)

// Emphasis needs only the open ends of what has been read. The specification
// keeps runs of delimiters in a doubly linked list; here they are a stack in the
// slice itself, for a run that closes something takes everything above its
// opener with it, and a run that can no longer open is never looked at again.

// delimiter is a run of '*', '_' or '~' that may open or close emphasis.
type delimiter struct {
	pos      int32 // of the first byte that is left
	left     int32 // how many bytes are left
	length   int32 // how many there were
	char     byte
	canOpen  bool
	canClose bool
}

// delimiterRun reads the run at i (6.2; GFM's strikethrough).
func (t *inlineText) delimiterRun(i int) int {
	c := t.src[i]
	end := i + countByte(t.src[i:], c)
	if c == '~' && end-i > 2 {
		return end
	}
	before, after := flankBefore(t.src, i), flankAfter(t.src, end)
	leftFlanking := after != flankSpace && (after != flankPunctuation || before != flankText)
	rightFlanking := before != flankSpace && (before != flankPunctuation || after != flankText)
	d := delimiter{
		pos: int32(i), left: int32(end - i), length: int32(end - i),
		char: c, canOpen: leftFlanking, canClose: rightFlanking,
	}
	if c == '_' {
		d.canOpen = leftFlanking && (!rightFlanking || before == flankPunctuation)
		d.canClose = rightFlanking && (!leftFlanking || after == flankPunctuation)
	}
	if d.canOpen || d.canClose {
		t.delimiters = append(roomFor(t.delimiters, i, len(t.src)), d)
	}
	return end
}

// flank is what stands beside a run, as far as the rules tell it apart.
type flank uint8

const (
	flankText flank = iota // anything that is neither of the others
	flankSpace
	flankPunctuation
)

func flankBefore(src []byte, i int) flank {
	if i == 0 {
		return flankSpace
	}
	r, _ := utf8.DecodeLastRune(src[:i])
	return flankOf(r)
}

func flankAfter(src []byte, i int) flank {
	if i == len(src) {
		return flankSpace
	}
	r, _ := utf8.DecodeRune(src[i:])
	return flankOf(r)
}

// flankOf says what r is by 2.1: white space is Zs and four controls,
// punctuation is P and S. Broken UTF-8 arrives as U+FFFD, a symbol, and NUL
// stands for that.
func flankOf(r rune) flank {
	switch {
	case r == '\t', r == '\n', r == '\f', r == '\r':
		return flankSpace
	case r == 0:
		return flankPunctuation
	case unicode.Is(unicode.Zs, r):
		return flankSpace
	case unicode.IsPunct(r), unicode.IsSymbol(r):
		return flankPunctuation
	}
	return flankText
}

// runKinds is the number of values of delimiter.kind.
const runKinds = 14

// kind numbers the properties of a closing run on which depends whether an
// opener fits it: if one doesn't fit a run, it fits none of the same kind.
func (d *delimiter) kind() int {
	if d.char == '~' {
		return 12 + int(d.length) - 1
	}
	k := int(d.length % 3)
	if d.canOpen {
		k += 3
	}
	if d.char == '_' {
		k += 6
	}
	return k
}

// closes reports whether d may close what o opens.
func (d *delimiter) closes(o *delimiter) bool {
	switch {
	case d.char != o.char || !o.canOpen:
		return false
	case d.char == '~': // "a matching pair of one or two tildes"
		return d.length == o.length
	case d.canOpen || o.canClose: // rules 9 and 10, on multiples of 3
		return (d.length+o.length)%3 != 0 || d.length%3 == 0 && o.length%3 == 0
	}
	return true
}

// emphasis settles the runs from index bottom on, of which none stays.
func (t *inlineText) emphasis(bottom int) {
	if bottom == len(t.delimiters) {
		return
	}
	var floors [runKinds]int32 // no opener before this offset fits a run of the kind
	top := bottom              // the openers are those from bottom to here
	for i := bottom; i < len(t.delimiters); i++ {
		d := t.delimiters[i]
		for d.canClose && d.left > 0 {
			o := t.opener(&d, bottom, top, floors[d.kind()])
			if o < 0 {
				floors[d.kind()] = d.pos
				break
			}
			top = o
			if t.match(&t.delimiters[o], &d) {
				top++
			}
		}
		if d.canOpen && d.left > 0 {
			t.delimiters[top] = d
			top++
		}
	}
	t.delimiters = t.delimiters[:bottom]
}

// opener returns the index of the last opener from bottom to top that d closes,
// or -1. Those before the offset floor are known not to fit.
func (t *inlineText) opener(d *delimiter, bottom, top int, floor int32) int {
	for o := top - 1; o >= bottom && t.delimiters[o].pos >= floor; o-- {
		if d.closes(&t.delimiters[o]) {
			return o
		}
	}
	return -1
}

// match cuts the delimiters that face each other, two for strong emphasis, and
// reports whether some of the opener are left.
func (t *inlineText) match(o, d *delimiter) bool {
	n := min(o.left, d.left, 2)
	t.cut(int(o.pos+o.left-n), int(o.pos+o.left))
	t.cut(int(d.pos), int(d.pos+n))
	o.left -= n
	d.left -= n
	d.pos += n
	return o.left > 0
}
