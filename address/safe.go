package address

import "unicode/utf8"

// Errors quote headings and addresses, which come from strangers and are printed
// to terminals and read by models. What could act on either without being seen
// is decided here.

// clip returns s as it can be shown on one line, cut to about n bytes: white
// space that is no space as a space; U+FFFD for each control character,
// invisible character, character that sets the direction of text, and invalid
// byte.
func clip(s string, n int) string {
	out := make([]byte, 0, min(len(s), n)+4)
	for i, r := range s {
		if len(out) >= n {
			return string(append(out, "…"...))
		}
		switch {
		case '\t' <= r && r <= '\r' || r == 0x85 || r == 0x2028 || r == 0x2029:
			r = ' '
		case acts(r) || r == utf8.RuneError && s[i] != "\uFFFD"[0]:
			r = utf8.RuneError
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

// quoted returns s in quotes as an error shows it.
func quoted(s string) string { return `"` + clip(s, 100) + `"` }

// showable reports whether s can be printed and copied as it is.
func showable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if acts(r) {
			return false
		}
	}
	return true
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
