package plan

import (
	"strings"
	"unicode"
)

// unixLines returns s with "\n" for every line ending.
func unixLines(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
}

// withoutBlankEnd returns s without the blank lines at its end and without the
// newline before them.
func withoutBlankEnd(s string) string {
	end := len(strings.TrimRightFunc(s, unicode.IsSpace))
	if i := strings.IndexByte(s[end:], '\n'); i >= 0 {
		return s[:end+i]
	}
	return s
}

// withoutBlankLines returns s without blank lines around it.
func withoutBlankLines(s string) string {
	if blank(s) {
		return ""
	}
	start := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
	return withoutBlankEnd(s[strings.LastIndexByte(s[:start], '\n')+1:])
}

// clip shortens s for a message, to n bytes or a little less.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 { // within a code point
		n--
	}
	return s[:n] + "…"
}
