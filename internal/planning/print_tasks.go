package planning

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/plan"
)

// taskLines renders the tasks, a line each, in so much room, and what is left out.
func (r *PlanReply) taskLines(room int) (lines planPart, note []byte) {
	all := func(PlanTask) bool { return true }
	for _, width := range []int{0, 200, 80} {
		if lines, note = r.someTasks(all, width); replies.Chars(lines.text)+replies.Chars(note) <= room {
			return lines, note
		}
	}
	const width = 80
	unfinished := map[string]bool{"": true} // positions of parents that are not done
	for _, t := range r.Tasks {
		unfinished[t.ID] = !t.Done
	}
	shown := func(t PlanTask) bool { return unfinished[t.ID[:max(strings.LastIndexByte(t.ID, '.'), 0)]] }
	if lines, note = r.someTasks(shown, width); replies.Chars(lines.text)+replies.Chars(note) <= room {
		return lines, note
	}
	first := max(r.nextTask(), 0)
	id := ""
	if len(r.Tasks) > 0 {
		id = r.Tasks[first].ID
	}
	used, last := noteRoom, len(r.Tasks)
	near := func(i int) bool {
		t := &r.Tasks[i]
		return i >= first && i < last && shown(*t) || strings.HasPrefix(id, t.ID+".")
	}
	for i := range r.Tasks {
		if near(i) {
			if used += len(taskLine(&r.Tasks[i], width)); used > room {
				last = i
			}
		}
	}
	lines = planPart{apart: true, title: tasksTitle}
	left := 0
	for i := range r.Tasks {
		if near(i) {
			lines.addTask(&r.Tasks[i], width)
		} else {
			left++
		}
	}
	return lines, []byte(replies.LeftOutOfPlan(left, "task", r.wayTo(place{line: r.tasksAt()})))
}

// nextTask returns the index of the task that comes next, -1 if all are done, or none can be
// begun.
func (r *PlanReply) nextTask() int {
	return slices.IndexFunc(r.Tasks, func(t PlanTask) bool {
		return !t.Done && !t.Parent && (r.Ready == nil || slices.Contains(r.Ready, t.ID))
	})
}

// Startable returns the tasks that anybody may begin.
func (r *PlanReply) Startable() (list []PlanTask) {
	for i := range r.Tasks {
		if t := &r.Tasks[i]; !t.Done && !t.Parent && (r.Ready == nil || slices.Contains(r.Ready, t.ID)) {
			list = append(list, *t)
		}
	}
	return list
}

// NextText renders the tasks that anybody may begin, a line each; or why there are none.
func (r *PlanReply) NextText() []byte {
	var text []byte
	for _, t := range r.Startable() {
		text = append(text, t.ID+" "+replies.Safe(t.Text)+"\n"...)
	}
	switch {
	case text != nil:
	case r.State == string(plan.Halted) && r.Done == r.Total:
		text = []byte("no task is open in the beginning of the text, which alone is a plan\n")
	case r.Total == 0:
		text = []byte("the plan has no tasks\n")
	case r.Done == r.Total:
		text = []byte("all tasks are done\n")
	default:
		text = []byte(r.ready() + "\n")
	}
	return text
}

// NextJSON renders the tasks that anybody may begin for programs.
func (r *PlanReply) NextJSON() []byte {
	return replies.JSON(struct {
		Version string     `json:"version,omitempty"`
		Tasks   []PlanTask `json:"tasks"`
	}{r.Version, append([]PlanTask{}, r.Startable()...)})
}

// someTasks renders those tasks for which keep holds, with at most so many characters
// of text each, 0 for any number; and how many are left out.
func (r *PlanReply) someTasks(keep func(PlanTask) bool, width int) (lines planPart, note []byte) {
	lines = planPart{apart: true, title: tasksTitle}
	left, cut := 0, 0
	for i := range r.Tasks {
		if !keep(r.Tasks[i]) {
			left++
			continue
		}
		if line := lines.addTask(&r.Tasks[i], width); width > 0 && line != taskLine(&r.Tasks[i], 0) {
			cut++
		}
	}
	switch {
	case left > 0:
		note = []byte(replies.LeftOutBelowDone(left, r.wayTo(place{line: r.tasksAt()})))
	case cut > 0:
		note = r.cutTasks(cut)
	}
	return lines, note
}

// tasksTitle stands above the tasks where a reply has a mark.
const tasksTitle = "tasks:"

// addTask adds the line of a task, and returns it.
func (p *planPart) addTask(t *PlanTask, width int) (line string) {
	line = taskLine(t, width)
	p.text = append(p.text, line...)
	p.tasks = append(p.tasks, t.ID)
	return line
}

// taskLine renders a task: "  1.2 [x] text".
func taskLine(t *PlanTask, width int) string {
	mark, text := " ", replies.Safe(t.Text)
	if t.Done {
		mark = "x"
	}
	if width > 0 {
		text = replies.Clip(text, width)
	}
	return strings.Repeat("  ", t.Depth) + t.ID + " [" + mark + "] " + text + "\n"
}

// JSON renders the reply as JSON, without a line end.
func (r *PlanReply) JSON() []byte {
	type stage struct {
		PlanStage
		Guidance string   `json:"guidance,omitempty"`
		Next     []string `json:"next"`
	}
	type progress struct {
		Done  int `json:"done"`
		Total int `json:"total"`
	}
	made := struct {
		Version  string        `json:"version,omitempty"`
		Store    string        `json:"store,omitempty"`
		Where    string        `json:"kept_in,omitempty"`
		State    string        `json:"state"`
		Did      string        `json:"did,omitempty"`
		Changed  bool          `json:"changed"`
		Stage    stage         `json:"stage"`
		Progress progress      `json:"progress"`
		Plan     plan.Document `json:"plan"`
		Tasks    []PlanTask    `json:"tasks"`
		Ready    []string      `json:"can_be_begun,omitzero"` // of tasks; absent if each that is open can
		Problems []PlanProblem `json:"problems"`
		Notes    []string      `json:"notes,omitempty"`
		Changes  *PlanChanges  `json:"changes,omitempty"`
		Diff     *PlanDiff     `json:"diff,omitempty"`
		Others   []PlanListed  `json:"unfinished_plans,omitempty"`
		Old      *PlanOld      `json:"old_plan,omitempty"`
		Text     string        `json:"text,omitempty"` // of what is no plan
	}{
		Version: r.Version, Store: r.Store, Where: r.Where, State: r.State, Did: r.Did, Changed: r.Changed, Stage: stage{r.Stage, r.guidance(), r.nextRequests()},
		Progress: progress{r.Done, r.Total}, Plan: r.Document, Tasks: r.Tasks, Ready: r.Ready, Problems: r.Problems, Notes: r.WrittenNotes(),
		Others: r.Others, Old: r.Old,
	}
	if r.Gathered {
		made.Changes = &r.Changes
	}
	if r.Diff != (PlanDiff{}) {
		made.Diff = &r.Diff
	}
	if r.State == string(plan.Unknown) || r.State == string(plan.Halted) {
		made.Text = r.Source
	}
	return replies.JSON(made)
}
