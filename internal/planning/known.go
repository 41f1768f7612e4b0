package planning

import (
	"errors"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/session"
	"github.com/sectile/sectile/plan"
)

// The task at a position changes when the plan does. So positions are taken in a text
// that the reader has seen; package session knows which that is. Who was shown nothing
// yet is believed: a command is typed by somebody who looked before, and an agent goes
// on with a plan after its server was started anew. Not so a reader whom nobody knows:
// one of many who share a server, each of whom may have changed the plan.

// checkPosition refuses a task by its position, unless the reader has named this
// version or takes positions in this text for what they are.
func (p *Plans) checkPosition(req *PlanMark, found *plan.Found, now planstore.State) error {
	e := &PlanError{Told: true, Metadata: map[string]any{"task_id": strings.TrimSpace(req.Task), "task_now": found.Text, "version": now.Version}}
	switch {
	case req.ExpectedVersion == now.Version, req.ExpectedVersion == "" && p.shown.WasListed(textOf(now), found.ID):
		return nil
	case p.shown.IsStranger() && req.ExpectedVersion == "":
		e.Type = planInput
		e.Message = replies.Say("position %s may be another task by now, for nothing says which version of the plan it is of; nothing was written", found.ID)
		e.Hint = either(
			replies.Say("call again with %s, the version of the reply that showed the position, or with the session that it named; or name the task by its text", replies.ExpectedVersion),
			replies.Say("try again with %s, the version of the reply that showed the position; or name the task by its text", replies.ExpectedVersion))
		e.Metadata["field"] = "expected_version"
		return e
	case p.shown.Knows(textOf(now)), req.ExpectedVersion == "" && p.shown.IsNew():
		return nil
	}
	e.Type = planConcurrent
	e.Message = replies.Say("the plan in %s was changed since it was last shown here, so that position %s may be another task now; nothing was written", now.Where, found.ID)
	e.Hint = replies.Say("see the plan with %s, then name the task by its new position, or by its text", showPlan)
	return e
}

// listed notes the positions that an error names, and returns it.
func (p *Plans) listed(err error, now planstore.State) error {
	if e, ok := errors.AsType[*PlanError](err); ok {
		ids, _ := e.Metadata["ids"].([]string)
		p.shown.Listed(textOf(now), ids)
	}
	return err
}

// outdated is the error for a version that the plan doesn't have any more. Whose change it
// was is known only of a text that the reader was shown.
func (p *Plans) outdated(now planstore.State, expected string) error {
	e := AsPlanError(planstore.Concurrent(now))
	switch {
	case p.shown.Knows(textOf(now)):
		e.Message = replies.Say("the plan in %s had version %s before; its version is %s now, which a reply here has said since, and nothing was written", now.Where, expected, now.Version)
		e.Hint = replies.Say("look whether the change is still right, and make it with that version, or without %s", replies.ExpectedVersion)
	case p.shown.IsStranger():
		e.Message = replies.Say("the plan in %s was changed since it had version %s; its version is %s now, and nothing was written", now.Where, expected, now.Version)
	}
	return e
}

// textOf returns what stands for the text in the store.
func textOf(s planstore.State) session.PlanText {
	return session.NewPlanText(string(s.Kind), s.Where, s.Text)
}

// made notes the text that a change of the reader makes, if no task moves.
func (p *Plans) made(now planstore.State, text string, before, after []plan.Task) {
	same := func(a, b plan.Item) bool {
		one, _ := plan.ReadTask(a.Text)
		other, _ := plan.ReadTask(b.Text)
		return a.ID == b.ID && one == other
	}
	if slices.EqualFunc(plan.Items(before), plan.Items(after), same) {
		p.shown.Made(textOf(now), session.NewPlanText(string(now.Kind), now.Where, text))
	}
}

// seen has the reply note what the reader is shown by it, which was there at this turn.
func (p *Plans) seen(r *PlanReply, turn session.Turn) *PlanReply {
	if p.shown == nil {
		return r
	}
	text := session.NewPlanText(r.Store, r.Where, r.Source)
	r.show = func(positions []string) {
		if len(positions) < len(r.Tasks) {
			p.shown.ShownPart(text, positions, turn)
		} else {
			p.shown.Shown(text, turn)
		}
	}
	return r
}
