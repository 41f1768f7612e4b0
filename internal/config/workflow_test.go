package config

import (
	"strings"
	"testing"
)

func TestWorkflowProblems(t *testing.T) {
	for _, c := range []struct{ stages, want string }{
		{"{a: {until: [header]}, b: }", ""},
		{"{a: {until: [heading]}, b: }", `.sectile.yaml:1:`},
		{"{a: {until: [heading]}, b: }", `plan.workflow.a.until[0]: there is no such word; allowed: header, description`},
		{"{a: {until: [header, header]}, b: }", "twice"},
		{"{a: {}, b: }", "plan.workflow.a: until is missing"},
		{"{a: , b: }", "plan.workflow.a: until is missing"},
		{"{a: {until: []}, b: }", "plan.workflow.a: until is missing"},
		{"{a: {until: [header]}}", "plan.workflow.a.until: it is the last stage"},
		{"{a: {until: header}, b: }", "must be a list"},
		{"{a: {until: [header], next: [mak]}, b: }", `did you mean mark?`},
		{"{a: {until: [header], nxt: [mark]}, b: }", `unknown key; did you mean next?`},
		{"{a: {question: \"" + strings.Repeat("a", 2001) + "\"}}", "shorten it to 2000"},
		{"{a: {question: \"\\e[2J\"}}", "not allowed in a question"},
		{"[a]", "must be a mapping"},
		{"{" + strings.Repeat("a: {until: [tasks]},", 2) + "}", "twice"},
	} {
		f := parse([]byte("plan: {workflow: "+c.stages+"}\n"), Project, nil)
		var told strings.Builder
		for _, p := range f.problems {
			told.WriteString(p.String() + "\n")
		}
		if c.want == "" && told.Len() > 0 || !strings.Contains(told.String(), c.want) {
			t.Errorf("%s: %s", c.stages, told.String())
		}
	}
}
