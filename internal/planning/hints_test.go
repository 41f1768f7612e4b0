package planning

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/plan"
)

// What the errors and replies about plans tell somebody to do can be done.

// TestPlanMarkParent marks parents whose subtasks have the mark.
func TestPlanMarkParent(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	text := strings.Replace(planText, "- [ ]: build", "- [x]: build", 1)
	store(t, file, text)
	for _, task := range []string{"1", "read"} {
		if r := must(t)(p.Mark(t.Context(), PlanMark{Task: task})); r.Changed || r.Did != "task 1 is done: read; it was so before, nothing has changed" {
			t.Errorf("%s: %v %q", task, r.Changed, r.Did)
		}
		e := wantPlanError(t, second(p.Mark(t.Context(), PlanMark{Task: task, Open: true})), planTaskAmbiguous)
		if e.Hint.String() != "mark these: 1.1, 1.2" || fmt.Sprint(e.Metadata["tasks"]) != "[1.1 measure 1.2 build]" {
			t.Errorf("%s: %s %v", task, e.Hint.String(), e.Metadata)
		}
	}
}

// TestPlanNearestTasks names the tasks that a wrong one is near to.
func TestPlanNearestTasks(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, planText)
	for task, want := range map[string]string{
		"meassure":   `use the id of one of the nearest, 1.1 "measure", or see all tasks with plan show`,
		"1.3":        `use the id of one of the nearest, 1.1 "measure", 1.2 "build", or see all tasks with plan show`,
		"9":          "see all tasks with plan show",
		"a; b":       "see all tasks with plan show",
		"write; now": `use the id of one of the nearest, 2 "write", or see all tasks with plan show`,
	} {
		e := wantPlanError(t, second(p.Mark(t.Context(), PlanMark{Task: task})), planTaskNotFound)
		if e.Hint.String() != want || !strings.HasPrefix(e.Message.String(), fmt.Sprintf("no task has %q as its id", task)) {
			t.Errorf("%s: %s; %s", task, e.Message.String(), e.Hint.String())
		}
	}
}

// TestPlanNoTasks tells a plan without tasks from none.
func TestPlanNoTasks(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	for text, want := range map[string]string{
		"":                "there is no plan in .sectile/plan.md; nothing was written; see with plan list whether an unfinished one is elsewhere, before you begin another",
		"feat(x): goal\n": "the plan has no tasks; nothing was written; set some with plan set first",
	} {
		store(t, file, text)
		for _, err := range []error{second(p.Mark(t.Context(), PlanMark{Task: "1"})), second(p.Finish(t.Context(), PlanFinish{}))} {
			if e := wantPlanError(t, err, planNoTasks); e.Message.String()+"; "+e.Hint.String() != want {
				t.Errorf("%s; %s", e.Message.String(), e.Hint.String())
			}
		}
	}
}

// TestPlanHaltedProgress counts the tasks of a text that is a plan in its beginning alone as those
// that are known.
func TestPlanHaltedProgress(t *testing.T) {
	o := &openPlans{form: &plan.Presets()[0], stages: plan.Stages(), now: time.Now}
	l := o.ofText("feat(a): b\n\n- [x]: one\n- [q] two\n- [ ]: three\n").listed(&planstore.Plan{Where: "x"})
	if got := string(PlanListText([]PlanListed{l}, replies.Style{})); !l.Halted || !strings.Contains(got, ", 1 of 1 known task done") {
		t.Errorf("%+v: %q", l, got)
	}
}

// TestPlanHaltedBefore begins a new plan behind a text that is none to its end, by the
// way that the refusal names.
func TestPlanHaltedBefore(t *testing.T) {
	p, file := newPlans(t, "  preset: STRICT\n", PlanOptions{})
	for _, text := range []string{"feat(x): y\n\n" + strings.Repeat("ü", 10_000) + "\n", "feat(x): y\n\nWhy.\n\n- [-] z\n"} {
		store(t, file, text)
		e := wantPlanError(t, second(p.SetDetail(t.Context(), PlanDetail{Description: "Why."})), planNotRecognised)
		if strings.Contains(e.Hint.String(), "new_commit") != strings.Contains(e.Hint.String(), "new_commit and force") {
			t.Error(e.Hint.String())
		}
		e = wantPlanError(t, second(p.New(t.Context(), PlanNew{})), planNotRecognised)
		if !strings.HasSuffix(e.Message.String(), "; nothing was written") || strings.Contains(e.Hint.String(), "new_commit") || !strings.HasSuffix(e.Hint.String(), "call with force") {
			t.Errorf("%s; %s", e.Message.String(), e.Hint.String())
		}
		if r := must(t)(p.New(t.Context(), PlanNew{Force: true})); !r.Changed || r.Old == nil || r.Source != "" {
			t.Errorf("%s", r.Text(0))
		}
	}
}

// TestPlanSkippedLines tells which lines go with the constraints that they stood among.
func TestPlanSkippedLines(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	for n, want := range map[int]string{
		0: "1 constraint is set",
		1: `1 constraint is set; "- Note: A" is gone, which stood among the old ones`,
		2: `1 constraint is set; "- Note: A", "- Note: B" are gone, which stood among the old ones`,
		7: `1 constraint is set; "- Note: A", "- Note: B", "- Note: C", "- Note: D", "- Note: E" and 2 more are gone, which stood among the old ones`,
	} {
		text := "feat(x): y\n\nWhy.\n\n- Never: stop\n"
		for i := range n {
			text += fmt.Sprintf("- Note: %c\n", 'A'+i)
		}
		store(t, file, text)
		if r := must(t)(p.SetDetail(t.Context(), PlanDetail{Description: "Why."})); r.Source != text {
			t.Errorf("without constraints: %s", r.Source)
		}
		if r := must(t)(p.SetDetail(t.Context(), PlanDetail{Keep: true, Constraints: []any{"Avoid: haste"}})); r.Did != want || len(r.Document.Skipped) != 0 {
			t.Errorf("%d: %s\n%s", n, r.Did, r.Source)
		}
	}
}

// TestPlanClear takes all tasks of a complete plan away, which is complete no more.
func TestPlanClear(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, "feat(x): y\n\nWhy.\n\n- [x]: a\n\n~~~ COMPLETE ~~~\n")
	if r := must(t)(p.SetPlan(t.Context(), PlanTasks{Tasks: []any{}})); r.Source != "feat(x): y\n\nWhy.\n" || r.Stage.Shown != "2/3" {
		t.Errorf("%s\n%s", r.Stage.Shown, r.Source)
	}
}

// TestPlanUnknownField names the fields of a preset as they are called in the
// configuration.
func TestPlanUnknownField(t *testing.T) {
	for fields, want := range map[string]string{
		"Base: STRICT":   `plan.presets.own.Base: there is no field "Base"; did you mean "base"?`,
		"preset: STRICT": `plan.presets.own.preset: there is no field "preset"; use one of base, `,
		"zzz: 1":         `plan.presets.own.zzz: there is no field "zzz"; use one of base, `,
		"base: 7":        "plan.presets.own.base: Expected string, got number",
		"base: ''":       `plan.presets.own.base: there is no preset ""; use one of COMMIT_MESSAGE, `,
		"base: STRIKT":   `plan.presets.own.base: there is no preset "STRIKT"; did you mean "STRICT"?`,
	} {
		p, _ := newPlans(t, "  presets: {own: {"+fields+"}}\n", PlanOptions{})
		if e := wantPlanError(t, second(p.Show(t.Context())), planInput); !strings.Contains(e.Message.String(), want) {
			t.Errorf("%s: %s", fields, e.Message.String())
		}
	}
}

// TestPlanUsageHint has no advice about plans for an argument that is wrong.
func TestPlanUsageHint(t *testing.T) {
	for code, want := range map[string]string{replies.CodeInvalidArgument: "correct it and call again", replies.CodeUnknownArgument: "correct it and call again", replies.CodeIOError: "read the plan before it is changed again"} {
		if e := AsPlanError(&replies.Error{Code: code, Message: replies.Say("max_diff_bytes must be between 1 and 30000, not 0")}); e.Hint.String() != want {
			t.Errorf("%s: %q", code, e.Hint.String())
		}
	}
}

// TestPlanListedIsShort clips the first lines of plans.
func TestPlanListedIsShort(t *testing.T) {
	o := &openPlans{form: &plan.Presets()[0], stages: plan.Stages(), now: time.Now}
	l := o.ofText(strings.Repeat("long ", 20_000)).listed(&planstore.Plan{Name: "main", Where: "main"})
	if text := PlanListText([]PlanListed{l}, replies.Style{}); len(text) > 2*maxTitle {
		t.Errorf("%d bytes", len(text))
	}
}
