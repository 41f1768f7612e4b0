// Package runes says what characters do: which of them act on a terminal or a
// reader without being seen, which are the same but for their case, and which are
// typed as others; and it cuts texts by their number. The public packages share it,
// so that an outline, an error and a match agree.
package runes

import (
	"unicode"
	"unicode/utf8"
)

// Breaks reports whether r is white space other than a space that separates words
// or lines: a tab, a line ending and the like.
func Breaks(r rune) bool {
	return '\t' <= r && r <= '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// Acts reports whether r does something other than to show itself: a control
// character, a format character or a separator of lines.
func Acts(r rune) bool {
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

// Safe reports whether s can be printed and copied as it is: it is UTF-8 and no
// character in it acts.
func Safe(s string) bool {
	for _, r := range s {
		if Acts(r) {
			return false
		}
	}
	return utf8.ValidString(s)
}

// AppendFolded appends s with every rune replaced by the one that stands for all
// that differ from it in case alone.
func AppendFolded[T string | []byte](dst []byte, s T) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		dst = utf8.AppendRune(dst, Fold(r))
		i += n
	}
	return dst
}

// Fold returns the smallest of the runes that differ from r in case alone:
// for letters of ASCII the capital.
func Fold(r rune) rune {
	// Han, kana and Hangul have no case; asking the tables costs ten times more.
	if 0x2E80 <= r && r < 0xA640 || 0xAC00 <= r && r < 0xD7B0 {
		return r
	}
	for {
		next := unicode.SimpleFold(r)
		if next <= r {
			return next
		}
		r = next
	}
}

// Typed returns the character of ASCII that is typed for r: a quotation mark, an
// apostrophe or a prime, a hyphen for every dash and for minus, a space for white
// space of other kinds, such as a no-break space. Other characters, and all of ASCII,
// are typed as they are.
func Typed(r rune) rune {
	if r < utf8.RuneSelf {
		return r
	}
	switch r {
	case '‘', '’', '‚', '‛', '‹', '›', '′':
		return '\''
	case '“', '”', '„', '‟', '«', '»', '″':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	}
	if unicode.IsSpace(r) {
		return ' '
	}
	return r
}

// Clip returns s in at most so many characters (code points; a byte that is not UTF-8
// counts as one), the last of which is an ellipsis if s has more. None are left if the
// number isn't positive.
func Clip(s string, chars int) string {
	if len(s) <= chars {
		return s
	}
	if chars <= 0 {
		return ""
	}
	last := 0 // where the last character begins that there is room for
	for i := range s {
		if chars--; chars == 0 {
			last = i
		} else if chars < 0 {
			return s[:last] + "…"
		}
	}
	return s
}
