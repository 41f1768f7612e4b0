package linediff

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

const article = "---\ntitle: Café\n---\n\n# Guide\n\nRun “make all” — it’s\n  quick and   simple.\n\n- [ ] Write\tthe tests\n" +
	"- [x] Say \"no\" to `a\\b`\n\n```go\nfmt.Println(\"a\\n\")\n\n\treturn nil\n```\n\nUse 5\u00a0km and wait\u2026 A soft\u00adware\\_name.\n\n> A quote\n> of two lines\n\n1. Three &amp; four\n"

func TestWithoutLineNumbers(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"1\ta\n2\tb", "a\nb"},
		{"  9: a\n 10: b\n", "a\nb\n"},
		{"L3: a", "a"},
		{"7|a\n8|\n9|b", "a\n\nb"},
		{"7\ta\n\n9\tb", "a\n\nb"},
		{"\n7\ta", "\na"},
		{"a", ""},
		{"1\ta\nb", ""},
		{"1\ta\n3\tb", ""},
		{"12", ""},
		{"", ""},
		{"99999999999\ta", ""},
	} {
		got, ok := withoutLineNumbers(test.text)
		if ok != (test.want != "") || ok && got != test.want {
			t.Errorf("%q: got %v, %q", test.text, ok, got)
		}
	}
}

// TestFoldedTextFrom asks for places after the first mark.
func TestFoldedTextFrom(t *testing.T) {
	src := "A" + strings.Repeat(" ", 3*markEvery) + "B" + strings.Repeat("\n“c”", markEvery)
	text := everything.read([]byte(src))
	if len(text.marks) < 4 {
		t.Fatal(text.marks)
	}
	b := 1 + 3*markEvery
	for _, test := range []struct{ start, end, from, to int }{
		{0, 1, 0, 1},
		{2, 3, b, b + 1},
		{3, 4, b + 1, b + 2},
		{4, 7, b + 2, b + 9},
		{len(text.text) - 1, len(text.text), len(src) - 3, len(src)},
	} {
		got := text.from(Span{Start: test.start, End: test.end})
		if want := (Span{Start: test.from, End: test.to}); got != want {
			t.Errorf("%d-%d: got %v, want %v", test.start, test.end, got, want)
		}
	}
}

// FuzzFolding checks that what is folded can be found in the source again, and
// that each folding is one of texts that differ in one thing.
func FuzzFolding(f *testing.F) {
	f.Add(article, 3, 9, uint8(everything))
	f.Add("a\u200b  b\\*…\xff", 2, 4, uint8(1))
	f.Add("\\\\\\", 0, 1, uint8(16))
	f.Fuzz(func(t *testing.T, src string, from, n int, set uint8) {
		folds := folding(set) & everything
		text := folds.read([]byte(src))
		folded := text.text
		// A backslash may stand before another one.
		if twice := folds.fold(folded); utf8.ValidString(src) && !folds.has(foldedEscapes) && !bytes.Equal(twice, folded) {
			t.Fatalf("%q folds to %q, then to %q", src, folded, twice)
		}
		if from < 0 || n <= 0 || from >= len(folded) || n > len(folded)-from {
			return
		}
		span := Span{Start: from, End: from + n}
		at := text.from(span)
		if at.Start < 0 || at.Start >= at.End || at.End > len(src) {
			t.Fatalf("%q: %v is from %v", src, span, at)
		}
		// What it is from folds to all of it, and to no more than what the
		// characters at its ends are folded to.
		got := string(folds.fold([]byte(src[at.Start:at.End])))
		if !strings.Contains(got, string(folded[from:from+n])) || len(got) > n+2*utf8.UTFMax {
			t.Fatalf("%q: %q is from %q", src, folded[from:from+n], src[at.Start:at.End])
		}
	})
}
