package plan

// A Stage says how far a plan is: which piece of it is missing first, and what to do
// about that. No step is locked to a stage.
type Stage struct {
	Number int    // larger for a plan that is further
	Shown  string // the number as it is shown, such as "2/3"
	Name   string // in lower case, such as "execution"
	// Next are the steps that come next, the most likely first.
	Next []Step
	// In reports whether a document is in the stage, given that it is in none before.
	// It is nil for a stage in which every document is.
	In func(Document) bool
}

// A Table is the stages in their order. Its last stage should have no In.
type Table []Stage

// Of returns the first stage that the document is in, or the zero value if it is in
// none. A text that is no plan counts as the zero Document.
func (t Table) Of(d Document) Stage {
	for _, s := range t {
		if s.In == nil || s.In(d) {
			return s
		}
	}
	return Stage{}
}

// A Step is something to be done with a plan.
type Step string

// The steps.
const (
	StepShow   Step = "show"   // see the plan, and what has changed
	StepGoal   Step = "goal"   // set the header
	StepDetail Step = "detail" // set description and constraints
	StepTasks  Step = "tasks"  // set the tasks
	StepMark   Step = "mark"   // mark a task as done, or as open again
	StepFinish Step = "finish" // mark the plan as complete
	StepNew    Step = "new"    // begin another plan
)

// Stages returns the table that leads from a goal to finished tasks.
func Stages() Table {
	return Table{
		{
			Number: 0, Shown: "0", Name: "goal",
			Next: []Step{StepGoal},
			In:   func(d Document) bool { return d.Header == nil },
		},
		{
			Number: 1, Shown: "1", Name: "detail",
			Next: []Step{StepDetail, StepGoal},
			In:   func(d Document) bool { return d.Description == "" },
		},
		{
			Number: 2, Shown: "2/3", Name: "constraints and plan",
			Next: []Step{StepDetail, StepTasks},
			In:   func(d Document) bool { return len(d.Constraints) == 0 && len(d.Tasks) == 0 },
		},
		{
			Number: 4, Shown: "4", Name: "plan",
			Next: []Step{StepTasks, StepDetail},
			In:   func(d Document) bool { return len(d.Tasks) == 0 },
		},
		{
			Number: 5, Shown: "5", Name: "execution",
			Next: []Step{StepMark, StepFinish, StepTasks},
			In:   func(d Document) bool { return d.Directive != Complete },
		},
		{
			Number: 6, Shown: "6", Name: "completion",
			Next: []Step{StepNew, StepTasks},
		},
	}
}
