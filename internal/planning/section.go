package planning

import (
	"errors"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/plan"
)

// A part of a long plan is read alone: one of those that each plan has, by its name; one of
// the description, by its address, as of any document; or a task with those below it. A text
// that is no plan has parts by their addresses alone.

// section returns where a part of the plan is.
func (r *PlanReply) section(name string) (place, error) {
	if r.State == string(plan.Empty) {
		return place{}, noSection(name, "there is no plan", replies.Say("begin with %s", setGoal), nil)
	}
	if lines, ok := r.namedParts()[strings.ToLower(strings.TrimSpace(name))]; ok && r.State == string(plan.Parsed) {
		if lines.end <= lines.line {
			return place{}, noSection(name, "the plan has no such part", replies.Say("leave %s out, for all of it", replies.PlanSection), r.sections())
		}
		return lines, nil
	}
	text, before := r.Source, 0
	if r.State == string(plan.Parsed) {
		text, before = r.Document.Description, descriptionAt
	}
	lines, isGuess, err := linesAt(text, name)
	if isGuess || err != nil { // a task that is just this is meant
		if task, is := r.taskNamed(name); is {
			return task, nil
		}
	}
	if err == nil {
		return place{line: before + lines.line, end: before + lines.end}, nil
	}
	missed, ok := errors.AsType[*address.Error](err)
	if ok && missed.Code == address.AmbiguousHeading {
		return place{}, noSection(name, missed.Message, replies.Text("use the address of the one that is meant"), addressesOf(missed))
	}
	lines, err = r.taskPlace(name)
	if miss, ok := errors.AsType[*plan.TaskError](err); ok && miss.Code != plan.TaskAmbiguous {
		return place{}, r.noneNamed(name)
	}
	return lines, err
}

// noneNamed is the error for a name that no part has.
func (r *PlanReply) noneNamed(name string) error {
	names := r.sections()
	if names == nil {
		return noSection(name, "nothing has this name", replies.Say("leave %s out, for all of it", replies.PlanSection), nil)
	}
	return noSection(name, "nothing has this name", replies.Text(nearest.Question("", name, names)+"take one of those that are listed, or a task by its position, id or words"), names)
}

// namedParts returns where the parts are that a plan has.
func (r *PlanReply) namedParts() map[string]place {
	constraints, tasks := r.constraintsAt(), r.tasksAt()
	direction := tasks + len(r.Tasks)
	end := direction + linesIn(r.Document.Direction)
	if r.Document.Directive != "" {
		end++
	}
	return map[string]place{
		"goal":        {end: descriptionAt},
		"description": {line: descriptionAt, end: constraints},
		"constraints": {line: constraints, end: tasks},
		"tasks":       {line: tasks, end: direction},
		"direction":   {line: direction, end: end},
	}
}

// linesAt returns which lines of a text have the part at an address, and whether that is a part
// of a heading alone.
func linesAt(text, addr string) (lines place, isGuess bool, err error) {
	doc, err := parsePlan(text)
	if err != nil {
		return place{}, false, err
	}
	found, err := address.Resolve(doc, addr)
	if err != nil {
		return place{}, false, err
	}
	span := found.Span(doc)
	kept := strings.TrimRight(text[span.Start:span.End], "\r\n")
	line := strings.Count(text[:span.Start], "\n")
	return place{line: line, end: line + 1 + strings.Count(kept, "\n")}, found.Tier >= address.TierPrefix, nil
}

// taskNamed returns where the task is that has the name as its position, its id or its words.
func (r *PlanReply) taskNamed(name string) (place, bool) {
	found, err := plan.Find(r.Document.Tasks, name)
	words, fields := plan.ReadTask(found.Text)
	if name = strings.TrimSpace(name); err != nil || !found.ByPosition && fields.ID != name && words != name {
		return place{}, false
	}
	lines, err := r.taskPlace(name)
	return lines, err == nil
}

// taskPlace returns where a task is, with those below it. Its error is a *plan.TaskError.
func (r *PlanReply) taskPlace(query string) (place, error) {
	found, err := plan.Find(r.Document.Tasks, query)
	if err != nil {
		return place{}, err
	}
	first := slices.IndexFunc(r.Tasks, func(t PlanTask) bool { return t.ID == found.ID })
	end := first + 1
	for end < len(r.Tasks) && r.Tasks[end].Depth > r.Tasks[first].Depth {
		end++
	}
	return place{line: r.tasksAt() + first, end: r.tasksAt() + end}, nil
}

// sections returns the names of the parts that there are, in their order.
func (r *PlanReply) sections() (names []string) {
	text := r.Source
	if r.State == string(plan.Parsed) {
		text = r.Document.Description
		parts := r.namedParts()
		for name, lines := range parts {
			if lines.end > lines.line {
				names = append(names, name)
			}
		}
		slices.SortFunc(names, func(a, b string) int { return parts[a].line - parts[b].line })
	}
	doc, err := parsePlan(text)
	if err != nil {
		return names
	}
	for i := range doc.Sections {
		names = append(names, address.AddressOf(doc, address.NodeOfSection(i)))
	}
	return names
}

// addressesOf returns the addresses of those that fit.
func addressesOf(e *address.Error) (names []string) {
	for i := range e.Candidates {
		names = append(names, e.Candidates[i].Address)
	}
	return names
}

// maxSections is the number of names that an error has.
const maxSections = 20

// noSection is the error for a part that isn't there, or not one.
func noSection(name, why string, hint replies.Sentence, names []string) error {
	e := &PlanError{
		Type: planInput, Message: replies.Say("the section %q can't be read: %s", replies.Clip(name, replies.MaxShown), why), Hint: hint,
		Metadata: map[string]any{"field": string(replies.PlanSection)},
	}
	if len(names) > maxSections {
		e.Metadata["more"] = len(names) - maxSections
		names = names[:maxSections]
	}
	if names != nil {
		e.Metadata["sections"] = names
	}
	return e
}
