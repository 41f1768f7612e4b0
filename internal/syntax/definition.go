package syntax

// Link reference definitions (4.7), in the lines of a paragraph.

// Range is a range of bytes of a source, from Start up to End.
type Range struct{ Start, End uint32 }

// Definition is a link definition, by ranges of the source.
type Definition struct {
	// Label, Destination and Title are without their marks. Title is empty for none.
	Label, Destination, Title Range
	// Lines is the number of lines that the definition takes.
	Lines int
}

// ReadDefinition reads the definition at the beginning of a paragraph, whose lines are
// ranges of src without their endings, at least one. The first byte is '['. Without ok it
// is none.
func ReadDefinition(src []byte, lines []Range) (d Definition, ok bool) {
	r := definitionReader{src: src, lines: lines, line: src[lines[0].Start:lines[0].End]}
	label, ok := r.definition()
	return Definition{label, r.target, r.titled, r.n}, ok
}

// endOfText is what definitionReader.peek returns after the last line.
const endOfText = -1

// definitionReader reads the lines of a paragraph as one text, in which '\n'
// stands between lines whatever their ending is.
type definitionReader struct {
	src   []byte
	lines []Range
	n     int    // the line in hand
	line  []byte // its text
	pos   int    // offset into it

	target, titled Range // the destination and title that were read, without their marks
}

// peek returns the byte in hand, '\n' at the end of a line, or endOfText.
func (r *definitionReader) peek() int {
	switch {
	case r.pos < len(r.line):
		return int(r.line[r.pos])
	case r.n < len(r.lines):
		return '\n'
	}
	return endOfText
}

// next moves by one byte.
func (r *definitionReader) next() {
	if r.pos < len(r.line) {
		r.pos++
		return
	}
	r.n++
	r.line, r.pos = nil, 0
	if r.n < len(r.lines) {
		r.line = r.src[r.lines[r.n].Start:r.lines[r.n].End]
	}
}

// plain moves past letters, digits and the like, which mean nothing in a label
// or destination, and returns how many there were: an address is read at once.
func (r *definitionReader) plain() int {
	start := r.pos
	for r.pos < len(r.line) && plainInDefinition[r.line[r.pos]] {
		r.pos++
	}
	return r.pos - start
}

// plainInDefinition holds the bytes that neither end nor nest anything.
var plainInDefinition = func() (plain [256]bool) {
	for c := 'a'; c <= 'z'; c++ {
		plain[c], plain[c-'a'+'A'] = true, true
	}
	for _, c := range "0123456789-_./:#%?=&,+~@!*$" {
		plain[c] = true
	}
	return plain
}()

// offset returns the offset of the byte in hand in the source.
func (r *definitionReader) offset() uint32 {
	if r.n == len(r.lines) {
		return r.lines[r.n-1].End
	}
	return r.lines[r.n].Start + uint32(r.pos)
}

// endOffset returns the offset in the source after the byte before the one in hand.
func (r *definitionReader) endOffset() uint32 {
	if r.pos == 0 {
		return r.lines[r.n-1].End
	}
	return r.lines[r.n].Start + uint32(r.pos)
}

// accept moves past c if it is in hand.
func (r *definitionReader) accept(c int) bool {
	if r.peek() != c {
		return false
	}
	r.next()
	return true
}

// blanks moves past spaces and tabs and reports whether there were any.
func (r *definitionReader) blanks() bool {
	found := false
	for c := r.peek(); c == ' ' || c == '\t'; c = r.peek() {
		r.next()
		found = true
	}
	return found
}

// blanksAndEnding moves past spaces, tabs and at most one line ending, and
// reports whether there were any.
func (r *definitionReader) blanksAndEnding() bool {
	found := r.blanks()
	if r.accept('\n') {
		r.blanks()
		return true
	}
	return found
}

// definition reads a definition up to the start of the line after it, and
// returns the range of its label.
func (r *definitionReader) definition() (label Range, ok bool) {
	label, ok = r.label()
	if !ok || !r.accept(':') {
		return label, false
	}
	r.blanksAndEnding()
	r.target.Start = r.offset()
	if !r.destination() {
		return label, false
	}
	r.target.End = r.endOffset()
	if r.src[r.target.Start] == '<' {
		r.target.Start++
		r.target.End--
	}
	// A title that turns out to be none is text, which must be on lines of its
	// own.
	behind := *r
	if r.blanksAndEnding() && r.title() && r.endLine() {
		return label, true
	}
	*r = behind
	return label, r.endLine()
}

// endLine moves past the rest of the line if that is blank.
func (r *definitionReader) endLine() bool {
	r.blanks()
	if r.peek() == endOfText {
		return true
	}
	return r.accept('\n')
}

// label reads "[label]" and returns the range between the brackets.
func (r *definitionReader) label() (label Range, ok bool) {
	r.next()
	label.Start = r.offset()
	blank := true
	for n := 0; n <= MaxLabel; n++ {
		if plain := r.plain(); plain > 0 {
			n += plain
			blank = false
			if n > MaxLabel {
				return label, false
			}
		}
		c := r.peek()
		switch c {
		case endOfText, '[':
			return label, false
		case ']':
			label.End = r.offset()
			r.next()
			return label, !blank
		case ' ', '\t', '\n':
		case '\\':
			blank = false
			r.next()
			if c = r.peek(); c != '[' && c != ']' && c != '\\' {
				continue
			}
			n++
		default:
			blank = false
			if c&0xC0 == 0x80 { // a character is counted at its first byte
				n--
			}
		}
		r.next()
	}
	return label, false
}

// destination reads a link destination.
func (r *definitionReader) destination() bool {
	if r.accept('<') {
		return r.bracketed()
	}
	depth, found := 0, false
	for {
		found = r.plain() > 0 || found
		switch c := r.peek(); {
		case c == ' ' || c == '\t' || c == '\n' || c == endOfText || c == ')' && depth == 0:
			return found && depth == 0
		case c > 0 && c < ' ' || c == 0x7f: // NUL stands for U+FFFD, which is no control character
			return false
		case c == '\\':
			r.next()
			found = true
			if !r.isPunctuation() {
				continue
			}
		case c == '(':
			if depth++; depth > MaxParens {
				return false
			}
		case c == ')':
			depth--
		}
		found = true
		r.next()
	}
}

// bracketed reads the rest of a destination that began with '<'.
func (r *definitionReader) bracketed() bool {
	for {
		switch c := r.peek(); c {
		case endOfText, '\n', '<':
			return false
		case '>':
			r.next()
			return true
		case '\\':
			r.next()
			if !r.isPunctuation() {
				continue
			}
		}
		r.next()
	}
}

// title reads a link title, which may run over lines. None is blank, for the
// lines are a paragraph's.
func (r *definitionReader) title() bool {
	closing := r.peek()
	switch closing {
	case '(':
		closing = ')'
	case '"', '\'':
	default:
		return false
	}
	r.next()
	r.titled.Start = r.offset()
	for {
		switch c := r.peek(); c {
		case closing:
			r.titled.End = r.offset()
			r.next()
			return true
		case endOfText:
			return false
		case '(':
			if closing == ')' {
				return false
			}
		case '\\':
			r.next()
			if !r.isPunctuation() {
				continue
			}
		}
		r.next()
	}
}

// isPunctuation reports whether the byte in hand is ASCII punctuation.
func (r *definitionReader) isPunctuation() bool {
	c := r.peek()
	return c >= 0 && IsPunctuation(byte(c))
}
