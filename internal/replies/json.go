package replies

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	start, before := 0, rune(0)
	for i := 0; i < len(text); {
		if text[i] < 0x7F {
			before = rune(text[i])
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		hidden := runes.Hides(before, r)
		before = r
		if !hidden && (r != utf8.RuneError || n > 1) {
			i += n
			continue
		}
		dst = append(dst, text[start:i]...)
		for _, unit := range utf16.AppendRune(nil, r) {
			dst = fmt.Appendf(dst, `\u%04x`, unit)
		}
		i += n
		start = i
	}
	return append(dst, text[start:]...)
}

// JSON renders v in JSON on one line.
func JSON(v any) []byte {
	text := AppendJSON(nil, v)
	return text[:len(text)-1]
}
