package mcpserver

import (
	"context"
	"slices"

	"github.com/sectile/sectile/internal/app"
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
			name: toolGather, title: "Where the plan is", idempotent: new(false), whole: true,
			description: "Start here, and come back when lost: the plan of the current change with task ids and progress, its stage, " +
				"what to do in it and when to ask the user, changed files, and plans that were left unfinished elsewhere.",
			args: []argument{
				{name: "include_diff", kind: booleanArg, help: "of the changed files", aliases: []string{"diff"}},
				{name: "max_diff_bytes", kind: integerArg, min: 1, max: app.MaxDiffBytes, def: "8192", help: "on top of the reply's 10,000 characters"},
			},
			run: runGather,
		},
		{
			name: toolGoal, title: "Set the goal", writes: true,
			description: "Store what the user agreed to as the first line of the plan, \"type(scope)!: title\"; the rest is kept.",
			args: []argument{
				{name: "goal", kind: objectArg, required: true, fields: []argument{
					{name: "type", kind: textArg, help: "feat, fix, refactor, build, chore, docs, lint, infra or spec", aliases: []string{"kind"}},
					{name: "scope", kind: textArg, help: "part of the project, as parser or api/auth"},
					{name: "breaking", kind: booleanArg, help: "breaks something for users", aliases: []string{"is_breaking"}},
					{name: "title", kind: textArg, required: true, help: "up to 120 characters", aliases: []string{"description", "summary", "subject"}},
				}},
				{name: "replace_existing", kind: booleanArg, help: "write over a text that is no plan; ask the user first", aliases: []string{"replace"}},
			},
			run: runGoal,
		},
		{
			name: toolDetail, title: "Set the description", writes: true,
			description: "Store the reasons, every target and the approach, and what rules out the ways that were rejected.",
			args: []argument{
				{name: "description", kind: textArg, help: "prose; lists of - are for constraints and tasks. Absent: kept", aliases: []string{"details", "text"}},
				{
					name: "constraints", kind: anyArg, shape: `"type":"array","items":{"type":"string"}`, sample: `["Never: …"]`,
					help: "each \"Never: parse twice\", value in lower case; keys: Do not, Never, Avoid, Decide against, Must not, Cannot, Forbidden. Absent: kept. []: none",
				},
			},
			run: runDetail,
		},
		{
			name: toolTasks, title: "Set the tasks", writes: true,
			description: "Store the whole list of tasks. A task that keeps its text and place keeps its mark unless done is given.",
			args: []argument{{
				name: "plan", kind: anyArg, required: true, aliases: []string{"tasks", "checklist", "task_list"}, sample: `[{"text": "…"}]`,
				shape: `"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"done":{"type":"boolean"},` +
					`"subtasks":{"type":"array","items":{"type":"object"}}},"required":["text"]}`,
				help: "subtasks likewise, 4 levels deep at most; also [done, text, [children]] each, or a Markdown checklist",
			}},
			run: runTasks,
		},
		{
			name: toolMark, title: "Mark a task", writes: true,
			description: "Mark one task when it is done and checked. Parents follow from their subtasks.",
			args: []argument{
				{name: "task_id", kind: textArg, required: true, help: "2.1.3 as last shown, the text, or a part that is unique", aliases: []string{"id", "task", "text"}},
				{name: "completed", kind: booleanArg, def: "true", help: "false: open again", aliases: []string{"done", "complete"}},
			},
			run: runMark,
		},
		{
			name: toolFinish, title: "Finish the plan", writes: true,
			description: "Close the plan once all tasks are done; else names those that are open.",
			run:         runFinish,
		},
		{
			name: toolNew, title: "Begin a new plan", writes: true, idempotent: new(false),
			description: "Begin a new change with an empty plan; the old one stays where the reply says. Refused while tasks are open.",
			args:        []argument{{name: "force", kind: booleanArg, help: "though tasks are open; ask the user first"}},
			run:         runNew,
		},
	}
	for _, t := range tools {
		t.set, t.lean, t.remembers, t.failure = setPlan, true, true, planFailure
		if t.writes {
			t.args = append(t.args, argument{name: "expected_version", kind: textArg, guard: "the version", aliases: []string{"version"}})
			if t.idempotent == nil {
				t.idempotent = new(true)
			}
		}
	}
	return tools
}

// plansOf returns the plans for the reader that the call is of.
func (c *call) plansOf() *app.Plans { return c.plan.For(c.session) }

// planned is the reply of a tool of the toolset. It speaks of tools that are there.
func (c *call) planned(r *app.PlanReply, err error) (*reply, error) {
	if err != nil {
		return nil, err
	}
	r.Stage.Next = slices.DeleteFunc(r.Stage.Next, func(name string) bool { return !c.offers(name) })
	text := r.Marked(c.maxChars(), c.marks)
	return &reply{text: text, mark: r.Mark, structured: r.JSON()}, nil
}

// planFailure is the reply to a call of the toolset that failed, whatever the reason.
func planFailure(err error) *reply {
	e := app.AsPlanError(err)
	return &reply{text: e.Text(), structured: e.JSON(), failed: true}
}

func runGather(ctx context.Context, c *call) (*reply, error) {
	return c.planned(c.plansOf().Gather(ctx, app.PlanGather{
		IncludeDiff: c.boolean("include_diff", c.has("max_diff_bytes")), MaxDiffBytes: c.integer("max_diff_bytes"),
	}))
}

func runGoal(ctx context.Context, c *call) (*reply, error) {
	goal := c.objects("goal")[0]
	return c.planned(c.plansOf().SetGoal(ctx, app.PlanGoal{
		Type: goal.text("type"), Scope: goal.text("scope"), Breaking: goal.boolean("breaking", false), Title: goal.text("title"),
		ReplaceExisting: c.boolean("replace_existing", false), ExpectedVersion: c.text("expected_version"),
	}))
}

func runDetail(ctx context.Context, c *call) (*reply, error) {
	return c.planned(c.plansOf().SetDetail(ctx, app.PlanDetail{
		Description: c.text("description"), Keep: !c.has("description"), Constraints: asConstraints(c.anything("constraints")), ExpectedVersion: c.text("expected_version"),
	}))
}

func runTasks(ctx context.Context, c *call) (*reply, error) {
	return c.planned(c.plansOf().SetPlan(ctx, app.PlanTasks{Tasks: asTasks(c.anything("plan")), ExpectedVersion: c.text("expected_version")}))
}

func runMark(ctx context.Context, c *call) (*reply, error) {
	return c.planned(c.plansOf().Mark(ctx, app.PlanMark{
		Task: c.text("task_id"), Open: !c.boolean("completed", true), ExpectedVersion: c.text("expected_version"),
	}))
}

func runFinish(ctx context.Context, c *call) (*reply, error) {
	return c.planned(c.plansOf().Finish(ctx, app.PlanFinish{ExpectedVersion: c.text("expected_version")}))
}

func runNew(ctx context.Context, c *call) (*reply, error) {
	return c.planned(c.plansOf().New(ctx, app.PlanNew{Force: c.boolean("force", false), ExpectedVersion: c.text("expected_version")}))
}
