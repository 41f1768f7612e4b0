package textlines

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestEndingAt(t *testing.T) {
	for _, test := range []struct {
		src  string
		at   int
		want string
	}{
		{"", 0, "\n"},
		{"a", 1, "\n"},
		{"a\nb", 3, "\n"},
		{"a\r\nb", 4, "\r\n"},
		{"a\rb", 3, "\r"},
		{"a\r\nb\nc", 6, "\n"},
		{"a\r\nb\nc", 4, "\r\n"},
		{"a\r\nb\nc", 0, "\r\n"}, // none before
		{"a\r\nb\nc", 2, "\r\n"}, // in the middle of one
		{"a\r\nb\nc", 3, "\r\n"},
		{"a\n\rb", 2, "\n"},
		{"a\n\rb", 3, "\r"},
		{"a\r", 0, "\r"},
		{"a\r\n", 50, "\r\n"},
		{"a\r\n", -1, "\r\n"},
	} {
		if got := EndingAt([]byte(test.src), test.at); got != test.want {
			t.Errorf("%q at %d: got %q, want %q", test.src, test.at, got, test.want)
		}
	}
}

// TestEndings asks for one offset after the other and compares with EndingAt.
func TestEndings(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 5000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString([]string{"a", "b", "\n", "\r", "\r\n"}[r.IntN(5)])
		}
		src := []byte(b.String())
		e := Endings{Src: src}
		for at := 0; at <= len(src); at += r.IntN(3) {
			if got, want := e.At(at), EndingAt(src, at); got != want {
				t.Fatalf("%q at %d: got %q, alone %q", src, at, got, want)
			}
			if r.IntN(4) == 0 {
				at++
			}
		}
	}
}

// TestEndingsOfALongLine takes minutes if each question looks at all of the line.
func TestEndingsOfALongLine(t *testing.T) {
	e := Endings{Src: []byte(strings.Repeat("a", 2<<20) + "\r")}
	for at := range e.Src {
		if got := e.At(at); got != "\r" {
			t.Fatalf("at %d: %q", at, got)
		}
	}
}

func TestWithEnding(t *testing.T) {
	for _, test := range []struct{ text, ending, want string }{
		{"", "\r\n", ""},
		{"a\nb", "\n", "a\nb"},
		{"a\r\nb\rc\n", "\n", "a\nb\nc\n"},
		{"a\r\nb\rc\n", "\r\n", "a\r\nb\r\nc\r\n"},
		{"a\nb", "\r\n", "a\r\nb"},
		{"\r\r\n\n", "\r", "\r\r\r"},
	} {
		if got := WithEnding(test.text, test.ending); got != test.want {
			t.Errorf("%q with %q: got %q, want %q", test.text, test.ending, got, test.want)
		}
	}
}

// Lines that did not change keep their line endings, and those that are as many as before.
func TestWithEndings(t *testing.T) {
	const old = "a\r\nb\nc\r\nd\ne\r\nf\n"
	for text, want := range map[string]string{
		"a\nb\nc\nd\ne\nf":          "a\r\nb\nc\r\nd\ne\r\nf",
		"a\nB\nC\nd\ne\nf":          "a\r\nB\nC\r\nd\ne\r\nf",
		"a\nx\nb\nc\nd\ny\nz\ne\nf": "a\r\nx\rb\nc\r\nd\ny\rz\re\r\nf", // two places
		"b\nc\ne":                   "b\nc\r\ne",
		"f\nx":                      "f\nx",
		"a\nB\nC\nd\ne\nF\n":        "a\r\nB\nC\r\nd\ne\r\nF\n",
		"a\nb\nc\nd\ne\nf\n\n":      "a\r\nb\nc\r\nd\ne\r\nf\n\r",
	} {
		if got := WithEndings(text, []byte(old), "\r"); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := WithEndings("x\ny\n\nb", []byte("a\r\n\nb"), "\r"); got != "x\ry\r\rb" { // a CR and an LF aren't one
		t.Errorf("%q", got)
	}
	if got := WithEndings("a\nb\nc", []byte("a\nb"), "\r"); got != "a\nb\rc" { // which ended the document
		t.Errorf("%q", got)
	}
}

func TestSameLines(t *testing.T) {
	const old = "> a\r\n>  b\nc"
	for _, c := range []struct {
		text, want  string
		changed, ok bool
	}{
		{"> a\n>  b\nc", old, false, true},
		{"> a\n>  x\nc", "> a\r\n>  x\nc", true, true},
		{"> a\n> b\nc", "", false, false}, // other blanks
		{"a\n>  b\nc", "", false, false},  // another mark
		{"> a\n>  b", "", false, false},
		{"> a\n>  b\nc\nd", "", false, false},
	} {
		whole, changed, ok := SameLines([]byte(old), c.text)
		if string(whole) != c.want || changed != c.changed || ok != c.ok {
			t.Errorf("%q: %q, %v, %v", c.text, whole, changed, ok)
		}
	}
}
