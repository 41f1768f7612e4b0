package main

import "fmt"

// checkGoal compares what no writer changes with what was set at first.
func checkGoal(now *shownPlan) (wrong []string) {
	if h := now.Plan.Header; h.Type != "feat" || h.Scope != "soak" || h.Title != planTitle || h.Breaking {
		wrong = append(wrong, fmt.Sprintf("the goal is %+v", h))
	}
	if got := now.Plan.Description; got != planDescription || len(now.Plan.Constraints) > 0 {
		wrong = append(wrong, fmt.Sprintf("the description is %.60q instead of %q, with constraints %.60q", got, planDescription, now.Plan.Constraints))
	}
	return wrong
}

// checkPlan compares the tasks with what is known of them, and counts the writes without
// an answer that were made.
func checkPlan(tasks []planTask, leaves []map[string]*leaf) (wrong []string, late int) {
	if len(tasks) != len(leaves) {
		return []string{fmt.Sprintf("%d tasks at the top instead of %d", len(tasks), len(leaves))}, 0
	}
	for writer, task := range tasks {
		fail := func(format string, args ...any) {
			wrong = append(wrong, fmt.Sprintf("writer %d: ", writer)+fmt.Sprintf(format, args...))
		}
		if task.text != fmt.Sprintf("writer %d.", writer) {
			fail("the task is %q", task.text)
		}
		there := map[string]bool{} // and whether it is done
		last := -1
		for _, t := range task.tasks {
			var n int
			if _, err := fmt.Sscanf(t.text, "task %d", &n); err == nil && n < last { // each is added after the others
				fail("%q is behind task %d", t.text, last)
			}
			last = n
			l := leaves[writer][t.text]
			_, twice := there[t.text]
			there[t.text] = t.done
			switch {
			case l == nil || len(t.tasks) > 0:
				fail("nobody added %q", t.text)
				continue
			case twice:
				fail("%q is there twice", t.text)
			case l.Added == refused:
				fail("%q was refused and is there", t.text)
			case l.Added == unanswered:
				late++
			}
			switch {
			case t.done && l.Marked == "":
				fail("nobody marked %q", t.text)
			case !t.done && l.Marked == acknowledged:
				fail("the mark of %q is lost", t.text)
			case t.done && l.Marked == unanswered:
				late++
			}
		}
		for text, l := range leaves[writer] {
			if _, found := there[text]; !found && l.Added == acknowledged {
				fail("%q is lost", text)
			}
		}
	}
	return wrong, late
}
