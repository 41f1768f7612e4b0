package cli

import "github.com/sectile/sectile/internal/replies"

// planWords is how errors and notes about plans call the tools and their arguments,
// and how those are called here.
var planWords = wording{map[string]string{
	"see the plan with gather_requirements":                                                  "see the plan with 'sectile plan show'",
	"then call set_overarching_goal with replace_existing":                                   "then set a goal with 'sectile plan goal --replace'",
	"ask the user whether it may go; if so, call set_overarching_goal with replace_existing": "if it may go, set a goal with 'sectile plan goal --replace'",
	"set_overarching_goal with replace_existing":                                             "'sectile plan goal --replace'",
	"or begin a new change with new_commit":                                                  "or begin a new change with 'sectile plan new'",
	"agree with the user whether it may go":                                                  "it may go",
	"have the user mend that line, or ask whether all of the text may go":                    "mend that line; or, if all of the text may go",
	"nothing is written until the user has mended it, or agrees that all of it may go":       "nothing is written until that line is mended, or all of it goes",
	"see with gather_requirements whether":                                                   "see with 'sectile plan list' whether",
	"or begin a new change with new_commit and force":                                        "or begin a new change with 'sectile plan new --force'",
	"have the user mend it; or, if the user wants to leave it as it is, call with force":     "mend it, or leave it as it is with --force",
	"have the user shorten it":                                                               "shorten it",
	"or, if the user wants to leave them, call with force":                                   "or leave them with --force",
	"to remove all tasks, send an empty list, []":                                            "to remove all tasks, say --clear",
	"leave description out to keep it":                                                       "leave the description out to keep it",
	"leave constraints out to keep them":                                                     "leave --constraint out to keep them",
	"give description, constraints or both":                                                  "give a description, --constraint or both",
	"correct it and call again":                                                              "correct it and try again",
	"set_overarching_goal":                                                                   "'sectile plan goal'",
	"set_detailed_goal":                                                                      "'sectile plan detail'",
	"set_plan":                                                                               "'sectile plan set'",
	"mark_task":                                                                              "'sectile plan mark'",
	"finish_job":                                                                             "'sectile plan finish'",
	"new_commit":                                                                             "'sectile plan new'",
	"gather_requirements":                                                                    "'sectile plan show'",
	"expected_version":                                                                       "--expected-version",
	"replace_existing":                                                                       "--replace",
}}

// inPlanWords returns notes in the words of the command line.
func inPlanWords(notes []string) []string {
	told := make([]string, len(notes))
	for i, note := range notes {
		told[i] = planWords.translate(&replies.Error{Message: replies.Text(note)}).Message.String()
	}
	return told
}
