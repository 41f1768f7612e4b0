package syntax

// Emphasis needs only the open ends of what has been read. The specification
// keeps runs of delimiters in a doubly linked list; here they are a stack in a
// slice, for a run that closes something takes everything above its
// opener with it, and a run that can no longer open is never looked at again.

// EmphasisReader pairs the delimiters of emphasis in one text (6.2) and of strikethrough (GFM
// 6.5), which are read from left to right.
type EmphasisReader struct {
	runs    []run
	matches []Match
	stack   []int32 // runs that may still open or close emphasis
}

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

// Match is a delimiter, of one byte or two, that has found the one it faces.
type Match struct {
	Length uint32
	Next   int32 // the next one of the same run, or 0
}

// Reset makes the reader ready for another text.
func (e *EmphasisReader) Reset() {
	e.runs, e.stack = e.runs[:0], e.stack[:0]
	e.matches = append(e.matches[:0], Match{}) // 0 is none
}

// Open returns the number of runs that may still open or close emphasis.
func (e *EmphasisReader) Open() int { return len(e.stack) }

// Read reads the run at i in text, of which nothing before start counts, and returns its end
// and its number, or -1 for one that is text.
func (e *EmphasisReader) Read(text []byte, start, i int) (end int, number int32) {
	c := text[i]
	end = i + 1
	for end < len(text) && text[end] == c {
		end++
	}
	if c == '~' && end-i > 2 {
		return end, -1
	}
	if c == '_' && i > start && end < len(text) && IsAlnum(text[i-1]) && IsAlnum(text[end]) {
		return end, -1 // in a word it is a letter
	}
	before, after := flankBefore(text, start, i), flankAfter(text, end)
	leftFlanking := after != flankSpace && (after != flankPunctuation || before != flankText)
	rightFlanking := before != flankSpace && (before != flankPunctuation || after != flankText)
	d := run{
		pos: int32(i), left: int32(end - i), length: int32(end - i),
		char: c, canOpen: leftFlanking, canClose: rightFlanking,
	}
	if c == '_' {
		d.canOpen = leftFlanking && (!rightFlanking || before == flankPunctuation)
		d.canClose = rightFlanking && (!leftFlanking || after == flankPunctuation)
	}
	if !d.canOpen && (!d.canClose || len(e.stack) == 0) {
		return end, -1
	}
	number = int32(len(e.runs))
	e.stack = append(e.stack, number)
	e.runs = append(e.runs, d)
	return end, number
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

// Settle settles the open runs from index bottom on, of which none stays open.
func (e *EmphasisReader) Settle(bottom int) {
	if bottom == len(e.stack) {
		return
	}
	var floors [runKinds]int32 // no opener before this offset fits a run of the kind
	top := bottom              // the openers are those from bottom to here
	for i := bottom; i < len(e.stack); i++ {
		d := &e.runs[e.stack[i]]
		for d.canClose && d.left > 0 {
			o := e.opener(d, bottom, top, floors[d.kind()])
			if o < 0 {
				floors[d.kind()] = d.pos
				break
			}
			top = o
			if e.match(&e.runs[e.stack[o]], d) {
				top++
			}
		}
		if d.canOpen && d.left > 0 {
			e.stack[top] = e.stack[i]
			top++
		}
	}
	e.stack = e.stack[:bottom]
}

// opener returns the index in the stack of the last opener from bottom to top that d
// closes, or -1. Those before the offset floor are known not to fit.
func (e *EmphasisReader) opener(d *run, bottom, top int, floor int32) int {
	for o := top - 1; o >= bottom && e.runs[e.stack[o]].pos >= floor; o-- {
		if d.matches(&e.runs[e.stack[o]]) {
			return o
		}
	}
	return -1
}

// match makes emphasis of the delimiters that face each other, strong emphasis of two,
// and reports whether some of the opener are left.
func (e *EmphasisReader) match(o, d *run) bool {
	n := min(o.left, d.left, 2)
	o.left -= n
	d.left -= n
	d.pos += n
	at := int32(len(e.matches))
	e.matches = append(e.matches, Match{uint32(n), o.opens}, Match{uint32(n), 0})
	o.opens = at
	if d.closes == 0 {
		d.closes = at + 1
	} else {
		e.matches[d.lastClose].Next = at + 1
	}
	d.lastClose = at + 1
	return o.left > 0
}

// Settled returns what a run has become, in the order of the source: the first match that it
// closes, how many bytes are text, and the first match that it opens. 0 stands for no match.
func (e *EmphasisReader) Settled(number int32) (closes int32, left uint32, opens int32) {
	d := &e.runs[number]
	return d.closes, uint32(d.left), d.opens
}

// Match returns a match by its number.
func (e *EmphasisReader) Match(number int32) Match { return e.matches[number] }
