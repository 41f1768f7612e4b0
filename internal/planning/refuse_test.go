package planning

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/replies"
)

// TestPlanForeignText writes over no text that only looks like a plan, and says what
// goes when it is asked to.
func TestPlanForeignText(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	ctx := t.Context()
	goal := PlanGoal{Type: "fix", Scope: "a", Title: "b"}
	for _, text := range []string{"note: this readme\n\nIt has a second paragraph.\n", "wip: hacking\n", "wip(parser): hack\n\nText.\n\n- [ ]: a\n", "wip!: x\n\n- [ ]: a\n"} {
		for name, change := range map[string]func() (*PlanReply, error){
			"goal":   func() (*PlanReply, error) { return p.SetGoal(ctx, goal) },
			"detail": func() (*PlanReply, error) { return p.SetDetail(ctx, PlanDetail{Description: "Why."}) },
			"tasks":  func() (*PlanReply, error) { return p.SetPlan(ctx, PlanTasks{Tasks: "- a"}) },
			"mark":   func() (*PlanReply, error) { return p.Mark(ctx, PlanMark{Task: "a"}) },
			"finish": func() (*PlanReply, error) { return p.Finish(ctx, PlanFinish{}) },
		} {
			store(t, file, text)
			e := wantPlanError(t, second(change()), planNotRecognised)
			if e.Metadata["line"] != 1 || e.Metadata["field"] != "header.type" || !strings.Contains(e.Message.String(), "its type \"") {
				t.Errorf("%s: %s %v", name, e.Message.String(), e.Metadata)
			}
			if got := stored(t, file); got != text {
				t.Errorf("%s: %q has become %q", name, text, got)
			}
		}
		r := must(t)(p.Gather(ctx, PlanGather{}))
		shown := string(r.Text(0))
		if r.guidance() != "" || r.Stage.Next[1].Verb != replies.PlanGoal || strings.Count(shown, "note: the ") != 1 || !strings.Contains(shown, "nothing was written over it") {
			t.Errorf("%s", shown)
		}
	}
	goal.ReplaceExisting = true
	for text, want := range map[string][2]string{
		"note: this readme\n\nIt has a second paragraph.\n": {"fix(a): b\n\nIt has a second paragraph.\n", `the goal is set; "this readme" is gone, which stood behind the old one`},
		"wip(a): b\n":          {"fix(a): b\n", "the goal is set"},
		"wip: b\n":             {"fix(a): b\n", "the goal is set"},
		"wip: x\n\n- [ ]: y\n": {"fix(a): b\n\n- [ ]: y\n", `the goal is set; "x" is gone, which stood behind the old one`},
	} {
		store(t, file, text)
		if r := must(t)(p.SetGoal(ctx, goal)); r.Source != want[0] || r.Did != want[1] {
			t.Errorf("%q: %q, %q", text, r.Source, r.Did)
		}
	}
	// A type that is known needs no leave, and what goes is told all the same.
	goal.ReplaceExisting = false
	store(t, file, "fix: old words\n")
	if r := must(t)(p.SetGoal(ctx, goal)); r.Did != `the goal is set; "old words" is gone, which stood behind the old one` {
		t.Errorf("%q", r.Did)
	}
	// Any type is right in a form that names none.
	p, file = newPlans(t, "  preset: own\n  presets: {own: {types: []}}\n", PlanOptions{})
	store(t, file, "wip(a): x\n")
	must(t)(p.SetDetail(ctx, PlanDetail{Description: "Why."}))
}

// TestPlanConfigurationIsNoPlan keeps plans out of the configuration.
func TestPlanConfigurationIsNoPlan(t *testing.T) {
	for _, name := range []string{".sectile.yaml", "./.Sectile.YAML", "sub/.sectile.yaml"} {
		dir := t.TempDir()
		text := "plan: {store: file, file: " + name + "}\n"
		file := filepath.Join(dir, ".sectile.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p := NewPlans(PlanOptions{Start: dir, UserFile: "-"})
		for _, replace := range []bool{false, true} {
			e := wantPlanError(t, second(p.SetGoal(t.Context(), PlanGoal{Type: "fix", Scope: "a", Title: "b", ReplaceExisting: replace})), planInput)
			if e.Metadata["field"] != "plan.file" || stored(t, file) != text {
				t.Errorf("%v: %q", e.Metadata, stored(t, file))
			}
		}
	}
}

// TestPlanEmptyInput removes nothing because nothing has come.
func TestPlanEmptyInput(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	ctx := t.Context()
	store(t, file, planText)
	for _, blank := range []string{"", " ", " \n", "\r\n\t"} {
		e := wantPlanError(t, second(p.SetPlan(ctx, PlanTasks{Tasks: blank})), planInput)
		if e.Metadata["field"] != "plan" {
			t.Errorf("%q: %v", blank, e.Metadata)
		}
		e = wantPlanError(t, second(p.SetDetail(ctx, PlanDetail{Description: blank, Constraints: []any{}})), planInput)
		if e.Metadata["field"] != "description" {
			t.Errorf("%q: %v", blank, e.Metadata)
		}
	}
	if got := stored(t, file); got != planText {
		t.Errorf("%s", got)
	}
	if r := must(t)(p.SetDetail(ctx, PlanDetail{Keep: true, Constraints: []any{"Avoid: haste"}})); !strings.Contains(r.Source, "\n\nPlans have more than one level.\n\n- Avoid: haste\n\n") {
		t.Errorf("%s", r.Source)
	}
	if r := must(t)(p.SetPlan(ctx, PlanTasks{Tasks: []any{}})); len(r.Tasks) != 0 {
		t.Errorf("%s", r.Source)
	}
}

// TestPlanExpectedVersion takes a version for what it is, and nothing else for one.
func TestPlanExpectedVersion(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	ctx := t.Context()
	store(t, file, planText)
	for _, version := range []string{"zzz", "0", "0123456789ABCDEF", "0123456789abcdef0", " 0123456789abcdef", "latest"} {
		for name, err := range map[string]error{
			// The task has the mark, and the tasks are the same: nothing would change.
			"mark":   second(p.Mark(ctx, PlanMark{Task: "measure", ExpectedVersion: version})),
			"tasks":  second(p.SetPlan(ctx, PlanTasks{Tasks: "- read\n  - measure\n  - build\n- write", ExpectedVersion: version})),
			"detail": second(p.SetDetail(ctx, PlanDetail{Description: "x", ExpectedVersion: version})),
			"goal":   second(p.SetGoal(ctx, PlanGoal{Type: "fix", Scope: "x", Title: "y", ExpectedVersion: version})),
			"finish": second(p.Finish(ctx, PlanFinish{ExpectedVersion: version})),
			"new":    second(p.New(ctx, PlanNew{Force: true, ExpectedVersion: version})),
		} {
			if e := wantPlanError(t, err, planInput); e.Metadata["field"] != "expected_version" {
				t.Errorf("%s: %v", name, e.Metadata)
			}
		}
	}
	// One that the plan may have had is right where nothing changes: the call is repeated.
	old := "0123456789abcdef"
	if r := must(t)(p.Mark(ctx, PlanMark{Task: "measure", ExpectedVersion: old})); r.Changed {
		t.Errorf("%s", r.Text(0))
	}
	refusedAs(t, second(p.Mark(ctx, PlanMark{Task: "write", ExpectedVersion: old})), planConcurrent)
	if got := stored(t, file); got != planText {
		t.Errorf("%s", got)
	}
}

// TestPlanClosedEarly tells the truth of a plan that says COMPLETE and isn't.
func TestPlanClosedEarly(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	ctx := t.Context()
	for tasks, want := range map[string]string{
		"- [ ]: a\n":                     "The plan is closed, though 1 of its 1 task is open.",
		"- [x]: a\n- [ ]: b\n- [ ]: c\n": "The plan is closed, though 2 of its 3 tasks are open.",
		"- [x]: a\n":                     "All tasks are done and the plan is complete.",
	} {
		store(t, file, "fix(a): b\n\nWhy.\n\n"+tasks+"\n~~~ COMPLETE ~~~\n")
		r := must(t)(p.Gather(ctx, PlanGather{}))
		shown := string(r.Text(0))
		early := r.Done < r.Total
		if r.Stage.Number != 6 || r.Stage.Meaning != want || early == strings.Contains(shown, "All tasks are done") || early != strings.Contains(shown, "with plan mark") {
			t.Errorf("%s", shown)
		}
		if n := len(strings.Fields(r.guidance())); n > 120 {
			t.Errorf("%d words", n)
		}
		if got := string(r.Terminal(PlanLook{})); !strings.Contains(got, want) {
			t.Errorf("%s", got)
		}
	}
	// What the guidance says is so.
	store(t, file, "fix(a): b\n\nWhy.\n\n- [ ]: a\n- [ ]: b\n\n~~~ COMPLETE ~~~\n")
	if r := must(t)(p.Mark(ctx, PlanMark{Task: "a"})); r.Stage.Number != 5 {
		t.Errorf("%s", r.Text(0))
	}
	store(t, file, "fix(a): b\n\nWhy.\n\n- [x]: a\n- [ ]: b\n\n~~~ COMPLETE ~~~\n")
	if r := must(t)(p.SetPlan(ctx, PlanTasks{Tasks: "- a"})); r.Stage.Number != 6 || r.Stage.Meaning != "All tasks are done and the plan is complete." {
		t.Errorf("%s", r.Text(0))
	}
}

// TestPlanUnknownForm blames the one who asked for a form that there isn't.
func TestPlanUnknownForm(t *testing.T) {
	p, _ := newPlans(t, "  presets: {own: {max_title: 50}}\n", PlanOptions{})
	for _, err := range []error{second(p.Inspect(t.Context(), planText, "nope")), func() error { _, err := p.Format(t.Context(), planText, "nope"); return err }()} {
		e := wantPlanError(t, err, planInput)
		if told := e.Error(); strings.Contains(told, ".sectile.yaml") || !strings.Contains(told, `there is no preset "nope"`) || !strings.HasSuffix(told, ", own") {
			t.Errorf("%s", told)
		}
	}
}

// TestByteOrderMark: what a plan can't be changed or formatted for is named, as nobody sees it.
func TestByteOrderMark(t *testing.T) {
	const text, want = "\uFEFFfeat(x): y\n\nWhy.\n", "begins with a byte order mark (U+FEFF), which must be taken out"
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, text)
	_, changed := p.SetDetail(t.Context(), PlanDetail{Description: "Other."})
	_, formatted := p.Format(t.Context(), text, "")
	for _, err := range []error{changed, formatted} {
		if e := wantPlanError(t, err, planNotRecognised); !strings.Contains(e.Message.String(), want) {
			t.Error(e.Message.String())
		}
	}
	if stored(t, file) != text {
		t.Error("the text was changed")
	}
}

// TestPlanProblemFields says of everything which field it is about.
func TestPlanProblemFields(t *testing.T) {
	p, _ := newPlans(t, "", PlanOptions{})
	text := "fix: b\n\n- Never: a\n- Maybe: This\n- Never: b\n- Nor: That\n\n- [ ]: a\n  - [ ]: b\n  - [ ] c\n- [x] d\n"
	r := must(t)(p.Inspect(t.Context(), text, ""))
	var got []string
	for _, p := range r.Problems {
		got = append(got, fmt.Sprint(p.Line, " ", p.Field, " ", p.Code))
	}
	want := "1 ignored_title TITLE_IGNORED, 4 skipped.0 CONSTRAINT_SKIPPED, 6 skipped.1 CONSTRAINT_SKIPPED, 10 tasks.0.2.1 TASK_COLON_MISSING, 11 tasks.1 TASK_COLON_MISSING"
	if strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
	for text, want := range map[string]string{
		"":                  `{"isValid":false,"state":"empty","errors":[{"field":"state","code":"INVALID_PARSE_STATE","message":"there is no text"}],"warnings":[]}`,
		"Hello\n":           `{"isValid":false,"state":"unknown","errors":[{"line":1,"field":"state","code":"INVALID_PARSE_STATE","message":"the text is no plan, for its first line is no goal"}],"warnings":[]}`,
		"\uFEFFfix(a): b\n": `{"isValid":false,"state":"unknown","errors":[{"line":1,"field":"state","code":"INVALID_PARSE_STATE","message":"the text is no plan, for it begins with a byte order mark (U+FEFF), which must be taken out"}],"warnings":[]}`,
		"fix(a): b\nhalt\n": `{"isValid":false,"state":"halted","errors":[{"line":2,"field":"state","code":"INVALID_PARSE_STATE","message":"the line behind the goal must be blank","halt":"MISSING_BLANK_LINE"}],"warnings":[]}`,
	} {
		if got := string(must(t)(p.Inspect(t.Context(), text, "")).ReportJSON()); got != want+"\n" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// TestPlanJSONIsVisible escapes what acts on a terminal wherever JSON is printed.
func TestPlanJSONIsVisible(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	const acting = "a\u009bb\u202ec\u200bd\u007fe\U000e0041f"
	store(t, file, "fix(a): "+acting+"\n\n"+acting+"\n")
	r := must(t)(p.Show(t.Context()))
	list, err := p.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := &PlanError{Type: planInput, Message: replies.Say(acting), Hint: replies.Say(acting), Metadata: map[string]any{"x": acting}}
	for name, text := range map[string][]byte{"plan": r.JSON(), "list": PlanListJSON(list), "text": PlanTextJSON("message", acting), "report": r.ReportJSON(), "error": e.JSON(replies.Plain)} {
		for _, c := range string(text) {
			if c != '\n' && replies.Safe(string(c)) != string(c) {
				t.Errorf("%s: %q in %s", name, c, text)
			}
		}
	}
	if text := string(PlanTextJSON("message", acting)); text != `{"message":"a\u009bb\u202ec\u200bd\u007fe\udb40\udc41f"}`+"\n" {
		t.Errorf("%s", text)
	}
}
