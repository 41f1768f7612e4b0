package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/plan"
)

func TestStages(t *testing.T) {
	all := plan.Stages()
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
		s := plan.StageOf(r.Document)
		if s.Shown != c.shown || s.Name != c.name || !strings.HasPrefix(s.Shown, string(rune('0'+s.Number))) {
			t.Errorf("%q: %d %s %s", c.text, s.Number, s.Shown, s.Name)
		}
	}
	tools := []string{plan.ToolGather, plan.ToolGoal, plan.ToolDetail, plan.ToolPlan, plan.ToolMark, plan.ToolFinish, plan.ToolNew}
	for _, s := range all {
		if words := len(strings.Fields(s.Guidance)); words < 40 || words > 120 {
			t.Errorf("%s: %d words of guidance", s.Name, words)
		}
		if len(s.Tools) == 0 || !strings.Contains(s.Guidance, s.Tools[0]) {
			t.Errorf("%s: the guidance doesn't speak of %v", s.Name, s.Tools)
		}
		for _, tool := range s.Tools {
			if !slices.Contains(tools, tool) {
				t.Errorf("%s: %s is no tool", s.Name, tool)
			}
		}
		for word := range strings.FieldsFuncSeq(s.Guidance, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
			if strings.Contains(word, "_") && !slices.Contains(tools, word) {
				t.Errorf("%s: the guidance speaks of %s", s.Name, word)
			}
		}
	}
}

// TestOtherStages drives the engine with a table of its own.
func TestOtherStages(t *testing.T) {
	table := plan.Table{
		{Number: 1, Shown: "red", In: func(d plan.Document) bool { return len(d.Constraints) == 0 }},
		{Number: 2, Shown: "green", In: func(d plan.Document) bool { return len(plan.OpenLeaves(d.Tasks)) > 0 }},
		{Number: 3, Shown: "refactor", Tools: []string{"own_tool"}},
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
