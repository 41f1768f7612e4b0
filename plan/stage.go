package plan

// A Stage says how far a plan is: which piece of it is missing first, and what to do
// about that. No tool is locked to a stage.
type Stage struct {
	Number int
	Shown  string // the number as it is shown, such as "2/3"
	Name   string
	// Guidance tells an agent what to do now, in at most 120 words.
	Guidance string
	// Tools are the names of the tools that come next, the most likely first.
	Tools []string
	// In reports whether a document is in the stage, given that it is in none before.
	// It is nil for a stage in which every document is.
	In func(Document) bool
}

// A Table is the stages in their order. Its last stage should have no In.
type Table []Stage

// Of returns the first stage that the document is in, or the zero value if it is in
// none.
func (t Table) Of(d Document) Stage {
	for _, s := range t {
		if s.In == nil || s.In(d) {
			return s
		}
	}
	return Stage{}
}

// StageOf returns the document's stage by the table of [Stages]. A text that is no
// plan counts as the zero Document.
func StageOf(d Document) Stage { return Stages().Of(d) }

// The names of the tools that Stages and its guidance speak of.
const (
	ToolGather = "gather_requirements"
	ToolGoal   = "set_overarching_goal"
	ToolDetail = "set_detailed_goal"
	ToolPlan   = "set_plan"
	ToolMark   = "mark_task"
	ToolFinish = "finish_job"
	ToolNew    = "new_commit"
)

// Stages returns the table that leads from a goal to finished tasks.
func Stages() Table {
	return Table{
		{
			Number: 0, Shown: "0", Name: "goal", Guidance: guidanceGoal,
			Tools: []string{ToolGoal},
			In:    func(d Document) bool { return d.Header == nil },
		},
		{
			Number: 1, Shown: "1", Name: "detail", Guidance: guidanceDetail,
			Tools: []string{ToolDetail, ToolGoal},
			In:    func(d Document) bool { return d.Description == "" },
		},
		{
			Number: 2, Shown: "2/3", Name: "constraints and plan", Guidance: guidanceConstraints,
			Tools: []string{ToolDetail, ToolPlan},
			In:    func(d Document) bool { return len(d.Constraints) == 0 && len(d.Tasks) == 0 },
		},
		{
			Number: 4, Shown: "4", Name: "plan", Guidance: guidancePlan,
			Tools: []string{ToolPlan, ToolDetail},
			In:    func(d Document) bool { return len(d.Tasks) == 0 },
		},
		{
			Number: 5, Shown: "5", Name: "execution", Guidance: guidanceExecution,
			Tools: []string{ToolMark, ToolFinish, ToolPlan},
			In:    func(d Document) bool { return d.Directive != Complete },
		},
		{
			Number: 6, Shown: "6", Name: "completion", Guidance: guidanceCompletion,
			Tools: []string{ToolNew, ToolPlan},
		},
	}
}
