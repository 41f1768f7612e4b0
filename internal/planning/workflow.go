package planning

import (
	"strconv"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/plan"
)

// partOf tells of each part of a plan that can end a stage whether a document has it.
var partOf = map[string]func(plan.Document) bool{
	"header":      func(d plan.Document) bool { return d.Header != nil },
	"description": func(d plan.Document) bool { return d.Description != "" },
	"constraints": func(d plan.Document) bool { return len(d.Constraints) > 0 },
	"tasks":       func(d plan.Document) bool { return len(d.Tasks) > 0 },
	"complete":    func(d plan.Document) bool { return d.Directive == plan.Complete },
}

// workflow returns the stages that a configuration describes, and what is told in each.
func workflow(stages []config.Stage) (plan.Table, map[string]Guidance) {
	table, guidance := make(plan.Table, len(stages)), make(map[string]Guidance, len(stages))
	for i, s := range stages {
		made := plan.Stage{Number: i, Shown: strconv.Itoa(i), Name: s.Name}
		for _, step := range s.Next {
			made.Next = append(made.Next, plan.Step(step))
		}
		if len(s.Until) > 0 {
			made.In = func(d plan.Document) bool {
				for _, part := range s.Until {
					if partOf[part](d) {
						return false
					}
				}
				return true
			}
		}
		table[i] = made
		told := Guidance{Meaning: replies.Safe(s.Meaning)}
		switch {
		case s.Question == "":
		case s.Scope == config.Project: // whose words these are must be told
			told.Advice = replies.Say("The project's configuration says: %s", replies.Safe(s.Question))
		default:
			told.Advice = replies.Text(replies.Safe(s.Question))
		}
		guidance[s.Name] = told
	}
	return table, guidance
}
