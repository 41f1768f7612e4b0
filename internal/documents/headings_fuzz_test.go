package documents

import (
	"testing"
	"unicode/utf8"
)

// FuzzTextCheck takes a text in pieces of all sizes. It is UTF-8 if the whole is.
func FuzzTextCheck(f *testing.F) {
	for _, text := range []string{"", "plain", "é", "日本語", "👩‍👩‍👧", "a\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x91", "\xf0\x9f\x91a", "\xed\xa0\x80", "\x80\x80\x80\x80\x80", "a\xf4\x90\x80\x80", "\xe2\x82\xe2\x82\xac"} {
		f.Add([]byte(text), []byte{1})
		f.Add([]byte(text), []byte{2, 3, 0, 1})
	}
	f.Fuzz(func(t *testing.T, text, sizes []byte) {
		var c textCheck
		ok := true
		for i, rest := 0, text; len(rest) > 0 && ok; i++ {
			n := 1
			if len(sizes) > 0 {
				n = int(sizes[i%len(sizes)] % 8)
			}
			if n == 0 {
				c.add(nil)
			}
			n = min(max(n, 1), len(rest))
			ok = c.add(rest[:n])
			rest = rest[n:]
		}
		if ok = ok && c.whole(); ok != utf8.Valid(text) {
			t.Errorf("%q in pieces of %v: %v", text, sizes, ok)
		}
	})
}
