// Package runes says what characters do: which of them act on a terminal or a
// reader without being seen, which are the same but for their case, and which are
// typed as others; it cuts texts by their number, and quotes them for a shell. The
// public packages share it, so that an outline, an error and a match agree.
//
// runes.go has characters; fold.go texts that a reader would call the same; shown.go texts as they
// can be shown; shell.go arguments for a shell.
package runes

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Breaks reports whether r is white space other than a space that separates words
// or lines: a tab, a line ending and the like.
func Breaks(r rune) bool {
	return '\t' <= r && r <= '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// Acts reports whether r does something other than to show itself, wherever it stands: a
// control character, a separator of lines, or what the tables of Unicode call a format
// character or ignorable. Joiners, and the selectors that choose between forms of a
// character, are needed in some places and are left to [Hides].
func Acts(r rune) bool {
	switch {
	case r < 0xA0:
		return r < ' ' || r >= 0x7F
	case 0xAE <= r && r < 0x034F, 0x3165 <= r && r < 0xFE00: // most letters, faster
		return false
	case isJoiner(r), isSelector(r), isMongolianSelector(r):
		return false
	case r == 0x2028 || r == 0x2029: // separators of lines and paragraphs
		return true
	case r == 0x1D159: // a note without a head, in no table
		return true
	}
	// With these the standard has all that it calls Default_Ignorable_Code_Point. The
	// signs that stand around numbers are format characters, and are seen.
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// Hides reports whether r, after the character before it, does something and can't be
// seen, in a way that no writing needs; before is 0 at the beginning of a text.
//
// Joiners and selectors are everywhere in emoji, Persian and the scripts of India. They
// are let pass after what they can belong to: a visible character that is not ASCII, for
// joiners a selector too, for selectors also the digits and signs of keycaps; those of
// Mongolian after its letters. So all but the first of a row count, in which something
// can be hidden.
func Hides(before, r rune) bool {
	switch {
	case ' ' <= r && r < 0x7F:
		return false
	case isJoiner(r):
		return !isForeign(before) && !isSelector(before)
	case isSelector(r):
		return !isForeign(before) && !strings.ContainsRune("#*0123456789", before)
	case isMongolianSelector(r):
		return !unicode.Is(unicode.Mongolian, before) || !isForeign(before)
	}
	return Acts(r)
}

// Seen reports whether r is no character that acts, joins or selects.
func Seen(r rune) bool { return !Acts(r) && !isJoiner(r) && !isSelector(r) && !isMongolianSelector(r) }

// isForeign reports whether r is a visible character that is not ASCII.
func isForeign(r rune) bool {
	return r >= 0xA0 && r != utf8.RuneError && !unicode.IsSpace(r) && Seen(r)
}

// isJoiner reports whether r joins characters, or keeps them from joining.
func isJoiner(r rune) bool { return r == 0x200C || r == 0x200D }

// isSelector reports whether r chooses between forms of the character before it.
func isSelector(r rune) bool { return 0xFE00 <= r && r <= 0xFE0F }

// isMongolianSelector is isSelector for the letters of Mongolian.
func isMongolianSelector(r rune) bool { return 0x180B <= r && r <= 0x180D || r == 0x180F }

// Safe reports whether s can be printed and copied as it is: it is UTF-8 and no
// character in it acts unseen.
func Safe(s string) bool {
	before := rune(0)
	for _, r := range s {
		if Hides(before, r) {
			return false
		}
		before = r
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

// AppendTyped appends s as somebody types it who sees it: composed as NFC has it, each
// character as [Typed] has it, and without those that can't be seen, for which U+FFFD
// stands in lists: a soft hyphen, a selector between forms of an emoji.
func AppendTyped[T string | []byte](dst []byte, s T) []byte {
	if isASCII(s) {
		return append(dst, s...)
	}
	for _, r := range norm.NFC.String(string(s)) {
		if r < utf8.RuneSelf || r != utf8.RuneError && Seen(r) {
			dst = utf8.AppendRune(dst, Typed(r))
		}
	}
	return dst
}

func isASCII[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
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

// WholePrefix returns the beginning of a text, at most limit bytes, that does not
// end within a character, and whether there was more. Bytes that are not UTF-8 are replaced first.
func WholePrefix(text []byte, limit int) (part string, cut bool) {
	s := string(text)
	if len(s) > limit {
		s, cut = s[:limit], true
		for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
			if b := s[len(s)-n]; utf8.RuneStart(b) {
				if !utf8.FullRuneInString(s[len(s)-n:]) {
					s = s[:len(s)-n]
				}
				break
			}
		}
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	for len(s) > limit { // the replacement has more bytes than what it replaces
		_, size := utf8.DecodeLastRuneInString(s)
		s, cut = s[:len(s)-size], true
	}
	return s, cut
}
