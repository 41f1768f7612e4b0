package plan

import (
	"bytes"
	"encoding/json"
)

// The encoding is that of the plan documents' specification: a task is [done, text,
// [children]], a constraint [key, value], and what is absent has no key.

// encoded is a Result with its keys in their order.
type encoded struct {
	State        State        `json:"state,omitempty"`
	Header       *Header      `json:"header,omitempty"`
	Description  string       `json:"description,omitempty"`
	Constraints  []Constraint `json:"constraints,omitzero"`
	Tasks        encodedTasks `json:"tasks,omitzero"`
	Direction    string       `json:"direction,omitempty"`
	Directive    string       `json:"directive,omitempty"`
	Skipped      []string     `json:"skipped,omitempty"`
	Halt         *Diagnostic  `json:"halt,omitempty"`
	Diagnostics  []Diagnostic `json:"diagnostics,omitempty"`
	IgnoredTitle string       `json:"ignored_title,omitempty"`
}

func (d *Document) encoded() encoded {
	return encoded{
		Header: d.Header, Description: d.Description, Constraints: d.Constraints, Tasks: d.Tasks,
		Direction: d.Direction, Directive: d.Directive, Skipped: d.Skipped, IgnoredTitle: d.IgnoredTitle,
	}
}

// MarshalJSON encodes the document. What is absent, nil or an empty string, has no
// key; what is empty is [].
func (d Document) MarshalJSON() ([]byte, error) { return marshal(d.encoded()) }

// MarshalJSON encodes the result: the document and beside its keys state, halt and
// diagnostics.
func (r Result) MarshalJSON() ([]byte, error) {
	e := r.encoded()
	e.State, e.Halt, e.Diagnostics = r.State, r.Halt, r.Diagnostics
	return marshal(e)
}

// MarshalJSON encodes the constraint as [key, value].
func (c Constraint) MarshalJSON() ([]byte, error) { return marshal([2]string{c.Key, c.Value}) }

// MarshalJSON encodes the task as [done, text, [children]].
func (t Task) MarshalJSON() ([]byte, error) {
	list, err := encodedTasks{t}.MarshalJSON()
	return list[1 : len(list)-1], err
}

// marshal is json.Marshal without escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// encodedTasks are tasks whose JSON is made without recursion.
type encodedTasks []Task

// MarshalJSON encodes the tasks as a list of tuples.
func (tasks encodedTasks) MarshalJSON() ([]byte, error) {
	nodes := flatten(tasks)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	depth := -1 // of the task that was written last
	for i := range nodes {
		n := &nodes[i]
		if n.depth > depth {
			b.WriteByte('[')
		} else {
			closeTuples(&b, depth-n.depth)
			b.WriteByte(',')
		}
		depth = n.depth
		if n.done {
			b.WriteString("[true,")
		} else {
			b.WriteString("[false,")
		}
		if err := e.Encode(n.text); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - 1) // the newline that Encode writes
		b.WriteByte(',')
		if n.children == 0 {
			b.WriteString("[]")
		}
	}
	if depth < 0 {
		return []byte("[]"), nil
	}
	closeTuples(&b, depth)
	b.WriteByte(']')
	return b.Bytes(), nil
}

// closeTuples closes a tuple and the given number of those around it.
func closeTuples(b *bytes.Buffer, around int) {
	b.WriteByte(']')
	for range around {
		b.WriteString("]]")
	}
}
