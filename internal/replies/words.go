package replies

import (
	"unicode"
	"unicode/utf8"
)

// CountWords returns the number of words in text: runs of characters without white space
// between them that have a letter or a number, so that marks alone ("#", "-", "|") are none.
func CountWords(text []byte) int {
	n := 0
	counted := false // the run that goes on
	for i := 0; i < len(text); {
		c, size := rune(text[i]), 1
		space := c == ' ' || c >= '\t' && c <= '\r'
		word := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRune(text[i:])
			space, word = unicode.IsSpace(c), unicode.IsLetter(c) || unicode.IsNumber(c)
		}
		switch {
		case space:
			counted = false
		case word && !counted:
			n++
			counted = true
		}
		i += size
	}
	return n
}
