package planning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/plan"
)

// Inspect tells what a text is as a plan of the form, or of the configured one if
// that is empty: Problems says what is wrong, with lines. Nothing is stored; the
// reply has no Version and no Where.
func (p *Plans) Inspect(ctx context.Context, text, form string) (*PlanReply, error) {
	o, err := p.formed(ctx, form)
	if err != nil {
		return nil, err
	}
	return o.read(text), nil
}

// Format returns a text as a plan of the form is written, or of the configured one
// if that is empty. The error says which line can't be.
func (p *Plans) Format(ctx context.Context, text, form string) (string, error) {
	o, err := p.formed(ctx, form)
	if err != nil {
		return "", err
	}
	r := plan.Parse(text, o.form)
	made, err := plan.FormatResult(&r, o.form)
	if e, ok := errors.AsType[*plan.FormatError](err); ok {
		failed := unwritable(e)
		if r.State != plan.Parsed {
			failed.Told = false
			failed.Type, failed.Message, failed.Hint = planNotRecognised, replies.Say("the text is no plan, for %s", whyNoGoal(text)), replies.Say("begin it with a goal, such as \"feat(scope): title\"")
			failed.Metadata = map[string]any{"line": 1, "state": string(r.State)}
		}
		if r.Halt != nil {
			failed.Told, failed.Message, failed.Hint = false, replies.Text("the text "+o.haltedText(r.Halt)), replies.Say("fix that line")
			if r.Halt.Code == plan.InputTooLong {
				failed.Hint = replies.Say("take something out, or raise the limit of the form")
			}
			failed.Metadata = o.haltedAt(r.Halt)
		}
		return "", failed
	}
	if err != nil {
		return "", AsPlanError(err)
	}
	return made + "\n", nil
}

// formed returns what knows a form, without a store.
func (p *Plans) formed(ctx context.Context, name string) (*openPlans, error) {
	loader := p.loader
	if name != "" { // what is wrong with other forms is of no account
		loader = config.NewLoader(config.LoadOptions{Start: p.options.Start, UserFile: p.options.UserFile})
	}
	settings, err := p.settingsOf(ctx, loader)
	if err != nil {
		return nil, AsPlanError(err)
	}
	if names := settings.forms.Names(); name == "" {
		name = settings.preset
	} else if !slices.Contains(names, name) {
		return nil, &PlanError{
			Type: planInput, Message: replies.Say("there is no preset %q", replies.Clip(name, replies.MaxShown)), Hint: replies.Text(nearest.Question("", name, names) + "use one of " + strings.Join(names, ", ")),
			Metadata: map[string]any{"field": "preset", "presets": names},
		}
	}
	form, err := settings.forms.Form(name)
	if err != nil {
		return nil, AsPlanError(err)
	}
	o := p.unopened(settings)
	o.form = form
	return o, nil
}

// maxProblems is the number of errors, and of warnings, that are told of a text.
const maxProblems = 1000

// problems returns what is wrong with a text, in the order of its lines: of many errors or
// warnings the first ones, and how many there are besides.
func (o *openPlans) problems(text string, r *plan.Result) []PlanProblem {
	list := []PlanProblem{}
	lines, more := &planLines{}, 0
	switch r.State {
	case plan.Unknown:
		list = append(list, PlanProblem{Line: 1, Field: stateField, Code: string(plan.InvalidParseState), Message: replies.Say("the text is no plan, for %s", whyNoGoal(text)).String()})
	case plan.Empty:
		list = append(list, PlanProblem{Field: stateField, Code: string(plan.InvalidParseState), Message: "there is no text"})
	case plan.Halted:
		list = append(list, o.haltProblem(r.Halt))
	case plan.Parsed:
		lines = linesOfPlan(text, &r.Document)
		report := plan.Validate(r.Document, o.form)
		more += max(len(report.Errors)-maxProblems, 0)
		for _, e := range report.Errors[:min(len(report.Errors), maxProblems)] {
			list = append(list, PlanProblem{Line: lines.of(e.Field), Field: e.Field, Code: string(e.Code), Message: e.Message})
		}
		for _, warning := range report.Warnings {
			list = append(list, PlanProblem{Line: 1, Field: "header.scope", Code: string(plan.Custom), Message: warning, Warning: true})
		}
	}
	skipped := 0
	more += max(len(r.Diagnostics)-maxProblems, 0)
	for _, d := range r.Diagnostics[:min(len(r.Diagnostics), maxProblems)] {
		p := PlanProblem{Line: d.Line, Code: string(d.Code), Message: haltMeaning(d.Code), Warning: true}
		switch d.Code { //nolint:exhaustive // these alone are diagnostics
		case plan.TitleIgnored:
			p.Field = "ignored_title"
		case plan.ConstraintSkipped:
			p.Field = fmt.Sprintf("skipped.%d", skipped)
			skipped++
		default:
			p.Field = lines.task(d.Line)
		}
		list = append(list, p)
	}
	if r.State != plan.Halted { // that one comes first
		slices.SortStableFunc(list, func(a, b PlanProblem) int { return a.Line - b.Line })
	}
	if more > 0 {
		list = append(list, PlanProblem{Field: stateField, Code: string(plan.Custom), Message: fmt.Sprintf("%d more errors and warnings aren't listed", more), Warning: true})
	}
	return list
}

// stateField is the field of what is wrong with a text that is no plan to its end.
const stateField = "state"

// planLines are the lines of a plan's parts, from 1.
type planLines struct {
	description, direction int
	constraints            []int
	tasks                  map[string]int // by their paths: "tasks.0.2.1"
	tasksAt                map[int]string // the other way round
}

// linesOfPlan finds the parts of a parsed document in its text, where they stand in
// the document's order with nothing between them but blank lines.
func linesOfPlan(text string, d *plan.Document) *planLines {
	found := &planLines{tasks: map[string]int{}, tasksAt: map[int]string{}}
	lines := textLines(text)
	at := 1 // after the header
	next := func() int {
		for at < len(lines) && strings.TrimSpace(lines[at]) == "" {
			at++
		}
		at++
		return at
	}
	if d.Description != "" {
		found.description = next()
		at += strings.Count(d.Description, "\n")
	}
	skipped := d.Skipped
	for len(found.constraints) < len(d.Constraints) || len(skipped) > 0 {
		line := next()
		if line > len(lines) {
			break
		}
		if len(skipped) > 0 && lines[line-1] == skipped[0] {
			skipped = skipped[1:]
		} else {
			found.constraints = append(found.constraints, line)
		}
	}
	for _, item := range plan.Items(d.Tasks) {
		field, line := taskField(item.ID), next()
		found.tasks[field], found.tasksAt[line] = line, field
	}
	if d.Direction != "" {
		found.direction = next()
	}
	return found
}

// textLines returns the lines of a text as plan.Parse counts them.
func textLines(text string) []string {
	return slices.Collect(replies.SplitLines(text))
}

// firstLine returns the first of them.
func firstLine(text string) string {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		return text[:i]
	}
	return text
}

// taskField returns the path of the task at a position: that of 2.1 is "tasks.1.2.0".
func taskField(id string) string {
	var b strings.Builder
	b.WriteString("tasks")
	for i, part := range strings.Split(id, ".") {
		if i > 0 {
			b.WriteString(".2")
		}
		n, _ := strconv.Atoi(part) // it is one
		b.WriteString("." + strconv.Itoa(n-1))
	}
	return b.String()
}

// of returns the line of a field, 0 if it has none.
func (l *planLines) of(field string) int {
	section, rest, _ := strings.Cut(field, ".")
	switch section {
	case "header":
		return 1
	case "description":
		return l.description
	case "direction":
		return l.direction
	case "constraints":
		number, _, _ := strings.Cut(rest, ".")
		if n, err := strconv.Atoi(number); err == nil && n < len(l.constraints) {
			return l.constraints[n]
		}
	case "tasks":
		for at := field; at != "tasks" && at != ""; at = at[:max(strings.LastIndexByte(at, '.'), 0)] {
			if line := l.tasks[at]; line > 0 {
				return line
			}
		}
	}
	return 0
}

// task returns the path of the task in a line, that of all tasks if there is none.
func (l *planLines) task(line int) string {
	return cmp.Or(l.tasksAt[line], "tasks")
}

// haltProblem returns the problem that a halt is. That of a text which is too long is
// about no line.
func (o *openPlans) haltProblem(h *plan.Diagnostic) PlanProblem {
	if h.Code == plan.InputTooLong {
		return PlanProblem{Field: stateField, Code: string(plan.InvalidParseState), Halt: string(h.Code), Message: fmt.Sprintf("it has %d characters, and max_input is %d", h.Length, o.form.MaxInput)}
	}
	p := PlanProblem{Line: h.Line, Field: stateField, Code: string(plan.InvalidParseState), Halt: string(h.Code), Message: haltMeaning(h.Code)}
	switch {
	case h.Begin > 0:
		p.Line = h.Begin
		p.Message = fmt.Sprintf("the line is no task and no constraint, and line %d, which is one, comes behind it; if it is the rest of the line above, join both; else move it behind the tasks", h.Line)
	case h.Code == plan.TitleTooLong:
		p.Message = fmt.Sprintf("the title has more characters than max_title, which is %d; shorten it", o.form.MaxTitle)
	case h.Code == plan.NestingTooDeep:
		p.Message = fmt.Sprintf("the task is nested deeper than max_depth, which is %d; move it up", o.form.MaxDepth)
	case h.Code == plan.TooManyTasks:
		p.Message = fmt.Sprintf("there are more tasks than max_tasks, which is %d; take some out", o.form.MaxTasks)
	}
	return p
}

// haltedText says what a text is that the parser halted in: "is a plan only up to line
// 3: why".
func (o *openPlans) haltedText(h *plan.Diagnostic) string {
	p := o.haltProblem(h)
	if p.Line == 0 {
		return "is too long for a plan: " + p.Message
	}
	return fmt.Sprintf("is a plan only up to line %d: %s", p.Line, p.Message)
}

// haltedAt returns the same for programs.
func (o *openPlans) haltedAt(h *plan.Diagnostic) map[string]any {
	if h.Code == plan.InputTooLong {
		return map[string]any{"code": string(h.Code), "length": h.Length, "limit": o.form.MaxInput}
	}
	if h.Begin > 0 { // the text is that of the other line
		return map[string]any{"line": h.Begin, "code": string(h.Code), "before": h.Line}
	}
	return map[string]any{"line": h.Line, "code": string(h.Code), "text": replies.Clip(h.Text, 200)}
}

// haltMeaning says what a code of the parser means, and the way out.
func haltMeaning(code plan.Code) string {
	switch code {
	case plan.LeadingBlankLine:
		return "the first line is blank; begin with the goal"
	case plan.UnsafeCharacter:
		return "it has a NUL or bytes that are not UTF-8; take them out"
	case plan.MissingBlankLine:
		return "the line behind the goal must be blank"
	case plan.BlankLineInDesc:
		return "this form allows no blank line within the description; take it out"
	case plan.InvalidConstraint:
		return "a list item here must be a constraint, \"- Never: do this\"; make it one, or text"
	case plan.InvalidTask:
		return "it looks like a task and is none; write \"- [ ]: text\""
	case plan.SectionOrder:
		return "it stands behind a section that must come later; constraints, then tasks, then the direction"
	case plan.DirectionIncomplete:
		return "the text behind the tasks is too short for a direction; write more, or take it out"
	case plan.TextAfterDirective:
		return "text stands behind the directive, which must come last; move it up"
	case plan.TitleIgnored:
		return "text behind a goal without scope is no title; it is kept"
	case plan.TaskColonMissing:
		return "the task has no colon behind its box; it is read as a task"
	case plan.ConstraintSkipped:
		return "the line among the constraints is none; it is kept"
	case plan.ConfigInvalid:
		return "the form is wrong"
	}
	return string(code)
}

// inEndingOf returns a text whose line ending is LF, the last line without one, with that of the
// first line of another text.
func inEndingOf(old, text string) string {
	if first, _, ok := strings.Cut(old, "\n"); ok && strings.HasSuffix(first, "\r") && text != "" {
		return strings.ReplaceAll(text, "\n", "\r\n") + "\r\n"
	}
	return text
}
