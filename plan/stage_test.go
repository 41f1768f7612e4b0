package plan_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/plan"
)

func TestStages(t *testing.T) {
	for _, c := range []struct{ text, shown, name string }{
		{"", "0", "goal"},
		{"no plan", "0", "goal"},
		{"feat(a): t", "1", "detail"},
		{"feat(a): t\n\nd", "2/3", "constraints and plan"},
		{"feat(a): t\n\nd\n\n- N: X", "2/3", "constraints and plan"},
		{"feat(a): t\n\nd\n\n- Never: x", "4", "plan"},
		{"feat(a): t\n\nd\n\n- [ ]: x", "5", "execution"},
		{"feat(a): t\n\nd\n\n- [x]: x\n\n~~~ GO ~~~", "5", "execution"},
		{"feat(a): t\n\nd\n\n- [x]: x\n\n~~~ COMPLETE ~~~", "6", "completion"},
	} {
		r := plan.Parse(c.text, nil)
		s := plan.Stages().Of(r.Document)
		if s.Shown != c.shown || s.Name != c.name || !strings.HasPrefix(s.Shown, string(rune('0'+s.Number))) {
			t.Errorf("%q: %d %s %s", c.text, s.Number, s.Shown, s.Name)
		}
	}
	for _, s := range plan.Stages() {
		if len(s.Next) == 0 {
			t.Errorf("%s: nothing comes next", s.Name)
		}
	}
}

// TestOtherStages drives the engine with a table of its own.
func TestOtherStages(t *testing.T) {
	table := plan.Table{
		{Number: 1, Shown: "red", In: func(d plan.Document) bool { return len(d.Constraints) == 0 }},
		{Number: 2, Shown: "green", In: func(d plan.Document) bool { return len(plan.OpenLeaves(d.Tasks)) > 0 }},
		{Number: 3, Shown: "refactor", Next: []plan.Step{plan.StepNew}},
	}
	var shown []string
	for _, text := range []string{"feat:", "feat:\n\n- Never: a\n\n- [ ]: b", "feat:\n\n- Never: a\n\n- [x]: b"} {
		shown = append(shown, table.Of(document(t, text)).Shown)
	}
	if diff := cmp.Diff([]string{"red", "green", "refactor"}, shown); diff != "" {
		t.Error(diff)
	}
	if s := table[:1].Of(document(t, "feat:\n\n- Never: a")); s.Shown != "" || s.Number != 0 {
		t.Errorf("%+v", s)
	}
}
