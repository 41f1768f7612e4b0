package plan_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/plan"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestReadTask(t *testing.T) {
	for _, c := range []struct {
		text, words string
		fields      plan.TaskFields
	}{
		{"write the tests", "write the tests", plan.TaskFields{}},
		{"build [id:: tree]", "build", plan.TaskFields{ID: "tree"}},
		{"build [after:: a, b-2] [id:: tree]", "build", plan.TaskFields{ID: "tree", After: []string{"a", "b-2"}}},
		{"build [claim:: ann until 2026-03-01T12:00:00Z]", "build", plan.TaskFields{Claim: &plan.Claim{By: "ann", Until: noon}}},
		{"build [note:: see [a](b)] [note:: second]", "build", plan.TaskFields{Notes: []string{"see [a](b)", "second"}}},
		{"see [docs](url)", "see [docs](url)", plan.TaskFields{}},
		{"[id:: a]", "[id:: a]", plan.TaskFields{}}, // there would be no words
		{"build[id:: a]", "build[id:: a]", plan.TaskFields{}},
		{"build [id:: 12]", "build [id:: 12]", plan.TaskFields{}},
		{"build [due:: 12] [id:: a]", "build [due:: 12]", plan.TaskFields{ID: "a"}},
		{"build [id:: a] today", "build [id:: a] today", plan.TaskFields{}},
		{"build [id:: a] [id:: b]", "build [id:: a]", plan.TaskFields{ID: "b"}},
		{"build [claim:: ann until noon]", "build [claim:: ann until noon]", plan.TaskFields{}},
		{"build [claim:: ann until 2026-03-01T13:00:00+01:00]", "build [claim:: ann until 2026-03-01T13:00:00+01:00]", plan.TaskFields{}},
		{"build ]", "build ]", plan.TaskFields{}},
	} {
		words, fields := plan.ReadTask(c.text)
		if diff := cmp.Diff(c.fields, fields); words != c.words || diff != "" {
			t.Errorf("%q: %q %s", c.text, words, diff)
		}
	}
}

// FuzzReadTask: fields that were read are written as a text that is read as the same, and what
// is read is the text again but for the order of fields and the spaces between them.
func FuzzReadTask(f *testing.F) {
	for _, text := range []string{
		"a [id:: b]", "a [after:: b, c] [id:: d]", "a [claim:: x y until 2026-03-01T12:00:00Z] [note:: [x]]", "a [note:: ]]", "]", "a [[id:: b]]", "a  [id:: b]  [note:: n]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words, fields := plan.ReadTask(text)
		if !strings.HasPrefix(text, words) || words == "" && text != "" {
			t.Fatalf("%q: the words are %q", text, words)
		}
		made := plan.WriteTask(words, fields)
		again, same := plan.ReadTask(made)
		if diff := cmp.Diff(fields, same); again != words || diff != "" {
			t.Fatalf("%q: written as %q: %q %s", text, made, again, diff)
		}
		if sorted(text) != sorted(made) {
			t.Fatalf("%q: written as %q", text, made)
		}
	})
}

// sorted returns the bytes of a text in order, but for spaces.
func sorted(text string) string {
	b := slices.DeleteFunc([]byte(text), func(c byte) bool { return c == ' ' })
	slices.Sort(b)
	return string(b)
}

// waiting is a plan with tasks that wait.
const waiting = `feat(parser): read

- [ ]: read [id:: read]
  - [ ]: measure
  - [ ]: build the tree [id:: tree]
- [ ]: write [after:: read]
  - [ ]: format
  - [ ]: check [after:: tree]
- [ ]: document [claim:: ann until 2026-03-01T12:00:00Z]`

func parsed(t *testing.T, text string) plan.Document {
	t.Helper()
	r := plan.Parse(text, nil)
	if r.State != plan.Parsed {
		t.Fatalf("%s: %v", r.State, r.Halt)
	}
	return r.Document
}

func TestStartable(t *testing.T) {
	d := parsed(t, waiting)
	ids := func(by string, now time.Time) string {
		var list []string
		for _, item := range plan.Startable(d.Tasks, by, now) {
			list = append(list, item.ID)
		}
		return strings.Join(list, " ")
	}
	before := noon.Add(-time.Second)
	if got := ids("", before); got != "1.1 1.2" {
		t.Error(got)
	}
	if got := ids("ann", before); got != "1.1 1.2 3" {
		t.Error(got)
	}
	if got := ids("", noon); got != "1.1 1.2 3" { // the claim is over
		t.Error(got)
	}
	for _, id := range []string{"1.1", "tree"} {
		var err error
		if d, _, err = plan.Mark(d, id, true); err != nil {
			t.Fatal(err)
		}
	}
	if got := ids("", before); got != "2.1 2.2" {
		t.Error(got)
	}
}

// TestStartableOfMany: a parent that waits for thousands of tasks, and has as many subtasks, is asked
// about once.
func TestStartableOfMany(t *testing.T) {
	const n = 5_000
	tasks := make([]plan.Task, n, n+1)
	ids := make([]string, n)
	for i := range tasks {
		ids[i] = fmt.Sprint("a", i)
		tasks[i].Text = "wait [id:: " + ids[i] + "]"
	}
	parent := plan.Task{Text: "go on [after:: " + strings.Join(ids, ", ") + "]", Children: make([]plan.Task, n)}
	for i := range parent.Children {
		parent.Children[i].Text = "then"
	}
	begin := time.Now()
	if got := plan.Startable(append(tasks, parent), "", noon); len(got) != n || got[n-1].ID != strconv.Itoa(n) {
		t.Errorf("%d tasks", len(got))
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Error(took)
	}
}

func TestClaimTask(t *testing.T) {
	before := noon.Add(-time.Minute)
	claim := func(d plan.Document, task, by string) (plan.Document, string, error) {
		d, found, err := plan.ClaimTask(d, task, plan.Claim{By: by, Until: before.Add(time.Hour)}, before)
		return d, found.ID, err
	}
	d := parsed(t, waiting)
	d, first, err := claim(d, "", "bob")
	if err != nil || first != "1.1" {
		t.Fatal(first, err)
	}
	if _, again, err := claim(d, "", "bob"); err != nil || again != "1.1" {
		t.Error("who asks again gets the same task:", again, err)
	}
	if _, other, err := claim(d, "", "eve"); err != nil || other != "1.2" {
		t.Error(other, err)
	}
	if _, own, err := claim(d, "", "ann"); err != nil || own != "3" {
		t.Error("a claim is found again:", own, err)
	}
	for _, c := range []struct {
		task, by string
		code     plan.Code
		ids      []string
	}{
		{"measure", "eve", plan.TaskClaimed, []string{"1.1"}},
		{"3", "eve", plan.TaskClaimed, []string{"3"}},
		{"check", "eve", plan.TaskWaits, []string{"1.2", "1"}},
		{"1", "eve", plan.TaskIsParent, []string{"1.1", "1.2"}},
		{"nothing", "eve", plan.TaskNotFound, nil},
	} {
		_, _, err := claim(d, c.task, c.by)
		e, ok := errors.AsType[*plan.TaskError](err)
		if !ok || e.Code != c.code || !slices.Equal(e.IDs, c.ids) {
			t.Errorf("%s: %v", c.task, err)
		}
	}
	d, _, err = claim(d, "1.2", "eve")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := claim(d, "", "joe"); err == nil || !strings.Contains(err.Error(), "no task can be begun now") {
		t.Error(err)
	}
	for _, by := range []string{"", " a", "a]", "a until b", "a\nb", strings.Repeat("a", 65)} {
		if _, _, err := claim(d, "1.2", by); err == nil {
			t.Errorf("the name %q was taken", by)
		}
	}
	if d, _, err = plan.Mark(d, "1.1", true); err != nil {
		t.Fatal(err)
	}
	if text, _ := plan.Format(d, nil); strings.Contains(text, "bob") || !strings.Contains(text, "eve") {
		t.Error("a task that is done keeps its claim, or another lost it:\n" + text)
	}
	if _, _, err := claim(d, "1.1", "eve"); err == nil || !strings.Contains(err.Error(), "done already") {
		t.Error(err)
	}
}

func TestAddNote(t *testing.T) {
	d := parsed(t, waiting)
	d, found, err := plan.AddNote(d, "tree", "see [a](b)")
	if err != nil || found.ID != "1.2" || found.Text != "build the tree [id:: tree] [note:: see [a](b)]" {
		t.Fatal(found, err)
	}
	if again, _, err := plan.AddNote(d, "tree", "see [a](b)"); err != nil || !plan.Equal(again, d) {
		t.Error("a note was added twice", err)
	}
	for _, note := range []string{"", "a\nb", "[", strings.Repeat("a", 501)} {
		if _, _, err := plan.AddNote(d, "tree", note); err == nil {
			t.Errorf("the note %q was taken", note)
		}
	}
}

func TestFieldsAreChecked(t *testing.T) {
	const head = "feat(a): b\n\ntext\n\n"
	for _, c := range []struct{ tasks, message string }{
		{"- [ ]: a [id:: x]\n- [ ]: b [id:: x]", "Another task has the id x, too"},
		{"- [ ]: a [after:: x]", "No task has the id x"},
		{"- [ ]: a [id:: x] [after:: x]", "waits for itself"},
		{"- [ ]: a [id:: x] [after:: y]\n- [ ]: b [id:: y] [after:: x]", "waits for itself"},
		{"- [ ]: a [id:: x]\n  - [ ]: b [after:: x]", "waits for itself"},
		{"- [ ]: a [after:: y]\n  - [ ]: b [id:: y]", "waits for itself"},
		{"- [ ]: a [id:: x] [id:: y]", `two fields "id"`},
		{"- [ ]: a [claim:: bob]", "no claim"},
		{"- [ ]: a [after:: b c]", "no ids"},
		{"- [ ]: a [id:: 1]", "no id"},
		{"- [ ]: a [after:: x]\n- [ ]: b [id:: x]\n- [ ]: c [after:: x]", ""},
	} {
		report := plan.Validate(parsed(t, head+c.tasks), nil)
		if told := fmt.Sprint(report.Errors); (c.message == "") != report.IsValid || !strings.Contains(told, c.message) {
			t.Errorf("%s: %s", c.tasks, told)
		}
	}
}

// TestSetTasksKeepsFields: who sends the tasks anew needn't send what stands behind their words.
func TestSetTasksKeepsFields(t *testing.T) {
	for _, c := range []struct {
		name, sent, want string
		value            any
	}{
		{name: "words alone", value: "- write\n- document", want: "- [ ]: write [after:: read]\n- [ ]: document [claim:: ann until 2026-03-01T12:00:00Z]"},
		{name: "others", value: []any{map[string]any{"text": "write", "after": []any{"x"}, "id": "w"}}, want: "- [ ]: write [id:: w] [after:: x]"},
		{name: "none to wait for", value: []any{map[string]any{"text": "write", "after": []any{}}}, want: "- [ ]: write"},
		{name: "done", value: "- [x] document", want: "- [x]: document"},
	} {
		p, err := plan.ReadPlan(c.value, nil)
		if err != nil {
			t.Fatal(c.name, err)
		}
		text, err := plan.Format(plan.SetTasks(parsed(t, waiting), p), nil)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if _, got, _ := strings.Cut(text, "\n\n"); got != c.want {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
	for _, value := range []any{
		[]any{map[string]any{"text": "a", "id": "1"}}, []any{map[string]any{"text": "a", "after": 3.0}}, []any{map[string]any{"text": "a", "after": []any{"a b"}}},
	} {
		if _, err := plan.ReadPlan(value, nil); err == nil {
			t.Errorf("%v was taken", value)
		}
	}
}

// TestSetTasksKnowsIDs: of tasks with the same words, one that is sent with its id is the one that has it.
func TestSetTasksKnowsIDs(t *testing.T) {
	const old = "feat(a): b\n\n- [x]: review [id:: a] [note:: of a]\n- [ ]: review [id:: b]\n- [ ]: review\n- [ ]: ship\n  - [ ]: review [id:: c]\n"
	for _, c := range []struct{ sent, want string }{
		{"- review [id:: b]\n- review [id:: a]", "- [ ]: review [id:: b]\n- [x]: review [id:: a] [note:: of a]"},
		{"- review [id:: b]", "- [ ]: review [id:: b]"},
		{"- review [id:: c]\n- ship", "- [ ]: review [id:: c]\n- [ ]: ship"},
		{"- review [id:: c]\n- ship\n  - review [id:: a]", "- [ ]: review [id:: c]\n- [x]: ship\n  - [x]: review [id:: a] [note:: of a]"},
		{"- review [id:: n]\n- review [id:: a]", "- [ ]: review [id:: n]\n- [x]: review [id:: a] [note:: of a]"},
		{"- review\n- review [id:: b]", "- [x]: review [id:: a] [note:: of a]\n- [ ]: review [id:: b]"},
		{"- review [id:: n]\n- review [id:: d]", "- [x]: review [id:: n] [note:: of a]\n- [ ]: review [id:: d]"},
		{"- other [id:: a]\n- review", "- [ ]: other [id:: a]\n- [ ]: review [id:: b]"},
	} {
		p, err := plan.ReadPlan(c.sent, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := plan.Format(plan.SetTasks(parsed(t, old), p), nil)
		if _, got, _ := strings.Cut(text, "\n\n"); err != nil || got != c.want {
			t.Errorf("%s: %v\n%s", c.sent, err, got)
		}
	}
}
