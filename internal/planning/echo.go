package planning

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/plan"
)

// A reply shows a plan with lines and texts of its own: what it left out, texts that it
// has cut, the ids of tasks. Who sends those back would store them instead of what they
// stand for. They are refused wherever they would come into a plan, unless the plan has
// them already.

// planTexts yields the texts of a plan, a line each, with the field that they are of.
func planTexts(d *plan.Document) iter.Seq2[string, string] {
	return func(yield func(field, text string) bool) {
		if h := d.Header; h != nil && (!yield("goal.scope", h.Scope) || !yield("goal.title", h.Title) || !yield("goal.title", d.IgnoredTitle)) {
			return
		}
		for line := range replies.SplitLines(d.Description) {
			if !yield("description", line) {
				return
			}
		}
		for line := range replies.SplitLines(d.Direction) {
			if !yield("direction", line) {
				return
			}
		}
		for _, line := range d.Skipped {
			if !yield("constraints", line) {
				return
			}
		}
		for _, c := range d.Constraints {
			if !yield("constraints", c.Value) || !yield("constraints", c.Key+": "+c.Value) {
				return
			}
		}
		for _, t := range plan.Items(d.Tasks) {
			words, fields := plan.ReadTask(t.Text)
			if !yield("plan", t.Text) || !yield("plan", words) || fields.Claim != nil && !yield("claim", fields.Claim.By) {
				return
			}
			for _, note := range fields.Notes {
				if !yield("note", note) {
					return
				}
			}
		}
	}
}

// whole is how all of a field is sent, or nothing of it.
var whole = map[string]replies.Sentence{
	"description": replies.Say("leave %s out to keep it as it is, or send all of it; %s", replies.Description, readAll),
	"plan":        replies.Say("send every task with all of its text; %s", readAll),
	"constraints": replies.Say("leave %s out to keep them, or send all of their text; %s", replies.Constraints, readAll),
}

// taskID is what a reply puts before the text of a task.
var taskID = replies.Lazily(`^\d+(?:\.\d+)* \[[ xX]\] `)

// checkSentBack refuses a plan that has got texts as only replies show them, which aren't in the
// stored text. Before is what that was read as.
func checkSentBack(m *replies.Marks, stored string, before, after *plan.Document) error {
	known := map[string]bool{}
	for _, text := range planTexts(before) {
		known[strings.TrimSpace(text)] = true
	}
	return sentBack(m, stored, known, planTexts(after))
}

// checkLines is checkSentBack of lines that are to stand in a text that is no plan.
func checkLines(m *replies.Marks, stored string, others map[int]string) error {
	known := map[string]bool{}
	for _, line := range textLines(stored) {
		known[strings.TrimSpace(line)] = true
	}
	return sentBack(m, stored, known, func(yield func(field, text string) bool) {
		for _, number := range slices.Sorted(maps.Keys(others)) {
			for line := range replies.SplitLines(others[number]) {
				if !yield("lines", line) {
					return
				}
			}
		}
	})
}

// sentBack refuses texts, each with its field, that only replies show and that are not in the stored
// text. Known are texts as a plan has them.
func sentBack(m *replies.Marks, stored string, known map[string]bool, texts iter.Seq2[string, string]) error {
	for field, text := range texts {
		text = strings.TrimSpace(text)
		if known[text] {
			continue
		}
		if e := sentBackFault(m, known, field, text); e != nil && !strings.Contains(stored, text) {
			return e
		}
	}
	return nil
}

// sentBackFault returns the error for a text that only replies show, nil for any other.
func sentBackFault(m *replies.Marks, known map[string]bool, field, text string) *PlanError {
	switch {
	case replies.MeaningOfLine(text) != "":
		return sentBackError(field, text, "which a reply puts in the place of what it left out")
	case m.Begins(text):
		e := sentBackError(field, text, "which begins with the mark of a reply")
		e.Hint = replies.Say("leave lines with that mark out, for they are no text of the plan")
		return e
	case replies.IsCut(text, known):
		return sentBackError(field, text, "which a reply has cut")
	case field == "plan" && taskID().MatchString(text):
		e := sentBackError(field, text, "which begins with the id and the box of a reply")
		e.Hint = replies.Say("leave the id and the box out; whether a task is done is said apart")
		return e
	}
	return nil
}

// sentBackError is the error for a text of a field.
func sentBackError(field, text, what string) *PlanError {
	hint := whole[field]
	if hint.IsEmpty() {
		hint = replies.Say("send all of the text; %s", readAll)
	}
	return &PlanError{
		Type: planInput, Told: true, Message: replies.Say("%s has the line %q, %s; nothing was written", field, replies.Clip(text, 2*replies.MaxShown), what),
		Hint: hint, Metadata: map[string]any{"field": field},
	}
}

// checkChecklist refuses a checklist with a line of ours, which is no task: who drops
// it alone has still not sent the tasks that it stands for.
func checkChecklist(m *replies.Marks, tasks any) error {
	text, ok := tasks.(string)
	if !ok {
		return nil
	}
	if line, what := m.MarkIn(text, func(string) bool { return false }); what != "" {
		return sentBackError("plan", line, "which a reply puts in the place of what it left out")
	}
	return nil
}
