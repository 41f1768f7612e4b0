package syntax

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

// Entity returns the end of the entity whose '&' is at i (2.5) and what it stands for,
// or 0 if there is none.
func Entity(src []byte, i int) (end int, text string) {
	rest := src[i+1:]
	read := namedEntity
	if len(rest) > 0 && rest[0] == '#' {
		read = numericEntity
	}
	n, text := read(rest)
	if n == 0 {
		return 0, ""
	}
	return i + 1 + n, text
}

// AppendUnescaped appends s with its backslash escapes (2.4) and entities resolved. The
// text of an attribute in HTML has no escapes.
func AppendUnescaped(dst, s []byte, isHTML bool) []byte {
	from := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && !isHTML && i+1 < len(s) && IsPunctuation(s[i+1]):
			dst = append(dst, s[from:i]...)
			i++
			from = i
		case s[i] == '&':
			if end, text := Entity(s, i); end > 0 {
				dst = append(append(dst, s[from:i]...), text...)
				from, i = end, end-1
			}
		case s[i] == 0: // 2.3
			dst = utf8.AppendRune(append(dst, s[from:i]...), utf8.RuneError)
			from = i + 1
		}
	}
	return append(dst, s[from:]...)
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
	case IsDigit(c):
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
	for n < len(s) && n <= maxEntityName && (IsLetter(s[n]) || IsDigit(s[n])) {
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
