package mcpserver

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// TestPlanSchemas has clients that check arguments by the schemas let through every form
// that the tools take: objects, the tuples of the original tools, and a checklist.
func TestPlanSchemas(t *testing.T) {
	for _, c := range []struct {
		tool, args string
		refused    bool
	}{
		{toolTasks, `{"plan":[[false,"a",[[true,"b",[]]]],[true,"c",[]]]}`, false},
		{toolTasks, `{"plan":[{"text":"a","subtasks":[{"text":"b","done":true},[true,"c",[]]]}]}`, false},
		{toolTasks, `{"plan":[]}`, false},
		{toolTasks, `{"plan":"- [ ] a\n  - [x] b\n"}`, false},
		{toolTasks, `{"plan":[{"done":true}]}`, true},
		{toolTasks, `{"plan":7}`, true},
		{toolTasks, `{}`, false}, // or with lines; refused when it is called
		{toolDetail, `{"description":"x","constraints":["Never: a",["Do not","b"]]}`, false},
		{toolDetail, `{"constraints":[["Never","a"]]}`, false},
		{toolDetail, `{"description":"x"}`, false},
		{toolDetail, `{"constraints":[7]}`, true},
	} {
		var schema jsonschema.Schema
		var args any
		for _, tool := range planTools() {
			if tool.name != c.tool {
				continue
			}
			text, err := json.Marshal(tool.definition().InputSchema)
			if err == nil {
				err = json.Unmarshal(text, &schema)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(c.args), &args); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(args); (err != nil) != c.refused {
			t.Errorf("%s %s: %v", c.tool, c.args, err)
		}
	}
}
