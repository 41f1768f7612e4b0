package planning

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/plan"
)

// newPlans returns the plans of a project that keeps them in a file, with more of a
// configuration.
func newPlans(t testing.TB, more string, o PlanOptions) (p *Plans, file string) {
	t.Helper()
	dir := t.TempDir()
	text := "plan:\n  store: file\n" + more
	if err := os.WriteFile(filepath.Join(dir, ".sectile.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Start, o.UserFile = dir, "-"
	return NewPlans(o), filepath.Join(dir, ".sectile", "plan.md")
}

// store puts a text where the plan is kept.
func store(t testing.TB, file, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// stored returns the text where the plan is kept.
func stored(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// must returns a reply, or fails the test.
func must(t testing.TB) func(*PlanReply, error) *PlanReply {
	return func(r *PlanReply, err error) *PlanReply {
		t.Helper()
		if err != nil {
			t.Fatalf("%s", AsPlanError(err).Text(replies.Plain))
		}
		if !json.Valid(r.JSON()) {
			t.Errorf("no JSON: %s", r.JSON())
		}
		r.Text(0) // it is shown
		return r
	}
}

// refusedAs fails the test unless the error has the type.
func refusedAs(t testing.TB, err error, kind string) {
	t.Helper()
	_ = wantPlanError(t, err, kind)
}

// wantPlanError does what refusedAs does, and returns the error.
func wantPlanError(t testing.TB, err error, kind string) *PlanError {
	t.Helper()
	e, ok := errors.AsType[*PlanError](err)
	if !ok || e.Type != kind {
		t.Fatalf("error %v, want %s", err, kind)
	}
	checkPlanError(t, e)
	return e
}

// outcomes finds what says whether a plan was written.
var outcomes = regexp.MustCompile("nothing was (written|changed|read or written)|may have been written|was written and changed")

// checkPlanError checks the form of an error.
func checkPlanError(t testing.TB, e *PlanError) {
	t.Helper()
	text := string(e.Text(replies.Plain))
	form := regexp.MustCompile("(?s)^An internal error occurred: ([a-z_ ]+) `[^\n]*`\n\nMetadata:\n(\\{.*\\n?\\})\n\n([^\n]+; [^\n]+\\.)\n$")
	found := form.FindStringSubmatch(text)
	if len(found) == 0 || found[1] != e.Type || !json.Valid([]byte(found[2])) || replies.Chars([]byte(text)) >= maxPlanError {
		t.Errorf("an error of another form, %d characters:\n%s", replies.Chars([]byte(text)), text)
		return
	}
	if strings.HasPrefix(found[3], "This is a CRITICAL ISSUE ") != e.Critical {
		t.Errorf("critical %v: %s", e.Critical, found[3])
	}
	told := outcomes.FindAllString(e.Message.String()+"; "+e.Hint.String(), -1)
	if _, ofAdapter := errors.AsType[*replies.Error](e.Err); !ofAdapter && (len(told) > 1 || e.Told != (len(told) == 1)) {
		t.Errorf("told %v, and it says %q: %v", e.Told, told, e)
	}
	if made := e.Structured(replies.Plain); !json.Valid(made) || replies.Chars(made) >= maxPlanError {
		t.Errorf("structured, %d characters: %s", replies.Chars(made), made)
	}
	if !json.Valid(e.JSON(replies.Plain)) || e.Hint.String() == "" || e.Message.String() == "" {
		t.Errorf("%s", e.JSON(replies.Plain))
	}
}

const planText = `feat(parser): read nested tasks

Plans have more than one level.

- Never: parse twice

- [ ]: read
  - [x]: measure
  - [ ]: build
- [ ]: write
`

// TestPlanVersions tells who has seen what.
func TestPlanVersions(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	ok := must(t)
	ctx := t.Context()
	goal := PlanGoal{Type: "feat", Scope: "parser", Title: "read nested tasks"}
	empty := ok(p.Show(ctx))
	goal.ExpectedVersion = empty.Version
	first := ok(p.SetGoal(ctx, goal))
	if !first.Changed || first.Version == empty.Version {
		t.Errorf("nothing has changed: %s", first.Text(0))
	}
	// The same call again is not too late, for it changes nothing.
	if again := ok(p.SetGoal(ctx, goal)); again.Changed || again.Version != first.Version || !strings.Contains(again.Did, "nothing has changed") {
		t.Errorf("%s", again.Text(0))
	}
	goal.Title = "another"
	if e := wantPlanError(t, second(p.SetGoal(ctx, goal)), planConcurrent); e.Metadata["version"] != first.Version {
		t.Errorf("%v", e.Metadata)
	}
	store(t, file, planText)
	r := ok(p.Show(ctx))
	ok(p.Mark(ctx, PlanMark{Task: "1.2", ExpectedVersion: r.Version}))
	repeated := PlanMark{Task: "1.2", ExpectedVersion: r.Version}
	if again := ok(p.Mark(ctx, repeated)); again.Changed {
		t.Errorf("%s", again.Text(0))
	}
	store(t, file, strings.Replace(planText, "- [ ]: write", "- [ ]: wait\n- [ ]: write", 1))
	moved := PlanMark{Task: "2"}
	if e := wantPlanError(t, second(p.Mark(ctx, moved)), planConcurrent); e.Metadata["task_now"] != "wait" {
		t.Errorf("%v", e.Metadata)
	}
	moved.Task = "1" // a parent that may be another one
	refusedAs(t, second(p.Mark(ctx, moved)), planConcurrent)
	ok(p.Mark(ctx, PlanMark{Task: "write"}))
	ok(p.Mark(ctx, PlanMark{Task: "2"}))
	// Who has seen nothing is believed.
	fresh := NewPlans(p.options)
	if r := ok(fresh.Mark(ctx, PlanMark{Task: "3", Open: true})); r.Done != 2 {
		t.Errorf("%s", r.Text(0))
	}
	if got := ok(fresh.Mark(ctx, PlanMark{Task: " WAIT ", Open: true})); got.Did != "task 2 is open: wait" {
		t.Errorf("%q", got.Did)
	}
}

// second returns the second of two results.
func second(_ *PlanReply, err error) error { return err }

// TestPlanThatIsNotValid can be mended in any order, and not be made worse.
func TestPlanThatIsNotValid(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	ctx := t.Context()
	bad := "fix(Parser): read\n\nText.\n\n- Perhaps: parse twice\n\n- [ ]: read\n"
	store(t, file, bad)
	r := must(t)(p.Gather(ctx, PlanGather{}))
	if len(r.Problems) != 3 || r.Problems[0].Line != 1 || r.Problems[2].Line != 5 || len(r.Notes) != 2 {
		t.Errorf("%+v %q", r.Problems, r.Notes)
	}
	refusedAs(t, second(p.Mark(ctx, PlanMark{Task: "read"})), planInvalid)
	refusedAs(t, second(p.SetGoal(ctx, PlanGoal{Type: "bug", Scope: "x", Title: "y"})), planInvalid)
	if got := stored(t, file); got != bad {
		t.Errorf("it is %s", got)
	}
	r = must(t)(p.SetGoal(ctx, PlanGoal{Type: "fix", Scope: "parser", Title: "read"}))
	if len(r.Problems) != 1 || !strings.Contains(string(r.Text(0)), "note: the plan is not valid") {
		t.Errorf("%s", r.Text(0))
	}
	must(t)(p.SetDetail(ctx, PlanDetail{Description: "Text.", Constraints: []any{[]any{"Never", "parse twice"}}}))
	must(t)(p.Mark(ctx, PlanMark{Task: "read"}))
	// What can't be kept gives way if that is asked for.
	store(t, file, bad)
	r = must(t)(p.SetGoal(ctx, PlanGoal{Type: "fix", Scope: "parser", Title: "read", ReplaceExisting: true}))
	if r.Source != "fix(parser): read\n\nText.\n\n- Perhaps: parse twice\n\n- [ ]: read\n" {
		t.Errorf("%s", r.Source)
	}
	e := wantPlanError(t, second(p.SetDetail(ctx, PlanDetail{Description: "- [ ]: x", Constraints: []any{}})), planInvalid)
	if problems, _ := e.Metadata["errors"].([]any); fmt.Sprint(problems) != "[map[class:TASK field:description line:1 message:line 1 of the description, \"- [ ]: x\", would be read as a task (TASK) and not as what it is text:- [ ]: x]]" {
		t.Errorf("%v", problems)
	}
}

// TestPlanFinishWithoutDescription says what a plan without one lacks still, beside what
// was done.
func TestPlanFinishWithoutDescription(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, "fix(parser): read\n\n- [x]: read\n")
	r := must(t)(p.Finish(t.Context(), PlanFinish{}))
	if want := "all tasks are done and the plan is marked complete, but it has no description; give it one"; r.Did != want || r.Stage.Number != 1 {
		t.Errorf("%+v", r)
	}
	r = must(t)(p.SetDetail(t.Context(), PlanDetail{Description: "Text."}))
	if r.Stage.Number != 6 {
		t.Errorf("%+v", r.Stage)
	}
}

// TestPlanStages drives another table of stages by the same tools.
func TestPlanStages(t *testing.T) {
	table := plan.Table{
		{Number: 1, Shown: "one", Name: "title", Next: []plan.Step{plan.StepGoal}, In: func(d plan.Document) bool { return d.Header == nil }},
		{Number: 2, Shown: "two", Name: "tasks", Next: []plan.Step{plan.StepTasks}, In: func(d plan.Document) bool { return len(d.Tasks) == 0 }},
		{Number: 3, Shown: "three", Name: "ready", Next: []plan.Step{plan.StepNew}},
	}
	guidance := map[string]Guidance{
		"title": {"It has no title.", replies.Say("Ask for one with %s.", setGoal)}, "tasks": {"It has no tasks.", replies.Say("List them.")}, "ready": {Meaning: "It is ready."},
	}
	p, _ := newPlans(t, "", PlanOptions{Stages: table, Guidance: guidance})
	ok := must(t)
	ctx := t.Context()
	want := func(r *PlanReply, line, guidance, next string) {
		t.Helper()
		text := string(r.Text(0))
		if !strings.Contains(text, "stage: "+line+"\n") || r.guidance() != guidance || !strings.Contains(text, "next: "+next+"\n") {
			t.Errorf("%s\nwant %s, %q, %s", text, line, guidance, next)
		}
	}
	want(ok(p.Gather(ctx, PlanGather{})), "one of 3, title: It has no title.", "It has no title. Ask for one with plan goal.", "plan goal")
	want(ok(p.SetGoal(ctx, PlanGoal{Type: "docs", Scope: "x", Title: "y"})), "two of 3, tasks: It has no tasks.", "It has no tasks. List them.", "plan set")
	want(ok(p.SetDetail(ctx, PlanDetail{Description: "Text."})), "two of 3, tasks: It has no tasks.", "", "plan set")
	want(ok(p.SetPlan(ctx, PlanTasks{Tasks: "- [ ] a"})), "three of 3, ready: It is ready.", "", "plan new")
	want(ok(p.Show(ctx)), "three of 3, ready: It is ready.", "", "plan new")
}

// TestPlanForms writes plans in forms that are data of the configuration.
func TestPlanForms(t *testing.T) {
	for name, tt := range map[string]struct {
		config string
		goal   PlanGoal
		want   string
	}{
		"conventional": {"  preset: CONVENTIONAL\n", PlanGoal{Type: "fix", Title: "no scope"}, "fix: no scope\n\nText.\n\n- Never: stop\n\n- [x]: a\n  - [x]: b\n"},
		"markdown":     {"  preset: MARKDOWN_TASKS\n", PlanGoal{Title: "A title"}, "# A title\n\nText.\n\n> Never: stop\n\n- [x] a\n  - [x] b\n"},
		"own": {
			"  preset: short\n  presets:\n    short: {base: tests, max_title: 20}\n    tests: {base: CONVENTIONAL, types: [test], indent: 3, prefixes: Never}\n",
			PlanGoal{Type: "test", Title: "twenty characters ok"},
			"test: twenty characters ok\n\nText.\n\n- Never: stop\n\n- [x]: a\n   - [x]: b\n",
		},
		"over a built-in one": {"  presets:\n    COMMIT_MESSAGE: {types: wip}\n  preset: COMMIT_MESSAGE\n", PlanGoal{Type: "wip", Scope: "x", Title: "y"}, "wip(x): y\n\nText.\n\n- Never: stop\n\n- [x]: a\n  - [x]: b\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p, file := newPlans(t, tt.config, PlanOptions{})
			ok := must(t)
			ok(p.SetGoal(t.Context(), tt.goal))
			ok(p.SetDetail(t.Context(), PlanDetail{Description: "Text.", Constraints: []any{"Never: stop"}}))
			ok(p.SetPlan(t.Context(), PlanTasks{Tasks: "- a\n  - b"}))
			ok(p.Mark(t.Context(), PlanMark{Task: "1.1"}))
			if diff := gocmp.Diff(tt.want, stored(t, file)); diff != "" {
				t.Error(diff)
			}
			tt.goal.Title = strings.Repeat("long ", 30)
			refusedAs(t, second(p.SetGoal(t.Context(), tt.goal)), planInvalid)
		})
	}
	p, _ := newPlans(t, "  presets: {a: {base: b}, b: {base: a}, c: {indent: many, types: [feat, true]}, d: {base: c}, e: {base: X}}\n  preset: f\n", PlanOptions{})
	e := wantPlanError(t, second(p.Show(t.Context())), planInput)
	got := fmt.Sprint(e.Message.String(), e.Metadata)
	for _, want := range []string{
		".sectile.yaml:3:17: plan.presets.a.base: the presets are built on each other in a circle", "plan.presets.b.base: the presets", "plan.presets.c.indent: Expected whole number",
		"plan.presets.c.types[1]: Expected string", ":4:3: plan.preset: there is no preset \"f\"", "plan.presets.e.base: there is no preset",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwithout %s", got, want)
		}
	}
	if strings.Contains(got, "presets.d") {
		t.Errorf("what is wrong with c is told again: %s", got)
	}
	for _, bad := range []string{"  store: hg\n", "  file: ../x\n", "  file: /x\n", "  file: .git/x\n", "  file: x/\n", "  presets: 7\n", "  presets: {x: 7}\n", "  preset: ''\n", "  prest: x\n"} {
		p, _ := newPlans(t, strings.ReplaceAll(bad, "  store", "  preset: STRICT\n  store"), PlanOptions{})
		if e := wantPlanError(t, second(p.Show(t.Context())), planInput); e.Metadata["line"] == 0 {
			t.Errorf("%s: %v", bad, e.Metadata)
		}
	}
}

// TestPresetsThatTakeLong has a project build many presets on each other, and write
// patterns that take long to read: a fraction of a second is spent on them.
func TestPresetsThatTakeLong(t *testing.T) {
	testkit.OneGoroutine(t)
	chain := "  presets: {p0: {}"
	for i := range 40 {
		chain += fmt.Sprintf(", p%d: {base: p%d}", i+1, i)
	}
	many := "  presets: {p0: {base: COMMIT_MESSAGE}"
	for i := range 20 {
		many += fmt.Sprintf(", p%d: {base: p0}", i+1)
	}
	own, err := plan.Preset(plan.CommitMessage)
	if err != nil {
		t.Fatal(err)
	}
	slow := func(n int) string {
		return "  presets:\n    a:\n      header:\n        - '" + strings.Join(own.Header, "'\n        - '") + "'\n" + strings.Repeat("        - '(?P<title>"+strings.Repeat(`[\p{L}\p{N}]`, 70)+")'\n", n)
	}
	for name, tt := range map[string]struct{ config, want string }{
		"some":                          {many + "}\n  preset: p20\n", ""},
		"built on each other":           {chain + "}\n  preset: p40\n", "p17.base: the presets are built on each other in a circle, or more than 16 deep"},
		"patterns":                      {slow(20), "presets.a: the presets have more than 16 KiB of patterns"},
		"patterns that are tried often": {slow(1) + "      max_input: 1000000\n", "presets.a.max_input: the patterns that are no preset's come to 74 steps, and with a max_input of 1000000 at most 50 are allowed; lower it to 675675, or write shorter patterns"},
		"patterns of a base":            {slow(6) + "    b: {base: a}\n    c: {base: a}\n    d: {base: a}\n", "the presets have more than 16 KiB of patterns"},
	} {
		p, _ := newPlans(t, tt.config, PlanOptions{})
		_, err := p.Show(t.Context())
		if tt.want == "" && err == nil {
			continue
		}
		if got := wantPlanError(t, err, planInput); tt.want == "" || !strings.Contains(got.Message.String(), tt.want) {
			t.Errorf("%s: %.600s", name, got.Message.String())
		}
	}
}

// TestPlanInspect tells what is wrong with any text, with lines.
func TestPlanInspect(t *testing.T) {
	p, _ := newPlans(t, "", PlanOptions{})
	type problem struct {
		Line    int
		Code    string
		Warning bool
	}
	for _, tt := range []struct {
		text, form string
		want       []problem
		format     string // the line of its error; empty if there is none
	}{
		{planText, "", nil, ""},
		{"", "", []problem{{0, "INVALID_PARSE_STATE", false}}, "1"},
		{"Fix it\n", "", []problem{{1, "INVALID_PARSE_STATE", false}}, "1"},
		{"feat(x): y\nz\n", "", []problem{{2, "MISSING_BLANK_LINE", false}}, "2"},
		{"feat(x): y\n\n- [ ]: a\n    - [ ] b\n\n- [y] c\n", "", []problem{{6, "INVALID_TASK", false}, {4, "TASK_COLON_MISSING", true}}, "6"},
		{"wip(X): y\r\n\r\nText\r\nof two\r\n\r\n- Perhaps: it\r\n- Never: Stop\r\n- Maybe: that\r\n\r\n- [ ]: a\r\n", "", []problem{
			{1, "INVALID_VALUE", false}, {1, "INVALID_FORMAT", false}, {1, "CUSTOM", true}, {6, "INVALID_VALUE", false}, {7, "CONSTRAINT_SKIPPED", true}, {8, "INVALID_VALUE", false},
		}, ""},
		{"# T\n\n- [ ] a\n", plan.MarkdownTasks, nil, ""},
		{"feat(x): y\n\n" + strings.Repeat("x", 10_000) + "\n", plan.Strict, []problem{{0, "INPUT_TOO_LONG", false}}, "<nil>"},
		{"# T\n\n- [ ] a\n", "", []problem{{1, "INVALID_PARSE_STATE", false}}, "1"},
	} {
		r := must(t)(p.Inspect(t.Context(), tt.text, tt.form))
		var got []problem
		for _, p := range r.Problems {
			got = append(got, problem{p.Line, cmp.Or(p.Halt, p.Code), p.Warning})
			if p.Field == "" || p.Halt != "" && (p.Code != string(plan.InvalidParseState) || p.Field != "state") {
				t.Errorf("%q: %+v", tt.text, p)
			}
			if p.Message == "" || p.Message == p.Code {
				t.Errorf("%q: no message for %s", tt.text, p.Code)
			}
		}
		if diff := gocmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: %s\n%+v", tt.text, diff, r.Problems)
		}
		made, err := p.Format(t.Context(), tt.text, tt.form)
		if tt.format == "" {
			again, failed := p.Format(t.Context(), made, tt.form)
			if err != nil || failed != nil || made != again {
				t.Errorf("%q: %q %v, then %q %v", tt.text, made, err, again, failed)
			}
		} else if e := wantPlanError(t, err, planNotRecognised); fmt.Sprint(e.Metadata["line"]) != tt.format {
			t.Errorf("%q: %v", tt.text, e.Metadata)
		}
	}
	_, err := p.Inspect(t.Context(), "x", "nothing")
	refusedAs(t, err, planInput)
	_, err = p.Format(t.Context(), "x", "nothing")
	refusedAs(t, err, planInput)
	names, err := p.Forms(t.Context())
	if err != nil || len(names) != 5 || names[0] != plan.CommitMessage {
		t.Errorf("%q, %v", names, err)
	}
}

// TestPlanTooLong names what a text has and what it may have, and blames no line.
func TestPlanTooLong(t *testing.T) {
	p, file := newPlans(t, "  preset: STRICT\n", PlanOptions{})
	ctx := t.Context()
	lengths := func(m map[string]any) string { return fmt.Sprint(m["length"], m["limit"], m["line"]) }
	must(t)(p.SetGoal(ctx, PlanGoal{Type: "feat", Scope: "x", Title: "y"}))
	e := wantPlanError(t, second(p.SetDetail(ctx, PlanDetail{Description: strings.Repeat("ü", 10_000)})), planInvalid)
	problem, _ := e.Metadata["errors"].([]any)[0].(map[string]any)
	if !strings.HasSuffix(e.Message.String(), "the text would have 10012 characters, and max_input is 10000") || lengths(problem) != "10012 10000 <nil>" {
		t.Errorf("%s %v", e.Message.String(), e.Metadata)
	}
	long := "feat(x): y\n\n" + strings.Repeat("ü", 10_000) + "\n"
	_, err := p.Format(ctx, long, "")
	e = wantPlanError(t, err, planNotRecognised)
	if e.Message.String() != "the text is too long for a plan: it has 10012 characters, and max_input is 10000" || lengths(e.Metadata) != "10012 10000 <nil>" {
		t.Errorf("%s %v", e.Message.String(), e.Metadata)
	}
	store(t, file, long)
	e = wantPlanError(t, second(p.Mark(ctx, PlanMark{Task: "1"})), planNotRecognised)
	if !strings.Contains(e.Message.String(), ".sectile/plan.md is too long for a plan: it has 10012 characters, and max_input is 10000") || lengths(e.Metadata) != "10012 10000 <nil>" {
		t.Errorf("%s %v", e.Message.String(), e.Metadata)
	}
	r := must(t)(p.Gather(ctx, PlanGather{}))
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0].String(), "is too long for a plan (INPUT_TOO_LONG: it has 10012 characters, and max_input is 10000)") {
		t.Errorf("%q", r.Notes)
	}
}

// TestPlanLines finds every part of a plan in its text.
func TestPlanLines(t *testing.T) {
	text := "feat(x): y\n\n\nOne\n\ntwo\n\n- Never: a\n- Never: B\n\n- Avoid: c\n\n- [ ]: t\n  - [ ]: u\n\n  - [ ]: v\n- [ ]: w\n\nGo on.\n\n~~~ RUN ~~~\n"
	r := plan.Parse(text, nil)
	if r.State != plan.Parsed {
		t.Fatalf("%+v", r)
	}
	lines := linesOfPlan(text, &r.Document)
	for field, want := range map[string]int{
		"header.type": 1, "description": 4, "constraints.0.1": 8, "constraints.1": 11, "constraints.7": 0, "tasks.0.1": 13, "tasks.0.2.0": 14,
		"tasks.0.2.1.1": 16, "tasks.1": 17, "tasks": 0, "direction": 19, "other": 0,
	} {
		if got := lines.of(field); got != want {
			t.Errorf("%s is on line %d, want %d", field, got, want)
		}
	}
}

// TestPlanOfReturns shows a plan alike whatever its lines end with.
func TestPlanOfReturns(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	shown := func(text string) string {
		store(t, file, text)
		r := must(t)(p.Show(t.Context()))
		list, err := p.List(t.Context())
		if err != nil || len(list) != 1 {
			t.Fatalf("%+v, %v", list, err)
		}
		return strings.ReplaceAll(string(r.Text(0))+string(r.Terminal(PlanLook{})), r.Version, "VERSION") + list[0].Title
	}
	want := shown(planText)
	for _, ending := range []string{"\r\n", "\r"} {
		if diff := gocmp.Diff(want, shown(strings.ReplaceAll(planText, "\n", ending))); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", ending, diff)
		}
	}
}

// TestPlanKeeping begins new plans, lists them and takes an old one back.
func TestPlanKeeping(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	ok := must(t)
	ctx := t.Context()
	if r := ok(p.New(ctx, PlanNew{})); r.Changed || r.Old != nil {
		t.Errorf("%s", r.Text(0))
	}
	store(t, file, planText)
	if message, err := p.Message(ctx); err != nil || message != planText {
		t.Errorf("%q, %v", message, err)
	}
	e := wantPlanError(t, second(p.New(ctx, PlanNew{})), planIncomplete)
	if diff := gocmp.Diff([]string{"1.2 build", "2 write"}, e.Metadata["tasks"]); diff != "" {
		t.Error(diff)
	}
	if want := "2 tasks of the plan are not done, and nothing was written"; e.Message.String() != want {
		t.Errorf("%q, want %q", e.Message.String(), want)
	}
	refusedAs(t, second(p.New(ctx, PlanNew{Force: true, ExpectedVersion: "0000000000000000"})), planConcurrent)
	r := ok(p.New(ctx, PlanNew{Force: true}))
	if r.Old == nil || r.Stage.Number != 0 || !strings.Contains(string(r.Text(0)), "old plan: it stays in "+r.Old.Where) {
		t.Fatalf("%s", r.Text(0))
	}
	r = ok(p.Gather(ctx, PlanGather{}))
	if len(r.Others) != 1 || !strings.Contains(string(r.Text(0)), "unfinished plan: .sectile/plan.1.md, \"feat(parser): read nested tasks\", stage 5, 1 of 3 tasks done; to go on there: `sectile plan adopt .sectile/plan.1.md`") {
		t.Errorf("%s", r.Text(0))
	}
	if r = ok(p.Adopt(ctx, r.Others[0].Name)); r.Source != planText || !r.Changed {
		t.Errorf("%s", r.Text(0))
	}
	list, err := p.List(ctx)
	if err != nil || len(list) != 1 || !list[0].Current || list[0].Done != 1 || list[0].Total != 3 {
		t.Errorf("%+v, %v", list, err)
	}
	if r = ok(p.Adopt(ctx, list[0].Name)); r.Changed || r.Did != "the plan .sectile/plan.md is the current one; it was so before, nothing has changed" {
		t.Errorf("%s", r.Text(0))
	}
	refusedAs(t, second(p.Adopt(ctx, "nothing")), "plan_not_found")
	store(t, filepath.Join(filepath.Dir(file), "plan.1.md"), "fix(x): y\n")
	refusedAs(t, second(p.Adopt(ctx, ".sectile/plan.1.md")), "plan_exists")
	store(t, file, "Fix it\n")
	refusedAs(t, second(p.Adopt(ctx, ".sectile/plan.1.md")), planNotRecognised)
	if now, err := os.ReadFile(file); err != nil || string(now) != "Fix it\n" {
		t.Errorf("%q, %v", now, err)
	}
	refusedAs(t, second(p.SetGoal(ctx, PlanGoal{Type: "fix", Scope: "x", Title: "y"})), planNotRecognised)
	if r := ok(p.SetGoal(ctx, PlanGoal{Type: "fix", Scope: "x", Title: "y", ReplaceExisting: true})); r.Source != "fix(x): y\n" {
		t.Errorf("%q", r.Source)
	}
	store(t, file, "feat(x): y\nhalted\n")
	refusedAs(t, second(p.New(ctx, PlanNew{})), planNotRecognised)
	ok(p.New(ctx, PlanNew{Force: true}))
}

// TestPlanText keeps within its limit whatever the plan is, and shows what is next.
func TestPlanText(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	var tasks strings.Builder
	for i := range 40 {
		mark := " "
		if i < 20 {
			mark = "x"
		}
		fmt.Fprintf(&tasks, "- [%s]: group %d\n", mark, i)
		for j := range 20 {
			fmt.Fprintf(&tasks, "  - [%s]: task %d of %d %s\n", mark, j, i, strings.Repeat("word ", i%3))
		}
	}
	header := "feat(x): y\n\n"
	texts := map[string]string{
		"many tasks":      header + "Text.\n\n" + tasks.String(),
		"a long text":     header + strings.Repeat("A line of text.\n", 2000) + "\n- [ ]: a\n",
		"one long line":   header + strings.Repeat("ü", 50_000) + "\n\n- [ ]: a\n",
		"long task":       header + "Text.\n\n- [ ]: " + strings.Repeat("ü", 90_000) + "\n",
		"all of it":       header + strings.Repeat("A line of text.\n", 200) + "\n" + strings.Repeat("- Never: do "+strings.Repeat("x", 90)+"\n", 60) + "\n" + tasks.String() + "\n" + strings.Repeat("Go on. ", 300) + "\n\n~~~ RUN ~~~\n",
		"no plan":         strings.Repeat("words \n", 9000),
		"halted":          header + strings.Repeat("A line of text.\n", 2000) + "\n- [ ]: a\n- [q\n",
		"hidden":          header + "a\u200bb\n\n- [ ]: a\n",
		"all done":        strings.ReplaceAll(header+"Text.\n\n"+tasks.String(), "[ ]", "[x]"),
		"long scope":      "feat(" + strings.Repeat("x", 50_000) + "): y\n\n" + "Text.\n\n- [ ]: a\n",
		"ignored title":   "feat: " + strings.Repeat("x", 50_000) + "\n\n- [ ]: a\n",
		"long directive":  header + "- [ ]: a\n\n~~~ " + strings.Repeat("RUN ", 10_000) + "RUN ~~~\n",
		"many problems":   header + strings.Repeat("- Perhaps: do this\n", 500) + "\n- [ ]: a\n",
		"nothing at all":  "",
		"nothing but one": "feat(x): y\n",
	}
	for name, text := range texts {
		store(t, file, text)
		r := must(t)(p.Gather(t.Context(), PlanGather{}))
		for _, limit := range []int{3000, 10_000, 40_000, 0} {
			shown := string(r.Text(limit))
			if n := replies.Chars([]byte(shown)); limit > 0 && n > limit {
				t.Errorf("%s: %d characters, want at most %d", name, n, limit)
			}
			if !strings.HasSuffix(shown, "\n") {
				t.Errorf("%s: no end: %q", name, shown[len(shown)-20:])
			}
			if limit == 0 && strings.Contains(shown, "[left out") {
				t.Errorf("%s: something is left out without a limit", name)
			}
		}
		shown := string(r.Text(10_000))
		for _, want := range map[string][]string{
			"many tasks":  {"task: 21.1 task 0 of 20 word word\n", "\n21 [ ] group 20\n  21.1 [ ] task 0 of 20 word", "[left out: ", "Text.\n"},
			"a long text": {"1 [ ] a\n", "[left out: ", "A line of text."},
			"hidden":      {"note: the text has 1 invisible or direction-changing character (U+200B at line 3)"},
			"all of it":   {"~~~ RUN ~~~", "Go on.", "- Never: do", "A line of text.", "21.1 [ ] task"},
			"halted":      {"note: the text in .sectile/plan.md is a plan only up to line 2005 (INVALID_TASK"},
			"long task":   {"1 [ ] üüü", "…"},
			"long scope":  {"\nfeat(xxx", "…\n", "Text.\n", "1 [ ] a\n"},
		}[name] {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: no %q in\n%.3000s", name, want, shown)
			}
		}
	}
}

// TestPlanErrorForms gives errors of everything that there is a form.
func TestPlanErrorForms(t *testing.T) {
	long := strings.Repeat("lang \u202e\x1b \"ü\"\n", 2000)
	many := make([]string, 500)
	for i := range many {
		many[i] = fmt.Sprintf("1.%d", i)
	}
	for _, err := range []error{
		errors.New(long),
		&planstore.Error{Type: planstore.TypeExit, Message: long, Hint: long, Command: long, Exit: 1, Version: "x", Critical: true},
		&plan.TaskError{Code: plan.TasksIncomplete, IDs: many},
		&plan.TaskError{Code: plan.TaskIsParent, Query: long, IDs: many},
		&plan.TaskError{Code: plan.TaskNotFound, Query: long},
		&plan.InputError{Field: "plan", Line: 7, Message: long},
		plan.FieldErrors{{Field: long, Message: long, Code: plan.Custom}},
		&replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("goal.title: a text is wanted, not 7; nothing was written")},
		&replies.Error{Code: replies.CodeUnknownArgument, Message: replies.Text(long)},
		&replies.Error{Code: replies.CodeIOError, Message: replies.Say("no answer within 1ns, it waited")},
		&PlanError{Type: planInvalid, Message: replies.Say("x"), Hint: replies.Say("y"), Metadata: map[string]any{"errors": []any{map[string]any{"field": long, "list": many}, map[string]any{"field": long}}, "n": 7}},
	} {
		checkPlanError(t, AsPlanError(err))
		if text := replies.AsError(AsPlanError(err)).Error(); strings.ContainsAny(text, "\n\x1b\u202e") {
			t.Errorf("%q", text)
		}
	}
	if e := AsPlanError(&replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("x"), Argument: "plan[0].text"}); e.Metadata["field"] != "plan[0].text" {
		t.Errorf("%v", e.Metadata)
	}
}

// TestPlanWritersLoseNothing has many of one process write at once.
func TestPlanWritersLoseNothing(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	text := "feat(x): y\n\nText.\n\n"
	for i := range 20 {
		text += fmt.Sprintf("- [ ]: task number %d.\n", i)
	}
	store(t, file, text)
	var all sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		all.Go(func() { _, errs[i] = p.Mark(t.Context(), PlanMark{Task: fmt.Sprintf("number %d.", i)}) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if got := stored(t, file); got != strings.ReplaceAll(text, "[ ]", "[x]") {
		t.Errorf("%s", got)
	}
}

// TestPlanWrongForms tells all that is wrong with the forms of a project, and uses
// those that nothing is wrong with.
func TestPlanWrongForms(t *testing.T) {
	p, _ := newPlans(t, "  presets:\n    c: {indent: 99, max_title: -1, max_depth: 100}\n    STRICT: {max_title: 5}\n", PlanOptions{})
	e := replies.AsError(wantPlanError(t, second(p.Show(t.Context())), planInput))
	told := e.Error() + "\n" + strings.Join(e.Lines(), "\n")
	for _, field := range []string{"c.indent: 99", "c.max_title", "c.max_depth"} {
		if strings.Count(told, "plan.presets."+field) != 1 || len(e.Lines()) != 2 {
			t.Errorf("not %s once, a line each: %s", field, told)
		}
	}
	_, err := p.Inspect(t.Context(), planText, "c")
	refusedAs(t, err, planInput)
	_, err = p.Inspect(t.Context(), planText, "")
	refusedAs(t, err, planInput)
	if r := must(t)(p.Inspect(t.Context(), planText, plan.Conventional)); !r.Valid() {
		t.Errorf("%v", r.Problems)
	}
	// The project's own STRICT counts, not the one that is built in.
	if r := must(t)(p.Inspect(t.Context(), planText, plan.Strict)); len(r.Problems) != 1 || r.Problems[0].Halt != string(plan.TitleTooLong) {
		t.Errorf("%v", r.Problems)
	}
}

// TestPlanCounts says how many tasks there are: none, and one.
func TestPlanCounts(t *testing.T) {
	p, _ := newPlans(t, "", PlanOptions{})
	must(t)(p.SetGoal(t.Context(), PlanGoal{Type: "feat", Scope: "x", Title: "y"}))
	if r := must(t)(p.SetPlan(t.Context(), PlanTasks{Tasks: []any{}})); r.Did != "the plan has no tasks; it was so before, nothing has changed" {
		t.Errorf("%q", r.Did)
	}
	must(t)(p.SetPlan(t.Context(), PlanTasks{Tasks: "- a"}))
	e := wantPlanError(t, second(p.New(t.Context(), PlanNew{})), planIncomplete)
	if want := "1 task of the plan is not done, and nothing was written"; e.Message.String() != want {
		t.Errorf("%q, want %q", e.Message.String(), want)
	}
}

// TestPlanOfARootThatWasReplaced has another project take the place of a server's root.
func TestPlanOfARootThatWasReplaced(t *testing.T) {
	base := testkit.Folder(t, map[string]string{
		"p/.sectile.yaml": "plan: {store: file}\n", "p/.sectile/plan.md": planText,
		"other/.sectile.yaml": "plan: {store: file}\n", "other/.sectile/plan.md": "feat(secret): plan\n",
	})
	root := filepath.Join(base, "p")
	roots, err := files.OpenRoots([]string{root}, files.RootOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = roots.Close() }()
	p := NewPlans(PlanOptions{Start: root, UserFile: "-", Roots: roots})
	must(t)(p.Show(t.Context()))
	if err := os.Rename(root, filepath.Join(base, "old")); err != nil {
		t.Skip(err) // Windows renames no folder that is open
	}
	if err := os.Rename(filepath.Join(base, "other"), root); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{second(p.Show(t.Context())), second(p.Gather(t.Context(), PlanGather{})), second(p.Mark(t.Context(), PlanMark{Task: "1"}))} {
		if e := wantPlanError(t, err, planFailed); !strings.Contains(e.Message.String(), "was removed or replaced") {
			t.Error(e.Message.String())
		}
	}
}

// TestPlanOutcomeIsToldOfQuotedWords tells the outcome of a request that quotes such words.
func TestPlanOutcomeIsToldOfQuotedWords(t *testing.T) {
	p, _ := newPlans(t, "", PlanOptions{})
	_, err := p.ReadGoal(t.Context(), "nothing was written\nbefore")
	e, ok := errors.AsType[*PlanError](err)
	if !ok || !strings.HasSuffix(e.Message.String(), "before; nothing was written") {
		t.Errorf("%v", err)
	}
}

// TestPlanGuidance checks the guidance of each stage: it speaks of the request that is the
// likeliest, and is short.
func TestPlanGuidance(t *testing.T) {
	for _, s := range plan.Stages() {
		g := guidanceOf[s.Name]
		text := g.Meaning + " " + g.Advice.String()
		if words := len(strings.Fields(text)); words < 40 || words > 120 {
			t.Errorf("%s: %d words of guidance", s.Name, words)
		}
		if next := replies.Plain.Request(verbOf[s.Next[0]]); !strings.Contains(text, next) {
			t.Errorf("%s: the guidance doesn't speak of %s: %s", s.Name, next, text)
		}
		for _, step := range s.Next {
			if verbOf[step].Verb == "" {
				t.Errorf("%s: %s is no request", s.Name, step)
			}
		}
	}
}

// TestStores: the configuration names the stores that there are, and no others.
func TestStores(t *testing.T) {
	if got, want := config.PlanStores(), Stores(); !slices.Equal(got, want) {
		t.Errorf("plan.store may be %q, and there are %q", got, want)
	}
}
