package outline

import (
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
)

// Headings and file names come from strangers, and outlines are printed to
// terminals and read by models. What could act on either without being seen is
// decided here for every rendering.

// AppendSafe appends s so that it can be printed on one line: tabs and line
// endings as a space, and U+FFFD for each control character, character that
// sets the direction of text, invisible character, tag and invalid byte. The
// zero width joiners and variation selectors that emoji, Persian and the scripts
// of India are written with stay where they are needed, one after a character.
func AppendSafe(dst []byte, s string) []byte {
	start, before := 0, rune(0)
	for i := 0; i < len(s); {
		if c := s[i]; ' ' <= c && c < 0x7F {
			before = rune(c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		invalid := r == utf8.RuneError && n == 1
		hidden := runes.Hides(before, r)
		before = r
		if !invalid && !hidden {
			i += n
			continue
		}
		dst = append(dst, s[start:i]...)
		i += n
		start = i
		switch {
		case !runes.Breaks(r):
			dst = utf8.AppendRune(dst, utf8.RuneError)
		case len(dst) == 0 || dst[len(dst)-1] != ' ':
			dst = append(dst, ' ')
		}
	}
	return append(dst, s[start:]...)
}

// quotable returns s as an error may quote it: safe, and cut when it is long.
func quotable(s string) string { return clip(s, 100) }

// clip returns s made safe and cut to some n bytes.
func clip(s string, n int) string {
	safe := AppendSafe(nil, s[:min(len(s), 4*n)])
	if len(safe) <= n {
		return string(safe)
	}
	for n > 0 && !utf8.RuneStart(safe[n]) {
		n--
	}
	return string(safe[:n]) + "…"
}
