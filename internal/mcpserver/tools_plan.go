package mcpserver

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/toolargs"
)

// The toolset plan: a plan from its goal to finished tasks, kept in the project's
// version control.

// The tools of the toolset.
const (
	toolGather = "gather_requirements"
	toolGoal   = "set_overarching_goal"
	toolDetail = "set_detailed_goal"
	toolTasks  = "set_plan"
	toolMark   = "mark_task"
	toolFinish = "finish_job"
	toolNew    = "new_commit"
)

func planTools() []*tool {
	tools := []*tool{
		{
			name: toolGather, title: "Plan", idempotent: new(false), whole: true,
			description: "Start here, and when lost: the plan with task ids, its stage, what to do, changed files, other plans.",
			handler:     taking(runGather),
		},
		{
			name: toolGoal, title: "Goal", writes: true,
			description: "Store what was agreed as the plan's first line.",
			handler:     taking(runGoal),
		},
		{
			name: toolDetail, title: "Description", writes: true,
			description: "Store reasons, targets, approach, and what rules out others.",
			handler:     taking(runDetail),
		},
		{
			name: toolTasks, title: "Tasks", writes: true,
			description: "Store all tasks; the same ones keep their marks.",
			handler:     taking(runTasks),
		},
		{
			name: toolMark, title: "Mark", writes: true,
			description: "Mark or claim a task. Parents follow.",
			handler:     taking(runMark),
		},
		{
			name: toolFinish, title: "Finish", writes: true,
			description: "Close the plan, unless tasks are open.",
			handler:     taking(runFinish),
		},
		{
			name: toolNew, title: "New plan", writes: true, idempotent: new(false),
			description: "Begin a new change with an empty plan; the old stays. Refused while tasks are open.",
			handler:     taking(runNew),
		},
	}
	for _, t := range tools {
		t.set, t.lean, t.remembers, t.failure = setPlan, true, true, planFailure
		if t.writes && t.idempotent == nil {
			t.idempotent = new(true)
		}
	}
	return tools
}

// plansOf returns the plans for the reader that the call is of.
func (c *call) plansOf() *planning.Plans { return c.plan.For(c.session) }

// planned is the reply of a tool of the toolset. It speaks of tools that are there.
func (c *call) planned(r *planning.PlanReply, err error) (*reply, error) {
	if err != nil {
		return nil, err
	}
	speakOfTools(r, c.offers)
	most := max(capMaxChars-utf8.RuneCountInString(r.Diff.Text), replies.MinChars) // the difference comes on top
	text := r.Marked(min(c.maxChars(), most), c.marks)
	return &reply{text: text, mark: r.Mark, structured: r.JSON(), beside: 2 * len(r.Diff.Text)}, nil // where it is escaped
}

// speakOfTools has a plan speak of tools, of those that are there.
func speakOfTools(r *planning.PlanReply, offers func(tool string) bool) {
	r.Voice = toolVoice
	r.Stage.Next = slices.DeleteFunc(r.Stage.Next, func(next replies.Call) bool { return !offers(toolOf[next.Verb]) })
}

// planFailure is the reply to a call of the toolset that failed, whatever the reason.
func planFailure(err error) *reply {
	e := planning.AsPlanError(err)
	return &reply{text: e.Text(toolVoice), structured: e.Structured(toolVoice), failed: true}
}

type gatherArgs struct {
	IncludeDiff  *bool         `arg:"include_diff" alias:"diff"`
	MaxDiffBytes *maxDiffBytes `arg:"max_diff_bytes" default:"8192"`
	Section      string        `arg:"section" doc:"alone: tasks, a heading, a task" alias:"heading,part,task_id"`
	Cursor       string        `arg:"cursor" doc:"of a note: reads on"`
	limitedArgs
}

type maxDiffBytes int

func (maxDiffBytes) Declare(a *toolargs.Argument) { a.Min, a.Max = 1, planning.MaxDiffBytes }

func runGather(ctx context.Context, c *call, args *gatherArgs) (*reply, error) {
	req := planning.PlanGather{IncludeDiff: args.MaxDiffBytes != nil, Section: args.Section, Cursor: args.Cursor}
	if args.IncludeDiff != nil {
		req.IncludeDiff = *args.IncludeDiff
	}
	if args.MaxDiffBytes != nil {
		req.MaxDiffBytes = int(*args.MaxDiffBytes)
	}
	return c.planned(c.plansOf().Gather(ctx, req))
}

// versionArgs are taken by every tool that writes a plan.
type versionArgs struct {
	ExpectedVersion expectedVersion `arg:"expected_version"`
}

type goalArgs struct {
	Goal struct {
		Type     string `arg:"type" doc:"feat, fix, refactor, build, chore, docs, lint, infra or spec" alias:"kind"`
		Scope    string `arg:"scope" doc:"as parser or api/auth"`
		Breaking bool   `arg:"breaking" alias:"is_breaking"`
		Title    string `arg:"title,required" doc:"up to 120 characters" alias:"description,summary,subject"`
	} `arg:"goal,required"`
	ReplaceExisting bool `arg:"replace_existing" doc:"also over no plan; ask first" alias:"replace"`
	versionArgs
}

func runGoal(ctx context.Context, c *call, args *goalArgs) (*reply, error) {
	return c.planned(c.plansOf().SetGoal(ctx, planning.PlanGoal{
		Type: args.Goal.Type, Scope: args.Goal.Scope, Breaking: args.Goal.Breaking, Title: args.Goal.Title,
		ReplaceExisting: args.ReplaceExisting, ExpectedVersion: string(args.ExpectedVersion),
	}))
}

type detailArgs struct {
	Description *string         `arg:"description" doc:"prose without - lists. Absent: kept" alias:"details,text"`
	Constraints constraintsJSON `arg:"constraints"`
	versionArgs
}

// constraintsJSON are constraints in any form that asConstraints knows.
type constraintsJSON struct{ toolargs.JSON }

func (*constraintsJSON) Declare(a *toolargs.Argument) {
	a.Shape, a.Sample = `"type":"array","items":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`, `["Never: …"]`
	a.Help = "as \"Never: parse twice\", value in lower case; keys Do not, Never, Avoid, Decide against, Must not, Cannot, Forbidden. Absent: kept. []: none"
}

func runDetail(ctx context.Context, c *call, args *detailArgs) (*reply, error) {
	req := planning.PlanDetail{Keep: args.Description == nil, Constraints: asConstraints(args.Constraints.Value), ExpectedVersion: string(args.ExpectedVersion)}
	if args.Description != nil {
		req.Description = *args.Description
	}
	return c.planned(c.plansOf().SetDetail(ctx, req))
}

type tasksArgs struct {
	Plan  tasksJSON `arg:"plan" alias:"tasks,checklist,task_list"`
	Lines linesJSON `arg:"lines"`
	versionArgs
}

// tasksJSON are tasks in any form that asTasks knows.
type tasksJSON struct{ toolargs.JSON }

func (*tasksJSON) Declare(a *toolargs.Argument) {
	a.Shape = `"anyOf":[{"type":"array","items":{"anyOf":[{"type":"object","properties":{"text":{"type":"string"},"done":{"type":"boolean"},` +
		`"subtasks":{"type":"array"}},"required":["text"]},{"type":"array","minItems":2}]}},{"type":"string"}]`
	a.Sample = `[{"text": "…"}]`
	a.Help = "4 levels; id, after [ids]: waits; or [done, text, [children]], a Markdown checklist"
}

// linesJSON are lines by their numbers.
type linesJSON struct{ toolargs.JSON }

func (*linesJSON) Declare(a *toolargs.Argument) {
	a.Shape, a.Sample = `"type":"object"`, `{"7": "…"}`
	a.Help = "mends: line to text"
}

func runTasks(ctx context.Context, c *call, args *tasksArgs) (*reply, error) {
	req := planning.PlanTasks{Tasks: asTasks(args.Plan.Value), ExpectedVersion: string(args.ExpectedVersion)}
	if args.Lines.Value != nil {
		var err error
		if req.Lines, err = planning.ReadLines(args.Lines.Value, args.Plan.Value == nil); err != nil {
			return nil, err
		}
	}
	return c.planned(c.plansOf().SetPlan(ctx, req))
}

type markArgs struct {
	TaskID    string `arg:"task_id" doc:"2.1.3 or a unique part of the text; none with claim: any" alias:"id,task,text"`
	Completed *bool  `arg:"completed" doc:"default true if alone" alias:"done,complete"`
	Claim     string `arg:"claim" doc:"your name, to be alone at it" alias:"claimed_by,assignee,owner"`
	Minutes   int    `arg:"minutes" default:"30"`
	Note      string `arg:"note" alias:"comment"`
	versionArgs
}

func runMark(ctx context.Context, c *call, args *markArgs) (*reply, error) {
	req := planning.PlanMark{
		Task: args.TaskID, Claim: args.Claim, Note: args.Note, Keep: args.Completed == nil && (args.Claim != "" || args.Note != ""),
		Open: args.Completed != nil && !*args.Completed, ExpectedVersion: string(args.ExpectedVersion),
	}
	if args.Minutes != 0 {
		const most = int(planning.MaxClaim/time.Minute) + 1 // which is refused
		req.For = time.Duration(min(args.Minutes, most)) * time.Minute
	}
	return c.planned(c.plansOf().Mark(ctx, req))
}

func runFinish(ctx context.Context, c *call, args *versionArgs) (*reply, error) {
	return c.planned(c.plansOf().Finish(ctx, planning.PlanFinish{ExpectedVersion: string(args.ExpectedVersion)}))
}

type newArgs struct {
	Force bool `arg:"force" doc:"with open tasks; ask first"`
	versionArgs
}

func runNew(ctx context.Context, c *call, args *newArgs) (*reply, error) {
	return c.planned(c.plansOf().New(ctx, planning.PlanNew{Force: args.Force, ExpectedVersion: string(args.ExpectedVersion)}))
}
