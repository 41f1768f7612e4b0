package mcpserver

import (
	"maps"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
)

// What gather_requirements shows of a long plan is sent back: nothing that it has left
// out is lost, and the constraints are changed without the description.
func TestThinnedPlanIsNotStored(t *testing.T) {
	dir := planned(t, "file")
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}}), "", nil)
	do(t, session, toolGoal, object{"goal": object{"type": "feat", "scope": "x", "title": "goal"}})
	do(t, session, toolDetail, object{"description": strings.TrimSpace(strings.Repeat(strings.Repeat("why it is so ", 18)+".\n\n", 100))})
	before := filesIn(t, dir)
	_, description, _ := strings.Cut(do(t, session, toolGather, object{}), "feat(x): goal\n")
	if !strings.Contains(description, "[left out: ") {
		t.Fatal(description)
	}
	for _, args := range []object{{"description": description}, {"description": description, "constraints": []string{"Never: stop"}}} {
		_, text := refusedPlan(t, session, "incorrect input format", toolDetail, args)
		shows(t, text, "which a reply puts in the place of what it left out; nothing was written; leave description out to keep it as it is")
	}
	refusedPlan(t, session, "incorrect input format", toolDetail, object{})
	refusedPlan(t, session, "incorrect input format", toolDetail, object{"description": ""})
	if after := filesIn(t, dir); !maps.Equal(before, after) {
		t.Fatalf("%v", after)
	}
	shows(t, do(t, session, toolDetail, object{"constraints": []string{"Never: stop"}}), "did: 1 constraint is set\n")
	for path, text := range before {
		if after := filesIn(t, dir)[path]; text != after && strings.TrimSpace(text)+"\n\n- Never: stop" != strings.TrimSpace(after) {
			t.Errorf("%s has %d bytes, had %d", path, len(after), len(text))
		}
	}
}
