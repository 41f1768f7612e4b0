package planning

import (
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/plan"
)

// TestWorkflowWords compares the words of the configuration with what they stand for.
func TestWorkflowWords(t *testing.T) {
	for _, part := range config.PlanParts() {
		if partOf[part] == nil {
			t.Errorf("the part %s has no meaning", part)
		}
	}
	if len(partOf) != len(config.PlanParts()) {
		t.Error("there are parts that no configuration can name")
	}
	for _, step := range config.PlanSteps() {
		if _, ok := verbOf[plan.Step(step)]; !ok {
			t.Errorf("the step %s has no request", step)
		}
	}
	if len(verbOf) != len(config.PlanSteps()) {
		t.Error("there are steps that no configuration can name")
	}
}

// TestUsualStages writes the six stages as a workflow: a document is in the same one.
func TestUsualStages(t *testing.T) {
	table, _ := workflow([]config.Stage{
		{Name: "goal", Until: []string{"header"}},
		{Name: "detail", Until: []string{"description"}},
		{Name: "constraints and plan", Until: []string{"constraints", "tasks"}},
		{Name: "plan", Until: []string{"tasks"}},
		{Name: "execution", Until: []string{"complete"}},
		{Name: "completion"},
	})
	header := &plan.Header{Type: "feat"}
	never, tasks := []plan.Constraint{{Key: "Never", Value: "a"}}, []plan.Task{{Text: "a"}}
	for _, d := range []plan.Document{
		{},
		{Header: header},
		{Header: header, Description: "a"},
		{Header: header, Constraints: never},
		{Header: header, Description: "a", Constraints: never},
		{Header: header, Description: "a", Tasks: tasks},
		{Header: header, Description: "a", Constraints: never, Tasks: tasks},
		{Header: header, Description: "a", Tasks: tasks, Directive: plan.Complete},
		{Header: header, Description: "a", Directive: plan.Complete},
	} {
		if want, got := plan.Stages().Of(d).Name, table.Of(d).Name; want != got {
			t.Errorf("%+v: %s, want %s", d, got, want)
		}
	}
}

func TestWorkflow(t *testing.T) {
	const workflow = `  workflow:
    goal: {until: [header], question: "Ask for the ticket.", next: [goal]}
    work: {until: [complete], meaning: "It is under way.", question: "Do it.", next: [mark, finish]}
    review: {question: "Ask ann to review.", next: [new]}
`
	p, file := newPlans(t, workflow, PlanOptions{})
	r, err := p.Gather(t.Context(), PlanGather{})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(r.Text(0)); !strings.Contains(text, "stage: 0 of 2, goal") || !strings.Contains(text, "The project's configuration says: Ask for the ticket.") {
		t.Error(text)
	}
	store(t, file, planText)
	if r, err = p.Gather(t.Context(), PlanGather{}); err != nil {
		t.Fatal(err)
	}
	if text := string(r.Text(0)); !strings.Contains(text, "stage: 1 of 2, work: It is under way.") {
		t.Error(text)
	}
	if names := r.nextRequests(); !slices.Equal(names, []string{"plan mark", "plan finish"}) {
		t.Errorf("%v", names)
	}
}

// TestPlanKeepsItsLineEnding has a plan whose lines end with CRLF be changed in each way: no other byte
// changes than those that are meant.
func TestPlanKeepsItsLineEnding(t *testing.T) {
	t.Parallel()
	p, file := newPlans(t, "", PlanOptions{})
	const text = "feat(x): goal\r\n\r\nWhy.\r\n\r\n- Never: x\r\n\r\n- [ ]: a\r\n- [ ]: b\r\n"
	marked := strings.Replace(text, "[ ]", "[x]", 1)
	store(t, file, text)
	r := must(t)(p.Mark(t.Context(), PlanMark{Task: "a"}))
	if got := stored(t, file); got != marked || r.Version != must(t)(p.Show(t.Context())).Version {
		t.Errorf("marked: %q", got)
	}
	if r = must(t)(p.Mark(t.Context(), PlanMark{Task: "a"})); r.Changed || stored(t, file) != marked {
		t.Errorf("marked again: %q", stored(t, file))
	}
	must(t)(p.SetDetail(t.Context(), PlanDetail{Description: "Why not.\r\n"}))
	if got := stored(t, file); got != strings.Replace(marked, "Why.", "Why not.", 1) {
		t.Errorf("described: %q", got)
	}
}
