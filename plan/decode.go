package plan

import (
	"encoding/json"
	"fmt"
)

// UnmarshalJSON decodes what MarshalJSON of a document or a result encodes. Keys
// that it doesn't know are left alone. Its error for JSON of another shape is a
// FieldErrors.
func (d *Document) UnmarshalJSON(data []byte) error {
	v := decoder{}
	if err := json.Unmarshal(data, &v.value); err != nil {
		return err
	}
	got := v.document()
	if v.errs != nil {
		return v.errs
	}
	*d = got
	return nil
}

// UnmarshalJSON decodes what MarshalJSON of a result encodes.
func (r *Result) UnmarshalJSON(data []byte) error {
	var rest struct {
		State       State        `json:"state"`
		Halt        *Diagnostic  `json:"halt"`
		Diagnostics []Diagnostic `json:"diagnostics"`
	}
	if err := json.Unmarshal(data, &rest); err != nil {
		return err
	}
	var d Document
	if err := d.UnmarshalJSON(data); err != nil {
		return err
	}
	*r = Result{State: rest.State, Document: d, Halt: rest.Halt, Diagnostics: rest.Diagnostics}
	return nil
}

// UnmarshalJSON decodes [key, value].
func (c *Constraint) UnmarshalJSON(data []byte) error {
	var v decoder
	if err := json.Unmarshal(data, &v.value); err != nil {
		return err
	}
	list := v.constraints("constraint", []any{v.value})
	if v.errs != nil {
		return v.errs
	}
	*c = list[0]
	return nil
}

// UnmarshalJSON decodes [done, text, [children]].
func (t *Task) UnmarshalJSON(data []byte) error {
	var v decoder
	if err := json.Unmarshal(data, &v.value); err != nil {
		return err
	}
	tasks := v.tasks("task", []any{v.value})
	if v.errs != nil {
		return v.errs
	}
	*t = tasks[0]
	return nil
}

// decoder takes decoded JSON apart.
type decoder struct {
	value any
	errs  FieldErrors
}

func (v *decoder) fail(field string, code Code, message string) {
	v.errs = append(v.errs, FieldError{field, message, code})
}

func (v *decoder) document() (d Document) {
	keys, ok := v.value.(map[string]any)
	if !ok {
		v.fail("", InvalidType, expected("object", v.value))
		return d
	}
	if keys["header"] != nil {
		d.Header = v.header(keys["header"])
	}
	d.Description = v.text("description", keys["description"])
	if keys["constraints"] != nil {
		d.Constraints = v.constraints("constraints", keys["constraints"])
	}
	if keys["tasks"] != nil {
		d.Tasks = v.tasks("tasks", keys["tasks"])
	}
	d.Direction = v.text("direction", keys["direction"])
	d.Directive = v.text("directive", keys["directive"])
	if keys["skipped"] != nil {
		d.Skipped = v.texts("skipped", keys["skipped"])
	}
	d.IgnoredTitle = v.text("ignored_title", keys["ignored_title"])
	return d
}

// text returns a string, which is empty if there is none.
func (v *decoder) text(field string, value any) string {
	text, ok := value.(string)
	if !ok && value != nil {
		v.fail(field, InvalidType, expected("string", value))
	}
	return text
}

func (v *decoder) texts(field string, value any) []string {
	list, ok := value.([]any)
	if !ok {
		v.fail(field, InvalidType, expected("array", value))
	}
	texts := make([]string, len(list))
	for i, entry := range list {
		if texts[i], ok = entry.(string); !ok {
			v.fail(numbered(field, i), InvalidType, expected("string", entry))
		}
	}
	return texts
}

func (v *decoder) header(value any) *Header {
	keys, ok := value.(map[string]any)
	if !ok {
		v.fail("header", InvalidType, expected("object", value))
		return nil
	}
	h := &Header{
		Type: v.text("header.type", keys["type"]), Scope: v.text("header.scope", keys["scope"]), Title: v.text("header.title", keys["title"]),
	}
	if h.Breaking, ok = keys["breaking"].(bool); !ok && keys["breaking"] != nil {
		v.fail("header.breaking", InvalidType, expected("boolean", keys["breaking"]))
	}
	return h
}

func (v *decoder) constraints(field string, value any) []Constraint {
	list, ok := value.([]any)
	if !ok {
		v.fail(field, InvalidType, expected("array", value))
	}
	constraints := make([]Constraint, len(list))
	for i, entry := range list {
		path := numbered(field, i)
		pair := v.texts(path, entry)
		if len(pair) == 2 {
			constraints[i] = Constraint{pair[0], pair[1]}
		} else if _, ok := entry.([]any); ok {
			v.fail(path, InvalidFormat, "Expected [key, value]")
		}
	}
	return constraints
}

func (v *decoder) tasks(field string, value any) []Task {
	r := tupleReader{maxDepth: maxLevel, fail: v.fail}
	r.read(value, field)
	nodes := make([]node, len(r.tasks))
	for i := range r.tasks {
		t := &r.tasks[i]
		nodes[i] = node{parent: t.parent, depth: t.depth}
		var ok bool
		if nodes[i].done, ok = t.done.(bool); !ok {
			v.fail(t.doneAt, InvalidType, expected("boolean", t.done))
		}
		if nodes[i].text, ok = t.text.(string); !ok {
			v.fail(t.textAt, InvalidType, expected("string", t.text))
		}
	}
	link(nodes)
	return build(nodes)
}

func tooDeep(depth int) string { return fmt.Sprintf("Nesting exceeds %d levels", depth) }
