package plan

import (
	"maps"
	"slices"
)

// Tasks come from outside as decoded JSON: [done, text, [children]], and as a plan
// to be set also as {text, done, subtasks}. They are read into a flat list with an
// explicit stack, as far down as is allowed.

// A rawTask is a task whose values may have any type.
type rawTask struct {
	parent, depth int
	path          string
	done, text    any
	doneAt        string // the path of done
	textAt        string
	id, after     any // of an object
}

// tupleReader reads trees of tasks.
type tupleReader struct {
	objects  bool // objects are allowed, too
	maxDepth int
	fail     func(field string, code Code, message string)
	tasks    []rawTask
	stack    []rawFrame
}

// rawFrame is a list that is being read.
type rawFrame struct {
	list   []any
	path   string
	parent int
	next   int
}

// read reads a list of tasks. Those that are malformed are reported and left out,
// with what is below them.
func (r *tupleReader) read(value any, path string) {
	r.push(value, path, -1)
	for len(r.stack) > 0 {
		top := &r.stack[len(r.stack)-1]
		if top.next == len(top.list) {
			r.stack = r.stack[:len(r.stack)-1]
			continue
		}
		value, path, parent := top.list[top.next], numbered(top.path, top.next), top.parent
		top.next++
		switch v := value.(type) {
		case []any:
			r.tuple(v, path, parent)
		case map[string]any:
			r.object(v, path, parent)
		default:
			r.fail(path, InvalidType, expected(r.wanted(), value))
		}
	}
}

func (r *tupleReader) wanted() string {
	if r.objects {
		return "[done, text, [children]] or {text, done, subtasks, id, after}"
	}
	return "array"
}

// push begins to read a list, which may be absent below a task.
func (r *tupleReader) push(value any, path string, parent int) {
	list, ok := value.([]any)
	if !ok {
		r.fail(path, InvalidType, expected("array", value))
		return
	}
	if len(list) > 0 && len(r.stack) > r.maxDepth {
		r.fail(numbered(path, 0), TooBig, tooDeep(r.maxDepth))
		return
	}
	r.stack = append(r.stack, rawFrame{list: list, path: path, parent: parent})
}

func (r *tupleReader) tuple(v []any, path string, parent int) {
	if len(v) < 2 || len(v) > 3 {
		r.fail(path, InvalidFormat, "Expected [done, text, [children]]")
		return
	}
	r.add(rawTask{parent: parent, path: path, done: v[0], text: v[1], doneAt: path + ".0", textAt: path + ".1"})
	if len(v) == 3 {
		r.push(v[2], path+".2", len(r.tasks)-1)
	}
}

func (r *tupleReader) object(v map[string]any, path string, parent int) {
	if !r.objects {
		r.fail(path, InvalidType, expected("array", v))
		return
	}
	names := []string{"text", "done", "subtasks", fieldID, fieldAfter}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if !slices.Contains(names, name) {
			r.fail(path+"."+clip(name, 40), InvalidValue, unknownName("field", name, names))
			return
		}
	}
	done, given := v["done"]
	if done == nil && given || !given {
		done = keepMark{}
	}
	r.add(rawTask{parent: parent, path: path, done: done, text: v["text"], doneAt: path + ".done", textAt: path + ".text", id: v[fieldID], after: v[fieldAfter]})
	if v["subtasks"] != nil {
		r.push(v["subtasks"], path+".subtasks", len(r.tasks)-1)
	}
}

// keepMark is in place of a done that was left out.
type keepMark struct{}

func (r *tupleReader) add(t rawTask) {
	t.depth = len(r.stack) - 1
	r.tasks = append(r.tasks, t)
}
