package replies

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
)

// AppendJSON appends v and a line end. Every character shows itself or is escaped, but
// what is special in HTML alone is not.
func AppendJSON(dst []byte, v any) []byte {
	return AppendVisible(dst, append(VerbatimJSON(v), '\n'))
}

// VerbatimJSON renders v in JSON on one line, its texts with the characters that they have.
func VerbatimJSON(v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		// Nothing that is encoded here can fail: strings and numbers alone.
		return []byte("null")
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// AppendString appends s as a JSON string.
func AppendString(dst []byte, s string) []byte {
	if isOwnJSON(s) {
		return append(append(append(dst, '"'), s...), '"')
	}
	dst = AppendJSON(dst, s)
	return dst[:len(dst)-1]
}

// isOwnJSON reports whether a text needs nothing but quotes to be a JSON string, as most do.
func isOwnJSON(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7F || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// AppendVisible appends JSON with every character escaped that acts without
// showing itself; outside of strings JSON has none but blanks and line ends.
func AppendVisible(dst, text []byte) []byte {
	start := 0
	for at, r := range hidden(text) {
		dst = append(dst, text[start:at]...)
		for _, unit := range utf16.AppendRune(nil, r) {
			dst = fmt.Appendf(dst, `\u%04x`, unit)
		}
		_, n := utf8.DecodeRune(text[at:])
		start = at + n
	}
	return append(dst, text[start:]...)
}

// hidden returns where each character is that AppendVisible escapes, and the character, which is
// utf8.RuneError for a byte of none.
func hidden(text []byte) iter.Seq2[int, rune] {
	return func(yield func(int, rune) bool) {
		before := rune(0)
		for i := 0; i < len(text); {
			if text[i] < 0x7F {
				before = rune(text[i])
				i++
				continue
			}
			r, n := utf8.DecodeRune(text[i:])
			if (runes.Hides(before, r) || r == utf8.RuneError && n == 1) && !yield(i, r) {
				return
			}
			before = r
			i += n
		}
	}
}

// VisibleChars returns how many characters JSON has behind AppendVisible.
func VisibleChars(text []byte) int {
	n := Chars(text)
	for _, r := range hidden(text) {
		n += escapeChars(r) - 1
	}
	return n
}

// StringChars returns how many characters a text has at the most in a string of JSON, without its
// quotes: a selector after an escape that ends with a digit isn't escaped.
func StringChars(text []byte) int {
	n := VisibleChars(text)
	for _, c := range text {
		switch c {
		case '"', '\\', '\b', '\f', '\n', '\r', '\t':
			n++ // a backslash before it
		default:
			if c < ' ' {
				n += escapeChars(rune(c)) - 1
			}
		}
	}
	return n
}

// escapeChars returns how many characters the escape of one has.
func escapeChars(r rune) int { return utf16.RuneLen(r) * len(`\u0000`) }

// JSON renders v in JSON on one line.
func JSON(v any) []byte {
	text := AppendJSON(nil, v)
	return text[:len(text)-1]
}
