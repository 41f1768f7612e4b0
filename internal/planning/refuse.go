package planning

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/plan"
)

// Why a plan is not changed: the request names no version, what is there is no plan,
// or what would be there is none that can be written.

// versionLength is the number of hexadecimal digits of a version.
const versionLength = 16

// checkExpected refuses what no plan ever had as its version. An empty one stands for
// any.
func checkExpected(version string) error {
	if version == "" || len(version) == versionLength && strings.Trim(version, "0123456789abcdef") == "" {
		return nil
	}
	return &PlanError{
		Type: planInput, Told: true, Message: replies.Say("%s %q is no version of a plan; nothing was written", replies.ExpectedVersion, replies.Clip(version, replies.MaxShown)),
		Hint:     replies.Say("give the %d characters that a reply has after \"version: \", or leave it out", versionLength),
		Metadata: map[string]any{"field": "expected_version"},
	}
}

// isForeign reports whether a document has the form of a plan, and a type that none
// has: "note: read this", "wip: hacking". Somebody else wrote it for another purpose.
func (o *openPlans) isForeign(d *plan.Document) bool {
	if d.Header == nil {
		return false
	}
	report := plan.Validate(plan.Document{Header: d.Header}, o.form)
	return slices.ContainsFunc(report.Errors, func(e plan.FieldError) bool { return e.Field == "header.type" })
}

// foreign is the error for a text that isForeign.
func (o *openPlans) foreign(r *plan.Result, now planstore.State) error {
	return &PlanError{
		Type: planNotRecognised, Told: true,
		Message: replies.Say("the text in %s is no plan, for %s, and nothing was written over it", now.Where, o.foreignType(&r.Document)),
		Hint:    replaceOrLeave(),
		Metadata: map[string]any{
			"line": 1, "text": replies.Clip(firstLine(now.Text), 200), "state": string(r.State), "field": "header.type", "version": now.Version,
		},
	}
}

// foreignType says what is wrong with the type.
func (o *openPlans) foreignType(d *plan.Document) string {
	return fmt.Sprintf("its type %q is none of %s", replies.Clip(d.Header.Type, replies.MaxShown), strings.Join(o.form.Types, ", "))
}

// invalidPlan is the error for a document that is not valid.
func invalidPlan(report *plan.Report) error {
	first := report.Errors[0]
	e := &PlanError{
		Type: planInvalid, Told: true, Message: replies.Text("the plan would not be valid, and nothing was written: " + first.Error()),
		Metadata: map[string]any{"errors": fieldErrors(report.Errors)}, Err: report.Errors,
	}
	if len(report.Warnings) > 0 {
		e.Metadata["warnings"] = report.Warnings
	}
	section, _, _ := strings.Cut(first.Field, ".")
	switch {
	case first.Code == plan.MissingHeader:
		e.Hint = replies.Say("set the goal with %s first", setGoal)
	case section == "header":
		e.Hint = replies.Say("set the goal anew with %s", setGoal)
	case section == "constraints":
		e.Hint = replies.Say("set the constraints anew with %s; each is KEY: VALUE", setDetail)
	default:
		e.Hint = callAgain("correct it")
	}
	return e
}

// unwritable is the error for a document that would be read again as another one.
func unwritable(e *plan.FormatError) *PlanError {
	message, hint := e.Message(), e.Hint()
	problem := map[string]any{"field": e.Field, "message": message}
	if e.Code != "" {
		problem["code"] = string(e.Code)
	}
	made := &PlanError{
		Type: planInvalid, Told: true, Message: replies.Text("the plan can't be written so that it is read again as what it is, and nothing was written: " + message),
		Hint: replies.Text(hint), Metadata: map[string]any{"errors": []any{problem}}, Err: e,
	}
	if hint := descriptionHint(e); !hint.IsEmpty() {
		made.Hint = hint
	}
	if e.FieldLine > 0 && e.Text != "" {
		problem["line"], problem["text"], problem["class"] = e.FieldLine, replies.Clip(e.Text, 200), e.Class.String()
	}
	if e.Limit > 0 {
		problem["length"], problem["limit"] = e.Length, e.Limit
	}
	return made
}

// descriptionHint says where that belongs which a description has and can't have, "" if it
// is about something else.
func descriptionHint(e *plan.FormatError) replies.Sentence {
	if e.Field != "description" {
		return replies.Sentence{}
	}
	switch e.Class { //nolint:exhaustive // the others may have a hint of their own
	case plan.ClassConstraint, plan.ClassCLike:
		return replies.Say("give constraints with %s; items of another list begin with \"* \"", replies.Constraints)
	case plan.ClassTask, plan.ClassBadBox, plan.ClassNoDash:
		return replies.Say("give tasks to %s; an example stands between lines of ```", setTasks)
	case plan.ClassBullet, plan.ClassLoneDash:
		return replies.Say("begin with a sentence, or begin items with \"* \"; constraints are given with %s", replies.Constraints)
	}
	return replies.Sentence{}
}

// whyNoGoal says why the first line of a text is no goal. Editors put a byte order mark before
// a text, and don't show it.
func whyNoGoal(text string) replies.Sentence {
	if strings.HasPrefix(text, "\uFEFF") {
		return replies.Say("it begins with a byte order mark (U+FEFF), which must be taken out")
	}
	return replies.Say("its first line is no goal")
}

// notRecognised is the error for a text that is no plan, or none from some line on.
func (o *openPlans) notRecognised(r *plan.Result, now planstore.State) error {
	e := &PlanError{
		Type: planNotRecognised, Told: true,
		Message:  replies.Say("the text in %s is no plan, for %s, and nothing was written over it", now.Where, whyNoGoal(now.Text)),
		Hint:     replaceOrLeave(),
		Metadata: map[string]any{"line": 1, "text": replies.Clip(firstLine(strings.TrimSpace(now.Text)), 200), "state": string(r.State), "version": now.Version},
	}
	if r.Halt != nil {
		e.Message = replies.Say("the text in %s %s; nothing was written over it", now.Where, o.haltedText(r.Halt))
		e.Hint = either(
			replies.Say("mend that line with %s, or ask whether all of the text may go: then call %s", mendPlan, replaceGoal),
			replies.Say("mend that line with %s; or, if all of the text may go, set a goal with %s", mendPlan, replaceGoal))
		if r.Halt.Code == plan.InputTooLong {
			e.Hint = either(
				replies.Say("have the user shorten it, or begin a new change with %s", forceNew),
				replies.Say("shorten it, or begin a new change with %s", forceNew))
		}
		e.Metadata = o.haltedAt(r.Halt)
		e.Metadata["state"], e.Metadata["version"] = string(r.State), now.Version
	}
	return e
}

// haltedBefore is the error for a new plan behind a text that is none from some line
// on: nobody knows which of its tasks are open.
func (o *openPlans) haltedBefore(r *plan.Result, now planstore.State) error {
	metadata := o.haltedAt(r.Halt)
	metadata["state"], metadata["version"] = string(r.State), now.Version
	return &PlanError{
		Type: planNotRecognised, Told: true, Message: replies.Say("the text in %s %s; nothing was written", now.Where, o.haltedText(r.Halt)),
		Hint: either(
			replies.Say("have the user fix it; or, if the user wants to leave it as it is, call with %s", replies.Force),
			replies.Say("fix it, or leave it as it is with %s", replies.Force)), Metadata: metadata,
	}
}
