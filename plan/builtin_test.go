package plan

import (
	"regexp"
	"slices"
	"testing"
)

// builtinPatterns are all patterns of the presets.
func builtinPatterns() []string {
	var list []string
	presets := Presets()
	for i := range presets {
		c := &presets[i]
		list = append(append(list, c.Header...), c.Task, c.TaskLax, c.TaskLike, c.TaskBare, c.Constraint, c.ConstraintLike, c.Scope)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(s string) bool { return s == "" })
}

// FuzzBuiltin compares the finders with the expressions that they stand for.
func FuzzBuiltin(f *testing.F) {
	for _, line := range []string{
		"", "feat(a)!: t", "feat(a): ", "feat(a):\f t", "feat:", "feat!:x", "feat(", "feat(a", "feat()", "feat(a b):", "(a):", "feat(a))", "f(a)!", "F:", "# t", "#  \tt", " # t", "#", "# ",
		"title: a", " title: a", "title:", "title:\v", "- [ ]: a", "\t- [x]: a", "- [X] a", "- [", "- []", "- [é]", "- [éé]", "- [ab]", "- [a", "- [ ]:a", "- [ ]: \ta", "- [ ]", "[x]: a", " [ ] b", "[x]", "[y]: a",
		"- task: a (x)", " - task:", "- task: (x)", "- task: a  (y)", "- task: a ( )", "- task:a", "- task: \u00a0 (x)", "- Do not: a", "- Do not: A", "- D", "- D:", "- d: a", " - D: a", "- : ", "> A: b", "> a: ", "A b: c", "a B: c", "a:b", "a1: b", "a/b.c-9", "a_b",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if regexp.MustCompile(`[\r\n]`).MatchString(line) || unsafeAt(line) >= 0 {
			t.Skip()
		}
		for _, source := range builtinPatterns() {
			fast := pattern{known: builtin(source)}
			if fast.find == nil {
				t.Fatalf("%s has no finder", source)
			}
			slow := pattern{re: regexp.MustCompile(source)}
			for _, name := range slow.re.SubexpNames() {
				g, ok := groupNamed(name)
				if !ok {
					g = numGroups
				} else {
					slow.groups |= setOf(g)
				}
				slow.of = append(slow.of, g)
			}
			if slow.groups != fast.groups {
				t.Fatalf("%s: groups %s, want %s", source, fast.groups.names(), slow.groups.names())
			}
			slow.words = []string{"task", "title"}
			got, want := match{}, match{}
			gotEnd, ok := fast.match(line, &got)
			wantEnd, wanted := slow.match(line, &want)
			// Where a match ends matters for headers alone.
			if ok != wanted || ok && fast.groups != 0 && gotEnd != wantEnd {
				t.Fatalf("%s: %q: %v to %d, want %v to %d", source, line, ok, gotEnd, wanted, wantEnd)
			}
			for g := range numGroups {
				if ok && fast.groups.has(g) && got.text(line, g) != want.text(line, g) {
					t.Errorf("%s: %q: %s %q, want %q", source, line, g, got.text(line, g), want.text(line, g))
				}
			}
		}
	})
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
		g.quick = false
		if g.classify(s, &slow); slow != quick {
			t.Errorf("%s: %q: %+v, the long way %+v", g.Name, s, quick, slow)
		}
	})
}
