package runes

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Folding makes texts equal that a reader would call the same. It is done to
// both sides, heading and query, so it need not be reversible. Most headings are
// plain ASCII, which is folded a byte at a time without being looked at twice.

// AppendStripped appends the text folded but for case: attributes removed,
// as it is typed, each run of white space as one space, none at the ends.
func AppendStripped(dst []byte, s string) []byte {
	s = CutAttributes(s)
	if !isASCII(s) {
		s = string(AppendTyped(make([]byte, 0, len(s)), s))
	}
	dst = slices.Grow(dst, len(s))
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

// CutAttributes returns a title without the attributes at its end: "{#id}",
// "{.class key=value}", "{: #id}".
func CutAttributes(s string) string {
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

// PlainFold maps the bytes that stand for themselves wherever they are in a
// heading (CommonMark, section 6) to what AppendFolded makes of them, all others
// to 0.
var PlainFold = [256]byte{
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

// AppendPlain appends the folded form of a heading's source if it is sure that
// the source is its own title; ok is false if it might not be. '}' is none of
// the bytes, for it may end attributes.
func AppendPlain(dst, source []byte) (folded []byte, ok bool) {
	before := byte(0)
	for _, c := range source {
		f := PlainFold[c]
		if f == 0 || f == ' ' && before == ' ' {
			return dst, false
		}
		dst = append(dst, f)
		before = f
	}
	return dst, true
}

// MayHold reports whether the folded title of a heading may hold the folded text,
// from the heading's source alone. Inline markup only cuts bytes, but for
// entities, so the text's bytes must be among the source's in their order.
func MayHold(source, folded []byte) bool {
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
