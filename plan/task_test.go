package plan_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/plan"
)

// twoLevels is a plan with some tasks done.
const twoLevels = `feat(a): t

why

- [ ]: Parser
  - [x]: read lines
  - [ ]: build the tree
- [ ]: Write Docs
- [x]: 2024
- [ ]: parser

~~~ EXECUTE ~~~`

func document(t testing.TB, text string) plan.Document {
	t.Helper()
	r := plan.Parse(text, nil)
	if r.State != plan.Parsed {
		t.Fatalf("%s: %+v", r.State, r.Halt)
	}
	return r.Document
}

func format(t testing.TB, d plan.Document) string {
	t.Helper()
	text, err := plan.Format(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestItems(t *testing.T) {
	d := document(t, twoLevels)
	want := []plan.Item{
		{ID: "1", Text: "Parser"},
		{ID: "1.1", Text: "read lines", Depth: 1, Done: true, Leaf: true},
		{ID: "1.2", Text: "build the tree", Depth: 1, Leaf: true},
		{ID: "2", Text: "Write Docs", Leaf: true},
		{ID: "3", Text: "2024", Done: true, Leaf: true},
		{ID: "4", Text: "parser", Leaf: true},
	}
	if diff := cmp.Diff(want, plan.Items(d.Tasks)); diff != "" {
		t.Error(diff)
	}
	if done, total := plan.Progress(d.Tasks); done != 2 || total != 5 {
		t.Errorf("%d of %d", done, total)
	}
	if open := plan.OpenLeaves(d.Tasks); len(open) != 3 || open[0].ID != "1.2" {
		t.Errorf("%v", open)
	}
}

func TestMark(t *testing.T) {
	d := document(t, twoLevels)
	for _, c := range []struct {
		query, id  string
		byPosition bool
		code       plan.Code
		ids        []string
	}{
		{query: "1.2", id: "1.2", byPosition: true},
		{query: " 2 ", id: "2", byPosition: true},
		{query: "2024", id: "3"},
		{query: "build the tree", id: "1.2"},
		{query: "TREE", id: "1.2"},
		{query: "parser", id: "4"}, // exact before a part of the other
		{query: "docs", id: "2"},
		{query: "PARSER", code: plan.TaskAmbiguous, ids: []string{"1", "4"}},
		{query: "e", code: plan.TaskAmbiguous, ids: []string{"1", "1.1", "1.2", "2", "4"}},
		{query: "Parser", code: plan.TaskIsParent, ids: []string{"1.2"}},
		{query: "1", code: plan.TaskIsParent, ids: []string{"1.2"}},
		{query: "1.3", code: plan.TaskNotFound, ids: []string{"1.1", "1.2"}},
		{query: "1.", code: plan.TaskNotFound},
		{query: "7", code: plan.TaskNotFound},
		{query: "reed lines", code: plan.TaskNotFound, ids: []string{"1.1"}},
		{query: "the new parser", code: plan.TaskNotFound, ids: []string{"1", "4"}},
		{query: "", code: plan.TaskNotFound},
		{query: strings.Repeat("né", 200), code: plan.TaskNotFound},
		{query: "nothing", code: plan.TaskNotFound},
	} {
		marked, found, err := plan.Mark(d, c.query, true)
		if c.code != "" {
			var e *plan.TaskError
			if !errors.As(err, &e) || e.Code != c.code || cmp.Diff(c.ids, e.IDs) != "" || len(e.Error()) < 30 {
				t.Errorf("%q: %v, %+v", c.query, err, e)
			}
			continue
		}
		if err != nil || found.ID != c.id || found.ByPosition != c.byPosition || !found.Done {
			t.Errorf("%q: %+v, %v", c.query, found, err)
		}
		for _, item := range plan.Items(marked.Tasks) {
			if item.ID == c.id && !item.Done {
				t.Errorf("%q: not marked", c.query)
			}
		}
	}
	if format(t, d) != twoLevels {
		t.Error("marking has changed its argument")
	}
	if _, _, err := plan.Mark(plan.Document{}, "1", true); err == nil || !strings.Contains(err.Error(), "no tasks") {
		t.Error(err)
	}
}

// TestMarkParent marks parents whose subtasks have the mark.
func TestMarkParent(t *testing.T) {
	const text = "feat(a): t\n\nwhy\n\n- [x]: a\n  - [x]: b\n  - [x]: c\n- [ ]: d\n  - [ ]: e\n    - [ ]: f\n- [ ]: g\n  - [x]: h\n  - [ ]: i"
	for _, c := range []struct {
		query, id string
		done      bool
	}{
		{"1", "1", true},
		{"a", "1", true},
		{"2", "2", false},
		{"2.1", "2.1", false},
		{"1", "", false},
		{"2", "", true},
		{"3", "", true},
		{"3", "", false},
	} {
		d := document(t, text)
		marked, found, err := plan.Mark(d, c.query, c.done)
		if c.id == "" {
			if e, ok := errors.AsType[*plan.TaskError](err); !ok || e.Code != plan.TaskIsParent || len(e.IDs) == 0 {
				t.Errorf("%q %v: %v", c.query, c.done, err)
			}
			continue
		}
		if err != nil || found.ID != c.id || found.Done != c.done {
			t.Fatalf("%q %v: %+v, %v", c.query, c.done, found, err)
		}
		if diff := cmp.Diff(text, format(t, marked)); diff != "" {
			t.Errorf("%q %v: %s", c.query, c.done, diff)
		}
	}
}

// TestPositionIsNoPart asks for positions that only parts of texts have.
func TestPositionIsNoPart(t *testing.T) {
	d := document(t, "feat(a): t\n\nwhy\n\n- [ ]: upgrade to port 3000\n- [ ]: use version 1.5\n- [ ]: 1.7")
	for query, byPosition := range map[string]bool{"4": true, "1.5": true, "3000": true, "00\t": true, "1.": false} {
		_, found, err := plan.Mark(d, query, true)
		if query == "1." { // has not the form, and two texts have it
			if e, ok := errors.AsType[*plan.TaskError](err); !ok || e.Code != plan.TaskAmbiguous {
				t.Errorf("%q: %v", query, err)
			}
			continue
		}
		e, ok := errors.AsType[*plan.TaskError](err)
		if !ok || e.Code != plan.TaskNotFound || strings.Contains(e.Error(), "part") {
			t.Errorf("%q: %+v, %v", query, found, err)
		}
		if found.ByPosition != byPosition || found.ID != strings.TrimSpace(query) {
			t.Errorf("%q: %+v", query, found)
		}
	}
	if _, found, err := plan.Mark(d, "1.7", true); err != nil || found.ID != "3" || found.ByPosition {
		t.Errorf("a text with the form of a position: %+v, %v", found, err)
	}
	if _, found, err := plan.Mark(d, "port 3000", true); err != nil || found.ID != "1" {
		t.Errorf("a part: %+v, %v", found, err)
	}
}

// TestWayToTheEnd marks tasks until the plan is complete, and opens one again.
func TestWayToTheEnd(t *testing.T) {
	d := document(t, twoLevels)
	var incomplete *plan.TaskError
	if _, err := plan.Finish(d); !errors.As(err, &incomplete) || incomplete.Code != plan.TasksIncomplete || cmp.Diff([]string{"1.2", "2", "4"}, incomplete.IDs) != "" {
		t.Fatal(err)
	}
	for _, id := range incomplete.IDs {
		var err error
		if d, _, err = plan.Mark(d, id, true); err != nil {
			t.Fatal(err)
		}
		again, _, err := plan.Mark(d, id, true)
		if err != nil || !plan.Equal(d, again) {
			t.Errorf("marking %s twice: %v", id, err)
		}
	}
	d, err := plan.Finish(d)
	if err != nil || d.Directive != plan.Complete || plan.Stages().Of(d).Number != 6 {
		t.Fatalf("%v, %+v", err, d)
	}
	want := strings.NewReplacer("[ ]", "[x]", "EXECUTE", "COMPLETE").Replace(twoLevels)
	if diff := cmp.Diff(want, format(t, d)); diff != "" {
		t.Error(diff)
	}
	if again, err := plan.Finish(d); err != nil || !plan.Equal(d, again) {
		t.Errorf("finishing twice: %v", err)
	}
	var parent *plan.TaskError
	if _, _, err := plan.Mark(d, "1", false); !errors.As(err, &parent) || cmp.Diff([]string{"1.1", "1.2"}, parent.IDs) != "" {
		t.Error(err)
	}
	if again, found, err := plan.Mark(d, "1", true); err != nil || found.ID != "1" || !plan.Equal(d, again) {
		t.Errorf("marking a parent whose subtasks are done: %+v, %v", found, err)
	}
	d, _, err = plan.Mark(d, "1.1", false)
	if err != nil || d.Directive != "" || plan.Stages().Of(d).Number != 5 {
		t.Errorf("%v, %+v", err, d)
	}
	if _, err := plan.Finish(plan.Document{Tasks: []plan.Task{}}); err == nil || err.Error() != "the plan has no tasks; set some first" {
		t.Error(err)
	}
	one := plan.Document{Tasks: slicesRepeat(plan.Task{Text: "a"}, 1)}
	if _, err := plan.Finish(one); err == nil || err.Error() != "1 task is open; do and mark it first: 1" {
		t.Error(err)
	}
	many := plan.Document{Tasks: slicesRepeat(plan.Task{Text: "a"}, 30)}
	if _, err := plan.Finish(many); err == nil || !strings.HasSuffix(err.Error(), "19, 20 and 10 more") {
		t.Error(err)
	}
}

func TestSetTasks(t *testing.T) {
	for _, c := range []struct{ name, old, plan, want string }{
		{
			"kept by path", "- [ ]: a\n  - [x]: b\n- [x]: b\n- [x]: c",
			`[{"text":"a","subtasks":[{"text":"b"},{"text":"c"}]},{"text":"b"},{"text":"d"}]`,
			"- [ ]: a\n  - [x]: b\n  - [ ]: c\n- [x]: b\n- [ ]: d",
		},
		{"explicit wins", "- [x]: a\n- [ ]: b", `[{"text":"a","done":false},{"text":"b","done":true}]`, "- [ ]: a\n- [x]: b"},
		{"null is left out", "- [x]: a", `[{"text":"a","done":null,"subtasks":null}]`, "- [x]: a"},
		{"tuples are explicit", "- [x]: a", `[[false,"a",[]],[true," b "]]`, "- [ ]: a\n- [x]: b"},
		{"twice the same", "- [ ]: a\n- [x]: a", `[{"text":"a"},{"text":"a"},{"text":"a"}]`, "- [ ]: a\n- [x]: a\n- [ ]: a"},
		{"moved is new", "- [x]: a\n  - [x]: b", `[{"text":"b"},{"text":"x","subtasks":[{"text":"b"}]}]`, "- [ ]: b\n- [ ]: x\n  - [ ]: b"},
		{"a parent becomes a leaf", "- [ ]: a\n  - [x]: b", `[{"text":"a"}]`, "- [x]: a"},
		{"parents follow", "- [ ]: a", `[[true,"a",[[false,"b",[]]]]]`, "- [ ]: a\n  - [ ]: b"},
		{"checklist", "- [x]: a\n  - [x]: b", `"* a\n  + b\n\t+ [ ] c\n\n1. [x]: d\n2) [X] e\n- [ ]: f\r\n- [g](h)"`, "- [ ]: a\n  - [x]: b\n  - [ ]: c\n- [x]: d\n- [x]: e\n- [ ]: f\n- [ ]: [g](h)"},
		{"none", "- [x]: a", `[]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := document(t, "feat(a): t\n\n"+c.old)
			p, err := plan.ReadPlan(json.RawMessage(c.plan), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.TrimPrefix(format(t, plan.SetTasks(d, p)), "feat(a): t")
			if diff := cmp.Diff(c.want, strings.TrimPrefix(got, "\n\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
	d := document(t, "feat(a): t\n\n- [x]: a\n\n~~~ COMPLETE ~~~")
	p, err := plan.ReadPlan([]any{map[string]any{"text": "a"}, map[string]any{"text": "b"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if open := plan.SetTasks(d, p); open.Directive != "" {
		t.Errorf("complete with an open task: %+v", open)
	}
	if p, err = plan.ReadPlan([]any{}, nil); err != nil {
		t.Fatal(err)
	}
	if none := plan.SetTasks(d, p); none.Directive != "" {
		t.Errorf("complete without a task: %+v", none)
	}
	d.Directive = "EXECUTE"
	if none := plan.SetTasks(d, p); none.Directive != "EXECUTE" {
		t.Errorf("another directive: %+v", none)
	}
}

func TestReadPlanErrors(t *testing.T) {
	for _, c := range []struct {
		in    string
		field string
		line  int
		text  string
	}{
		{`{`, "plan", 0, "not JSON"},
		{`null`, "plan", 0, "Expected array or string, got null"},
		{`{"text":"a"}`, "plan", 0, "got object; send [[done"},
		{`["a"]`, "plan.0", 0, "Expected [done, text, [children]] or {text, done, subtasks, id, after}, got string"},
		{`[[true]]`, "plan.0", 0, "Expected [done, text, [children]]"},
		{`[[null,"a",[]]]`, "plan.0.0", 0, "Expected boolean, got null"},
		{`[[true,1,[]]]`, "plan.0.1", 0, "Expected string, got number"},
		{`[[true,"a",{}]]`, "plan.0.2", 0, "Expected array, got object"},
		{`[[true,"a",[[true,"b",[]],[true," "]]]]`, "plan.0.2.1.1", 0, "empty"},
		{`[{"text":"a","subtasks":[{"text":"b","done":"no"}]}]`, "plan.0.subtasks.0.done", 0, "Expected boolean, got string"},
		{`[{"done":true}]`, "plan.0.text", 0, "Expected string, got null"},
		{`[{"text":"a","children":[]}]`, "plan.0.children", 0, `use one of text, done, subtasks`},
		{`[{"text":"a","subtask":[]}]`, "plan.0.subtask", 0, `did you mean "subtasks"?`},
		{`[{"text":"a\nb"}]`, "plan.0.text", 0, "more than one line"},
		{`"- [ ] a\nb"`, "plan", 2, `"b" is no task`},
		{`"- [ ] a\n- "`, "plan", 2, "no text"},
		{`"- [ ] a\n- [] b"`, "plan", 2, `"[]" is no box`},
		{`"- [y]: b"`, "plan", 1, `"[y]" is no box`},
		{`"-a"`, "plan", 1, "is no task"},
		{`""`, "plan", 0, "there is no task in it"},
		{`" \n\t\r\n"`, "plan", 0, "send an empty list, []"},
		{`"- a\n - b\n  - c\n   - d\n    - e\n     - f"`, "plan", 6, "nested deeper than 4"},
		{`"` + strings.Repeat(`- a\n`, 1001) + `"`, "plan", 0, "1001 tasks, at most 1000"},
	} {
		_, err := plan.ReadPlan(json.RawMessage(c.in), nil)
		var e *plan.InputError
		if !errors.As(err, &e) || e.Field != c.field || e.Line != c.line || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%.80s: %v", c.in, err)
		}
	}
}

func TestReadConstraints(t *testing.T) {
	got, err := plan.ReadConstraints(json.RawMessage(`[["Do not","a: b"]," - Never: c ","Avoid:d"]`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]plan.Constraint{{Key: "Do not", Value: "a: b"}, {Key: "Never", Value: "c"}, {Key: "Avoid", Value: "d"}}, got); diff != "" {
		t.Error(diff)
	}
	if got, err := plan.ReadConstraints(nil); got != nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := plan.ReadConstraints([]any{}); got == nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	for in, want := range map[string]string{
		`{`: "constraints: it is not JSON", `1`: "constraints: Expected array, got number", `["a"]`: "constraints.0: Expected [key, value]",
		`[["a","b"],["a"]]`: "constraints.1: Expected", `[["a",1]]`: "constraints.0: Expected", `[1]`: "constraints.0: Expected",
	} {
		if _, err := plan.ReadConstraints(json.RawMessage(in)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", in, err)
		}
	}
}

func TestSetters(t *testing.T) {
	d := document(t, "feat: old words\n\nd\n\n- Never: a\n- N: X\n\n- [x]: b")
	head := plan.SetHeader(d, plan.Header{Type: "fix", Scope: "a", Title: "new"})
	if got := format(t, head); got != "fix(a): new\n\nd\n\n- Never: a\n- N: X\n\n- [x]: b" {
		t.Errorf("%s", got)
	}
	if got := format(t, plan.SetHeader(d, *d.Header)); got != format(t, d) {
		t.Errorf("the same header has changed something:\n%s", got)
	}
	if got := format(t, plan.SetDescription(d, "\ne\n", nil)); got != "feat: old words\n\ne\n\n- Never: a\n- N: X\n\n- [x]: b" {
		t.Errorf("%s", got)
	}
	if got := format(t, plan.SetDescription(d, "e", []plan.Constraint{})); got != "feat: old words\n\ne\n\n- [x]: b" {
		t.Errorf("%s", got)
	}
	if got := format(t, d); got != "feat: old words\n\nd\n\n- Never: a\n- N: X\n\n- [x]: b" {
		t.Errorf("the argument was changed:\n%s", got)
	}
}
