package markdown

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// Titles are the only inline content that this package reads, and only their
// text is wanted. So there is no tree: every byte of the source is kept unless
// some rule cuts it, and the rules do nothing but cut. One pass from left to
// right finds code, tags, escapes and entities, which take precedence; links are
// settled at their closing bracket and emphasis at the end of what holds it, as
// the specification's parsing strategy has it. No step looks twice at more than
// a constant multiple of the source, whatever the source is. Section numbers are
// those of CommonMark 0.31.2.

// references tells which normalized labels the document defines. A nil function
// stands for a document that defines none.
type references struct {
	link, footnote func(normalizedLabel string) bool
}

// plainText returns the text of inline content without its markup. The lines of
// src are joined by '\n' and have none of their containers' prefixes.
//
// Runs of spaces, tabs and newlines become one space, and none is left at the
// ends; those that come from code or from an entity such as &#32; are no
// exception, so a text is always one line. Any other white space, U+00A0 of
// &nbsp; above all, is text like a letter.
func plainText(src []byte, refs references) string {
	return string(new(inlineText).appendText(nil, src, refs))
}

// appendText appends the plain text of src to dst. It keeps its memory for the
// next call.
func (t *inlineText) appendText(dst, src []byte, refs references) []byte {
	return t.append(dst, src, refs, false)
}

// appendContent appends to dst the text that elements made of src have, as
// AppendTextContent says.
func (t *inlineText) appendContent(dst, src []byte, refs references) []byte {
	return t.append(dst, src, refs, true)
}

func (t *inlineText) append(dst, src []byte, refs references, exact bool) []byte {
	src = bytes.Trim(src, " \t\n")
	if isPlain(src) {
		return append(dst, src...)
	}
	*t = inlineText{
		src: src, refs: refs, exact: exact, fates: slices.Grow(t.fates[:0], len(src))[:len(src)],
		replacements: t.replacements[:0], delimiters: t.delimiters[:0], brackets: t.brackets[:0],
	}
	clear(t.fates)
	t.read()
	return t.appendKept(dst)
}

// What a byte may begin, by value. Constant indexes make it data of the binary:
// nothing is computed at start.
const (
	notPlain = 1 << iota // the text may differ from the source
	markup               // inlineText.construct looks at it
)

var inlineBytes = [256]uint8{
	0: notPlain, '\t': notPlain, '\n': notPlain,
	'\\': notPlain | markup, '&': notPlain | markup, '`': notPlain | markup, '<': notPlain | markup,
	'*': notPlain | markup, '_': notPlain | markup, '~': notPlain | markup, '[': notPlain | markup,
	// These mean something only together with one of the above.
	']': markup, '!': markup, ':': markup, 'w': markup,
}

// isPlain reports whether src, which neither begins nor ends with a space, is
// its own text.
func isPlain(src []byte) bool {
	for i, c := range src {
		if inlineBytes[c]&notPlain != 0 || c == ' ' && src[i+1] == ' ' {
			return false
		}
	}
	return true
}

// fate says what becomes of a byte of the source.
type fate uint8

const (
	keep    fate = iota
	cut          // markup
	replace      // cut, and the next of the replacements stands here
	pass         // cut, and the next of the replacements with it
)

// inlineText is the state of reading one inline content.
type inlineText struct {
	src          []byte
	refs         references
	exact        bool     // white space is not collapsed, and an image is no text
	fates        []fate   // of every byte of src
	replacements []string // of the bytes to replace, in their order

	delimiters []delimiter // runs that may still open or close emphasis
	brackets   []bracket   // opening brackets that are not closed yet
	deadLinks  int         // brackets below this index open no link, for one stands in them

	// What is known about the rest of the source, so that no search for the
	// end of something fails twice.
	lastTicks map[int]int // start of the last run of so many backticks
	unclosed  [htmlForms]bool
	badHost   int // no domain begins before this offset

	closing      int // see lastClosing
	closingKnown bool
}

// read decides the fate of every byte.
func (t *inlineText) read() {
	for i := 0; i < len(t.src); {
		if inlineBytes[t.src[i]]&markup == 0 {
			i++
			continue
		}
		i = t.construct(i)
	}
	t.emphasis(0)
}

// construct reads what begins at i and returns the offset after it.
func (t *inlineText) construct(i int) int {
	switch t.src[i] {
	case '\\':
		return t.escape(i)
	case '&':
		return t.entity(i)
	case '`':
		return t.codeSpan(i)
	case '<':
		return t.angle(i)
	case '*', '_', '~':
		return t.delimiterRun(i)
	case '!':
		if i+1 < len(t.src) && t.src[i+1] == '[' {
			return t.openBracket(i, i+1)
		}
	case '[':
		return t.openBracket(i, i)
	case ']':
		return t.closeBracket(i)
	case ':', 'w':
		return t.bareURL(i)
	}
	return i + 1
}

// cut marks the bytes from start to end as markup.
func (t *inlineText) cut(start, end int) {
	for i := start; i < end; i++ {
		t.fates[i] = cut
	}
}

// take marks the bytes from start to end as markup, with what stands in their places.
func (t *inlineText) take(start, end int) {
	for i := start; i < end; i++ {
		if t.fates[i] == replace || t.fates[i] == pass {
			t.fates[i] = pass
		} else {
			t.fates[i] = cut
		}
	}
}

// replace puts text in the place of the bytes from start to end. It must be
// called in the order of the source.
func (t *inlineText) replace(start, end int, text string) {
	t.cut(start, end)
	t.fates[start] = replace
	t.replacements = append(roomFor(t.replacements, end, len(t.src)), text)
}

// codeSpan reads the backticks at i and the code that they begin (6.1).
func (t *inlineText) codeSpan(i int) int {
	start := i + countByte(t.src[i:], '`')
	n := start - i
	end := t.closingTicks(start, n)
	if end < 0 {
		return start
	}
	t.cut(i, start)
	t.cut(end, end+n)
	code := t.src[start:end]
	first, last := code[0], code[len(code)-1]
	if (first == ' ' || first == '\n') && (last == ' ' || last == '\n') && len(bytes.Trim(code, " \n")) > 0 {
		t.cut(start, start+1)
		t.cut(end-1, end)
	}
	if t.exact {
		for i, c := range code {
			if c == '\n' && t.fates[start+i] == keep {
				t.replace(start+i, start+i+1, " ")
			}
		}
	}
	return end + n
}

// closingTicks returns the start of the next run of exactly n backticks, or -1.
func (t *inlineText) closingTicks(start, n int) int {
	if t.lastTicks != nil && t.lastTicks[n] < start {
		return -1
	}
	for i := start; ; {
		next := bytes.IndexByte(t.src[i:], '`')
		if next < 0 {
			break
		}
		i += next
		run := countByte(t.src[i:], '`')
		if run == n {
			return i
		}
		i += run
	}
	// The first search that fails pays for all that would.
	t.lastTicks = make(map[int]int)
	for i := start; i < len(t.src); i++ {
		run := countByte(t.src[i:], '`')
		if run > 0 {
			t.lastTicks[run] = i
			i += run
		}
	}
	return -1
}

// countByte returns how many times c stands at the start of s.
func countByte(s []byte, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// appendKept appends the text that is left to dst.
func (t *inlineText) appendKept(dst []byte) []byte {
	w := titleWriter{out: slices.Grow(dst, len(t.src)), start: len(dst), exact: t.exact}
	next := 0
	for i, c := range t.src {
		switch t.fates[i] {
		case keep:
			if c > ' ' && !w.space {
				w.out = append(w.out, c)
				continue
			}
			w.writeByte(c)
		case replace:
			for j := range len(t.replacements[next]) {
				w.writeByte(t.replacements[next][j])
			}
			next++
		case pass:
			next++
		}
	}
	return w.out
}

// titleWriter writes text and collapses its white space.
type titleWriter struct {
	out   []byte
	start int  // where the text begins in out
	exact bool // white space is written as it is
	space bool // white space stands between what is written and what comes
}

func (w *titleWriter) writeByte(c byte) {
	if !w.exact && (c == ' ' || c == '\t' || c == '\n') {
		w.space = len(w.out) > w.start
		return
	}
	if w.space {
		w.out = append(w.out, ' ')
		w.space = false
	}
	if c == 0 { // 2.3
		w.out = utf8.AppendRune(w.out, utf8.RuneError)
		return
	}
	w.out = append(w.out, c)
}
