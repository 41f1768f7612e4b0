package markdown

import (
	"html"
	"strings"
	"unicode/utf8"
)

// The standard library has the table of HTML's names, but its reader is a
// browser's: it accepts names without a semicolon and takes numbers from 128 to
// 159 for Windows-1252. So it is only asked for a name that stands exactly as
// Markdown wants it, and only then: its table is built when it is first needed,
// which takes longer than reading a document's titles.

// escape reads the backslash at i (2.4).
func (t *inlineText) escape(i int) int {
	if i+1 == len(t.src) {
		return i + 1
	}
	next := t.src[i+1]
	switch {
	case isPunctuation(int(next)):
		t.cut(i, i+1)
		return i + 2
	case next == '\n': // a hard line break (6.7)
		t.cut(i, i+1)
	}
	return i + 1
}

// entity reads the '&' at i (2.5).
func (t *inlineText) entity(i int) int {
	rest := t.src[i+1:]
	read := namedEntity
	if len(rest) > 0 && rest[0] == '#' {
		read = numericEntity
	}
	n, text := read(rest)
	if n == 0 {
		return i + 1
	}
	end := i + 1 + n
	t.replace(i, end, text)
	return end
}

// numericEntity returns the length of "#123;" or "#x7b;" at the start of s, and
// what it stands for.
func numericEntity(s []byte) (n int, text string) {
	n, base, digits := 1, rune(10), 7
	if n < len(s) && s[n]|0x20 == 'x' {
		n, base, digits = 2, 16, 6
	}
	var r rune
	start := n
	for ; n < len(s) && n-start < digits; n++ {
		d := digitValue(s[n])
		if d >= base {
			break
		}
		r = r*base + d
	}
	if n == start || n == len(s) || s[n] != ';' {
		return 0, ""
	}
	if r == 0 || !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	return n + 1, string(r)
}

// digitValue returns the value of a hexadecimal digit, or 16.
func digitValue(c byte) rune {
	switch {
	case isDigit(c):
		return rune(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return 16
}

// maxEntityName is the length of the longest name,
// CounterClockwiseContourIntegral.
const maxEntityName = 31

// namedEntity returns the length of "name;" at the start of s, and what it
// stands for.
func namedEntity(s []byte) (n int, text string) {
	for n < len(s) && n <= maxEntityName && (isLetter(s[n]) || isDigit(s[n])) {
		n++
	}
	if n == 0 || n == len(s) || s[n] != ';' {
		return 0, ""
	}
	text = entityText(string(s[:n]))
	if text == "" {
		return 0, ""
	}
	return n + 1, text
}

// entityText returns what the entity of that name stands for, or "".
func entityText(name string) string {
	switch name { // the ones that titles have, without the table
	case "amp":
		return "&"
	case "lt":
		return "<"
	case "gt":
		return ">"
	case "quot":
		return `"`
	case "nbsp":
		return "\u00A0"
	case "semi": // the only one whose text ends with what tells the others apart
		return ";"
	case "nGt": // this and the next are longer than their names, and the table lacks them
		return "\u226B\u20D2"
	case "nLt":
		return "\u226A\u20D2"
	}
	text := html.UnescapeString("&" + name + ";")
	if strings.HasSuffix(text, ";") { // unknown, or only the start of it is known
		return ""
	}
	return text
}
