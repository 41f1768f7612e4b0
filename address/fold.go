package address

import (
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
)

// Folding makes texts equal that a reader would call the same. It is done to
// both sides, heading and query, so it need not be reversible. Most headings are
// plain ASCII, which is folded a byte at a time without being looked at twice.

// appendStripped appends the text folded but for case: attributes removed,
// as it is typed, each run of white space as one space, none at the ends.
func appendStripped(dst []byte, s string) []byte {
	s = cutAttributes(s)
	if !isASCII(s) {
		s = string(runes.AppendTyped(nil, s))
	}
	start := len(dst)
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		i += n
		if r == ' ' || '\t' <= r && r <= '\r' {
			if len(dst) > start && dst[len(dst)-1] != ' ' {
				dst = append(dst, ' ')
			}
			continue
		}
		dst = utf8.AppendRune(dst, r)
	}
	if len(dst) > start && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// cutAttributes returns a title without the attributes at its end: "{#id}",
// "{.class key=value}", "{: #id}".
func cutAttributes(s string) string {
	t := strings.TrimRight(s, " \t")
	if !strings.HasSuffix(t, "}") {
		return s
	}
	i := strings.LastIndexByte(t, '{')
	if i < 0 {
		return s
	}
	inner := strings.TrimLeft(t[i+1:len(t)-1], ": ")
	if inner == "" || inner[0] != '#' && inner[0] != '.' || strings.Contains(inner, "}") {
		return s
	}
	return t[:i]
}

// Attributes returns the attributes at the end of a title, "{#id}" and the like, or "".
// Renderers take them for the anchor of the heading and its classes; they are no part of
// its text.
func Attributes(title string) string {
	return strings.TrimRight(title[len(cutAttributes(title)):], " \t")
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// plainFold maps the bytes that stand for themselves wherever they are in a
// heading (CommonMark, section 6) to what runes.AppendFolded makes of them, all others
// to 0.
var plainFold = [256]byte{
	' ': ' ', '!': '!', '"': '"', '#': '#', '$': '$', '%': '%', '\'': '\'', '(': '(', ')': ')', '+': '+', ',': ',',
	'-': '-', '.': '.', '/': '/',
	'0': '0', '1': '1', '2': '2', '3': '3', '4': '4', '5': '5', '6': '6', '7': '7', '8': '8', '9': '9',
	':': ':', ';': ';', '=': '=', '>': '>', '?': '?', '@': '@',
	'A': 'A', 'B': 'B', 'C': 'C', 'D': 'D', 'E': 'E', 'F': 'F', 'G': 'G', 'H': 'H', 'I': 'I', 'J': 'J', 'K': 'K', 'L': 'L', 'M': 'M',
	'N': 'N', 'O': 'O', 'P': 'P', 'Q': 'Q', 'R': 'R', 'S': 'S', 'T': 'T', 'U': 'U', 'V': 'V', 'W': 'W', 'X': 'X', 'Y': 'Y', 'Z': 'Z',
	']': ']', '^': '^',
	'a': 'A', 'b': 'B', 'c': 'C', 'd': 'D', 'e': 'E', 'f': 'F', 'g': 'G', 'h': 'H', 'i': 'I', 'j': 'J', 'k': 'K', 'l': 'L', 'm': 'M',
	'n': 'N', 'o': 'O', 'p': 'P', 'q': 'Q', 'r': 'R', 's': 'S', 't': 'T', 'u': 'U', 'v': 'V', 'w': 'W', 'x': 'X', 'y': 'Y', 'z': 'Z',
	'{': '{', '|': '|',
}

// appendPlain appends the folded form of a heading's source if it is sure that
// the source is its own title; ok is false if it might not be. '}' is none of
// the bytes, for it may end attributes.
func appendPlain(dst, source []byte) (folded []byte, ok bool) {
	before := byte(0)
	for _, c := range source {
		f := plainFold[c]
		if f == 0 || f == ' ' && before == ' ' {
			return dst, false
		}
		dst = append(dst, f)
		before = f
	}
	return dst, true
}

// mayHold reports whether the folded title of a heading may hold the folded text,
// from the heading's source alone. Inline markup only cuts bytes, but for
// entities, so the text's bytes must be among the source's in their order.
func mayHold(source, folded []byte) bool {
	i := 0
	for _, c := range source {
		switch {
		case c == '&' || c == 0 || c >= utf8.RuneSelf:
			return true // the title may hold what is not in the source
		case 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		for i < len(folded) && folded[i] == ' ' { // may be another white space
			i++
		}
		if i < len(folded) && folded[i] == c {
			i++
		}
	}
	for i < len(folded) && folded[i] == ' ' {
		i++
	}
	return i == len(folded)
}
