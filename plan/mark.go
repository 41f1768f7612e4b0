package plan

import "strings"

// Mark returns the document with one task done, or open again, and what it found; a
// query means what it means to [Find]. Parents follow, and while any task is open
// the directive is not COMPLETE. Marking a task that has the mark already changes
// nothing but that. Its error is a *TaskError, TaskIsParent if the task has
// children.
func Mark(d Document, query string, done bool) (Document, Found, error) {
	found, err := Find(d.Tasks, query)
	if err != nil {
		return Document{}, found, err
	}
	if !found.Leaf {
		return Document{}, found, &TaskError{Kind: TaskIsParent, Query: strings.TrimSpace(query), IDs: leavesBelow(d.Tasks, found.ID, !done)}
	}
	nodes := flatten(d.Tasks)
	for i, item := range Items(d.Tasks) {
		if item.ID == found.ID {
			nodes[i].done = done
		}
	}
	found.Done = done
	return changed(d, nodes), found, nil
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
		return Document{}, &TaskError{Kind: NoTasks}
	}
	if open := OpenLeaves(d.Tasks); len(open) > 0 {
		return Document{}, &TaskError{Kind: TasksIncomplete, IDs: ids(open)}
	}
	d = changed(d, flatten(d.Tasks))
	d.Directive = Complete
	return d, nil
}

// changed returns the document with other tasks.
func changed(d Document, nodes []node) Document {
	derive(nodes)
	for i := range nodes {
		if !nodes[i].done && d.Directive == Complete {
			d.Directive = ""
		}
	}
	return withNodes(d, nodes)
}
