package outline

import "unicode/utf8"

// Headings and file names come from strangers, and outlines are printed to
// terminals and read by models. What could act on either without being seen is
// decided here for every rendering.

// AppendSafe appends s so that it can be printed on one line: tabs and line
// endings as a space, and U+FFFD for each control character, character that
// sets the direction of text, invisible character, tag and invalid byte. The
// zero width joiners and variation selectors that emoji, Persian and the scripts
// of India are written with stay.
func AppendSafe(dst []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		if c := s[i]; ' ' <= c && c < 0x7F {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		invalid := r == utf8.RuneError && n == 1
		if !invalid && !acts(r) {
			i += n
			continue
		}
		dst = append(dst, s[start:i]...)
		i += n
		start = i
		switch {
		case !spaces(r):
			dst = utf8.AppendRune(dst, utf8.RuneError)
		case len(dst) == 0 || dst[len(dst)-1] != ' ':
			dst = append(dst, ' ')
		}
	}
	return append(dst, s[start:]...)
}

// spaces reports whether r, which acts, separates words.
func spaces(r rune) bool {
	return '\t' <= r && r <= '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// acts reports whether r does something other than to show itself: a control
// character, a format character or a separator of lines.
func acts(r rune) bool {
	switch {
	case r < 0xA0:
		return r < ' ' || r >= 0x7F
	case r == 0xAD, // soft hyphen
		r == 0x034F,                // grapheme joiner
		r == 0x061C,                // Arabic letter mark
		r == 0x115F || r == 0x1160, // Hangul fillers
		r == 0x17B4 || r == 0x17B5, // Khmer inherent vowels
		r == 0x180E,                // Mongolian vowel separator
		r == 0x200B,                // zero width space
		r == 0x200E || r == 0x200F, // direction marks
		0x2028 <= r && r <= 0x202E, // line and paragraph separators, embeddings and overrides
		0x2060 <= r && r <= 0x206F, // word joiner, invisible operators, isolates
		r == 0x3164,                // Hangul filler
		r == 0xFEFF,                // byte order mark
		r == 0xFFA0,                // Hangul filler, half width
		0xFFF0 <= r && r <= 0xFFFB, // annotations
		0x1D173 <= r && r <= 0x1D17A,
		0xE0000 <= r && r <= 0xE0FFF: // tags, more variation selectors
		return true
	}
	return false
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
