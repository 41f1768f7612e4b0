package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/yamltree"
)

// TestDecodeChange sees that a change that would take blanks from a text isn't
// made, and that one beside it keeps them.
func TestDecodeChange(t *testing.T) {
	const text = "categories:\n  a:\n    dir: x\n    vars:\n      v: |-\n        a  \n          \n"
	f := parse([]byte(text), Project, nil)
	after, err := apply(f, nil, AddCategory{Category{Name: "b", Dir: "y"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := text + "  b:\n    dir: \"y\"\n"; string(after) != want {
		t.Errorf("it became %q", after)
	}
	cutOff := parse([]byte(strings.Replace(text, "a  \n", "a\n", 1)), Project, nil).says()
	if says := f.says(); says.equal(cutOff) {
		t.Error("two files that differ by blanks at the end of a line say the same")
	}
}

// TestNotUTF8 refuses values that no file could hold, and blames them.
func TestNotUTF8(t *testing.T) {
	bad := "x\xff"
	f := parse([]byte("categories:\n  a: {dir: x}\n"), Project, nil)
	for want, c := range map[string]Change{
		"categories.b.dir: the folder's name is not UTF-8": AddCategory{Category{Name: "b", Dir: bad}},
		"description: the description is not UTF-8":        Set{Name: "a", Description: &bad},
		"patterns[0]: the pattern is not UTF-8":            Set{Name: "a", Patterns: &[]string{bad}},
		"categories.a.dir: the folder's name is not UTF-8": Set{Name: "a", Dir: &bad},
		"collections.c[0]: the pattern is not UTF-8":       AddCollection{Collection{Name: "c", Entries: []Entry{{"a", bad}}}},
		"is not allowed in a name":                         AddCategory{Category{Name: bad, Dir: "x"}},
	} {
		if _, err := apply(f, nil, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestFindings sees that what is not told costs no more than a note: a place or a
// near name for each took seconds.
func TestFindings(t *testing.T) {
	const n = 15_000
	for _, sign := range []string{"&b 1,\n", "*a,\n", "!b 1,\n"} {
		f := parse([]byte("a: [&a 1,"+strings.Repeat(sign, n)+"]"), Project, nil)
		want := fmt.Sprintf("and %d more; correct these first", n+1-maxProblems)
		if got := f.problems[len(f.problems)-1].Message; len(f.problems) != maxProblems+1 || got != want {
			t.Errorf("%q: %d problems, the last: %s", sign, len(f.problems), got)
		}
	}
	f := &file{Text: yamltree.New(strings.Repeat("x\n", n), isKeyName), places: map[string]int{}}
	told := 0
	for i := range n {
		f.found = append(f.found, finding{offset: 2 * (n - 1 - i), late: func() string { told++; return "late" }})
	}
	f.tell()
	if told != maxProblems || f.problems[0].Line != 1 || f.problems[maxProblems-1].Line != maxProblems {
		t.Errorf("%d messages were made; the first is in line %d", told, f.problems[0].Line)
	}
}
