package opening

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

// of returns the opening of an expression, and the expression.
func of(t *testing.T, source string) (Opening, *regexp.Regexp) {
	t.Helper()
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		t.Fatal(err)
	}
	return Of(prog), regexp.MustCompile(source)
}

// TestOpening tries openings with lines that fit and lines that don't. No line that an
// expression is found in is kept off; what an opening keeps off may differ, and is told here.
func TestOpening(t *testing.T) {
	for source, c := range map[string]struct {
		prefix      string
		fits, fails []string
	}{
		`^- \[ \] `:           {"- [ ] ", []string{"- [ ] a", "  - [ ] a"}, []string{"", "* [ ] a", "- [x] a"}},
		`^[ \t]*task:`:        {"task:", []string{"task: a", "\ttask:"}, []string{"a task:", "t"}},
		`^(feat|fix)`:         {"f", []string{"feat", "fix"}, []string{"a", "é"}},
		`^(?i)a`:              {"", []string{"a", "A"}, []string{"b"}},
		`^(?i)k`:              {"", []string{"k", "K", "\u212a"}, []string{"b"}}, // the Kelvin sign
		`^[^a \t]`:            {"", []string{"b", "é"}, []string{"a"}},
		`^[^a]`:               {"", []string{"b", "a"}, nil}, // a blank is enough
		`^é`:                  {"", []string{"é"}, []string{"a"}},
		`^abcdefghijkl`:       {"abcdefgh", []string{"abcdefghijkl"}, []string{"abcdefg"}},
		`^a+b`:                {"a", []string{"ab", "aab"}, []string{"b"}},
		`^(a|)`:               {"", []string{"", "b"}, nil},
		`a`:                   {"", []string{"b", "ba"}, nil},
		`^$`:                  {"", []string{"", "a"}, nil},
		`^(\x{10000}|\pL*\d)`: {"", []string{"\U00010000", "a1", "1"}, []string{"!"}},
	} {
		o, re := of(t, source)
		if o.Prefix != c.prefix {
			t.Errorf("%s: prefix %q, want %q", source, o.Prefix, c.prefix)
		}
		fits := func(line string) bool { return o.Fits(strings.TrimLeft(line, " \t")) }
		for _, line := range c.fits {
			if !fits(line) {
				t.Errorf("%s keeps %q off", source, line)
			}
		}
		for _, line := range c.fails {
			if fits(line) {
				t.Errorf("%s lets %q in", source, line)
			}
		}
		for _, line := range append(c.fits, c.fails...) {
			if re.MatchString(line) && !fits(line) {
				t.Errorf("%s is in %q, and keeps it off", source, line)
			}
		}
	}
}
