package mcpserver

import (
	"strings"

	"github.com/sectile/sectile/internal/replies"
)

// voice writes what a sentence names as the tools have it: arguments by the names that a
// tool has for them, requests as calls.
type voice map[replies.Arg]string

// toolVoice is that of most tools.
var toolVoice = voice{replies.OneLine: string(replies.StartLine), replies.SearchedPart: string(replies.Heading)}

// sectionVoice is that of the tools that call a heading the name of a section.
var sectionVoice = voice{replies.OneLine: string(replies.StartLine), replies.Heading: "section_name"}

// toolOf is the tool for each verb.
var toolOf = map[replies.Verb]string{
	replies.Tree:     toolTree,
	replies.PlanShow: toolGather, replies.PlanList: toolGather, replies.PlanGoal: toolGoal, replies.PlanDetail: toolDetail,
	replies.PlanSet: toolTasks, replies.PlanMark: toolMark, replies.PlanFinish: toolFinish, replies.PlanNew: toolNew,
}

// Argument implements replies.Voice.
func (v voice) Argument(arg replies.Arg) string {
	if name, ok := v[arg]; ok {
		return name
	}
	return string(arg)
}

// Request implements replies.Voice: the tool, and the arguments that matter.
func (v voice) Request(call replies.Call) string {
	names := make([]string, len(call.Args))
	for i, arg := range call.Args {
		names[i] = v.Argument(arg)
	}
	tool := toolOf[call.Verb]
	if len(names) == 0 {
		return tool
	}
	return tool + " with " + strings.Join(names, " and ")
}

// IsPerson implements replies.Voice.
func (voice) IsPerson() bool { return false }
