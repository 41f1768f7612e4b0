package planning

import "github.com/sectile/sectile/internal/replies"

// What leads on after an error, or beside what a note tells: requests, and what the user
// is asked before.

// The requests.
var (
	showPlan    = replies.Call{Verb: replies.PlanShow}
	listPlans   = replies.Call{Verb: replies.PlanList}
	setGoal     = replies.Call{Verb: replies.PlanGoal}
	replaceGoal = replies.Call{Verb: replies.PlanGoal, Args: []replies.Arg{replies.ReplaceExisting}}
	setDetail   = replies.Call{Verb: replies.PlanDetail}
	setTasks    = replies.Call{Verb: replies.PlanSet}
	mendPlan    = replies.Call{Verb: replies.PlanSet, Args: []replies.Arg{replies.PlanLines}}
	markTask    = replies.Call{Verb: replies.PlanMark}
	finishPlan  = replies.Call{Verb: replies.PlanFinish}
	newPlan     = replies.Call{Verb: replies.PlanNew}
	forceNew    = replies.Call{Verb: replies.PlanNew, Args: []replies.Arg{replies.Force}}
)

// either returns a sentence that is another one for a model than for a person.
func either(model, person replies.Sentence) replies.Sentence {
	return replies.Say("%s", replies.Either{Model: model, Person: person})
}

// replaceOrLeave is for a text that is no plan and stands where one would go.
func replaceOrLeave() replies.Sentence {
	return either(
		replies.Say("ask the user whether it may go; if so, call %s, or begin a new change with %s", replaceGoal, newPlan),
		replies.Say("if it may go, set a goal with %s, or begin a new change with %s", replaceGoal, newPlan))
}

// agreeOrLeave is the same beside what a note tells.
func agreeOrLeave() replies.Sentence {
	return either(
		replies.Say("agree with the user whether it may go (%s) or stays where it is (%s)", replaceGoal, newPlan),
		replies.Say("it may go (%s) or stays where it is (%s)", replaceGoal, newPlan))
}
