package planning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/plan"
)

// Gather tells the state of the plan, which files were changed and what to do next.
// A text that is no plan is told as what it is. What can't be told of the files, or of
// plans elsewhere, is told with the reason.
func (p *Plans) Gather(ctx context.Context, req PlanGather) (*PlanReply, error) {
	o, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	turn := p.shown.Now()
	timed, cancel := withinHalf(ctx)
	state, changes, failed := o.store.Survey(timed)
	cancel()
	if err = failed; err != nil && ctx.Err() == nil { // a plan needs no files
		changes = planstore.Changes{}
		state, err = o.store.Load(ctx)
	}
	if err != nil {
		return nil, planErr(ctx, err)
	}
	r := o.reply(state)
	r.Gathered = true
	r.Changes = PlanChanges{Against: changes.Against, Files: []PlanChange{}, More: changes.More, Hidden: changes.Hidden, Unknown: cmp.Or(why(failed), changes.Unknown)}
	for _, c := range changes.Files {
		r.Changes.Files = append(r.Changes.Files, PlanChange(c))
	}
	switch {
	case !req.IncludeDiff:
	case failed != nil:
		r.Diff.Unknown = why(failed)
	case !changes.Empty() || changes.Unknown != "":
		if err := o.addDiff(ctx, r, req.MaxDiffBytes); err != nil {
			return nil, planErr(ctx, err)
		}
	}
	if r.State == string(plan.Empty) || r.State == string(plan.Unknown) || o.isForeign(&r.Document) {
		if err := o.addOthers(ctx, r); err != nil {
			return nil, planErr(ctx, err)
		}
	}
	return p.seen(r, turn), nil
}

// withinHalf returns a context for a part of the work that the reply can do without: it
// ends when half of the time is over that ctx has left, if that has an end. Files may keep
// git for ever, as a pipe with the name of one does that git reads.
func withinHalf(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}

// why returns what an error of a store says, "" for none.
func why(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.DeadlineExceeded):
		return "it took longer than half of the time that the call had left"
	}
	return replies.Clip(AsPlanError(err).Message.String(), maxWhy)
}

// maxWhy is the number of characters that a reply has of a reason.
const maxWhy = 300

// addDiff adds the difference of the changed files, at most so many bytes, 0 for the
// usual number.
func (o *openPlans) addDiff(ctx context.Context, r *PlanReply, limit int) error {
	if limit == 0 {
		limit = DefaultDiffBytes
	}
	limit = min(limit, MaxDiffBytes)
	timed, cancel := withinHalf(ctx)
	defer cancel()
	diff, err := o.store.Diff(timed, limit)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		diff = planstore.Diff{Unknown: why(err)}
	}
	r.Diff = PlanDiff{Text: diff.Text, Unknown: replies.Clip(diff.Unknown, maxWhy)}
	if diff.Cut {
		r.Diff.cut(limit)
	}
	if diff.Unknown != "" { // which says more than where it ends
		r.Diff.Cut = ""
	}
	for _, warning := range replies.UnseenIn([]byte(r.Diff.Text)) { // before others, of which there may be many
		r.Notes = slices.Insert(r.Notes, 0, replies.Text(warning))
	}
	return nil
}

// cut takes the line off that is not whole, and says what is left out from there.
func (d *PlanDiff) cut(limit int) {
	if end := strings.LastIndexByte(d.Text, '\n'); end >= 0 {
		d.Text = d.Text[:end+1]
	}
	const of = "diff --git "
	in := ""
	for line := range strings.Lines(d.Text) {
		if file, ok := strings.CutPrefix(line, of); ok {
			in = ", within " + replies.ClipMiddle(replies.Safe(strings.TrimSpace(file)), maxTitle/2)
		}
	}
	way := "read the files"
	if limit < MaxDiffBytes {
		way = fmt.Sprintf("raise max_diff_bytes (at most %d), or read the files", MaxDiffBytes)
	}
	d.Cut = replies.CutDifference(1+strings.Count(d.Text, "\n"), in, way)
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
		r.note("whether there are unfinished plans elsewhere can't be told: %s", AsPlanError(err).Message)
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
		Name: s.Name, Where: s.Where, Title: replies.Clip(title, maxTitle), Stage: o.stages.Of(r.Document).Shown, Current: s.Current, Open: s.Open,
		Orphan: s.Orphan, gone: s.Gone, Workspace: s.Workspace, Continue: s.Continue,
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
	asked := false
	r, err := p.adoptAsking(ctx, name, &asked)
	return r, withOutcome(err, asked)
}

// adoptAsking is Adopt. It notes when the store may have written.
func (p *Plans) adoptAsking(ctx context.Context, name string, asked *bool) (*PlanReply, error) {
	o, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	turn := p.shown.Next()
	before, err := o.store.Load(ctx)
	if err != nil {
		return nil, planErr(ctx, err)
	}
	state, err := o.store.Adopt(ctx, name)
	if err != nil {
		failed, ok := errors.AsType[*planstore.Error](err)
		*asked = !ok || failed.Critical
		return nil, planErr(ctx, err)
	}
	r := o.reply(state)
	r.Did, r.Changed = "the plan "+name+" is the current one", state.Version != before.Version
	if !r.Changed {
		r.Did += "; it was so before, nothing has changed"
	}
	return p.seen(r, turn), nil
}

// reply returns the plan as it is in the store.
func (o *openPlans) reply(s planstore.State) *PlanReply {
	r := o.read(s.Text)
	r.Version, r.Store, r.Where = s.Version, string(s.Kind), s.Where
	if s.Immutable {
		r.note("%s is immutable: its plan can't be changed; begin a change of your own with %s", s.Where, newPlan)
	}
	if s.Divergent {
		r.note("%s is divergent, for several commits are this change; nothing can be written until one is given up: see them with `jj log`, then `jj abandon COMMIT`", s.Where)
	}
	if s.Stale {
		r.note("the working copy is stale, and nothing can be written: run `jj workspace update-stale`")
	}
	if s.Heads != "" {
		r.note("commands of Jujutsu have run at once, and what they did isn't merged yet (operations %s): this is the plan after the first; `jj log` merges them, which a server that is read-only doesn't", s.Heads)
	}
	if s.Conflict {
		r.note("files of %s have conflicts; resolve them before you go on", s.Where)
	}
	switch plan.State(r.State) {
	case plan.Unknown:
		r.note("the text in %s is no plan and is not written over: %s", s.Where, agreeOrLeave())
	case plan.Halted:
		// What the stage asks for would be refused.
		r.Stage.Advice, r.Stage.Next = replies.Sentence{}, callsOf(plan.StepShow, plan.StepGoal, plan.StepNew)
		p, upTo := r.Problems[0], "too long for a plan"
		if p.Line > 0 {
			upTo = fmt.Sprintf("a plan only up to line %d", p.Line)
		}
		r.note("the text in %s is %s (%s: %s); %s", s.Where, upTo, cmp.Or(p.Halt, p.Code), p.Message, either(
			replies.Say("nothing is written until the user has fixed it, or agrees that all of it may go (%s)", replaceGoal),
			replies.Say("nothing is written until that line is fixed, or all of it goes (%s)", replaceGoal)))
	case plan.Parsed:
		foreign := o.isForeign(&r.Document)
		if foreign {
			r.Stage.Meaning, r.Stage.Advice = "The text has the form of a plan, and is none.", replies.Sentence{}
			r.Stage.Next = callsOf(plan.StepShow, plan.StepGoal, plan.StepNew)
			r.note("the text in %s has the form of a plan, but %s, and nothing was written over it: %s",
				s.Where, o.foreignType(&r.Document), agreeOrLeave())
		}
		for _, p := range r.Problems {
			if !p.Warning && (!foreign || p.Field != "header.type") {
				r.note("the plan is not valid, and must be fixed first: %s: %s", p.Field, p.Message)
			}
		}
	}
	return r
}

// WrittenNotes returns the notes in the voice of the reply.
func (r *PlanReply) WrittenNotes() []string {
	var notes []string
	for _, note := range r.Notes {
		notes = append(notes, note.In(r.voice()))
	}
	return notes
}

// note adds a note.
func (r *PlanReply) note(format string, args ...any) {
	r.Notes = append(r.Notes, replies.Say(format, args...))
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
	if parsed.Directive == plan.Complete && r.Done < r.Total && r.Stage.Number == r.Stage.Last {
		r.Stage.closedEarly(r.Total-r.Done, r.Total)
	}
	r.Problems = o.problems(text, &parsed)
	if doc, err := parsePlan(text); err == nil {
		var hidden replies.Unseen
		hidden.Look(doc, markdown.Span{End: len(text)})
		if warning := hidden.Warning(); warning != "" {
			r.note("%s", warning)
		}
	}
	return r
}

// maxLooked is the number of bytes of a plan that are looked through for characters that
// can't be seen; no plan has as many.
const maxLooked = 1 << 20

// parsePlan parses a plan as a document, for a look at its characters.
func parsePlan(text string) (*markdown.Document, error) {
	if len(text) > maxLooked {
		return nil, markdown.ErrTooComplex
	}
	return markdown.ParseContext(context.Background(), []byte(text), markdown.Options{}, markdown.Limits{Memory: 32 * maxLooked})
}

// stage returns a stage as a reply tells it.
func (o *openPlans) stage(s plan.Stage) PlanStage {
	last := s
	if n := len(o.stages); n > 0 {
		last = o.stages[n-1]
	}
	return PlanStage{
		Number: s.Number, Shown: s.Shown, Last: last.Number, Name: s.Name,
		Meaning: o.guidance[s.Name].Meaning, Advice: o.guidance[s.Name].Advice, Next: callsOf(s.Next...),
	}
}

// closedEarly has a stage tell the truth about a plan that says COMPLETE while tasks
// are open: somebody has written that by hand.
func (s *PlanStage) closedEarly(open, all int) {
	verb := " are"
	if open == 1 {
		verb = " is"
	}
	s.Meaning = fmt.Sprintf("The plan is closed, though %d of its %s%s open.", open, replies.Plural(all, "task"), verb)
	s.Advice = replies.Say("Ask the user whether the open ones are still to be done. If so, do them in order, one at a time, "+
		"and mark each when it is done with %s, which opens the plan again until none is open; then call %s. "+
		"If not, agree on the list without them and store it with %s; the plan stays closed then.", markTask, finishPlan, setTasks)
	s.Next = callsOf(plan.StepMark, plan.StepTasks, plan.StepFinish)
}
