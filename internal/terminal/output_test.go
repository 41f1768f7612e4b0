package terminal

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
)

// escapedPlainly is what an output makes of a text, a character at a time.
func escapedPlainly(text []byte) (escaped, rest []byte) {
	for len(text) > 0 && utf8.FullRune(text) {
		r, size := utf8.DecodeRune(text)
		if replies.Acts(r) && r >= ' ' {
			escaped = appendEscape(escaped, r)
		} else {
			escaped = append(escaped, text[:size]...)
		}
		text = text[size:]
	}
	return escaped, text
}

// FuzzOutput prints a text in two pieces. It comes out as it does when each character is
// looked at, and what is harmless has nothing that acts.
func FuzzOutput(f *testing.F) {
	for _, text := range []string{
		"", "{\"name\":\"a plain one\",\"level\":\"H1\"}\n", "sixteen bytes ok", "seven\u00e9", "\u202edirection and \x7f and \u200bz",
		"\U000E0041tag", "12345678\x7f", "1234567\xff\x01", "\xf0\x9f\x91", "\u20282029", "日本語 text after it, and more",
	} {
		f.Add([]byte(text), 3)
		f.Add([]byte(text), 9)
	}
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		before := bytes.Clone(text)
		n := plainBytes(text)
		if i := bytes.IndexFunc(text, func(r rune) bool { return r >= 0x7F }); i >= 0 && n != i || i < 0 && n != len(text) {
			t.Errorf("%q: %d bytes are harmless, want %d", text, n, i)
		}
		var got bytes.Buffer
		out := NewOutput(&got)
		PrintsJSON(out)
		cut = int(uint(cut) % uint(len(text)+1))
		for _, piece := range [][]byte{text[:cut], text[cut:]} {
			if n, err := out.Write(piece); err != nil || n != len(piece) {
				t.Fatalf("wrote %d of %d: %v", n, len(piece), err)
			}
		}
		want, rest := escapedPlainly(text)
		if !bytes.Equal(got.Bytes(), want) || !bytes.Equal(out.part, rest) || !bytes.Equal(text, before) {
			t.Errorf("%q cut at %d: %q and %q, want %q and %q", before, cut, got.Bytes(), out.part, want, rest)
		}
	})
}
