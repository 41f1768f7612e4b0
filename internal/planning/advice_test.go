package planning

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// What a reply says that comes next is not refused, and what an error has listed was shown.

// TestPlanListedIDs marks by the ids that an error has just listed, after somebody else has
// changed the plan.
func TestPlanListedIDs(t *testing.T) {
	const text = "feat(x): goal\n\nWhy.\n\n- [ ]: group\n  - [ ]: add a\n  - [ ]: add b\n- [ ]: write\n"
	for name, ask := range map[string]func(p *Plans) error{
		"ambiguous": func(p *Plans) error { return second(p.Mark(t.Context(), PlanMark{Task: "add"})) },
		"parent":    func(p *Plans) error { return second(p.Mark(t.Context(), PlanMark{Task: "group"})) },
		"nearest":   func(p *Plans) error { return second(p.Mark(t.Context(), PlanMark{Task: "ad b"})) },
		"finish":    func(p *Plans) error { return second(p.Finish(t.Context(), PlanFinish{})) },
		"new":       func(p *Plans) error { return second(p.New(t.Context(), PlanNew{})) },
	} {
		p, file := newPlans(t, "", PlanOptions{})
		store(t, file, planText)
		p = p.For(documents.NewSession())
		must(t)(p.Show(t.Context()))
		store(t, file, text)
		ids, _ := AsPlanError(ask(p)).Metadata["ids"].([]string)
		if !slices.Contains(ids, "1.2") {
			t.Fatalf("%s: %v", name, ids)
		}
		if r := must(t)(p.Mark(t.Context(), PlanMark{Task: "1.2"})); r.Did != "task 1.2 is done: add b" {
			t.Errorf("%s: %s", name, r.Did)
		}
		// The others were not shown, nor these in another text.
		store(t, file, text)
		p.shown.Shown([32]byte{}, p.shown.Next())
		_ = ask(p)
		if !slices.Contains(ids, "2") {
			refusedAs(t, second(p.Mark(t.Context(), PlanMark{Task: "2"})), planConcurrent)
		}
		store(t, file, strings.Replace(text, "add a", "add c", 1))
		refusedAs(t, second(p.Mark(t.Context(), PlanMark{Task: "1.2"})), planConcurrent)
	}
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, text)
	nobody := p.For(nil)
	refusedAs(t, second(nobody.Mark(t.Context(), PlanMark{Task: "add"})), planTaskAmbiguous)
	refusedAs(t, second(nobody.Mark(t.Context(), PlanMark{Task: "1.2"})), planInput)
}

// TestPlanAllDone leads to the end of a plan when all tasks are done.
func TestPlanAllDone(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, "feat(x): goal\n\nWhy.\n\n- [x]: a\n- [ ]: b\n")
	if next := must(t)(p.Gather(t.Context(), PlanGather{})).nextRequests(); next[0] != "plan mark" {
		t.Errorf("with a task open: %v", next)
	}
	for _, r := range []*PlanReply{must(t)(p.Mark(t.Context(), PlanMark{Task: "b"})), must(t)(p.Gather(t.Context(), PlanGather{}))} {
		text := string(r.Text(0))
		if fmt.Sprint(r.nextRequests()) != "[plan finish plan set]" || strings.Contains(text, "plan mark") || !strings.Contains(text, "stage: 5 of 6, execution: All tasks are done; the plan is still open.\n") {
			t.Errorf("%s", text)
		}
		if r.Gathered && !strings.HasSuffix(r.guidance(), "If nothing is, call plan finish.") {
			t.Errorf("%s", r.guidance())
		}
	}
	if words := len(strings.Fields(must(t)(p.Gather(t.Context(), PlanGather{})).guidance())); words > 120 {
		t.Errorf("%d words", words)
	}
}

// TestPlanInvalidLeadsOut does what comes next for plans that can't be changed otherwise,
// until they can.
func TestPlanInvalidLeadsOut(t *testing.T) {
	const body = "\n\nWhy.\n\n- Never: stop\n\n- [ ]: a\n"
	for text, next := range map[string]string{
		"feat(x): goal\n\nWhy.\n\n- Must: go on\n\n- [ ]: a\n":   "[plan detail]",
		"feat(API): goal" + body:                                 "[plan goal]",
		"feat(API): goal\n\nWhy.\n\n- Must: go on\n\n- [ ]: a\n": "[plan goal plan detail]",
		"note(x): goal" + body:                                   "[plan show plan goal with replace_existing plan new with force]",
		"note(x): goal\n\nWhy.\n":                                "[plan show plan goal with replace_existing plan new]",
		"some text\n":                                            "[plan goal with replace_existing plan new]",
		"feat(x): goal" + body + "- b\n":                         "[plan set with lines plan show plan goal with replace_existing plan new with force]",
		"feat(x): " + strings.Repeat("g", 121) + body:            "[plan set with lines plan show plan goal with replace_existing plan new with force]",
		"feat(x): goal\n\nWhy.\n\n- [ ]: a\n  b\n- [ ]: c":       "[plan set with lines plan show plan goal with replace_existing plan new with force]",
	} {
		p, file := newPlans(t, "", PlanOptions{})
		store(t, file, text)
		r := must(t)(p.Gather(t.Context(), PlanGather{}))
		if got := fmt.Sprint(r.nextRequests()); got != next || strings.Contains(string(r.Text(0)), "Take the open tasks") {
			t.Errorf("%q: next %s, want %s\n%s", text, got, next, r.Text(0))
		}
		for _, call := range r.Stage.Next {
			store(t, file, text)
			var err error
			switch {
			case call.Verb == replies.PlanGoal:
				err = second(p.SetGoal(t.Context(), PlanGoal{Type: "fix", Scope: "y", Title: "other", ReplaceExisting: len(call.Args) > 0}))
			case call.Verb == replies.PlanDetail:
				err = second(p.SetDetail(t.Context(), PlanDetail{Keep: true, Constraints: []any{"Never: stop"}}))
			case call.Verb == replies.PlanSet: // the line that the reply names
				err = second(p.SetPlan(t.Context(), PlanTasks{Lines: map[int]string{r.Problems[0].Line: map[int]string{1: "feat(x): goal"}[r.Problems[0].Line]}, ExpectedVersion: r.Version}))
			case call.Verb == replies.PlanNew:
				err = second(p.New(t.Context(), PlanNew{Force: len(call.Args) > 0}))
			case call.Verb != replies.PlanShow:
				t.Errorf("%q: %s", text, call.Verb)
			}
			if err != nil {
				t.Errorf("%q: %s: %v", text, call.Verb, err)
			}
		}
	}
}

// TestPlanSkippedAreTold reports constraints that count for nothing.
func TestPlanSkippedAreTold(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, "feat(x): goal\n\nWhy.\n\n- Never: stop\n- Must: Go on\n- Never: Stop\n\n- [ ]: a\n")
	want := `among the constraints stand lines that are none and don't count: line 6, "- Must: Go on"; line 7, "- Never: Stop"; a constraint begins with one of Do not, Never, `
	for _, r := range []*PlanReply{must(t)(p.Gather(t.Context(), PlanGather{})), must(t)(p.Show(t.Context())), must(t)(p.Mark(t.Context(), PlanMark{Task: "a"}))} {
		if text := string(r.Text(0)) + string(r.Terminal(PlanLook{})); strings.Count(text, "note: "+want) != 2 {
			t.Errorf("%s", text)
		}
	}
	store(t, file, "feat(x): goal\n\nWhy.\n\n- Never: stop\n"+strings.Repeat("- Must: Go\n", 5))
	if text := string(must(t)(p.Show(t.Context())).Text(0)); !strings.Contains(text, `line 8, "- Must: Go" and 2 more; a constraint`) {
		t.Errorf("%s", text)
	}
}

// TestPlanDescriptionHints says where that belongs which no description can have.
func TestPlanDescriptionHints(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, planText)
	for description, want := range map[string]string{
		"text\n- Never: x": "give constraints with constraints; items of another list begin with",
		"text\n- Note: X":  "give constraints with constraints",
		"text\n- [ ] x":    "give tasks to plan set; an example stands between lines of ```",
		"text\n- [-] x":    "give tasks to plan set",
		"- one\n- two":     "begin with a sentence, or begin items with",
	} {
		e := wantPlanError(t, second(p.SetDetail(t.Context(), PlanDetail{Description: description})), planInvalid)
		if !strings.HasPrefix(e.Hint.String(), want) || stored(t, file) != planText {
			t.Errorf("%q: %s", description, e.Hint.String())
		}
	}
	for _, description := range []string{
		"See:\n- [docs](http://x)\n- [more](http://y): all of it", "So:\n\n```md\n- [ ] x\n- Never: x\n```", "text\n* Never: x\n* [ ] y", "* one\n* two",
	} {
		r := must(t)(p.SetDetail(t.Context(), PlanDetail{Description: description}))
		if again := must(t)(p.Show(t.Context())); again.Document.Description != description || len(again.Tasks) != 4 || !r.Changed {
			t.Errorf("%q is %q with %d tasks", description, again.Document.Description, len(again.Tasks))
		}
	}
}

// TestPlanHaltsAreNamed has the limit in what is said of a text, and the line to mend.
func TestPlanHaltsAreNamed(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	for text, want := range map[string]string{
		"feat(x): " + strings.Repeat("g", 121) + "\n\nWhy.\n":                                          "a plan only up to line 1 (TITLE_TOO_LONG: the title has more characters than max_title, which is 120; shorten it)",
		"feat(x): goal\n\n- [ ]: a task that\n  is wrapped\n- [ ]: b\n":                                "a plan only up to line 4 (SECTION_ORDER: the line is no task and no constraint, and line 5, which is one, comes behind it; if it is the rest of the line above, join both;",
		"feat(x): goal\n\n" + strings.Repeat("- [ ]: a\n", 1001):                                       "there are more tasks than max_tasks, which is 1000;",
		"feat(x): goal\n\n- [ ]: a\n - [ ]: a\n  - [ ]: a\n   - [ ]: a\n    - [ ]: a\n     - [ ]: a\n": "the task is nested deeper than max_depth, which is 4;",
	} {
		store(t, file, text)
		if shown := string(must(t)(p.Show(t.Context())).Text(10_000)); !strings.Contains(shown, want) {
			t.Errorf("%s", shown)
		}
	}
	store(t, file, "feat(x): goal\n\n- [x]: a\n- [] b\n- [ ]: c\n")
	done := must(t)(p.Show(t.Context()))
	if shown := string(done.Text(10_000)) + string(done.NextText()); strings.Contains(strings.ToLower(shown), "all tasks are done") || !strings.Contains(shown, "no task is open in the beginning of the text") {
		t.Errorf("tasks stand behind the line that is none: %s", shown)
	}
	store(t, file, "feat(x): goal\n\n- [ ]: a task that\n  is wrapped\n- [ ]: b\n")
	e := wantPlanError(t, second(p.Mark(t.Context(), PlanMark{Task: "b"})), planNotRecognised)
	if e.Metadata["line"] != 4 || e.Metadata["before"] != 5 || e.Metadata["text"] != nil {
		t.Errorf("%v", e.Metadata)
	}
}

// TestPlanOwnChange blames nobody else for what the reader has seen or done.
func TestPlanOwnChange(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, planText)
	p = p.For(documents.NewSession())
	first := must(t)(p.Show(t.Context())).Version
	must(t)(p.Mark(t.Context(), PlanMark{Task: "write"}))
	for _, err := range []error{
		second(p.Mark(t.Context(), PlanMark{Task: "build", ExpectedVersion: first})), second(p.New(t.Context(), PlanNew{ExpectedVersion: first, Force: true})),
	} {
		e := wantPlanError(t, err, planConcurrent)
		if text := e.sentence().String(); strings.Contains(text, "somebody else") || !strings.Contains(text, "which a reply here has said since, and nothing was written; ") || !e.Told {
			t.Errorf("%s", text)
		}
	}
	nobody := wantPlanError(t, second(p.For(nil).Mark(t.Context(), PlanMark{Task: "build", ExpectedVersion: first})), planConcurrent)
	if text := nobody.Message.String(); strings.Contains(text, "somebody else") || !strings.Contains(text, "was changed since it had version "+first) {
		t.Errorf("%s", text)
	}
	store(t, file, planText+"- [ ]: other\n")
	if e := wantPlanError(t, second(p.Mark(t.Context(), PlanMark{Task: "build", ExpectedVersion: first})), planConcurrent); !strings.Contains(e.Message.String(), "changed by somebody else") {
		t.Errorf("%s", e.Message.String())
	}
}
