package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/nearest"
)

// An Item is a task in a list of all tasks.
type Item struct {
	ID    string // its position: "2.1.3" is the third child of the first child of the second task
	Text  string
	Depth int  // from 0
	Done  bool // of a parent: all children are
	Leaf  bool // it has no children
}

// Items returns all tasks in the order of their lines.
func Items(tasks []Task) []Item {
	nodes := flatten(tasks)
	derive(nodes)
	items := make([]Item, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		id := strconv.Itoa(n.index + 1)
		if n.parent >= 0 {
			id = items[n.parent].ID + "." + id
		}
		items[i] = Item{ID: id, Text: n.text, Depth: n.depth, Done: n.done, Leaf: n.children == 0}
	}
	return items
}

// Progress counts the tasks without children, and those of them that are done.
func Progress(tasks []Task) (done, total int) {
	for _, n := range flatten(tasks) {
		if n.children == 0 {
			total++
			if n.done {
				done++
			}
		}
	}
	return done, total
}

// OpenLeaves returns the tasks without children that are not done.
func OpenLeaves(tasks []Task) []Item {
	return slices.DeleteFunc(Items(tasks), func(i Item) bool { return !i.Leaf || i.Done })
}

// A Found is a task that Find found.
type Found struct {
	Item
	// ByPosition is true if the query was a position: the task at a position changes
	// when the plan does.
	ByPosition bool
}

// Find returns the task that a query means: one with this position, or one whose id
// (see [TaskFields]), text or words are the query, or one whose words have it as a part, in any case. A query with
// the form of a position is no part of a text: who asks for task 3 does not mean one
// that has a 3 somewhere. Its error is a *TaskError: NoTasks, TaskNotFound with the ids
// of those that are nearest, or TaskAmbiguous with the ids of all that fit. If no task
// is at a position, ByPosition is true beside the error, and the ID is that position.
func Find(tasks []Task, query string) (Found, error) {
	query = strings.TrimSpace(query)
	items := Items(tasks)
	if len(items) == 0 {
		return Found{}, &TaskError{Code: NoTasks, Query: query}
	}
	position := isPosition(query)
	if position {
		for _, item := range items {
			if item.ID == query {
				return Found{item, true}, nil
			}
		}
	}
	hits := find(items, func(_, _, id string) bool { return id == query && id != "" })
	if hits == nil {
		hits = find(items, func(text, words, _ string) bool { return text == query || words == query })
	}
	if hits == nil && query != "" && !position {
		part := strings.ToLower(query)
		hits = find(items, func(_, words, _ string) bool { return strings.Contains(strings.ToLower(words), part) })
	}
	switch len(hits) {
	case 0:
		found := Found{ByPosition: position}
		if position {
			found.ID = query
		}
		return found, &TaskError{Code: TaskNotFound, Query: query, IDs: near(items, query, position)}
	case 1:
		return Found{Item: hits[0]}, nil
	}
	return Found{}, &TaskError{Code: TaskAmbiguous, Query: query, IDs: ids(hits)}
}

func find(items []Item, fits func(text, words, id string) bool) (hits []Item) {
	for _, item := range items {
		text := strings.TrimSpace(item.Text)
		if words, fields := ReadTask(text); fits(text, words, fields.ID) {
			hits = append(hits, item)
		}
	}
	return hits
}

// near returns the ids of the tasks whose position, or else whose text, is almost the
// query, the most likely first.
func near(items []Item, query string, position bool) []string {
	const most = 3
	if position {
		return nearest.Names(query, ids(items), most)
	}
	texts := make([]string, len(items))
	for i := range items {
		texts[i], _ = ReadTask(items[i].Text)
	}
	var list []string
	for _, text := range nearest.Names(query, texts, most) {
		for i := range items {
			if texts[i] == text && !slices.Contains(list, items[i].ID) && len(list) < most {
				list = append(list, items[i].ID)
			}
		}
	}
	return list
}

// isPosition reports whether s is numbers with dots between.
func isPosition(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if part == "" || strings.Trim(part, "0123456789") != "" {
			return false
		}
	}
	return true
}

func ids(items []Item) []string {
	list := make([]string, len(items))
	for i := range items {
		list[i] = items[i].ID
	}
	return list
}

// The codes of a TaskError.
const (
	TaskNotFound    Code = "task not found"
	TaskAmbiguous   Code = "task ambiguous"
	TaskIsParent    Code = "task is a parent"
	NoTasks         Code = "no tasks found"
	TasksIncomplete Code = "not all tasks complete"
	TaskWaits       Code = "task waits"
	TaskClaimed     Code = "task claimed"
	TaskIsDone      Code = "task is done"
	NothingToBegin  Code = "nothing to begin"
)

// A TaskError says why something can't be done with a task, and which tasks could
// have been meant.
type TaskError struct {
	Code  Code
	Query string // the task as it was asked for; empty for NoTasks of Finish and TasksIncomplete
	// IDs are the positions of the nearest tasks (TaskNotFound, none if nothing is
	// near), of all that fit (TaskAmbiguous), of those below the parent that are yet
	// to be marked (TaskIsParent), of the open ones (TasksIncomplete, NothingToBegin), of those
	// that it waits for (TaskWaits), or its own.
	IDs   []string
	Claim *Claim // of somebody else, for TaskClaimed; else nil
}

// Error returns what is wrong and what to do, with at most 20 ids.
func (e *TaskError) Error() string { return e.Message() + "; " + e.Hint() }

// Message says what is wrong, without a full stop.
func (e *TaskError) Message() string {
	query := strconv.Quote(clip(e.Query, 200))
	switch e.Code {
	case TaskNotFound:
		what := "its id, its text or a part of its text"
		if isPosition(e.Query) {
			what = "its id or its text"
		}
		return fmt.Sprintf("no task has %s as %s", query, what)
	case TaskAmbiguous:
		return fmt.Sprintf("%d tasks fit %s", len(e.IDs), query)
	case TaskIsParent:
		return fmt.Sprintf("%s has subtasks, and its mark follows from theirs", query)
	case NoTasks:
		return "the plan has no tasks"
	case TaskWaits:
		return query + " waits for others that are not done"
	case TaskClaimed:
		return fmt.Sprintf("%s is claimed by %s until %s", query, strconv.Quote(e.Claim.By), e.Claim.Until.UTC().Format(time.RFC3339))
	case TaskIsDone:
		return query + " is done already"
	case NothingToBegin:
		if len(e.IDs) == 0 {
			return "all tasks are done"
		}
		return "no task can be begun now: each that is open waits for another, or is claimed"
	}
	if len(e.IDs) == 1 {
		return "1 task is open"
	}
	return fmt.Sprintf("%d tasks are open", len(e.IDs))
}

// Hint says what to do, without a full stop, with at most 20 ids.
func (e *TaskError) Hint() string {
	switch e.Code {
	case TaskNotFound:
		if len(e.IDs) > 0 {
			return "did you mean " + listed(e.IDs) + "? list the tasks to see their ids"
		}
		return "list the tasks to see their ids"
	case TaskAmbiguous:
		return "use the id of one of them: " + listed(e.IDs)
	case TaskIsParent:
		return "mark these: " + listed(e.IDs)
	case NoTasks:
		return "set some first"
	case TaskWaits:
		return "do these first: " + listed(e.IDs)
	case TaskClaimed:
		return "take another, or wait until then"
	case TaskIsDone:
		return "take another, or mark it as open first"
	case NothingToBegin:
		if len(e.IDs) == 0 {
			return "finish the plan"
		}
		return "wait, and try again; open are " + listed(e.IDs)
	}
	if len(e.IDs) == 1 {
		return "do and mark it first: " + listed(e.IDs)
	}
	return "do and mark these first: " + listed(e.IDs)
}

// listed returns the first of the ids in words.
func listed(ids []string) string {
	const limit = 20
	if len(ids) > limit {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:limit], ", "), len(ids)-limit)
	}
	return strings.Join(ids, ", ")
}
