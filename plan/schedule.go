package plan

import (
	"slices"
	"strings"
	"time"
)

// A schedule knows which tasks wait for which.
type schedule struct {
	nodes  []node
	words  []string
	fields []TaskFields
	waits  []bool         // whether a task waits for another
	byID   map[string]int // the first task of an id
}

// newSchedule reads the fields of tasks whose marks are derived.
func newSchedule(nodes []node) *schedule {
	s := &schedule{nodes, make([]string, len(nodes)), make([]TaskFields, len(nodes)), make([]bool, len(nodes)), map[string]int{}}
	for i := range nodes {
		s.words[i], s.fields[i] = ReadTask(nodes[i].text)
		if id := s.fields[i].ID; id != "" {
			if _, ok := s.byID[id]; !ok {
				s.byID[id] = i
			}
		}
	}
	for i := range nodes { // a parent comes before its children
		p := nodes[i].parent
		s.waits[i] = p >= 0 && s.waits[p] || slices.ContainsFunc(s.fields[i].After, func(id string) bool { return s.open(id) >= 0 })
	}
	return s
}

// open returns the task of an id, -1 if there is none or it is done.
func (s *schedule) open(id string) int {
	if i, ok := s.byID[id]; ok && !s.nodes[i].done {
		return i
	}
	return -1
}

// waitsFor returns the tasks that a task waits for: those that are not done and that it, or one
// above it, is after.
func (s *schedule) waitsFor(i int) (list []int) {
	listed := map[int]bool{}
	for ; i >= 0; i = s.nodes[i].parent {
		for _, id := range s.fields[i].After {
			if j := s.open(id); j >= 0 && !listed[j] {
				listed[j] = true
				list = append(list, j)
			}
		}
	}
	return list
}

// check tells what is wrong with the fields of each task: fail is called with the number of a
// task and a sentence.
func (s *schedule) check(fail func(i int, message string)) {
	sound := true
	for i := range s.nodes {
		if message := badField(s.words[i]); message != "" {
			fail(i, message)
		}
		if id := s.fields[i].ID; id != "" && s.byID[id] != i {
			fail(i, "Another task has the id "+id+", too")
		}
		for _, id := range s.fields[i].After {
			if _, ok := s.byID[id]; !ok {
				fail(i, "No task has the id "+id+" that this one is after")
				sound = false
			}
		}
	}
	if !sound {
		return
	}
	if i := s.circular(); i >= 0 {
		fail(i, "The task waits for itself, by what it, or a task above it, is after")
	}
}

// circular returns a task that can never be begun, for it waits for its own end; -1 if there is
// none. A task is begun after those that it is after are done, and after the one above it is
// begun; one with subtasks is done when they are.
func (s *schedule) circular() int {
	n := len(s.nodes)
	// Number i is the beginning of task i, and n+i its end. What must be before what is counted
	// down, as in a topological sort.
	before := make([]int, 2*n)
	next := make([][]int, 2*n)
	edge := func(from, to int) {
		next[from] = append(next[from], to)
		before[to]++
	}
	for i := range s.nodes {
		edge(i, n+i)
		if p := s.nodes[i].parent; p >= 0 {
			edge(p, i)
			edge(n+i, n+p)
		}
		for _, id := range s.fields[i].After {
			edge(n+s.byID[id], i)
		}
	}
	var ready []int
	for i, count := range before {
		if count == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, j := range next[i] {
			if before[j]--; before[j] == 0 {
				ready = append(ready, j)
			}
		}
	}
	return slices.IndexFunc(before[:n], func(count int) bool { return count > 0 })
}

// startable reports whether somebody may begin a task now.
func (s *schedule) startable(i int, by string, now time.Time) bool {
	n := &s.nodes[i]
	return n.children == 0 && !n.done && !s.fields[i].Claim.Holds(by, now) && !s.waits[i]
}

// Startable returns the tasks that somebody may begin at a time, in the order of their lines:
// those without subtasks that are not done, wait for no other, and that nobody else has
// claimed. A name that is empty is nobody's.
func Startable(tasks []Task, by string, now time.Time) (list []Item) {
	nodes := flatten(tasks)
	derive(nodes)
	s := newSchedule(nodes)
	for i, item := range Items(tasks) {
		if s.startable(i, by, now) {
			list = append(list, item)
		}
	}
	return list
}

// ClaimTask returns the document with a claim on one task, and which task that is. A query means
// what it means to [Find]; an empty one stands for the task that has a claim of the same name
// already, or else for the first that may be begun. Who has a claim may make it anew. Its error
// is a *TaskError (TaskWaits, TaskClaimed, TaskIsDone, TaskIsParent, NothingToBegin, or one of
// Find), or a FieldError about "claim" for a name that can't stand in one.
func ClaimTask(d Document, query string, c Claim, now time.Time) (Document, Found, error) {
	if message := checkFieldText(c.By, MaxClaimant); message != "" || strings.Contains(c.By, until) {
		if message == "" {
			message = "it has the word until in it"
		}
		return Document{}, Found{}, FieldError{"claim", message, InvalidFormat}
	}
	nodes := flatten(d.Tasks)
	derive(nodes)
	s := newSchedule(nodes)
	var found Found
	if strings.TrimSpace(query) == "" {
		i := s.first(c.By, now)
		if i < 0 {
			return Document{}, Found{}, s.nothing(d.Tasks)
		}
		found.Item = Items(d.Tasks)[i]
	} else {
		var err error
		if found, err = Find(d.Tasks, query); err != nil {
			return Document{}, found, err
		}
	}
	i := at(d.Tasks, found.ID)
	fields := &s.fields[i]
	e := &TaskError{Query: strings.TrimSpace(query), IDs: []string{found.ID}}
	switch waits := s.waitsFor(i); {
	case !found.Leaf:
		e.Code, e.IDs = TaskIsParent, leavesBelow(d.Tasks, found.ID, false)
	case found.Done:
		e.Code = TaskIsDone
	case fields.Claim.Holds(c.By, now):
		e.Code, e.Claim = TaskClaimed, fields.Claim
	case len(waits) > 0:
		e.Code, e.IDs = TaskWaits, s.ids(d.Tasks, waits)
	}
	if e.Code != "" {
		return Document{}, found, e
	}
	fields.Claim = &Claim{c.By, c.Until.UTC().Truncate(time.Second)}
	nodes[i].text = WriteTask(s.words[i], *fields)
	found.Text = nodes[i].text
	return changed(d, nodes), found, nil
}

// first returns the task that is given to somebody who asks for any, -1 if there is none.
func (s *schedule) first(by string, now time.Time) int {
	free := -1
	for i := range s.nodes {
		if !s.startable(i, by, now) {
			continue
		}
		if claim := s.fields[i].Claim; claim != nil && claim.By == by {
			return i
		}
		if free < 0 {
			free = i
		}
	}
	return free
}

// nothing is the error where no task may be begun.
func (s *schedule) nothing(tasks []Task) error {
	if len(tasks) == 0 {
		return &TaskError{Code: NoTasks}
	}
	return &TaskError{Code: NothingToBegin, IDs: ids(OpenLeaves(tasks))}
}

// ids returns the positions of tasks by their numbers.
func (s *schedule) ids(tasks []Task, numbers []int) []string {
	items := Items(tasks)
	list := make([]string, len(numbers))
	for k, i := range numbers {
		list[k] = items[i].ID
	}
	return list
}

// at returns the number of the task at a position that there is.
func at(tasks []Task, id string) int {
	return slices.IndexFunc(Items(tasks), func(item Item) bool { return item.ID == id })
}

// AddNote returns the document with another note at a task, and which task that is. A query
// means what it means to [Find]. A note that the task has already isn't added again. Its error is
// a *TaskError, or a FieldError about "note" for a text that can't be one.
func AddNote(d Document, query, note string) (Document, Found, error) {
	if message := checkFieldText(note, MaxNote); message != "" {
		return Document{}, Found{}, FieldError{"note", message, InvalidFormat}
	}
	found, err := Find(d.Tasks, query)
	if err != nil {
		return Document{}, found, err
	}
	nodes := flatten(d.Tasks)
	n := &nodes[at(d.Tasks, found.ID)]
	words, fields := ReadTask(n.text)
	if !slices.Contains(fields.Notes, note) {
		fields.Notes = append(fields.Notes, note)
		n.text = WriteTask(words, fields)
	}
	found.Text = n.text
	return changed(d, nodes), found, nil
}
