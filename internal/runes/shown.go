package runes

import "unicode/utf8"

// Errors quote headings and addresses, which come from strangers and are printed
// to terminals and read by models. What could act on either without being seen
// is decided here.

// Shown returns s as it can be shown on one line, cut to about n bytes: white
// space that is no space as a space; U+FFFD for each control character,
// invisible character, character that sets the direction of text, and invalid
// byte.
func Shown(s string, n int) string {
	out := make([]byte, 0, min(len(s), n)+4)
	before := rune(0)
	for i, r := range s {
		hidden := Hides(before, r)
		before = r
		if len(out) >= n {
			return string(append(out, "…"...))
		}
		switch {
		case Breaks(r):
			r = ' '
		case hidden || r == utf8.RuneError && s[i] != "\uFFFD"[0]:
			r = utf8.RuneError
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

// Quoted returns s in quotes as an error shows it.
func Quoted(s string) string { return `"` + Shown(s, 100) + `"` }
