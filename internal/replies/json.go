package replies

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
)

// AppendJSON appends v and a line end. Every character shows itself or is escaped, but
// what is special in HTML alone is not.
func AppendJSON(dst []byte, v any) []byte {
	e := encoded{dst, AppendVisible}
	return e.append(v)
}

// VerbatimJSON renders v in JSON on one line, its texts with the characters that they have.
func VerbatimJSON(v any) []byte {
	e := encoded{add: func(dst, text []byte) []byte { return append(dst, text...) }}
	return bytes.TrimSuffix(e.append(v), []byte("\n"))
}

// encoded is JSON that an encoder writes at once, as it is added: there is no other copy of it than
// the encoder's own.
type encoded struct {
	text []byte
	add  func(dst, text []byte) []byte
}

// Write implements io.Writer.
func (e *encoded) Write(text []byte) (int, error) {
	e.text = e.add(e.text, text)
	return len(text), nil
}

// append adds a value and a line end.
func (e *encoded) append(v any) []byte {
	enc := json.NewEncoder(e)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		// Nothing that is encoded here can fail: strings and numbers alone.
		return append(e.text, "null\n"...)
	}
	return e.text
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
		if start == 0 {
			dst = slices.Grow(dst, len(text)+hiddenBytes(text[at:]))
		}
		dst = append(dst, text[start:at]...)
		var units [2]uint16
		for _, unit := range utf16.AppendRune(units[:0], r) {
			dst = append(dst, '\\', 'u', hexDigits[unit>>12], hexDigits[unit>>8&15], hexDigits[unit>>4&15], hexDigits[unit&15])
		}
		_, n := utf8.DecodeRune(text[at:])
		start = at + n
	}
	return append(dst, text[start:]...)
}

const hexDigits = "0123456789abcdef"

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

// hiddenBytes returns how many bytes the escapes have that AppendVisible writes, beside those of the
// characters.
func hiddenBytes(text []byte) (n int) {
	for at, r := range hidden(text) {
		_, size := utf8.DecodeRune(text[at:])
		n += escapeChars(r) - size
	}
	return n
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
