package linediff

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestHunks compares parts of texts, whose lines are counted from where the parts are.
func TestHunks(t *testing.T) {
	tests := []struct{ before, after, want string }{
		{"a\n", "a\n", ""},
		{"a\nb\n", "a\nc\n", "@@ -10,2 +20,2 @@\n a\n-b\n+c\n"},
		{"", "a\nb\n", "@@ -9,0 +20,2 @@\n+a\n+b\n"},
		{"a\n", "", "@@ -10 +19,0 @@\n-a\n"},
		{"a\n1\n2\n3\n4\n5\n6\n7\nb", "A\n1\n2\n3\n4\n5\n6\n7\nB", "@@ -10,4 +20,4 @@\n-a\n+A\n 1\n 2\n 3\n" +
			"@@ -15,4 +25,4 @@\n 5\n 6\n 7\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n"},
	}
	for _, test := range tests {
		if got := string(Hunks([]byte(test.before), []byte(test.after), 10, 20)); got != test.want {
			t.Errorf("%q to %q:\n%s\nwant:\n%s", test.before, test.after, got, test.want)
		}
	}
}

// TestUnified has the whole difference of two texts, with the names that programs for patches
// read, and its counts.
func TestUnified(t *testing.T) {
	texts := Texts{Old: []byte("a\nb\nc\n"), New: []byte("a\nB\nX\nc\n"), Splices: []Splice{{Span{2, 3}, 3}}}
	const hunk = "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+X\n c\n"
	for name, heads := range map[string]string{
		"x.md":         "--- a/x.md\n+++ b/x.md\n",
		"x y.md":       "--- a/x y.md\t\n+++ b/x y.md\t\n",
		"q\"\n\xff.md": `--- "a/q\"\012\377.md"` + "\n" + `+++ "b/q\"\012\377.md"` + "\n",
	} {
		if got := string(texts.Unified(name)); got != heads+hunk {
			t.Errorf("%q:\n%s", name, got)
		}
	}
	for _, tt := range []struct{ diff, from, to, want string }{
		{"--- a/y.md\n+++ b/y.md\n" + hunk, "x.md", "y.md", "diff --git a/x.md b/y.md\nrename from x.md\nrename to y.md\n--- a/x.md\n+++ b/y.md\n" + hunk},
		{"", "x y.md", "q\"\n.md", "diff --git \"a/x y.md\" " + `"b/q\"\012.md"` + "\nrename from \"x y.md\"\nrename to " + `"q\"\012.md"` + "\n"},
		{hunk, "x.md", "x.md", hunk},
	} {
		if got := string(Renamed([]byte(tt.diff), tt.from, tt.to)); got != tt.want {
			t.Errorf("%q to %q:\n%s", tt.from, tt.to, got)
		}
	}
	if added, removed := texts.Counts(); added != 2 || removed != 1 {
		t.Errorf("+%d -%d", added, removed)
	}
	same := Texts{Old: texts.Old, New: texts.Old}
	if got := same.Unified("x.md"); got != nil {
		t.Errorf("of nothing: %s", got)
	}
}

// TestTouchedLinesLookOnce counts the bytes that are looked at: those of a line with many
// splices a few times, not once for each splice.
func TestTouchedLinesLookOnce(t *testing.T) {
	const many = 2000
	for _, test := range []struct{ name, old, touched string }{
		{"one line", "# H\n\n" + strings.Repeat("[x](#h) ", many) + "\n\nend\n", "#h"},
		{"one line at the end", strings.Repeat("[x](#h) ", many), "#h"},
		{"two splices in each line", strings.Repeat("[x](#h) [y](#h)\n", many/2), "#h"},
		{"line endings", strings.Repeat("[x](#h)\n", many), "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			texts := Texts{Old: []byte(test.old), New: []byte(strings.ReplaceAll(test.old, test.touched, "#other"))}
			for at := 0; ; {
				i := strings.Index(test.old[at:], test.touched)
				if i < 0 {
					break
				}
				end := at + i + len(test.touched)
				texts.Splices = append(texts.Splices, Splice{Span{at + i, end}, len("#other")})
				at = end
			}
			looked := 0
			touched := texts.touchedLines(lookFor{
				first: func(in []byte, b byte) int {
					i := bytes.IndexByte(in, b)
					looked += i + 1
					if i < 0 {
						looked += len(in)
					}
					return i
				},
				last: func(in []byte, b byte) int {
					i := bytes.LastIndexByte(in, b)
					looked += len(in) - max(i, 0)
					return i
				},
			})
			if len(texts.Splices) != many || len(touched) == 0 {
				t.Fatalf("%d splices touch %d groups of lines", len(texts.Splices), len(touched))
			}
			if most := 3 * len(test.old); looked > most {
				t.Errorf("%d bytes are looked at for %d splices in %d bytes; %d are enough", looked, many, len(test.old), most)
			}
		})
	}
}

// TestNarrowIsCompared: what is cut off before lines are compared, or not compared, is what the
// comparison of all of them would leave out.
func TestNarrowIsCompared(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	text := func() []byte {
		var out []byte
		for range random.IntN(7) {
			out = append(out, [...]string{"a\n", "b\n", "\n", "ab\n", "c\r\n"}[random.IntN(5)]...)
		}
		return append(out, [...]string{"", "", "a", "ab", "\r"}[random.IntN(5)]...)
	}
	for range 5_000 {
		old, added := text(), text()
		c := lineChange{Span{0, len(old)}, Span{0, len(added)}}
		if got, want := c.narrow(old, added), c.compared(old, added); !slices.Equal(got, want) {
			t.Fatalf("%q and %q: %v, want %v", old, added, got, want)
		}
	}
	many := bytes.Repeat([]byte("x\n"), MaxLines+1)
	old, added := slices.Concat([]byte("same\nold\n"), many, []byte("end\n")), []byte("same\nnew\nend\n")
	c := lineChange{Span{0, len(old)}, Span{0, len(added)}}
	if got, want := c.narrow(old, added), []lineChange{{Span{len("same\n"), len(old) - len("end\n")}, Span{len("same\n"), len("same\nnew\n")}}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if allocated := testing.AllocsPerRun(3, func() { c.narrow(old, added) }); allocated > 10 {
		t.Errorf("%v allocations for lines that aren't compared", allocated)
	}
}
