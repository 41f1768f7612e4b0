package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/yamltree"
)

// Stage is a stage of the workflow of plans.
type Stage struct {
	Name     string
	Until    []string // parts of a plan, of PlanParts, any of which ends the stage; nil for the last one
	Meaning  string   // a sentence: how far a plan is
	Question string   // what is to be asked and done now
	Next     []string // of PlanSteps, the most likely first
	Scope    Scope
}

// The limits of a workflow.
const (
	maxStages   = 20
	maxQuestion = 2000 // characters
)

// planParts are what ends a stage, and planSteps what may be done in one. They are those of
// package plan, which a test in package planning compares.
var (
	planParts = []string{"header", "description", "constraints", "tasks", "complete"}
	planSteps = []string{"show", "goal", "detail", "tasks", "mark", "finish", "new"}
)

// PlanParts returns the values of plan.workflow.NAME.until.
func PlanParts() []string { return slices.Clone(planParts) }

// PlanSteps returns the values of plan.workflow.NAME.next.
func PlanSteps() []string { return slices.Clone(planSteps) }

// workflow reads the stages of a file.
func (f *file) workflow(n *yamltree.Node) {
	if n == nil {
		return
	}
	const at = "plan.workflow"
	if len(n.Items) > maxStages {
		f.problem(n.Start, at, fmt.Sprintf("it has more than %d stages; take some out", maxStages))
		return
	}
	stages := f.named(n, at)
	for i := range stages {
		f.planned.workflow = append(f.planned.workflow, f.stage(&stages[i], i == len(stages)-1))
	}
}

// stage reads a stage.
func (f *file) stage(it *yamltree.Item, last bool) Stage {
	s := Stage{Name: it.Key.Text, Scope: f.scope}
	here := field("plan.workflow", s.Name)
	var fields map[string]*yamltree.Node
	if it.Value.Kind != yamltree.Null {
		if !f.typed(it.Value, here, MappingValue) {
			return s
		}
		fields = f.fields(it.Value, "plan.workflow.NAME", here)
	}
	s.Until = f.words(fields["until"], here+".until", planParts)
	s.Next = f.words(fields["next"], here+".next", planSteps)
	switch until := it.Value.Get("until"); {
	case last && until != nil:
		f.problem(until.Start, here+".until", "it is the last stage, in which every plan is that is in none before; take until out, or add a stage")
	case !last && (until == nil || until.Value.IsMissing() || len(until.Value.Items) == 0):
		f.problem(it.Start, here, "until is missing, so that no plan would come to the stages below; write until: [PART], of "+strings.Join(planParts, ", "))
	}
	s.Meaning = f.prose(fields["meaning"], here+".meaning", checkDescription)
	s.Question = f.prose(fields["question"], here+".question", checkQuestion)
	return s
}

// words reads a list of words each of which is one of some, and is there once.
func (f *file) words(n *yamltree.Node, here string, allowed []string) []string {
	seen := map[string]bool{}
	return f.texts(n, here, func(word string) string {
		switch {
		case !slices.Contains(allowed, word):
			return noSuch("word", word, allowed)
		case seen[word]:
			return "the word is there twice; take one of the two out"
		}
		seen[word] = true
		return ""
	})
}

// checkQuestion tells what is wrong with the question of a stage.
func checkQuestion(text string) string { return checkProse("question", text, maxQuestion) }
