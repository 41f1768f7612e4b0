package config

import (
	"cmp"
	"sort"
	"strings"
	"unicode/utf8"
)

// bom is the byte order mark, which is kept and doesn't count.
const bom = "\uFEFF"

// text is a file's bytes by its lines.
type text struct {
	source string
	lines  []span // without their line endings and the byte order mark
	ending string // of the first line that has one; LF if none has
	// What was asked for last is known, for lines may be long.
	known  struct{ line, column, offset int }
	pieced struct {
		line int
		list []piece
	}
}

// span is a range of bytes of the source.
type span struct{ start, end int }

// newText returns the text of a file.
func newText(source string) *text {
	t := &text{source: source}
	for at := len(source) - len(strings.TrimPrefix(source, bom)); at < len(source); {
		l := span{at, len(source)}
		if n := strings.IndexAny(source[at:], "\r\n"); n >= 0 {
			l.end = at + n
		}
		at = l.end + endingLength(source[l.end:])
		if t.ending == "" {
			t.ending = source[l.end:at]
		}
		t.lines = append(t.lines, l)
	}
	t.ending = cmp.Or(t.ending, "\n")
	return t
}

// endingLength returns the length of the line ending that a text begins with.
func endingLength(s string) int {
	switch {
	case strings.HasPrefix(s, "\r\n"):
		return 2
	case s != "" && (s[0] == '\n' || s[0] == '\r'):
		return 1
	}
	return 0
}

// lineAt returns the index of the line that holds an offset of the source; of the
// end of a file that ends with a line ending, it is the last line.
func (t *text) lineAt(offset int) int {
	i := sort.Search(len(t.lines), func(i int) bool { return t.lines[i].start > offset }) - 1
	return max(i, 0)
}

// next returns where the line after a line starts, or would.
func (t *text) next(i int) int {
	if i+1 < len(t.lines) {
		return t.lines[i+1].start
	}
	end := t.lines[i].end
	return end + endingLength(t.source[end:])
}

// open reports whether a line, the last one, has no line ending.
func (t *text) open(i int) bool { return t.next(i) == t.lines[i].end }

// content returns a line without its line ending.
func (t *text) content(i int) string { return t.source[t.lines[i].start:t.lines[i].end] }

// indent returns the number of blanks that a line begins with.
func (t *text) indent(i int) int {
	s := t.content(i)
	return len(s) - len(strings.TrimLeft(s, " \t"))
}

// isBlank reports whether a line has nothing but blanks.
func (t *text) isBlank(i int) bool { return strings.Trim(t.content(i), " \t") == "" }

// isComment reports whether a line has a comment and nothing else.
func (t *text) isComment(i int) bool {
	return strings.HasPrefix(strings.TrimLeft(t.content(i), " \t"), "#")
}

// column returns how far from the start of its line an offset is, in bytes.
func (t *text) column(offset int) int {
	if len(t.lines) == 0 {
		return 0
	}
	return offset - t.lines[t.lineAt(offset)].start
}

// begins reports whether nothing but blanks stands before an offset in its line.
func (t *text) begins(offset int) bool {
	start := t.lines[t.lineAt(offset)].start
	return strings.Trim(t.source[start:offset], " \t") == ""
}

// position returns the line and the column, in characters, of an offset.
func (t *text) position(offset int) (line, column int) {
	if len(t.lines) == 0 {
		return 1, 1
	}
	i := t.lineAt(offset)
	start := t.lines[i].start
	return i + 1, utf8.RuneCountInString(t.source[start:max(start, offset)]) + 1
}

// offsetOf returns where a place is that the library names by a line and a column, in
// characters, both from 1; the end if there is no such line.
func (t *text) offsetOf(line, column int) int {
	if line < 1 || line > len(t.lines) {
		return len(t.source)
	}
	k := &t.known
	if line != k.line || column < k.column {
		k.line, k.column, k.offset = line, 1, t.lines[line-1].start
	}
	for ; k.column < column && k.offset < len(t.source); k.column++ {
		_, size := utf8.DecodeRuneInString(t.source[k.offset:])
		k.offset += size
	}
	return k.offset
}
