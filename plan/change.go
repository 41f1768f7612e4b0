package plan

// SetHeader returns the document with another header. Text after the old one that
// was no title goes with it, unless it is the same header.
func SetHeader(d Document, h Header) Document {
	if d.Header == nil || *d.Header != h {
		d.IgnoredTitle = ""
	}
	d.Header = &h
	return d
}

// SetDescription returns the document with another description. If constraints is
// nil, the old ones stay; if not, they replace the section, and the lines that were
// skipped there go with it.
func SetDescription(d Document, description string, constraints []Constraint) Document {
	d.Description = description
	if constraints != nil {
		d.Constraints, d.Skipped = constraints, nil
	}
	return Normalise(d)
}

// SetTasks returns the document with the tasks of a plan. A task has the mark that
// the plan gives it. Where the plan leaves it out, it has that of the task with the
// same text and id, wherever that stands, or if the document has no such id, of the
// task with the same text below the same texts, of several the one in the same place
// among those whose ids the plan doesn't have; and is open if there is none. So it is
// with its fields: what the plan has none of is kept.
// Parents follow, and while any task is open, or there is none, the directive is not
// COMPLETE.
func SetTasks(d Document, p Plan) Document {
	nodes := make([]node, len(p.tasks))
	for i, t := range p.tasks {
		nodes[i] = node{text: t.text, parent: t.parent, depth: t.depth, done: t.mark == markDone}
	}
	link(nodes)
	keep(nodes, p, flatten(d.Tasks))
	return changed(d, nodes)
}

// place is where a task is looked for: by its words below a task of the old tree, -1 for none,
// or by words and an id that both trees have, wherever it stands.
type place struct {
	parent    int
	words, id string
}

// keep takes the marks and fields that a plan leaves out from the old tasks.
func keep(nodes []node, p Plan, old []node) {
	derive(old)
	before := newSchedule(old)
	ids, oldIDs := map[string]bool{}, map[string]bool{}
	for i := range nodes {
		_, fields := ReadTask(nodes[i].text)
		ids[fields.ID] = true
	}
	at := make(map[place][]int, len(old)) // the old tasks in a place that were not met yet
	for i, n := range old {
		where, id := place{n.parent, before.words[i], ""}, before.fields[i].ID
		if oldIDs[id] = true; id != "" && ids[id] {
			where = place{words: where.words, id: id}
		}
		at[where] = append(at[where], i)
	}
	const none = -2 // stands for no old task
	same := make([]int, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		parent := -1
		if n.parent >= 0 {
			parent = same[n.parent]
		}
		same[i] = none
		words, fields := ReadTask(n.text)
		where := place{parent, words, ""}
		if fields.ID != "" && oldIDs[fields.ID] {
			where = place{words: words, id: fields.ID}
		}
		if list := at[where]; len(list) > 0 {
			same[i], at[where] = list[0], list[1:]
			if p.tasks[i].mark == markKept {
				n.done = old[same[i]].done
			}
			n.text = WriteTask(words, fields.or(before.fields[same[i]], p.tasks[i].free, n.done))
		}
	}
}

// or returns the fields, and of others those that are missing: but for after if nothing is to
// be waited for any more, and for the claim if the task is done.
func (f TaskFields) or(other TaskFields, free, done bool) TaskFields {
	if f.ID == "" {
		f.ID = other.ID
	}
	if f.After == nil && !free {
		f.After = other.After
	}
	if f.Claim == nil && !done {
		f.Claim = other.Claim
	}
	if f.Notes == nil {
		f.Notes = other.Notes
	}
	return f
}
