package planning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/session"
	"github.com/sectile/sectile/plan"
)

// planChange is a change of a plan as a value. The store may ask for its result more
// than once.
type planChange struct {
	expected string // the version that the plan must have; empty for any
	replace  bool   // a text that is no plan gives way
	// make returns the document changed, and what was done in a sentence.
	make func(d plan.Document, now planstore.State) (plan.Document, string, error)
	// mend, if it is set, returns the text that stands in the place of the stored one before
	// make is asked.
	mend func(text string) (string, error)
}

// SetGoal sets the first line and keeps the rest.
func (p *Plans) SetGoal(ctx context.Context, req PlanGoal) (*PlanReply, error) {
	header := plan.Header{
		Type: strings.TrimSpace(req.Type), Scope: strings.TrimSpace(req.Scope), Breaking: req.Breaking, Title: strings.TrimSpace(req.Title),
	}
	return p.change(ctx, planChange{expected: req.ExpectedVersion, replace: req.ReplaceExisting, make: func(d plan.Document, _ planstore.State) (plan.Document, string, error) {
		after, did := plan.SetHeader(d, header), "the goal is set"
		if gone := d.IgnoredTitle; gone != after.IgnoredTitle && gone != header.Title {
			did += fmt.Sprintf("; %q is gone, which stood behind the old one", replies.Clip(gone, maxTitle))
		}
		return after, did, nil
	}})
}

// SetDetail sets the description, and the constraints if any are given.
func (p *Plans) SetDetail(ctx context.Context, req PlanDetail) (*PlanReply, error) {
	constraints, err := plan.ReadConstraints(req.Constraints)
	switch {
	case err != nil:
	case req.Keep && constraints == nil:
		err = &PlanError{
			Type: planInput, Told: true, Message: replies.Say("nothing is given that is to be set, and nothing was written"), Metadata: map[string]any{"field": "description"},
			Hint: replies.Say("give %s, %s or both", replies.Description, replies.Constraints),
		}
	case !req.Keep && strings.TrimSpace(req.Description) == "":
		err = &plan.InputError{Field: "description", Message: "it is empty"}
	}
	if err != nil {
		return nil, withOutcome(AsPlanError(err), false)
	}
	did := "the description is set"
	switch count := replies.Plural(len(constraints), "constraint"); {
	case req.Keep && len(constraints) == 0:
		did = "the constraints are taken out"
	case req.Keep && len(constraints) == 1:
		did = count + " is set"
	case req.Keep:
		did = count + " are set"
	case constraints != nil:
		did = "the description and " + count + " are set"
	}
	return p.change(ctx, planChange{expected: req.ExpectedVersion, make: func(d plan.Document, _ planstore.State) (plan.Document, string, error) {
		description := req.Description
		if req.Keep {
			description = d.Description
		}
		told := did
		if constraints != nil {
			told += gone(d.Skipped)
		}
		return plan.SetDescription(d, description, constraints), told, nil
	}})
}

// gone tells which lines went with the old constraints: they are no constraints, and
// nobody has named them.
func gone(lines []string) string {
	const most = 5
	var quoted []string
	for _, line := range lines[:min(len(lines), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", replies.Clip(line, replies.MaxShown)))
	}
	switch n := len(lines); {
	case n == 0:
		return ""
	case n == 1:
		return "; " + quoted[0] + " is gone, which stood among the old ones"
	case n > most:
		return fmt.Sprintf("; %s and %d more are gone, which stood among the old ones", strings.Join(quoted, ", "), n-most)
	}
	return "; " + strings.Join(quoted, ", ") + " are gone, which stood among the old ones"
}

// SetPlan sets the tasks. One that stays where it was keeps its mark, unless the
// request gives it another.
func (p *Plans) SetPlan(ctx context.Context, req PlanTasks) (*PlanReply, error) {
	if req.Lines != nil {
		return p.mend(ctx, &req)
	}
	o, err := p.open(ctx)
	if err != nil {
		return nil, withOutcome(err, false)
	}
	if err := checkChecklist(o.marks, req.Tasks); err != nil {
		return nil, withOutcome(err, false)
	}
	tasks, err := plan.ReadPlan(req.Tasks, o.form)
	if err != nil {
		return nil, withOutcome(AsPlanError(err), false)
	}
	return p.change(ctx, planChange{expected: req.ExpectedVersion, make: func(d plan.Document, _ planstore.State) (plan.Document, string, error) {
		d = plan.SetTasks(d, tasks)
		if len(d.Tasks) == 0 {
			return d, "the plan has no tasks", nil
		}
		return d, "the plan has " + replies.Plural(len(plan.Items(d.Tasks)), "task"), nil
	}})
}

// Mark marks one task, claims it, or keeps a note at it. Its reply as text has of a long
// description the beginning, for it comes after each task of the plan.
func (p *Plans) Mark(ctx context.Context, req PlanMark) (*PlanReply, error) {
	if err := checkMark(&req); err != nil {
		return nil, withOutcome(err, false)
	}
	r, err := p.change(ctx, planChange{expected: req.ExpectedVersion, make: func(d plan.Document, now planstore.State) (plan.Document, string, error) {
		after, found, did, err := p.mark(d, &req)
		if found.ByPosition {
			if err := p.checkPosition(&req, &found, now); err != nil {
				return d, "", err
			}
		}
		if err != nil {
			err = p.listed(withTasks(err, &d, now), now)
			return d, "", err
		}
		return after, did, nil
	}})
	if r != nil {
		r.brief = true
	}
	return r, err
}

// checkMark refuses what asks for nothing, or for a claim of no length.
func checkMark(req *PlanMark) error {
	wrong := func(field string, message replies.Sentence) error {
		return &PlanError{
			Type: planInput, Told: true, Message: message.Then("; nothing was written"), Metadata: map[string]any{"field": field},
			Hint: callAgain("correct it"),
		}
	}
	if req.For == 0 {
		req.For = DefaultClaim
	}
	switch {
	case req.For < MinClaim || req.For > MaxClaim:
		return wrong("for", replies.Say("a claim is for a minute at least and 7 days at most, not for %s", req.For.String()))
	case req.Keep && req.Claim == "" && req.Note == "":
		return wrong("task_id", replies.Say("nothing is asked for: neither a mark nor a claim or note"))
	case strings.TrimSpace(req.Task) == "" && (req.Claim == "" || !req.Keep):
		return wrong("task_id", replies.Say("no task is named"))
	}
	return nil
}

// mark does what is asked for with a task: the claim first, then the mark, then the note. It
// says what it did.
func (p *Plans) mark(d plan.Document, req *PlanMark) (after plan.Document, found plan.Found, did string, err error) {
	query := strings.TrimSpace(req.Task)
	if query != "" {
		if found, err = plan.Find(d.Tasks, query); err != nil {
			return d, found, "", err
		}
	}
	defer func() {
		if e, ok := errors.AsType[*plan.TaskError](err); ok {
			e.Query = query // and not its position
		}
	}()
	var told []string
	if now := p.options.Now(); req.Claim != "" {
		claim := plan.Claim{By: strings.TrimSpace(req.Claim), Until: now.Add(req.For)}
		var claimed plan.Found
		if d, claimed, err = plan.ClaimTask(d, found.ID, claim, now); err != nil {
			return d, found, "", err
		}
		found.Item = claimed.Item
		if req.Keep {
			told = append(told, fmt.Sprintf("claimed by %s until %s", claim.By, claim.Until.UTC().Format(time.RFC3339)))
		}
	}
	if !req.Keep {
		if d, _, err = plan.Mark(d, found.ID, !req.Open); err != nil {
			return d, found, "", err
		}
		mark := "done"
		if req.Open {
			mark = "open"
		}
		told = append(told, mark)
	}
	if req.Note != "" {
		if d, _, err = plan.AddNote(d, found.ID, req.Note); err != nil {
			return d, found, "", err
		}
		told = append(told, "noted")
	}
	words, _ := plan.ReadTask(found.Text)
	return d, found, fmt.Sprintf("task %s is %s: %s", found.ID, strings.Join(told, " and "), words), nil
}

// withTasks adds the texts of the tasks that an error names, and where others are to be
// found.
func withTasks(err error, d *plan.Document, now planstore.State) error {
	e := AsPlanError(err)
	ids, _ := e.Metadata["ids"].([]string)
	const most, width = 8, 60
	var texts, quoted []string
	for _, item := range plan.Items(d.Tasks) {
		if len(texts) < most && slices.Contains(ids, item.ID) {
			text := replies.Clip(item.Text, width)
			texts, quoted = append(texts, item.ID+" "+text), append(quoted, fmt.Sprintf("%s %q", item.ID, text))
		}
	}
	if texts != nil {
		e.Metadata["tasks"] = texts
	}
	switch {
	case e.Type == planTaskNotFound && quoted != nil:
		e.Hint = replies.Say("use the id of one of the nearest, %s, or see all tasks with %s", strings.Join(quoted, ", "), showPlan)
	case e.Type == planTaskNotFound:
		e.Hint = replies.Say("see all tasks with %s", showPlan)
	case e.Type == planNoTasks && d.Header == nil: // a new change may have left the plan behind
		e.Message = replies.Text("there is no plan in " + now.Where)
		e.Hint = replies.Say("see with %s whether an unfinished one is elsewhere, before you begin another", listPlans)
	case e.Type == planNoTasks:
		e.Hint = replies.Say("set some with %s first", setTasks)
	}
	return e
}

// Finish says that the plan is complete, if all its tasks are done.
func (p *Plans) Finish(ctx context.Context, req PlanFinish) (*PlanReply, error) {
	return p.change(ctx, planChange{expected: req.ExpectedVersion, make: func(d plan.Document, now planstore.State) (plan.Document, string, error) {
		after, err := plan.Finish(d)
		if err != nil {
			err = p.listed(withTasks(err, &d, now), now)
			return d, "", err
		}
		if after.Description == "" { // what the stage is about then
			return after, "all tasks are done and the plan is marked complete, but it has no description; give it one", nil
		}
		return after, "the plan is complete", nil
	}})
}

// change changes the plan and returns it as it is then.
func (p *Plans) change(ctx context.Context, c planChange) (*PlanReply, error) {
	asked := false
	r, err := p.changeAsking(ctx, c, &asked)
	return r, withOutcome(err, asked)
}

// changeAsking is change. It notes when the store is asked to write.
func (p *Plans) changeAsking(ctx context.Context, c planChange, asked *bool) (*PlanReply, error) {
	if err := checkExpected(c.expected); err != nil {
		return nil, err
	}
	o, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	var did string
	var before plan.Stage
	var turn session.Turn
	changed := false
	state, err := o.store.Update(ctx, func(now planstore.State) (text string, err error) {
		*asked = false // or another writer was faster, and the store begins anew
		turn = p.shown.Next()
		loaded := plan.Parse(now.Text, o.form)
		before = o.stages.Of(loaded.Document)
		text, did, err = o.apply(&c, now, loaded)
		if errors.Is(err, errOutdated) {
			err = p.outdated(now, c.expected)
		}
		changed = text != strings.TrimSuffix(now.Text, "\n") && text != now.Text
		if changed && err == nil {
			*asked = true
			p.made(now, text, loaded.Tasks, plan.Parse(text, o.form).Tasks)
		}
		return text, err
	})
	if err != nil {
		return nil, planErr(ctx, err)
	}
	r := o.reply(state)
	r.Did, r.Changed = did, changed
	if !changed {
		r.Did += "; it was so before, nothing has changed"
	}
	if r.Stage.Number == before.Number {
		r.Stage.Advice = replies.Sentence{}
	}
	return p.seen(r, turn), nil
}

// errOutdated says that the plan has another version than the one that was expected.
var errOutdated = errors.New("the plan has another version")

// apply returns the text that a change makes of the one that is there, which was
// parsed.
func (o *openPlans) apply(c *planChange, now planstore.State, r plan.Result) (text, did string, err error) {
	other := c.expected != "" && c.expected != now.Version
	if c.mend != nil {
		switch {
		case other:
			return "", "", errOutdated
		case r.State == plan.Unknown:
			return "", "", o.notRecognised(&r, now)
		case o.isForeign(&r.Document):
			return "", "", o.foreign(&r, now)
		}
		mended, err := c.mend(now.Text)
		if err != nil {
			return "", "", err
		}
		before := r
		if r = plan.Parse(mended, o.form); r.State != plan.Parsed {
			return "", "", o.notMended(&r, now)
		}
		d, did, _ := c.make(r.Document, now)
		after := plan.Normalise(d)
		if err := checkSentBack(o.marks, now.Text, &before.Document, &after); err != nil {
			return "", "", err
		}
		text, err = o.write(now.Text, &before, after)
		return text, did, err
	}
	if r.State == plan.Unknown || r.State == plan.Halted {
		switch {
		case other:
			return "", "", errOutdated
		case !c.replace:
			return "", "", o.notRecognised(&r, now)
		}
		r = plan.Result{}
	}
	if o.isForeign(&r.Document) && !c.replace {
		if other {
			return "", "", errOutdated
		}
		return "", "", o.foreign(&r, now)
	}
	after, did, err := c.make(r.Document, now)
	if err == nil {
		after = plan.Normalise(after)
		if err := checkSentBack(o.marks, now.Text, &r.Document, &after); err != nil {
			return "", "", err
		}
		if r.State == plan.Parsed && plan.Equal(plan.Normalise(r.Document), after) {
			return now.Text, did, nil // a repeated call needs no version
		}
		text, err = o.write(now.Text, &r, after)
	}
	if err != nil && c.replace && !other && r.Header != nil {
		// What keeps the rest from being written is written over, too.
		if alone, did, failed := c.make(plan.Document{}, now); failed == nil {
			if text, failed := o.write(now.Text, &plan.Result{}, plan.Normalise(alone)); failed == nil {
				return text, did + "; what stood below it could not be kept", nil
			}
		}
	}
	if other {
		return "", "", errOutdated
	}
	return text, did, err
}

// write returns the text of a document that was made from a plan, in the line ending of the
// old text. One that is not valid is refused, unless something is mended and nothing else is
// wrong that was not before.
func (o *openPlans) write(old string, before *plan.Result, d plan.Document) (string, error) {
	report := plan.Validate(d, o.form)
	if !report.IsValid && !fewer(report.Errors, plan.ValidateResult(before, o.form).Errors) {
		return "", invalidPlan(&report)
	}
	text, err := plan.Format(d, o.form)
	e, ok := errors.AsType[*plan.FormatError](err)
	if !ok {
		return inEndingOf(old, text), err
	}
	// A description that is no prose shows only in what stands after it.
	_, err = plan.Format(plan.Document{Header: d.Header, Description: d.Description}, o.form)
	if alone, ok := errors.AsType[*plan.FormatError](err); ok {
		e = alone
	}
	return "", unwritable(e)
}

// fewer reports whether errors are some of those that there were, and not all.
func fewer(now, before plan.FieldErrors) bool {
	if len(now) >= len(before) {
		return false
	}
	for _, e := range now {
		if !slices.Contains(before, e) {
			return false
		}
	}
	return true
}

// New begins a new plan. The old one stays where the reply says.
func (p *Plans) New(ctx context.Context, req PlanNew) (*PlanReply, error) {
	asked := false
	r, err := p.newAsking(ctx, req, &asked)
	return r, withOutcome(err, asked)
}

// newAsking is New. It notes when the store is asked to write.
func (p *Plans) newAsking(ctx context.Context, req PlanNew, asked *bool) (*PlanReply, error) {
	if err := checkExpected(req.ExpectedVersion); err != nil {
		return nil, err
	}
	o, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	var turn session.Turn
	var before planstore.State
	state, old, err := o.store.New(ctx, func(now planstore.State) error {
		*asked = false // or another writer was faster, and the store begins anew
		turn, before = p.shown.Next(), now
		if req.ExpectedVersion != "" && req.ExpectedVersion != now.Version {
			return p.outdated(now, req.ExpectedVersion)
		}
		if !req.Force {
			r := plan.Parse(now.Text, o.form)
			if r.State == plan.Halted {
				return o.haltedBefore(&r, now)
			}
			if err := openTasks(&r.Document, now); err != nil {
				return p.listed(err, now)
			}
		}
		*asked = true
		return nil
	})
	if err != nil {
		return nil, planErr(ctx, err)
	}
	r := o.reply(state)
	switch {
	case old != (planstore.Old{}):
		r.Did, r.Changed = "a new plan is begun", true
		r.Old = &PlanOld{Name: old.Name, Where: old.Where, See: old.See}
	case state.Name != before.Name:
		r.Did, r.Changed = "a new change is begun", true
	default:
		r.Did = "there was no plan yet; nothing has changed"
	}
	return p.seen(r, turn), nil
}

// openTasks refuses to leave tasks that are open.
func openTasks(d *plan.Document, now planstore.State) error {
	open := plan.OpenLeaves(d.Tasks)
	if len(open) == 0 {
		return nil
	}
	ids := make([]string, len(open))
	for i := range open {
		ids[i] = open[i].ID
	}
	e := AsPlanError(withTasks(&plan.TaskError{Code: plan.TasksIncomplete, IDs: ids}, d, now))
	verb := " are"
	if len(open) == 1 {
		verb = " is"
	}
	e.Message, e.Told = replies.Text(replies.Plural(len(open), "task")+" of the plan"+verb+" not done, and nothing was written"), true
	e.Hint = either(
		replies.Say("do and mark them first; or, if the user wants to leave them, call with %s", replies.Force),
		replies.Say("do and mark them first; or leave them with %s", replies.Force))
	return e
}
