package linediff

import (
	"strings"
	"testing"
)

// TestDifferences compares the number of lines that change with the fewest that
// are possible.
func TestDifferences(t *testing.T) {
	long := func(from, to int) string {
		var b strings.Builder
		for r := from; r < to; r++ {
			b.WriteRune(rune('一' + r))
		}
		return b.String()
	}
	for _, test := range []struct{ a, b string }{
		{"abc", "abc"},
		{"abcdef", "abXdef"},
		{"abcdef", "defabc"},
		{"a.b.c.", "a.b.x.c."},
		{"aXbXc", "XaXbXcX"},
		{"", "abc"},
		{"abc", ""},
		{"a........b", "b........a"},
		{"..a..b..", "..b..a.."},
		// Too many changes for a look at all.
		{long(0, 2000), long(100, 1000) + "." + long(1000, 2100)},
		{long(0, 900), strings.Join(strings.SplitAfter(long(0, 900), ""), ".")},
		{"x" + strings.Repeat(".", 400) + "y" + long(0, 50), "y" + strings.Repeat(".", 400) + "x" + long(50, 100)},
		{strings.Repeat(".", 400), strings.Repeat(".", 200) + long(0, 300) + strings.Repeat(".", 200)},
	} {
		d := Compare(strings.Split(test.a, ""), strings.Split(test.b, ""))
		for i, e := range d {
			if i > 0 && (e.Start == d[i-1].End || e.ReplStart == d[i-1].ReplEnd) {
				t.Errorf("%s to %s: %v touch", test.a, test.b, d)
			}
		}
		a, b := []rune(test.a), []rune(test.b)
		if want := len(a) + len(b) - 2*commonLength(a, b); cost(d) != want {
			t.Errorf("%s to %s: %d changes, want %d: %v", test.a, test.b, cost(d), want, d)
		}
	}
}

// commonLength returns the length of the longest common subsequence.
func commonLength(a, b []rune) int {
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j], above)
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// TestSimilar looks for texts with a slip in them, short and long, among others.
func TestSimilar(t *testing.T) {
	around := strings.Repeat("Nothing that is looked for stands here, line after line. ", 200)
	long := strings.Repeat("every word of it counts, for there are many of them; ", 5) + "and " + strings.Repeat("some stand here alone, as these do. ", 20)
	for _, test := range []struct{ want, there string }{
		{"install the prgram", "install the program"},
		{"a colour of teh sky", "a color of the sky"}, //nolint:misspell // what is looked for
		{strings.Replace(long, "alone", "lonely", 3), long},
		{"wholly unlike", ""},
		{"abc", ""}, // too short for anything to be like it
	} {
		text := around + test.there + around
		at, ok := Similar([]byte(text), []byte(test.want))
		if ok != (test.there != "") {
			t.Errorf("%q: %v, %q", test.want, ok, text[at.Start:at.End])
			continue
		}
		if got := text[at.Start:at.End]; ok && (!strings.Contains(got, test.there[1:len(test.there)-1]) || at.Len() > len(test.there)*11/10) {
			t.Errorf("%q is like %q, not %q", test.want, test.there, got)
		}
	}
}
