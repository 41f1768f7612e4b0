package runes

import (
	"bytes"
	"strings"
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
	for _, r := range "\u200D\uFE0F\u180B a\u00A0\u0600\u06DD" {
		if Acts(r) {
			t.Errorf("%U acts", r)
		}
	}
}

// TestHides asks the tables of Unicode for all that is ignored when it can't be shown, and
// for all format characters: each of them counts, after a letter, in a row, and at the
// beginning of a text.
func TestHides(t *testing.T) {
	tables := []*unicode.RangeTable{unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector}
	count := 0
	for r := rune(0); r <= utf8.MaxRune; r++ {
		hidden := r == 0x1D159 || unicode.In(r, tables...) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
		if hidden {
			count++
		}
		if Hides('a', r) != hidden || Hides(r, r) != hidden && !isJoiner(r) || Hides(0, r) != hidden || Seen(r) == hidden {
			t.Errorf("%U: hides %v behind a letter, %v behind itself, %v at the beginning, want %v", r, Hides('a', r), Hides(r, r), Hides(0, r), hidden)
		}
		if !hidden && Hides('漢', r) {
			t.Errorf("%U hides", r)
		}
	}
	if count < 4000 {
		t.Errorf("only %d characters", count)
	}
	for s, want := range map[string]bool{
		"👩‍👩‍👧 ❤️‍🔥 1️⃣ #️⃣ ©️ 🏳️‍🌈 👍🏽": false, "می\u200Cخواهم क्\u200Dष": false, "ᠠ\u180Bᠮ\u180F": false, "é\uFE0F\uFE0E": true, "e\uFE0F": true,
		"ᠠ\u180B\u180C": true, "漢\u180B": true, "क\u200D\u200D": true, "a\u200Db": true, "\uFE0F": true, "漢\U000E0100": true, "𓀀\U00013430𓀀": true,
	} {
		if Safe(s) == want {
			t.Errorf("%q is safe: %v", s, !want)
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

func TestTyped(t *testing.T) {
	for s, want := range map[string]string{
		"‘a’ ‚b‛ ‹c› 5′":               "'a' 'b' 'c' 5'",
		"“a” „b‟ «c» 5″":               `"a" "b" "c" 5"`,
		"a‐b‑c‒d–e—f―g−1":              "a-b-c-d-e-f-g-1",
		"a\u00A0b\u2009c\u3000d\u0085": "a b c d ",
		"a\tb\n":                       "a\tb\n",
		"…\u200Bé漢\uFFFD":              "…\u200Bé漢\uFFFD",
	} {
		if got := strings.Map(Typed, s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		switch typed := Typed(r); {
		case typed != r && (r < utf8.RuneSelf || typed >= utf8.RuneSelf):
			t.Errorf("%U is typed as %U", r, typed)
		case typed != r && !unicode.IsSpace(r) && !unicode.IsPunct(r) && !unicode.IsSymbol(r):
			t.Errorf("%U, no punctuation, is typed as %U", r, typed)
		case r >= utf8.RuneSelf && unicode.IsSpace(r) && typed != ' ':
			t.Errorf("%U is typed as %U", r, typed)
		}
	}
}

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		text  string
		chars int
		want  string
	}{
		{"", 0, ""},
		{"", 5, ""},
		{"abc", 3, "abc"},
		{"abc", 9, "abc"},
		{"abcd", 3, "ab…"},
		{"abcd", 1, "…"},
		{"abcd", 0, ""},
		{"abcd", -1, ""},
		{"Привет", 6, "Привет"},
		{"Привет", 5, "Прив…"},
		{"Привет", 7, "Привет"},
		{"漢字漢字", 2, "漢…"},
		{"a\xFFb\xFF", 4, "a\xFFb\xFF"},
		{"a\xFFb\xFF", 3, "a\xFF…"},
	} {
		if got := Clip(tt.text, tt.chars); got != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.text, tt.chars, got, tt.want)
		}
	}
}

func FuzzWholePrefix(f *testing.F) {
	for _, text := range []string{"aü漢🎉\xff\xc3", "", "plain", "\xff\xff\xff", "🎉🎉", "a\uFFFDb", "\xf0\x9f\x8e"} {
		for _, limit := range []int{0, 1, 3, 100, -1} {
			f.Add([]byte(text), limit)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, limit int) {
		limit = max(0, min(limit, 100))
		got, cut := WholePrefix(text, limit)
		if !utf8.ValidString(got) || len(got) > limit {
			t.Errorf("%q of %q", got, text)
		}
		if !cut && got != strings.ToValidUTF8(string(text), "\uFFFD") {
			t.Errorf("%q of %q is not all", got, text)
		}
		if utf8.Valid(text) && (!strings.HasPrefix(string(text), got) || cut && len(got) < limit-3) {
			t.Errorf("%q of %q", got, text)
		}
	})
}
