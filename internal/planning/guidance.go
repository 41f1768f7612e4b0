package planning

import (
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/plan"
)

// Guidance says what a stage of a plan means and what to do in it.
type Guidance struct {
	Meaning string // a sentence, with its full stop
	// Advice tells an agent what to do now, in sentences; with the meaning in at most
	// 120 words.
	Advice replies.Sentence
}

// The guidance of the stages, by their names. It is read by a model that has the tools at
// hand and nothing else of this project: each text says what to ask, what to store with
// which tool, and when to wait for the user. A test counts the words.
var guidanceOf = map[string]Guidance{
	"goal": {
		"There is no goal yet.",
		replies.Say(`Look at the request and at the code that it touches, then ask the user what is still open: what kind of change it is (a feature, a fix, a refactoring …), which part of the project it belongs to, whether it breaks something for those who use it, and what should be true at the end. Put your answers to these into one line of at most 120 characters, show it, and wait until the user agrees. Then store type, scope, breaking and title with %s. Change no code before that.`,
			setGoal),
	},
	"detail": {
		"The goal is set; its details are missing.",
		replies.Say(`Work out with the user and write down: the reasons for the change; every target of it, by file, function or behaviour, so that nothing is left to guess; and the approach, step by step in words. Then name the solutions that you decided against, and turn each into a constraint such as "Never: parse the file twice". Ask about whatever you would otherwise assume. Show the text, wait until the user agrees, and store it with %s: description and constraints. If the goal itself changed, call %s again first.`,
			setDetail, setGoal),
	},
	"constraints and plan": {
		"The goal and its details are set; constraints and tasks are missing.",
		replies.Say(`First go through the solutions that were rejected, and with the user find what must not happen: each constraint separates the chosen way from one of the others and begins with Do not, Never, Avoid, Decide against, Must not, Cannot or Forbidden. Store them with %s and leave its description out: what is stored stays. If there truly are none, go on. Then split the work into small tasks that don't depend on each other more than needed, nested at most four deep, show them, and when the user agrees store them with %s.`,
			setDetail, setTasks),
	},
	"plan": {
		"Goal, details and constraints are set; the tasks are missing.",
		replies.Say(`Split the work into small decoupled tasks, each of which can be done and checked alone, in the order in which they are to be done, with tests and documentation among them. Group them under parents where that helps, nested at most four deep. Compare them with the description: is every target covered, does any task break a constraint? Show the list, wait until the user agrees, and store it with %s. Start no task before it is stored.`,
			setTasks),
	},
	"execution": {
		"The plan is agreed: carry it out.",
		replies.Say(`Take the open tasks in order, one at a time. Do the task completely, check it, and mark it at once with %s by its id; parents follow by themselves. Keep to the constraints. Do not stop and do not ask between tasks until all are done; turn to the user only if a constraint can't be kept or the plan turns out to be wrong. Then agree on the change and store it with %s; tasks that stay the same keep their marks. When no task is open, call %s.`,
			markTask, setTasks, finishPlan),
	},
	"completion": {
		"All tasks are done and the plan is complete.",
		replies.Say(`Tell the user briefly what was changed, how it was checked, and what they should look at themselves. Then wait. If something is missing, agree on further tasks and store them with %s, the old ones included. If there is new work, start a new change for it with %s and begin with its goal; this plan stays where it is.`,
			setTasks, newPlan),
	},
}

// verbOf is the request for each step.
var verbOf = map[plan.Step]replies.Call{
	plan.StepShow: showPlan, plan.StepGoal: setGoal, plan.StepDetail: setDetail, plan.StepTasks: setTasks,
	plan.StepMark: markTask, plan.StepFinish: finishPlan, plan.StepNew: newPlan,
}

// callsOf returns the requests for steps.
func callsOf(steps ...plan.Step) []replies.Call {
	calls := make([]replies.Call, len(steps))
	for i, step := range steps {
		calls[i] = verbOf[step]
	}
	return calls
}
