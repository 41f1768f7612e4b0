package runes

import (
	"bytes"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestActs asks the tables of Unicode: control and format characters act, but for
// the joiners and selectors that scripts and emoji are written with.
func TestActs(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if unicode.Is(unicode.Cc, r) && !Acts(r) {
			t.Errorf("control character %U does not act", r)
		}
		if (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsPunct(r)) && Acts(r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) {
			t.Errorf("%U acts", r)
		}
		if Breaks(r) && !Acts(r) {
			t.Errorf("%U breaks a line and does not act", r)
		}
	}
	for _, r := range "\u200B\u202E\u2066\uFEFF\U000E0041\u2028" {
		if !Acts(r) {
			t.Errorf("%U does not act", r)
		}
	}
	for _, r := range "\u200D\uFE0F a\u00A0" {
		if Acts(r) {
			t.Errorf("%U acts", r)
		}
	}
}

func TestSafe(t *testing.T) {
	for s, want := range map[string]bool{
		"": true, "Überschrift 漢字 👩‍👩‍👧": true, "\uFFFD": true, "a\tb": false, "a\xFF": false, "a\xEF": false, "\xEF\xBF": false, "\x1b[1m": false, "\u202E": false,
	} {
		if got := Safe(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	for _, pair := range [][2]string{
		{"Straẞe", "straße"}, {"ΣΑΣ", "σας"}, {"ſ", "S"}, {"K", "k"}, {"漢字", "漢字"}, {"a\xFF", "A\uFFFD"},
	} {
		a, b := AppendFolded(nil, pair[0]), AppendFolded(nil, []byte(pair[1]))
		if !bytes.Equal(a, b) {
			t.Errorf("%q and %q: %q and %q", pair[0], pair[1], a, b)
		}
	}
}
