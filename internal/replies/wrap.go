package replies

import (
	"strings"
	"unicode"
)

// Broken breaks a line at its spaces into parts of at most so many columns, 0 for any
// number. A word that is longer is broken where it must be. Colours take no columns.
func Broken(text string, width int) []string {
	var parts []string
	for width > 0 {
		cut, space, used := len(text), -1, 0
		colour := false
		for i, r := range text {
			if colour = colour || r == '\x1b'; colour {
				colour = r != 'm'
				continue
			}
			if used += columns(r); used > width && i > 0 {
				cut = i
				break
			}
			if r == ' ' && i > 0 {
				space = i
			}
		}
		if cut == len(text) {
			break
		}
		if text[cut] != ' ' && space > 0 && strings.TrimLeft(text[:space], " ") != "" {
			cut = space
		}
		parts = append(parts, strings.TrimRight(text[:cut], " "))
		text = strings.TrimLeft(text[cut:], " ")
	}
	return append(parts, text)
}

// columns returns how many columns of a terminal a character takes: two for those of
// East Asia and emoji, none for those that stand on the one before.
func columns(r rune) int {
	const emoji, behindEmoji = 0x1f300, 0x1fb00
	switch {
	case r < unicode.MaxLatin1:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana), emoji <= r && r < behindEmoji,
		'\u3000' <= r && r <= '\u303e', '\uff01' <= r && r <= '\uff60':
		return 2
	}
	return 1
}
