package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/plan"
)

// Gather tells the state of the plan, which files were changed and what to do next.
// A text that is no plan is told as what it is.
func (p *Plans) Gather(ctx context.Context, req PlanGather) (*PlanReply, error) {
	o, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	turn := p.shown.Now()
	state, changes, err := o.store.Survey(ctx)
	if err != nil {
		return nil, planErr(ctx, err)
	}
	r := o.reply(state)
	r.Gathered = true
	r.Changes = PlanChanges{Against: changes.Against, Files: []PlanChange{}, More: changes.More}
	for _, c := range changes.Files {
		r.Changes.Files = append(r.Changes.Files, PlanChange(c))
	}
	if req.IncludeDiff && !changes.Empty() {
		limit := req.MaxDiffBytes
		if limit == 0 {
			limit = DefaultDiffBytes
		}
		diff, err := o.store.Diff(ctx, min(limit, MaxDiffBytes))
		if err != nil {
			return nil, planErr(ctx, err)
		}
		r.Diff, r.DiffCut = diff.Text, diff.Cut
	}
	if r.State == string(plan.Empty) || r.State == string(plan.Unknown) {
		if err := o.addOthers(ctx, r); err != nil {
			return nil, planErr(ctx, err)
		}
	}
	return p.seen(r, turn), nil
}

// maxOtherPlans is the number of plans elsewhere that a reply names.
const maxOtherPlans = 10

// addOthers adds the unfinished plans elsewhere.
func (o *openPlans) addOthers(ctx context.Context, r *PlanReply) error {
	plans, err := o.store.List(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.Notes = append(r.Notes, "whether there are unfinished plans elsewhere can't be told: "+AsPlanError(err).Message)
		return nil
	}
	for i := range plans {
		if plans[i].Open && !plans[i].Current && len(r.Others) < maxOtherPlans {
			r.Others = append(r.Others, o.listed(&plans[i]))
		}
	}
	return nil
}

// Show returns the plan as it is, and looks at no files.
func (p *Plans) Show(ctx context.Context) (*PlanReply, error) {
	o, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	turn := p.shown.Now()
	state, err := o.store.Load(ctx)
	if err != nil {
		return nil, planErr(ctx, err)
	}
	return p.seen(o.reply(state), turn), nil
}

// List returns the plans that the project has, the current one first.
func (p *Plans) List(ctx context.Context) ([]PlanListed, error) {
	o, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	plans, err := o.store.List(ctx)
	if err != nil {
		return nil, planErr(ctx, err)
	}
	list := make([]PlanListed, len(plans))
	for i := range plans {
		list[i] = o.listed(&plans[i])
	}
	return list, nil
}

// listed returns what a list tells of a plan.
func (o *openPlans) listed(s *planstore.Plan) PlanListed {
	r := plan.Parse(s.Text, o.form)
	title, _, _ := strings.Cut(strings.TrimSpace(s.Text), "\n")
	l := PlanListed{
		Name: s.Name, Where: s.Where, Title: title, Stage: o.stages.Of(r.Document).Shown, Current: s.Current, Open: s.Open,
		Orphan: s.Orphan, Workspace: s.Workspace, Continue: s.Continue,
	}
	l.Done, l.Total = plan.Progress(r.Tasks)
	return l
}

// Message returns the text of the plan as the message of a commit.
func (p *Plans) Message(ctx context.Context) (string, error) {
	r, err := p.Show(ctx)
	if err != nil {
		return "", err
	}
	return planstore.Message(r.Source), nil
}

// Adopt takes over the plan of this name, one of List's.
func (p *Plans) Adopt(ctx context.Context, name string) (*PlanReply, error) {
	o, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	turn := p.shown.Next()
	state, err := o.store.Adopt(ctx, name)
	if err != nil {
		return nil, planErr(ctx, err)
	}
	r := o.reply(state)
	r.Did, r.Changed = "the plan "+name+" is the current one", true
	return p.seen(r, turn), nil
}

// reply returns the plan as it is in the store.
func (o *openPlans) reply(s planstore.State) *PlanReply {
	r := o.read(s.Text)
	r.Version, r.Store, r.Where = s.Version, string(s.Kind), s.Where
	if s.Immutable {
		r.note("%s is immutable: its plan can't be changed; begin a change of your own with new_commit", s.Where)
	}
	if s.Divergent {
		r.note("%s is divergent, for several commits are this change; nothing can be written until one is given up: see them with `jj log`, then `jj abandon COMMIT`", s.Where)
	}
	if s.Stale {
		r.note("the working copy is stale, and nothing can be written: run `jj workspace update-stale`")
	}
	if s.Conflict {
		r.note("files of %s have conflicts; resolve them before you go on", s.Where)
	}
	switch plan.State(r.State) {
	case plan.Unknown:
		r.note("the text in %s is no plan and is not written over: agree with the user whether it may go (set_overarching_goal with replace_existing) or stays where it is (new_commit)", s.Where)
	case plan.Halted:
		// What the stage asks for would be refused.
		r.Stage.Guidance, r.Stage.Next = "", []string{plan.ToolGather, plan.ToolGoal, plan.ToolNew}
		p, upTo := r.Problems[0], "too long for a plan"
		if p.Line > 0 {
			upTo = fmt.Sprintf("a plan only up to line %d", p.Line)
		}
		r.note("the text in %s is %s (%s: %s); nothing is written until the user has mended it, or agrees that all of it may go (set_overarching_goal with replace_existing)",
			s.Where, upTo, p.Code, p.Message)
	case plan.Parsed:
		for _, p := range r.Problems {
			if !p.Warning {
				r.note("the plan is not valid, and must be mended first: %s: %s", p.Field, p.Message)
			}
		}
	}
	return r
}

// note adds a note.
func (r *PlanReply) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// read returns what a text is as a plan.
func (o *openPlans) read(text string) *PlanReply {
	parsed := plan.Parse(text, o.form)
	r := &PlanReply{Source: text, State: string(parsed.State), Document: parsed.Document, Tasks: []PlanTask{}}
	for _, item := range plan.Items(parsed.Tasks) {
		r.Tasks = append(r.Tasks, PlanTask{ID: item.ID, Text: item.Text, Done: item.Done, Depth: item.Depth, Parent: !item.Leaf})
	}
	r.Done, r.Total = plan.Progress(parsed.Tasks)
	r.Stage = o.stage(o.stages.Of(parsed.Document))
	r.Problems = o.problems(text, &parsed)
	if doc, err := markdown.Parse([]byte(text)); err == nil {
		var hidden unseen
		hidden.look(doc, markdown.Span{End: len(text)})
		if warning := hidden.warning(); warning != "" {
			r.Notes = append(r.Notes, warning)
		}
	}
	return r
}

// stage returns a stage as a reply tells it. The first sentence of its guidance says
// what it means.
func (o *openPlans) stage(s plan.Stage) PlanStage {
	meaning, _, _ := strings.Cut(s.Guidance, ". ")
	last := s
	if n := len(o.stages); n > 0 {
		last = o.stages[n-1]
	}
	return PlanStage{
		Number: s.Number, Shown: s.Shown, Last: last.Number, Name: s.Name, Meaning: strings.TrimSuffix(meaning, ".") + ".",
		Guidance: s.Guidance, Next: append([]string{}, s.Tools...),
	}
}
