package plan

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Plan is tasks as someone sends them, to be set with [SetTasks].
type Plan struct{ tasks []plannedTask }

type plannedTask struct {
	text          string
	parent, depth int
	mark          mark
	free          bool // it is said to wait for nothing
}

// mark is what a plan says about a task.
type mark uint8

const (
	markKept mark = iota // nothing
	markOpen
	markDone
)

func markOf(done bool) mark {
	if done {
		return markDone
	}
	return markOpen
}

// An InputError says what is wrong with a plan or with constraints that someone
// sent.
type InputError struct {
	Field   string // its path: "plan.0.subtasks.1.text"
	Line    int    // of a text, from 1; 0 if it isn't one
	Message string // what is wrong, without a full stop
	Hint    Hint   // what to do; empty if Message says it
}

// Hint is what to do about an InputError, as a sentence without a full stop. A program
// in which that is done in another way tells them apart by their values.
type Hint string

// SendEmptyList is the hint for a checklist without a task.
const SendEmptyList Hint = "to remove all tasks, send an empty list, []"

// Error returns all of it.
func (e *InputError) Error() string {
	if e.Hint == "" {
		return e.Where() + ": " + e.Message
	}
	return e.Where() + ": " + e.Message + "; " + string(e.Hint)
}

// Where returns the field, and the line if the error is about one.
func (e *InputError) Where() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s, line %d", e.Field, e.Line)
	}
	return e.Field
}

// ReadPlan reads a plan from what it was sent as: a list of [done, text,
// [children]], a list of {text, done, subtasks, id, after}, or a checklist as text, in
// Markdown ("- [ ] text", "1. text") or in the form that the configuration
// describes, nil for the default. JSON may be decoded or a json.RawMessage. Objects
// may leave out done, and lines the box. A list may be empty, a checklist not: what
// was lost on its way would remove all tasks. Limits are those of the configuration. Its
// error is an *InputError, or a FieldErrors if the configuration is wrong.
func ReadPlan(value any, cfg *Config) (Plan, error) {
	g, errs := compile(cfg)
	if errs != nil {
		return Plan{}, errs
	}
	const field = "plan"
	value, err := decoded(field, value)
	if err != nil {
		return Plan{}, err
	}
	var p Plan
	switch v := value.(type) {
	case string:
		p, err = g.readChecklist(field, v)
	case []any:
		p, err = g.readTuples(field, v)
	default:
		return Plan{}, &InputError{Field: field, Message: expected("array or string", value) + "; send [[done, text, [children]], …], [{text, done, subtasks, id, after}, …] or a checklist"}
	}
	if err == nil && len(p.tasks) > g.MaxTasks {
		err = &InputError{Field: field, Message: fmt.Sprintf("it has %d tasks, at most %d are allowed; join some", len(p.tasks), g.MaxTasks)}
	}
	if err != nil {
		return Plan{}, err
	}
	return p, nil
}

// decoded returns what JSON decodes to, and any other value as it is.
func decoded(field string, value any) (any, *InputError) {
	raw, ok := value.(json.RawMessage)
	if !ok {
		return value, nil
	}
	value = nil
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, &InputError{Field: field, Message: fmt.Sprintf("it is not JSON: %v", err)}
	}
	return value, nil
}

// readTuples reads decoded JSON.
func (g *grammar) readTuples(field string, list []any) (p Plan, err *InputError) {
	r := tupleReader{objects: true, maxDepth: g.MaxDepth, fail: func(field string, _ Code, message string) {
		if err == nil {
			err = &InputError{Field: field, Message: message}
		}
	}}
	r.read(list, field)
	for i := range r.tasks {
		t := &r.tasks[i]
		planned := plannedTask{parent: t.parent, depth: t.depth}
		switch done := t.done.(type) {
		case bool:
			planned.mark = markOf(done)
		case keepMark:
		default:
			r.fail(t.doneAt, InvalidType, expected("boolean", t.done))
		}
		text, ok := t.text.(string)
		if !ok {
			r.fail(t.textAt, InvalidType, expected("string", t.text))
		} else if planned.text = strings.TrimSpace(text); planned.text == "" {
			r.fail(t.textAt, TooSmall, "it is empty; say what is to be done")
		} else if strings.ContainsAny(planned.text, "\r\n") {
			r.fail(t.textAt, InvalidFormat, "it has more than one line; a task is one line, use subtasks for more")
		}
		planned.take(t, r.fail)
		p.tasks = append(p.tasks, planned)
	}
	return p, err
}

// take puts the id of an object, and what it is after, into the text of a task.
func (p *plannedTask) take(t *rawTask, fail func(field string, code Code, message string)) {
	if t.id == nil && t.after == nil {
		return
	}
	words, fields := ReadTask(p.text)
	if t.id != nil {
		id, ok := t.id.(string)
		if !ok || !isTaskID(id) {
			fail(t.path+"."+fieldID, InvalidFormat, "it is no id; write letters, digits, - and _, with a letter among them")
		}
		fields.ID = id
	}
	if t.after != nil {
		list, ok := t.after.([]any)
		if text, isText := t.after.(string); isText {
			list, ok = []any{text}, true
		}
		fields.After = nil
		for _, entry := range list {
			id, isText := entry.(string)
			ok = ok && isText && isTaskID(id)
			fields.After = append(fields.After, id)
		}
		if !ok {
			fail(t.path+"."+fieldAfter, InvalidFormat, "it is no list of ids of tasks")
		}
		p.free = len(list) == 0
	}
	p.text = WriteTask(words, fields)
}

// ReadConstraints reads constraints from what they were sent as: a list of [key,
// value] or of "Key: value", with or without "- " before. It returns an empty list
// for an empty one, and nil for nil. Its error is an *InputError. It doesn't ask
// whether they are valid.
func ReadConstraints(value any) ([]Constraint, error) {
	value, err := decoded("constraints", value)
	switch {
	case err != nil:
		return nil, err
	case value == nil:
		return nil, nil
	}
	list, ok := value.([]any)
	if !ok {
		return nil, &InputError{Field: "constraints", Message: expected("array", value)}
	}
	constraints := make([]Constraint, len(list))
	for i, entry := range list {
		c, ok := readConstraint(entry)
		if !ok {
			return nil, &InputError{Field: numbered("constraints", i), Message: `Expected [key, value] or "Key: value"`}
		}
		constraints[i] = c
	}
	return constraints, nil
}

func readConstraint(value any) (c Constraint, ok bool) {
	switch v := value.(type) {
	case string:
		c.Key, c.Value, ok = strings.Cut(strings.TrimPrefix(strings.TrimSpace(v), "- "), ":")
	case []any:
		if len(v) != 2 {
			return c, false
		}
		var isText bool
		c.Key, ok = v[0].(string)
		c.Value, isText = v[1].(string)
		ok = ok && isText
	}
	return Constraint{strings.TrimSpace(c.Key), strings.TrimSpace(c.Value)}, ok
}
