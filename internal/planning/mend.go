package planning

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/plan"
)

// ReadLines returns the lines that PlanTasks takes, from decoded JSON: an object of numbers with
// texts, of which null is an empty one. They must stand alone, without tasks beside them.
func ReadLines(value any, alone bool) (map[int]string, error) {
	object, ok := value.(map[string]any)
	lines := make(map[int]string, len(object))
	for key, text := range object {
		number, err := strconv.Atoi(key)
		line, isText := text.(string)
		ok = ok && err == nil && (isText || text == nil)
		if _, twice := lines[number]; ok && twice { // as 15 and 015
			return nil, AsPlanError(&plan.InputError{Field: "lines", Message: fmt.Sprintf("line %d is given twice; give each line once", number)})
		}
		lines[number] = line
	}
	if !ok || !alone || len(lines) == 0 {
		return nil, AsPlanError(&plan.InputError{Field: "lines", Message: `they are an object of numbers of lines with their texts, such as {"7": "- [ ]: text"}, without a plan`})
	}
	return lines, nil
}

// mend puts lines in the place of those that keep a text from being a plan.
func (p *Plans) mend(ctx context.Context, req *PlanTasks) (*PlanReply, error) {
	if req.ExpectedVersion == "" {
		return nil, &PlanError{
			Type: planInput, Told: true, Message: replies.Say("lines are given without %s, and lines move when a plan changes; nothing was written", replies.ExpectedVersion),
			Hint: replies.Say("see the plan with %s, and give the version that it has", showPlan), Metadata: map[string]any{"field": "expected_version"},
		}
	}
	return p.change(ctx, planChange{
		expected: req.ExpectedVersion,
		mend: func(text string) (string, error) {
			if err := checkLines(p.options.Marks, text, req.Lines); err != nil {
				return "", err
			}
			return withLines(text, req.Lines)
		},
		make: func(d plan.Document, _ planstore.State) (plan.Document, string, error) {
			return d, replies.Plural(len(req.Lines), "line") + " of the text changed", nil
		},
	})
}

// withLines returns a text with other lines, which are numbered from 1.
func withLines(text string, others map[int]string) (string, error) {
	lines := textLines(text)
	for _, number := range slices.Sorted(maps.Keys(others)) {
		if number < 1 || number > len(lines) {
			return "", &PlanError{
				Type: planInput, Told: true, Message: replies.Say("the text has no line %d, but lines 1 to %d; nothing was written", number, len(lines)),
				Hint: callAgain("correct it"), Metadata: map[string]any{"field": "lines"},
			}
		}
	}
	var made []string
	for i, line := range lines {
		other, ok := others[i+1]
		switch {
		case !ok:
			made = append(made, line)
		case other != "":
			made = append(made, strings.TrimSuffix(other, "\n"))
		}
	}
	return strings.Join(made, "\n"), nil
}

// notMended is the error for a text that is no plan with other lines either.
func (o *openPlans) notMended(r *plan.Result, now planstore.State) error {
	e := &PlanError{
		Type: planNotRecognised, Told: true, Message: replies.Say("with these lines the text in %s is no plan either, and nothing was written", now.Where),
		Hint: callAgain("correct them"), Metadata: map[string]any{"state": string(r.State), "version": now.Version},
	}
	if r.Halt != nil {
		e.Message = e.Message.Then(": line %d, %q: %s", r.Halt.Line, replies.Clip(r.Halt.Text, replies.MaxShown), haltMeaning(r.Halt.Code))
		e.Metadata["line"], e.Metadata["text"] = r.Halt.Line, replies.Clip(r.Halt.Text, 200)
	}
	return e
}
