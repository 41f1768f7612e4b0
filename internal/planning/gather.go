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
	"github.com/sectile/sectile/plan"
)

// Gather tells the state of the plan, which files were changed and what to do next.
// A text that is no plan is told as what it is. What can't be told of the files, or of
// plans elsewhere, is told with the reason.
func (p *Plans) Gather(ctx context.Context, req PlanGather) (*PlanReply, error) {
	if req.Cursor != "" || req.Section != "" {
		return p.readOn(ctx, &req)
	}
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
	plans, err := o.list(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.note("whether there are unfinished plans elsewhere can't be told: %s", AsPlanError(err).Message)
		return nil
	}
	for i := range plans {
		if plans[i].Open && !plans[i].Current && len(r.Others) < maxOtherPlans {
			r.Others = append(r.Others, o.ofText(plans[i].Text).listed(&plans[i]))
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
	plans, err := o.list(ctx)
	if err != nil {
		return nil, planErr(ctx, err)
	}
	list := make([]PlanListed, len(plans))
	told := map[string]PlanListed{} // by texts, of which many plans may have the same one
	for i := range plans {
		p := &plans[i]
		l, known := told[p.Text]
		if !known {
			l = o.ofText(p.Text)
			told[p.Text] = l
		}
		list[i] = l.listed(p)
	}
	return list, nil
}

// list returns the plans of the store, and behind them those of before.
func (o *openPlans) list(ctx context.Context) ([]planstore.Plan, error) {
	plans, err := o.store.List(ctx)
	if err != nil {
		return nil, err
	}
	return append(plans, o.before(ctx)...), nil
}

// before returns the plans that were begun before there was a repository, or it became one of Jujutsu: those that
// aren't finished in git, and the one in the file.
func (o *openPlans) before(ctx context.Context) []planstore.Plan {
	return append(o.inGit(ctx), o.inFile(ctx)...)
}

// inGit returns the unfinished plans in git, if the store is Jujutsu. Of a repository that can't be
// read nothing is told: most of Jujutsu have no plans there.
func (o *openPlans) inGit(ctx context.Context) (list []planstore.Plan) {
	if o.git == nil {
		return nil
	}
	plans, _ := o.git.List(ctx)
	for i := range plans {
		if p := &plans[i]; p.Open {
			list = append(list, planstore.Plan{Name: p.Name, Where: p.Where, Text: p.Text, Open: true, Continue: "sectile plan list --store git"})
		}
	}
	return list
}

// inFile returns the plan in the file, if the store is another: it was begun before there was
// a repository, and would be taken for lost. Of a file that can't be read nothing is told,
// for most projects have none.
func (o *openPlans) inFile(ctx context.Context) []planstore.Plan {
	if o.file == nil {
		return nil
	}
	state, err := o.file.Load(ctx)
	if err != nil || state.Text == "" {
		return nil
	}
	return []planstore.Plan{{Name: state.Name, Where: state.Where, Text: state.Text, Open: o.isUnfinished(state.Text), Continue: "sectile plan show --store file"}}
}

// ofText returns what a list tells of the text of a plan.
func (o *openPlans) ofText(text string) PlanListed {
	r := plan.Parse(text, o.form)
	l := PlanListed{Title: replies.Clip(firstLine(strings.TrimSpace(text)), maxTitle), Stage: o.stages.Of(r.Document).Shown, Halted: r.State == plan.Halted}
	l.Done, l.Total = plan.Progress(r.Tasks)
	return l
}

// listed returns what a list tells of a plan, to what it tells of its text.
func (l PlanListed) listed(s *planstore.Plan) PlanListed {
	l.Name, l.Where, l.Current, l.Open, l.Orphan, l.gone, l.Workspace, l.Continue = s.Name, s.Where, s.Current, s.Open, s.Orphan, s.Gone, s.Workspace, s.Continue
	if s.Fault != nil {
		l.Unreadable, l.Hint, l.Continue = s.Fault.Message, s.Fault.Hint, ""
	}
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

// adoptAsking is Adopt. It notes when the store is asked to write.
func (p *Plans) adoptAsking(ctx context.Context, name string, asked *bool) (*PlanReply, error) {
	o, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	turn := p.shown.Next()
	state, err := o.store.Adopt(ctx, name, func(now planstore.State) error {
		*asked = false // as in newAsking
		switch r := plan.Parse(now.Text, o.form); {
		case now.Kind == planstore.JJ: // a message stays with its change, and a new one is begun
		case r.State == plan.Unknown:
			return o.notRecognised(&r, now)
		case o.isForeign(&r.Document):
			return o.foreign(&r, now)
		}
		*asked = true
		return nil
	})
	if failed, ok := errors.AsType[*planstore.Error](err); ok && failed.Type == planstore.TypeNoPlan {
		for kind, older := range map[planstore.Kind][]planstore.Plan{planstore.Git: o.inGit(ctx), planstore.File: o.inFile(ctx)} {
			if slices.ContainsFunc(older, func(p planstore.Plan) bool { return p.Name == name }) {
				err = &planstore.Error{
					Type: planstore.TypeUnsupported, Message: "the plan " + name + " stays where it is",
					Hint: fmt.Sprintf("go on there with `--store %s`, or with `plan.store: %s` in the configuration", kind, kind),
				}
			}
		}
	}
	if err != nil {
		return nil, planErr(ctx, err)
	}
	r := o.reply(state)
	r.Did, r.Changed = "the plan "+name+" is the current one", *asked
	if !r.Changed {
		r.Did += "; it was so before, nothing has changed"
	}
	return p.seen(r, turn), nil
}
