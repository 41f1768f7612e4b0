package yamltree

import (
	"cmp"
	"sort"
	"strings"
	"unicode/utf8"
)

// BOM is the byte order mark, which is kept and doesn't count.
const BOM = "\uFEFF"

// Text is a file's bytes by its lines.
type Text struct {
	Source string
	isKey  func(name string) bool // whether a key is meant by a name that has no blank after its colon
	Lines  []Span                 // without their line endings and the byte order mark
	ending string                 // of the first line that has one; LF if none has
	// What was asked for last is known, for lines may be long.
	known  struct{ line, column, offset int }
	pieced struct {
		line int
		list []piece
	}
}

// Span is a range of bytes of the source.
type Span struct{ Start, End int }

// New returns the text of a file. A key of the file may lack the blank after its colon
// by mistake: isKey tells which names are those of keys.
func New(source string, isKey func(name string) bool) *Text {
	t := &Text{Source: source, isKey: isKey}
	for at := len(source) - len(strings.TrimPrefix(source, BOM)); at < len(source); {
		l := Span{at, len(source)}
		if n := strings.IndexAny(source[at:], "\r\n"); n >= 0 {
			l.End = at + n
		}
		at = l.End + endingLength(source[l.End:])
		if t.ending == "" {
			t.ending = source[l.End:at]
		}
		t.Lines = append(t.Lines, l)
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
func (t *Text) lineAt(offset int) int {
	i := sort.Search(len(t.Lines), func(i int) bool { return t.Lines[i].Start > offset }) - 1
	return max(i, 0)
}

// next returns where the line after a line starts, or would.
func (t *Text) next(i int) int {
	if i+1 < len(t.Lines) {
		return t.Lines[i+1].Start
	}
	end := t.Lines[i].End
	return end + endingLength(t.Source[end:])
}

// open reports whether a line, the last one, has no line ending.
func (t *Text) open(i int) bool { return t.next(i) == t.Lines[i].End }

// content returns a line without its line ending.
func (t *Text) content(i int) string { return t.Source[t.Lines[i].Start:t.Lines[i].End] }

// indent returns the number of blanks that a line begins with.
func (t *Text) indent(i int) int {
	s := t.content(i)
	return len(s) - len(strings.TrimLeft(s, " \t"))
}

// isBlank reports whether a line has nothing but blanks.
func (t *Text) isBlank(i int) bool { return strings.Trim(t.content(i), " \t") == "" }

// isComment reports whether a line has a comment and nothing else.
func (t *Text) isComment(i int) bool {
	return strings.HasPrefix(strings.TrimLeft(t.content(i), " \t"), "#")
}

// column returns how far from the start of its line an offset is, in bytes.
func (t *Text) column(offset int) int {
	if len(t.Lines) == 0 {
		return 0
	}
	return offset - t.Lines[t.lineAt(offset)].Start
}

// begins reports whether nothing but blanks stands before an offset in its line.
func (t *Text) begins(offset int) bool {
	start := t.Lines[t.lineAt(offset)].Start
	return strings.Trim(t.Source[start:offset], " \t") == ""
}

// Position returns the line and the column, in characters, of an offset.
func (t *Text) Position(offset int) (line, column int) {
	if len(t.Lines) == 0 {
		return 1, 1
	}
	i := t.lineAt(offset)
	start := t.Lines[i].Start
	return i + 1, utf8.RuneCountInString(t.Source[start:max(start, offset)]) + 1
}

// offsetOf returns where a place is that the library names by a line and a column, in
// characters, both from 1; the end if there is no such line.
func (t *Text) offsetOf(line, column int) int {
	if line < 1 || line > len(t.Lines) {
		return len(t.Source)
	}
	k := &t.known
	if line != k.line || column < k.column {
		k.line, k.column, k.offset = line, 1, t.Lines[line-1].Start
	}
	for ; k.column < column && k.offset < len(t.Source); k.column++ {
		_, size := utf8.DecodeRuneInString(t.Source[k.offset:])
		k.offset += size
	}
	return k.offset
}
