package plan

import (
	"slices"
	"strings"
)

// Mark returns the document with one task done, or open again, and what it found; a
// query means what it means to [Find]. Parents follow, and while any task is open
// the directive is not COMPLETE. A claim on the task goes. Marking a task that has the mark already changes
// nothing but that, and neither does marking one whose children all have it. Its
// error is a *TaskError, TaskIsParent if the task has children that don't.
func Mark(d Document, query string, done bool) (Document, Found, error) {
	found, err := Find(d.Tasks, query)
	if err != nil {
		return Document{}, found, err
	}
	if others := leavesBelow(d.Tasks, found.ID, !done); others != nil {
		return Document{}, found, &TaskError{Code: TaskIsParent, Query: strings.TrimSpace(query), IDs: others}
	}
	nodes := flatten(d.Tasks)
	for i, item := range Items(d.Tasks) {
		if item.ID == found.ID {
			nodes[i].done = done // of a parent it is derived, and the same
			nodes[i].text = unclaimed(nodes[i].text)
			found.Text = nodes[i].text
		}
	}
	found.Done = done
	return changed(d, nodes), found, nil
}

// unclaimed returns the text of a task without a claim.
func unclaimed(text string) string {
	words, fields := ReadTask(text)
	if fields.Claim == nil {
		return text
	}
	fields.Claim = nil
	return WriteTask(words, fields)
}

// leavesBelow returns the ids of the tasks without children below one whose mark is
// the given one.
func leavesBelow(tasks []Task, id string, done bool) (list []string) {
	for _, item := range Items(tasks) {
		if item.Leaf && item.Done == done && strings.HasPrefix(item.ID, id+".") {
			list = append(list, item.ID)
		}
	}
	return list
}

// Finish returns the document with the directive COMPLETE. Its error is a
// *TaskError: NoTasks, or TasksIncomplete with the ids of those that are open.
func Finish(d Document) (Document, error) {
	if len(d.Tasks) == 0 {
		return Document{}, &TaskError{Code: NoTasks}
	}
	if open := OpenLeaves(d.Tasks); len(open) > 0 {
		return Document{}, &TaskError{Code: TasksIncomplete, IDs: ids(open)}
	}
	d = changed(d, flatten(d.Tasks))
	d.Directive = Complete
	return d, nil
}

// changed returns the document with other tasks. Without any, or while one is open, it
// is not complete.
func changed(d Document, nodes []node) Document {
	derive(nodes)
	isOpen := func(n node) bool { return !n.done }
	if d.Directive == Complete && (len(nodes) == 0 || slices.ContainsFunc(nodes, isOpen)) {
		d.Directive = ""
	}
	return withNodes(d, nodes)
}
