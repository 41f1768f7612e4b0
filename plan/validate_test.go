package plan_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/plan"
)

// TestValidateStates checks that only what is parsed is valid.
func TestValidateStates(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "state: Only a parsed document is valid, this one is empty",
		"x":                   "state: Only a parsed document is valid, this one is unknown",
		"feat:\n\n- [":        "state: The text is a plan only up to line 3: INVALID_TASK",
		"feat:":               "",
		"feature:":            "header.type: Commit type must be one of: feat, fix, refactor, build, chore, docs, lint, infra, spec",
		"feat:\n\n- Nie: a":   "constraints.0.0: Constraint prefix must be one of: Do not, Never, Avoid, Decide against, Must not, Cannot, Forbidden",
		"feat(a):\n\n- [ ]:x": "state: The text is a plan only up to line 3: INVALID_TASK",
	} {
		r := plan.Parse(text, nil)
		report := plan.ValidateResult(&r, nil)
		if got := report.Errors.Error(); got != want || report.IsValid != (want == "") {
			t.Errorf("%q: %s", text, got)
		}
		if r.State != plan.Parsed && (len(report.Errors) != 1 || report.Errors[0].Code != plan.InvalidParseState) {
			t.Errorf("%q: %v", text, report.Errors)
		}
	}
}

func TestValidateJSON(t *testing.T) {
	const head = `"state":"parsed","header":{"type":"feat","breaking":false}`
	for in, want := range map[string]string{
		`{`:                             "It is not JSON: unexpected end of JSON input",
		`[]`:                            "Expected object, got array",
		`{}`:                            "state: Only a parsed document is valid, this one is <nil>",
		`{"state":"halted"}`:            "state: Only a parsed document is valid, this one is halted",
		`{"state":"parsed","header":1}`: "header: Expected object, got number",
		`{"state":"parsed","header":{"type":1,"scope":2,"breaking":"a","title":3}}`:   "header.type: Expected string, got number; header.scope: Expected string, got number; header.breaking: Expected boolean, got string; header.title: Expected string, got number",
		`{"state":"parsed","header":{"breaking":false}}`:                              "header.type: Expected string, got null",
		`{` + head + `,"constraints":1,"tasks":2}`:                                    "constraints: Expected array, got number; tasks: Expected array, got number",
		`{` + head + `,"constraints":[1,["a"],[1,2]]}`:                                "constraints.0: Expected array, got number; constraints.1: Expected [key, value]; constraints.2.0: Expected string, got number; constraints.2.1: Expected string, got number",
		`{` + head + `,"tasks":[1,[true],{"text":"a"},[true,"a",1],[false,"",null]]}`: "tasks.0: Expected array, got number; tasks.1: Expected [done, text, [children]]; tasks.2: Expected array, got object; tasks.3.2: Expected array, got number; tasks.4.2: Expected array, got null; tasks.4.1: Task description must be a non-empty string",
		`{` + head + `,"directive":"go"}`:                                             "directive: A directive has capital letters and spaces only",
		`{` + head + `,"directive":1,"ignored_title":2}`:                              "directive: Expected string, got number; ignored_title: Expected string, got number",
		`{` + head + `,"skipped":1}`:                                                  "skipped: Expected array, got number",
		`{` + head + `,"skipped":["a",1]}`:                                            "skipped.1: Expected string, got number",
		`{` + head + `,"directive":"","header2":1}`:                                   "",
	} {
		report := plan.ValidateJSON([]byte(in), nil)
		if got := report.Errors.Error(); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if report := plan.ValidateJSON([]byte(`{`+head+`,"tasks":[`+strings.Repeat(`[true,"a"],`, 1000)+`[true,"a"]]}`), nil); report.Errors.Error() != "tasks: There are more than 1000 tasks" {
		t.Error(report.Errors)
	}
}

func TestValidateForms(t *testing.T) {
	for _, c := range []struct {
		form string
		h    plan.Header
		want string
	}{
		{plan.Conventional, plan.Header{Type: "feat", Title: "a"}, ""},
		{plan.CommitMessage, plan.Header{Type: "feat", Title: "a"}, "header.scope: A title needs a scope"},
		{plan.MarkdownTasks, plan.Header{Title: "a"}, ""},
		{plan.MarkdownTasks, plan.Header{Type: "feat", Title: "a"}, "header.type: Headers of this form have no type"},
		{plan.Strict, plan.Header{Type: "feat", Scope: "a", Title: strings.Repeat("é", 51)}, "header.title: Title exceeds 50 characters"},
		{plan.Strict, plan.Header{Type: "feat", Scope: "a", Title: strings.Repeat("é", 50)}, ""},
		{plan.Strict, plan.Header{Type: "feat", Scope: "api/v1.2-b"}, ""},
		{plan.Strict, plan.Header{Type: "feat", Scope: "-"}, "header.scope: Scope must start with a letter and contain only lowercase letters, numbers, hyphens, dots and slashes"},
	} {
		if got := plan.Validate(plan.Document{Header: &c.h}, preset(t, c.form)).Errors.Error(); got != c.want {
			t.Errorf("%s %+v: %s", c.form, c.h, got)
		}
	}
	deep := plan.Document{Header: &plan.Header{Type: "feat"}}
	deep.Tasks = []plan.Task{{Text: "0", Children: []plan.Task{{Text: "1", Children: []plan.Task{{Text: "2", Children: []plan.Task{{Text: "3", Children: []plan.Task{{Text: ""}, {Text: "4"}}}}}}}}}}
	if got := plan.Validate(deep, preset(t, plan.Strict)).Errors.Error(); got != "tasks.0.2.0.2.0.2.0.2.0: Nesting exceeds 3 levels" {
		t.Error(got)
	}
	if got := plan.Validate(deep, nil).Errors.Error(); got != "tasks.0.2.0.2.0.2.0.2.0.1: Task description must be a non-empty string" {
		t.Error(got)
	}
}

func TestJSON(t *testing.T) {
	d := document(t, "feat!: <&>\n\na\n\n- Never: b\n- N: X\n\n- [ ]: c\n  - [x]: d\n    - [ ]: e\n- [x]: \"f\"\n\ngo on\n\n~~~ GO ~~~")
	data, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"header":{"type":"feat","breaking":true},"description":"a","constraints":[["Never","b"]],"tasks":[[false,"c",[[true,"d",[[false,"e",[]]]]]],[true,"\"f\"",[]]],"direction":"go on","directive":"GO","skipped":["- N: X"],"ignored_title":"\u003c\u0026\u003e"}`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
	// Alone, tasks and constraints are tuples as well.
	for _, v := range []any{d.Tasks, d.Constraints} {
		data, err := json.Marshal(v)
		if err != nil || !strings.Contains(want, string(data)) {
			t.Errorf("%s, %v", data, err)
		}
	}
	var tasks []plan.Task
	var constraints []plan.Constraint
	if err := json.Unmarshal([]byte(`[[false,"c",[[true,"d",[]]]]]`), &tasks); err != nil || len(tasks) != 1 || tasks[0].Children[0].Text != "d" {
		t.Errorf("%v, %v", tasks, err)
	}
	if err := json.Unmarshal([]byte(`[["Never","b"]]`), &constraints); err != nil || constraints[0].Value != "b" {
		t.Errorf("%v, %v", constraints, err)
	}
	if err := json.Unmarshal([]byte(`[[false,1,[]]]`), &tasks); err == nil || err.Error() != "task.0.1: Expected string, got number" {
		t.Error(err)
	}
	if err := json.Unmarshal([]byte(`[[1,"b"]]`), &constraints); err == nil || err.Error() != "constraint.0.0: Expected string, got number" {
		t.Error(err)
	}
}

func TestUnmarshalErrors(t *testing.T) {
	for in, want := range map[string]string{
		`[]`:                                   "Expected object, got array",
		`{"header":[]}`:                        "header: Expected object, got array",
		`{"header":{"type":1,"breaking":2}}`:   "header.type: Expected string, got number; header.breaking: Expected boolean, got number",
		`{"description":1}`:                    "description: Expected string, got number",
		`{"constraints":{}}`:                   "constraints: Expected array, got object",
		`{"constraints":[["a","b","c"],true]}`: "constraints.0: Expected [key, value]; constraints.1: Expected array, got boolean",
		`{"tasks":[["a","b",[]]]}`:             "tasks.0.0: Expected boolean, got string",
		`{"skipped":"a"}`:                      "skipped: Expected array, got string",
	} {
		var d plan.Document
		err := json.Unmarshal([]byte(in), &d)
		var errs plan.FieldErrors
		if !errors.As(err, &errs) || err.Error() != want {
			t.Errorf("%s: %v", in, err)
		}
		var r plan.Result
		if err := json.Unmarshal([]byte(in), &r); err == nil {
			t.Errorf("%s is a result", in)
		}
	}
	for _, v := range []interface{ UnmarshalJSON([]byte) error }{&plan.Document{}, &plan.Result{}, &plan.Task{}, &plan.Constraint{}} {
		if err := v.UnmarshalJSON([]byte("{")); err == nil {
			t.Errorf("%T: no error", v)
		}
	}
	if err := (&plan.Result{}).UnmarshalJSON([]byte(`{"state":1}`)); err == nil {
		t.Error("a state may be a number")
	}
}
