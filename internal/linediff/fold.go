package linediff

import (
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
)

// folding is a set of differences between texts that are taken away, each on its
// own: with all but one of them, texts that differ in that one are not equal. Line
// endings are LF before.
type folding uint8

// The foldings, by their bit.
const (
	foldedSpace   = iota // each run of blanks, of any kind, and line endings is a space
	foldedQuotes         // other typographic characters are those of ASCII
	foldedCase           // letters are lower case
	foldedUnseen         // characters that show nothing are not there
	foldedEscapes        // nor is a backslash before punctuation
	foldings
)

const everything folding = 1<<foldings - 1

// foldingNames says what differs.
var foldingNames = [foldings]string{"white space", "quotes or dashes", "case", "characters that can't be seen", "escapes"}

// each returns for each folding whether it is in the set.
func (f folding) each() []bool {
	list := make([]bool, foldings)
	for i := range list {
		list[i] = f.has(i)
	}
	return list
}

// has reports whether the folding is in the set.
func (f folding) has(i int) bool { return f&(1<<i) != 0 }

// class is what a byte is to a folding.
type class uint8

const (
	ordinary class = iota
	blank
	capital
	backslash
	beyond // it is no ASCII
)

// classes are those of all bytes.
var classes = func() (table [256]class) {
	for c := range table {
		switch {
		case c == ' ' || '\t' <= c && c <= '\r':
			table[c] = blank
		case 'A' <= c && c <= 'Z':
			table[c] = capital
		case c == '\\':
			table[c] = backslash
		case c >= utf8.RuneSelf:
			table[c] = beyond
		}
	}
	return table
}()

// fold returns the text folded.
func (f folding) fold(src []byte) []byte { return f.read(src).text }

// foldedText is a text folded, and where it is from.
type foldedText struct {
	text    []byte
	src     []byte
	folding folding
	marks   []foldMark
}

// foldMark is an offset in a folded text and the one that it is from.
type foldMark struct{ folded, src int }

// markEvery is the number of bytes between marks.
const markEvery = 1 << 12

// read folds a text.
func (f folding) read(src []byte) *foldedText {
	table := f.table()
	dst := make([]byte, 0, len(src)+len(src)/64)
	marks := []foldMark{{}}
	last, mark := byte(0), markEvery
	for i := 0; i < len(src); {
		if c := table[src[i]]; c != 0 && (c != ' ' || last != ' ') {
			dst, last = append(dst, c), c
			i++
			continue
		}
		if i >= mark {
			marks = append(marks, foldMark{len(dst), i})
			mark = i + markEvery
		}
		if dst, i = f.next(dst, src, i); len(dst) > 0 {
			last = dst[len(dst)-1]
		}
	}
	return &foldedText{text: dst, src: src, folding: f, marks: marks}
}

// table returns what bytes are folded to that are always folded to the same one,
// and 0 for all others. A space is one of the others after a space.
func (f folding) table() (table [256]byte) {
	for c := range utf8.RuneSelf {
		switch class := classes[c]; {
		case class == blank && f.has(foldedSpace):
			table[c] = ' '
		case class == capital && f.has(foldedCase):
			table[c] = byte(c) + 'a' - 'A'
		case class != backslash:
			table[c] = byte(c)
		}
	}
	return table
}

// from returns where in the source a span of the folded text is from.
func (t *foldedText) from(s Span) Span {
	start, _ := t.character(s.Start)
	_, end := t.character(s.End - 1)
	return Span{Start: start, End: end}
}

// character returns the range in the source of the character that the byte at i of
// the folded text is from.
func (t *foldedText) character(i int) (start, end int) {
	n := sort.Search(len(t.marks), func(n int) bool { return t.marks[n].folded > i })
	mark := t.marks[n-1]
	// What is folded from the mark on depends on the byte before at most.
	before := t.text[max(0, mark.folded-1):mark.folded]
	dst := append([]byte(nil), before...)
	for end = mark.src; len(dst)-len(before) <= i-mark.folded; {
		start = end
		dst, end = t.folding.next(dst, t.src, start)
	}
	return start, end
}

// next appends what the character at i is folded to, and returns the offset after
// it.
func (f folding) next(dst, src []byte, i int) (folded []byte, after int) {
	c := src[i]
	switch classes[c] {
	case blank:
		return f.appendRune(dst, rune(c)), i + 1
	case capital:
		if f.has(foldedCase) {
			c += 'a' - 'A'
		}
	case backslash:
		if f.has(foldedEscapes) && i+1 < len(src) && isPunctuation(src[i+1]) {
			return append(dst, src[i+1]), i + 2
		}
	case beyond:
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError {
			return append(dst, src[i:i+size]...), i + size
		}
		return f.appendRune(dst, r), i + size
	}
	return append(dst, c), i + 1
}

// appendRune appends what a white space or a character beyond ASCII is folded to.
func (f folding) appendRune(dst []byte, r rune) []byte {
	if f.has(foldedUnseen) && r >= utf8.RuneSelf && (unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)) {
		return dst
	}
	if r == '…' && f.has(foldedQuotes) { // typed as three characters, so that it has none in package runes
		return append(dst, "..."...)
	}
	switch typed := runes.Typed(r); {
	case typed == ' ' && f.has(foldedSpace), typed != ' ' && f.has(foldedQuotes):
		r = typed
	}
	if r < utf8.RuneSelf && classes[r] == blank && f.has(foldedSpace) {
		if len(dst) > 0 && dst[len(dst)-1] == ' ' {
			return dst
		}
		r = ' '
	}
	if f.has(foldedCase) && r >= utf8.RuneSelf {
		r = unicode.ToLower(unicode.ToUpper(r))
	}
	return utf8.AppendRune(dst, r)
}

// isPunctuation reports whether a backslash before c escapes it in Markdown, as it
// does in strings of programs where it does.
func isPunctuation(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}
