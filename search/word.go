package search

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/unicode/norm"
)

// maxWord is the number of bytes beyond which a word of a document matches nothing: encoded data
// is no words. A letter may have three bytes or four, and a hash in hexadecimal digits 128.
const maxWord = 128

// lower has the lower case of ASCII letters and digits, and 0 for all other ASCII characters.
var lower = func() (table [utf8.RuneSelf]byte) { //nolint:gochecknoglobals // a constant
	for c := range table {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			table[c] = byte(c)
		case c >= 'A' && c <= 'Z':
			table[c] = byte(c) + 'a' - 'A'
		}
	}
	return table
}()

// class says how a character takes part in words.
type class uint8

const (
	between  class = iota // it is in no word
	spaced                // of a script that divides words by spaces
	unspaced              // of one that doesn't
)

// kanaMarks are letters and marks that Unicode counts to no script, for several have them: those
// that close, lengthen, voice or repeat kana and Han characters.
var kanaMarks = &unicode.RangeTable{R16: []unicode.Range16{ //nolint:gochecknoglobals // a constant
	{Lo: 0x3006, Hi: 0x3006, Stride: 1},
	{Lo: 0x302A, Hi: 0x302D, Stride: 1},
	{Lo: 0x3031, Hi: 0x3035, Stride: 1},
	{Lo: 0x303C, Hi: 0x303C, Stride: 1},
	{Lo: 0x3099, Hi: 0x309A, Stride: 1},
	{Lo: 0x30FC, Hi: 0x30FC, Stride: 1},
	{Lo: 0xFF70, Hi: 0xFF70, Stride: 1},
	{Lo: 0xFF9E, Hi: 0xFF9F, Stride: 1},
}}

// classOf returns the class of a character.
func classOf(c rune) class {
	switch {
	case c < utf8.RuneSelf:
		if c >= 0 && lower[c] != 0 {
			return spaced
		}
		return between
	case unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, kanaMarks):
		if unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsDigit(c) {
			return unspaced
		}
		return between
	case unicode.IsLetter(c), unicode.IsMark(c), unicode.IsDigit(c):
		return spaced
	}
	return between
}

// classAt returns the class of the character that begins at an offset of a text, and its
// size in bytes.
func classAt(text []byte, at int) (class, int) {
	if c := text[at]; c < utf8.RuneSelf {
		if lower[c] != 0 {
			return spaced, 1
		}
		return between, 1
	}
	c, size := utf8.DecodeRune(text[at:])
	if c == utf8.RuneError && size <= 1 {
		return between, 1
	}
	return classOf(c), size
}

// classBefore returns the class of the character that ends at an offset of a text.
func classBefore(text []byte, at int) class {
	if at == 0 {
		return between
	}
	if c := text[at-1]; c < utf8.RuneSelf {
		if lower[c] != 0 {
			return spaced
		}
		return between
	}
	c, size := utf8.DecodeLastRune(text[:at])
	if c == utf8.RuneError && size <= 1 {
		return between
	}
	return classOf(c)
}

// wordEnd returns where the word ends that begins at an offset of a text: a run of characters
// of one class.
func wordEnd(text []byte, at int) int {
	first, size := classAt(text, at)
	end := at + size
	for end < len(text) {
		if c := text[end]; c < utf8.RuneSelf {
			if lower[c] == 0 || first != spaced {
				break
			}
			end++
			continue
		}
		class, size := classAt(text, end)
		if class != first {
			break
		}
		end += size
	}
	return end
}

// nextWord returns the next word of a text from an offset on; start is the text's length if
// there is none.
func nextWord(text []byte, at int) (start, end int, is class) {
	for at < len(text) {
		is, size := classAt(text, at)
		if is != between {
			return at, wordEnd(text, at), is
		}
		at += size
	}
	return len(text), len(text), between
}

// appendFolded appends a word in any case, as [foldedRunes] has it.
func appendFolded(dst, word []byte) []byte {
	for i, c := range word {
		if c >= utf8.RuneSelf {
			return append(dst[:len(dst)-i], foldedRunes(string(word))...)
		}
		dst = append(dst, lower[c])
	}
	return dst
}

// foldedRunes returns a word in lower case and in normal form C. Letters that differ in lower case
// alone, such as the sigma at the end of a word, are one.
func foldedRunes(word string) string {
	return norm.NFC.String(strings.Map(foldedRune, norm.NFC.String(word)))
}

// foldedRune returns a letter in lower case, and of several with one capital letter one. A dotless
// i stays one, though its capital is that of i, and so does a mark.
func foldedRune(c rune) rune {
	if c == '\u0131' || c == '\u0345' {
		return c
	}
	return unicode.ToLower(unicode.ToUpper(c))
}

// foldedToASCII returns the ASCII letter that the character at an offset of a text is when it is
// folded, 0 for none.
func foldedToASCII(text []byte, at int) byte {
	if c := text[at]; c < utf8.RuneSelf {
		return lower[c]
	}
	for _, w := range writtenOtherwise {
		if bytes.HasPrefix(text[at:], []byte(w.text)) {
			return w.letter
		}
	}
	return 0
}

// writtenOtherwise are the ASCII letters that are folded from others, or from several characters.
var writtenOtherwise = []struct { //nolint:gochecknoglobals // a constant
	text   string
	letter byte
}{
	{"\u0130", 'i'}, {"I\u0307", 'i'}, {"\u017f", 's'}, {"\u212a", 'k'},
}

// pieces returns the pieces of two characters of a folded word, or the word itself if it has
// no more than two.
func pieces(word string) []string {
	var starts []int
	for i := range word {
		starts = append(starts, i)
	}
	if len(starts) <= 2 {
		return []string{word}
	}
	var list []string
	for i := 2; i <= len(starts); i++ {
		end := len(word)
		if i < len(starts) {
			end = starts[i]
		}
		list = append(list, word[starts[i-2]:end])
	}
	return list
}

// stem returns the stem of a folded word by Porter's second algorithm for English; of a word
// with other letters than a to z, and of a number, the word.
func stem(word string) string {
	if len(word) > maxWord {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

// isStopWord reports whether a folded word is one that every English text has.
func isStopWord(word string) bool {
	switch word {
	case "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not",
		"of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with":
		return true
	}
	return false
}
