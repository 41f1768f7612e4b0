package plan_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/sectile/sectile/plan"
)

// FuzzChecklist reads any text as a checklist. It is refused with the line and the
// reason, or its tasks can be written and read again.
func FuzzChecklist(f *testing.F) {
	for _, text := range []string{
		"- [ ] a\n  - [x] b\n", "* a\n\t* b\n\t\t+ c", "1. a\n2) b", "- [ ]: a", "- [x]a", "- [?] a", "-", "- [", "- [link](x)", "a", "", " \n", "- a\r\n- b\r- c",
		"- a\n    - b\n  - c", "- a\n - b\n  - c\n   - d\n    - e\n     - f", "- [ ] \u2028", "- ~~~ COMPLETE ~~~", "- Never: x", "- [x] - [ ] a",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.ReadPlan(raw, nil)
		if err != nil {
			var refused *plan.InputError
			if !errors.As(err, &refused) || refused.Field == "" || refused.Message == "" || refused.Line < 0 {
				t.Errorf("%q: %#v", text, err)
			}
			return
		}
		d := plan.SetTasks(plan.Document{Header: &plan.Header{Type: "feat"}}, p)
		checkDocument(t, d, &plan.Presets()[0])
		if len(d.Tasks) == 0 && text != "[]" {
			t.Errorf("%q has no task, and is taken", text)
		}
	})
}
