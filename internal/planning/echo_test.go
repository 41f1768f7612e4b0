package planning

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// thinnedPlan is a plan that no reply of 10,000 characters shows whole, with the text of
// one that does what it can.
func thinnedPlan(t *testing.T) (p *Plans, file, text, shown string) {
	t.Helper()
	p, file = newPlans(t, "", PlanOptions{})
	var b strings.Builder
	b.WriteString("feat(x): goal\n\n")
	for i := range 100 {
		fmt.Fprintf(&b, "Paragraph %d: %sat last.\n\n", i, strings.Repeat("why it is to be done ", 11))
	}
	b.WriteString("- Never: stop\n\n")
	for i := range 100 {
		fmt.Fprintf(&b, "- [ ]: task %d, %sat last\n", i, strings.Repeat("and what else it is about ", 10))
	}
	text = b.String()
	store(t, file, text)
	return p, file, text, string(must(t)(p.Gather(t.Context(), PlanGather{})).Text(10_000))
}

// wrapped returns a line as it is, and as a model may send it back: with the mark of its
// reply, and in what Markdown has to put around a line.
func wrapped(line string) []string {
	lines := []string{line}
	for _, form := range []string{"k7q2mx %s", "> %s", "* k7q2mx %s", "1. %s", "`%s`", "**k7q2mx %s**", "# %s", "<!-- k7q2mx %s -->", "\u200b%s", "> - [ ] `k7q2mx %s`", "| %s |"} {
		lines = append(lines, fmt.Sprintf(form, line))
	}
	return lines
}

// TestPlanThinned sends back what a reply has left out of a plan: in every field, in
// every form.
func TestPlanThinned(t *testing.T) {
	testkit.OneGoroutine(t)
	p, file, text, shown := thinnedPlan(t)
	_, rest, _ := strings.Cut(shown, "\nfeat(x): goal\n\n")
	description, rest, found := strings.Cut(rest, "\n\n- Never: stop\n")
	if !found || !strings.Contains(description, "\n[left out: ") || !strings.Contains(rest, "[left out: ") || !strings.Contains(rest, "…\n") {
		t.Fatalf("nothing is left out:\n%s", shown)
	}
	refused := func(name, hint string, err error) {
		t.Helper()
		e := wantPlanError(t, err, planInput)
		if !strings.Contains(e.Message.String(), "; nothing was written") || !strings.Contains(e.Hint.String(), hint) {
			t.Errorf("%s: %s; %s", name, e.Message.String(), e.Hint.String())
		}
		if stored(t, file) != text {
			t.Fatalf("%s was stored", name)
		}
	}
	detail := func(description string, constraints any) error {
		return second(p.SetDetail(t.Context(), PlanDetail{Description: description, Constraints: constraints}))
	}
	tasks := func(tasks any) error { return second(p.SetPlan(t.Context(), PlanTasks{Tasks: tasks})) }
	refused("the description that was shown", "leave description out to keep it", detail(description, []any{"Never: haste"}))
	for line := range strings.SplitSeq(shown, "\n") {
		line = strings.TrimSpace(line)
		if cut := strings.HasSuffix(line, "…"); !cut && !strings.HasPrefix(line, "[left out: ") || strings.HasPrefix(line, "task: ") {
			continue
		}
		for i, line := range wrapped(line) {
			if i > 0 && !strings.Contains(line, "[left out: ") {
				break
			}
			_, words, isTask := strings.Cut(line, "[ ] ")
			if !isTask {
				words = line
				refused(line, "", detail("Why.\n\n"+line, nil))
				refused(line, "", second(p.SetGoal(t.Context(), PlanGoal{Type: "feat", Scope: "x", Title: line})))
				refused(line, "", detail("Why.", []any{[]any{"Never", line}}))
				refused(line, "every task", tasks("- [ ] one\n"+line+"\n"))
			}
			refused(line, "every task", tasks("- [ ] one\n- [ ] "+words+"\n"))
			refused(line, "every task", tasks([]any{[]any{false, "one", []any{[]any{false, words, []any{}}}}}))
			refused(line, "every task", tasks([]any{map[string]any{"text": words}}))
			if strings.Contains(line, "[left out: ") && len(line) < 400 {
				refused(line, "", second(p.Mark(t.Context(), PlanMark{Task: "1", Keep: true, Note: line})))
			}
		}
	}
	refused("a claim", "", second(p.Mark(t.Context(), PlanMark{Task: "1", Keep: true, Claim: "[left out: 3 tasks; see there]"})))
	refused("an id", "leave the id and the box out", tasks([]any{map[string]any{"text": "1.2 [x] measure"}}))

	// The constraints alone are changed with all else as it was.
	r := must(t)(p.SetDetail(t.Context(), PlanDetail{Keep: true, Constraints: []any{"Avoid: haste"}}))
	if want := strings.Replace(text, "Never: stop", "Avoid: haste", 1); r.Did != "1 constraint is set" || strings.TrimSpace(r.Source) != strings.TrimSpace(want) {
		t.Errorf("%s:\n%.300s", r.Did, r.Source)
	}
	before := stored(t, file)
	e := wantPlanError(t, second(p.SetDetail(t.Context(), PlanDetail{Keep: true})), planInput)
	if e.Hint.String() != "give description, constraints or both" || stored(t, file) != before {
		t.Error(e.Message.String())
	}
}

// TestPlanKeepsMarks lets texts be that a plan has itself, and those that no reply makes.
func TestPlanKeepsMarks(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	text := "feat(x): goal\n\nWhy.\n[left out: 3 lines; `sectile plan message` prints all]\n\n- [ ]: 1 [x] odd\n- [ ]: the long and winding road that leads to … and on"
	store(t, file, text)
	if r := must(t)(p.SetDetail(t.Context(), PlanDetail{Description: "Other.\n[left out: 3 lines; `sectile plan message` prints all]"})); !r.Changed {
		t.Error(r.Did)
	}
	must(t)(p.SetPlan(t.Context(), PlanTasks{Tasks: []any{
		map[string]any{"text": "1 [x] odd"}, map[string]any{"text": "[left out: the tea]"}, map[string]any{"text": "the road …"}, map[string]any{"text": "2 eggs"},
	}}))
	must(t)(p.SetDetail(t.Context(), PlanDetail{Description: "It says [left out: 3 lines; x] there, and [this] too.\n\n[warning: hot]"}))
}
