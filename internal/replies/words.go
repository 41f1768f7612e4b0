package replies

import (
	"unicode"
	"unicode/utf8"
)

// CountWords returns the number of words in text: runs of characters without
// white space between them.
func CountWords(text []byte) int {
	n := 0
	inWord := false
	for i := 0; i < len(text); {
		c, size := rune(text[i]), 1
		space := c == ' ' || c >= '\t' && c <= '\r'
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRune(text[i:])
			space = unicode.IsSpace(c)
		}
		if !space && !inWord {
			n++
		}
		inWord = !space
		i += size
	}
	return n
}
