package planning

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/plan"
)

// What is told of the text that is there: what it is, what is wrong with it, and which
// requests are not refused as it is.

// reply returns the plan as it is in the store.
func (o *openPlans) reply(s planstore.State) *PlanReply {
	r := o.read(s.Text)
	r.Version, r.Store, r.Where = s.Version, string(s.Kind), s.Where
	if s.Kept != "" {
		r.note("%s", s.Kept)
	}
	if s.Immutable {
		r.note("%s is immutable: its plan can't be changed; begin a change of your own with %s", s.Where, newPlan)
	}
	if s.Divergent && s.Twins != "" {
		other, _, _ := strings.Cut(s.Twins, ", ")
		r.note("%s is divergent, for several commits are this change (the others: %s); nothing can be written until one is given up: `jj show %s` shows what another has, and `jj abandon %s` gives that one up", s.Where, s.Twins, other, other)
	} else if s.Divergent {
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
		r.Stage.Next = []replies.Call{replaceGoal, newPlan}
		r.note("the text in %s is no plan and is not written over: %s", s.Where, agreeOrLeave())
	case plan.Halted:
		// What the stage asks for would be refused.
		r.Stage.Meaning, r.Stage.Advice, r.Stage.Next = "Only the beginning of the text is a plan.", replies.Sentence{}, []replies.Call{showPlan, replaceGoal, forceNew}
		p, upTo := r.Problems[0], "too long for a plan"
		way := either(
			replies.Say("nothing is written until the user has shortened it, or agrees that all of it may go (%s)", replaceGoal),
			replies.Say("nothing is written until it is shortened, or all of it goes (%s)", replaceGoal))
		if p.Line > 0 {
			upTo = fmt.Sprintf("a plan only up to line %d", p.Line)
			r.Stage.Next = slices.Insert(r.Stage.Next, 0, mendPlan)
			way = either(
				replies.Say("nothing else is written until that line is mended with %s and this version, or the user agrees that all of it may go (%s)", mendPlan, replaceGoal),
				replies.Say("nothing else is written until that line is mended (%s), or all of it goes (%s)", mendPlan, replaceGoal))
		}
		r.note("the text in %s is %s (%s: %s); %s", s.Where, upTo, cmp.Or(p.Halt, p.Code), p.Message, way)
	case plan.Parsed:
		if o.isForeign(&r.Document) {
			r.foreign(o, s.Where)
		} else {
			r.invalid()
		}
		r.skipped(o)
	}
	r.onlyWorking(&s)
	return r
}

// foreign tells of a text that has the form of a plan, and is none.
func (r *PlanReply) foreign(o *openPlans, where string) {
	r.Stage.Meaning, r.Stage.Advice = "The text has the form of a plan, and is none.", replies.Sentence{}
	r.Stage.Next = []replies.Call{showPlan, replaceGoal, r.nextPlan()}
	r.note("the text in %s has the form of a plan, but %s, and nothing was written over it: %s",
		where, o.foreignType(&r.Document), agreeOrLeave())
	for _, p := range r.Problems {
		if !p.Warning && p.Field != "header.type" {
			r.note("the plan is not valid, and must be fixed first: %s: %s", p.Field, p.Message)
		}
	}
}

// nextPlan is the request for another plan, which takes force while tasks are open.
func (r *PlanReply) nextPlan() replies.Call {
	if r.Done < r.Total {
		return forceNew
	}
	return newPlan
}

// invalid tells what is wrong with a plan. Until that is mended all other requests are
// refused.
func (r *PlanReply) invalid() {
	var mends []replies.Call
	for _, p := range r.Problems {
		if p.Warning {
			continue
		}
		mend := setGoal
		switch section, _, _ := strings.Cut(p.Field, "."); section {
		case "constraints":
			mend = setDetail
		case "tasks":
			mend = setTasks
		}
		r.note("the plan is not valid, and must be fixed first, with %s: %s: %s", mend, p.Field, p.Message)
		if !slices.ContainsFunc(mends, func(c replies.Call) bool { return c.Verb == mend.Verb }) {
			mends = append(mends, mend)
		}
	}
	if mends != nil {
		r.Stage.Meaning, r.Stage.Advice, r.Stage.Next = "The plan is not valid.", replies.Sentence{}, mends
	}
}

// skipped tells of lines among the constraints that are none: they count for nothing, and
// whoever wrote them thinks that they do.
func (r *PlanReply) skipped(o *openPlans) {
	const most = 3
	var lines []string
	for _, p := range r.Problems {
		if p.Code == string(plan.ConstraintSkipped) && len(lines) < most {
			line := r.Document.Skipped[len(lines)]
			lines = append(lines, fmt.Sprintf("line %d, %q", p.Line, replies.Clip(line, replies.MaxShown)))
		}
	}
	if lines == nil {
		return
	}
	more := ""
	if n := len(r.Document.Skipped) - most; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	r.note("among the constraints stand lines that are none and don't count: %s%s; a constraint begins with one of %s, and what follows the colon with a small letter: set all of them anew with %s",
		strings.Join(lines, "; "), more, strings.Join(o.form.Prefixes, ", "), setDetail)
}

// onlyWorking takes requests off what comes next that would be refused where the plan is.
func (r *PlanReply) onlyWorking(s *planstore.State) {
	switch {
	case s.Divergent, s.Stale, s.Heads != "":
		r.Stage.Advice, r.Stage.Next = replies.Sentence{}, []replies.Call{showPlan}
	case s.Immutable:
		r.Stage.Advice, r.Stage.Next = replies.Sentence{}, []replies.Call{r.nextPlan()}
	}
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
	r.Ready = o.ready(parsed.Tasks)
	r.Stage = o.stage(o.stages.Of(parsed.Document))
	switch {
	case parsed.Directive == plan.Complete && r.Done < r.Total && r.Stage.Number == r.Stage.Last:
		r.Stage.closedEarly(r.Total-r.Done, r.Total)
	case r.Total > 0 && r.Done == r.Total && len(r.Stage.Next) > 0 && r.Stage.Next[0].Verb == replies.PlanMark:
		r.Stage.allDone()
	}
	r.Problems = o.problems(text, &parsed)
	if doc, err := parsePlan(text); err == nil {
		var hidden replies.Unseen
		hidden.Look(doc, markdown.Span{End: len(text)})
		if r.unseen = hidden.Warning(); r.unseen != "" {
			r.note("%s", r.unseen)
		}
	}
	return r
}

// ready returns the positions of the tasks that anybody may begin, nil if it is all that are open.
func (o *openPlans) ready(tasks []plan.Task) []string {
	ready := plan.Startable(tasks, "", o.now())
	if len(ready) == len(plan.OpenLeaves(tasks)) {
		return nil
	}
	ids := make([]string, len(ready))
	for i := range ready {
		ids[i] = ready[i].ID
	}
	return ids
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

// allDone has a stage in which tasks are marked say what is left when all of them are.
func (s *PlanStage) allDone() {
	s.Meaning = "All tasks are done; the plan is still open."
	s.Advice = replies.Say("Check the work as a whole, against the description and every constraint. If something is missing, agree with the user on further tasks and store them with %s, the old ones included. If nothing is, call %s.",
		setTasks, finishPlan)
	s.Next = callsOf(plan.StepFinish, plan.StepTasks)
}
