package plan

import (
	"slices"
	"testing"
)

// presetPatterns are all patterns of the presets.
func presetPatterns() []string {
	var list []string
	presets := Presets()
	for i := range presets {
		list = append(list, presets[i].patterns()...)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(s string) bool { return s == "" })
}

// openingPatterns and openingLines are what openings are tried with.
func openingPatterns() []string {
	return append(presetPatterns(), "", "a", "a|^b", `^(?:a|)b`, "^", "$", `^[ \t]+x`, `^\s*x`, "(?i)^k", "(?m)^a", "(?s)^.a", "^é", "^[^a]", `^\x{85}`, `^(?: ?- )*\[`, "^a{3}b?", `^\b`, `\Aabcdefghijk`, "^(?:- |> )[a-z]")
}

func openingLines() []string {
	return []string{
		"", "feat(a)!: t", "feat(a): ", "feat(a):\f t", "feat:", "feat!:x", "feat(", "feat(a", "feat()", "feat(a b):", "(a):", "feat(a))", "f(a)!", "F:", "# t", "#  \tt", " # t", "#", "# ",
		"title: a", " title: a", "title:", "title:\v", "- [ ]: a", "\t- [x]: a", "- [X] a", "- [", "- []", "- [é]", "- [éé]", "- [ab]", "- [a", "- [ ]:a", "- [ ]: \ta", "- [ ]", "[x]: a", " [ ] b", "[x]", "[y]: a",
		"- task: a (x)", " - task:", "- task: (x)", "- task: a  (y)", "- task: a ( )", "- task:a", "- task: \u00a0 (x)", "- Do not: a", "- Do not: A", "- D", "- D:", "- d: a", " - D: a", "- : ", "> A: b", "> a: ", "A b: c", "a B: c", "a:b", "a1: b", "a/b.c-9", "a_b",
		"\u212a", "K", "é", "\u0085", "\xff", "aaa", "aaab", "abcdefghijk", "abcdefghij", "\nx", " \t x",
	}
}

// keptOff reports whether the opening of an expression keeps a line from it that it finds.
func keptOff(e *expression, line string) bool {
	return !e.opening.Fits(unindented(line)) && e.re.MatchString(line)
}

// TestOpeningKeepsWhatIsFound tries each expression with each line.
func TestOpeningKeepsWhatIsFound(t *testing.T) {
	for _, source := range openingPatterns() {
		e, err := compileExpression(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range openingLines() {
			if keptOff(e, line) {
				t.Errorf("%q is in %q, but its opening %q keeps it off", source, line, e.opening.Prefix)
			}
		}
	}
}

// FuzzOpening compares the lines that an opening keeps from an expression with those
// that the expression finds.
func FuzzOpening(f *testing.F) {
	patterns := openingPatterns()
	for i, line := range openingLines() {
		f.Add(patterns[i%len(patterns)], line)
	}
	f.Fuzz(func(t *testing.T, source, line string) {
		e, err := compileExpression(source)
		if err != nil {
			t.Skip()
		}
		if keptOff(e, line) {
			t.Errorf("%q is in %q, but its opening %q keeps it off", source, line, e.opening.Prefix)
		}
	})
}

// TestOpening checks that openings know what the presets begin with, and that they
// aren't made for what begins anywhere.
func TestOpening(t *testing.T) {
	for _, c := range []struct{ source, fit, kept string }{
		{taskColon, "- [", "-# [x>"},
		{taskYAML, "- task: ", "-# [x>"},
		{constraintDash, "- ", "-#[x>"},
		{constraintYAML, "aZ", "-# [>é"},
		{headerScoped, "az", "A-# [>é"},
		{headerMarkdown, "# ", "#x-"},
		{"a", "xa\xff", ""},
		{"(?m)^a", "xa\xff", ""},
		{"^[ \t]*", "xa\xff", ""},
		{"(?i)^k", "kK\xff", "a"},
	} {
		e, err := compileExpression(c.source)
		if err != nil {
			t.Fatal(err)
		}
		if e.opening.Prefix != "" && e.opening.Prefix != c.fit {
			t.Errorf("%s: prefix %q, want %q", c.source, e.opening.Prefix, c.fit)
		}
		for i := range len(c.fit) {
			if line := c.fit[i:]; e.opening.Prefix == "" && !e.opening.Fits(line) {
				t.Errorf("%s: %q is kept off", c.source, line)
			}
		}
		for _, r := range c.kept {
			if e.opening.Fits(string(r)) {
				t.Errorf("%s: %q is not kept off", c.source, r)
			}
		}
	}
}

// FuzzQuick compares the short way to know text with the long one.
func FuzzQuick(f *testing.F) {
	f.Add("text", uint8(0))
	f.Add(" - [", uint8(2))
	f.Add("~~~ A ~~~", uint8(3))
	presets := Presets()
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		g, errs := compile(&presets[int(n)%len(presets)])
		if errs != nil {
			t.Fatal(errs)
		}
		var quick, slow line
		g.classify(s, &quick)
		for b := range g.starts {
			g.starts[b] = true
		}
		if g.classify(s, &slow); slow != quick {
			t.Errorf("%s: %q: %+v, the long way %+v", g.Name, s, quick, slow)
		}
	})
}
