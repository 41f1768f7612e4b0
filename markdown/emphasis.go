package markdown

import "github.com/sectile/sectile/internal/syntax"

// Emphasis needs only the open ends of what has been read. The specification
// keeps runs of delimiters in a doubly linked list; here they are a stack in a
// slice, for a run that closes something takes everything above its
// opener with it, and a run that can no longer open is never looked at again.

// run is a run of '*', '_' or '~' that may open or close emphasis.
type run struct {
	pos      int32 // of the first byte that is left
	left     int32 // how many bytes are left
	length   int32 // how many there were
	char     byte
	canOpen  bool
	canClose bool
	// What the run opens and closes, in the order of the source: indexes of matches.
	opens, closes, lastClose int32
}

// match is a delimiter, of one byte or two, that has found the one it faces.
type match struct {
	length uint32
	next   int32 // the next one of the same run, or 0
}

// delimiterRun reads the run at i (6.2; GFM's strikethrough).
func (r *inlineReader) delimiterRun(i int) int {
	c, text := r.text[i], r.text
	end := i + 1
	for end < len(text) && text[end] == c {
		end++
	}
	if c == '~' && end-i > 2 {
		return end
	}
	if c == '_' && i > r.start && end < len(text) && syntax.IsAlnum(text[i-1]) && syntax.IsAlnum(text[end]) {
		return end // in a word it is a letter
	}
	before, after := syntax.FlankBefore(text, r.start, i), syntax.FlankAfter(text, end)
	leftFlanking := after != syntax.FlankSpace && (after != syntax.FlankPunctuation || before != syntax.FlankText)
	rightFlanking := before != syntax.FlankSpace && (before != syntax.FlankPunctuation || after != syntax.FlankText)
	d := run{
		pos: int32(i), left: int32(end - i), length: int32(end - i),
		char: c, canOpen: leftFlanking, canClose: rightFlanking,
	}
	if c == '_' {
		d.canOpen = leftFlanking && (!rightFlanking || before == syntax.FlankPunctuation)
		d.canClose = rightFlanking && (!leftFlanking || after == syntax.FlankPunctuation)
	}
	if !d.canOpen && (!d.canClose || len(r.stack) == 0) {
		return end
	}
	r.leaf(inlineRun, Span{i, end}, Span{})
	r.raw[len(r.raw)-1].ref = int32(len(r.runs))
	r.stack = append(r.stack, int32(len(r.runs)))
	r.runs = append(r.runs, d)
	r.marked = true
	return end
}

// runKinds is the number of values of run.kind.
const runKinds = 14

// kind numbers the properties of a closing run on which depends whether an
// opener fits it: if one doesn't fit a run, it fits none of the same kind.
func (d *run) kind() int {
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

// matches reports whether d may close what o opens.
func (d *run) matches(o *run) bool {
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

// emphasis settles the runs from index bottom of the stack on, of which none stays.
func (r *inlineReader) emphasis(bottom int) {
	if bottom == len(r.stack) {
		return
	}
	var floors [runKinds]int32 // no opener before this offset fits a run of the kind
	top := bottom              // the openers are those from bottom to here
	for i := bottom; i < len(r.stack); i++ {
		d := &r.runs[r.stack[i]]
		for d.canClose && d.left > 0 {
			o := r.opener(d, bottom, top, floors[d.kind()])
			if o < 0 {
				floors[d.kind()] = d.pos
				break
			}
			top = o
			if r.match(&r.runs[r.stack[o]], d) {
				top++
			}
		}
		if d.canOpen && d.left > 0 {
			r.stack[top] = r.stack[i]
			top++
		}
	}
	r.stack = r.stack[:bottom]
}

// opener returns the index in the stack of the last opener from bottom to top that d
// closes, or -1. Those before the offset floor are known not to fit.
func (r *inlineReader) opener(d *run, bottom, top int, floor int32) int {
	for o := top - 1; o >= bottom && r.runs[r.stack[o]].pos >= floor; o-- {
		if d.matches(&r.runs[r.stack[o]]) {
			return o
		}
	}
	return -1
}

// match makes emphasis of the delimiters that face each other, strong emphasis of two,
// and reports whether some of the opener are left.
func (r *inlineReader) match(o, d *run) bool {
	n := min(o.left, d.left, 2)
	o.left -= n
	d.left -= n
	d.pos += n
	at := int32(len(r.matches))
	r.matches = append(r.matches, match{uint32(n), o.opens}, match{uint32(n), 0})
	o.opens = at
	if d.closes == 0 {
		d.closes = at + 1
	} else {
		r.matches[d.lastClose].next = at + 1
	}
	d.lastClose = at + 1
	return o.left > 0
}

// settleRun adds what the run n has closed and opened, and between them what is left.
func (r *inlineReader) settleRun(n *Inline) {
	d := &r.runs[n.ref]
	pos := n.Start
	for m := d.closes; m != 0; m = r.matches[m].next {
		end := pos + r.matches[m].length
		r.closeNode(pos, end)
		pos = end
	}
	if d.left > 0 {
		r.addText(pos, pos+uint32(d.left))
		pos += uint32(d.left)
	}
	for m := d.opens; m != 0; m = r.matches[m].next {
		length := r.matches[m].length
		kind := InlineEmphasis
		switch {
		case d.char == '~':
			kind = InlineStrikethrough
		case length == 2:
			kind = InlineStrong
		}
		r.openNode(kind, pos, pos+length, 0)
		pos += length
	}
}
