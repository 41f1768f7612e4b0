package edit_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// TestManyTasksAtOnce: an operation that sets many tasks has the document be parsed and copied a few
// times, however many they are, below each other too.
func TestManyTasksAtOnce(t *testing.T) {
	for name, item := range map[string]string{
		"with much text": "- [ ] x\n\n" + strings.Repeat("  a\n\n", 50),
		"nested":         "- [ ] x\n  - [ ] y\n    - [ ] z\n      - [ ] v\n\n" + strings.Repeat("  a\n\n", 50),
	} {
		each := strings.Count(item, "[ ]")
		n := 1000 / each
		src := "# t\n\n" + strings.Repeat(item, n)
		doc, err := markdown.Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := edit.Apply(doc, []edit.Op{{Action: edit.Set, Address: "t/task", Text: edit.TaskDone, ExpectedCount: n * each}})
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.ReplaceAll(src, "[ ]", "[x]"); string(r.Doc.Source) != want || len(r.Changes) != 1 || r.Changes[0].Count != n*each || len(r.Splices) != n*each {
			t.Errorf("%s: %d splices, %+v", name, len(r.Splices), r.Changes)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 200<<20 {
			t.Errorf("%s: %d MiB for %d bytes", name, taken>>20, len(src))
		}
	}
}

// TestManyTasksFail: where one of many tasks can't be set, or another operation fails, all is refused.
func TestManyTasksFail(t *testing.T) {
	doc, err := markdown.Parse([]byte("# t\n\n- [ ] x\n- [ ] y\n\n## u\n\nz\n"))
	if err != nil {
		t.Fatal(err)
	}
	many := edit.Op{Action: edit.Set, Address: "t/task", ExpectedCount: 2}
	for i, ops := range [][]edit.Op{
		{many}, // to nothing
		{many, {Action: edit.Append, Address: "u", Text: "more"}},
		{{Action: edit.Append, Address: "none", Text: "more"}, many},
		{{Action: edit.Set, Address: "t/task", Text: edit.TaskDone, ExpectedCount: 2}, {Action: edit.Remove, Address: "t/list"}, {Action: edit.Set, Address: "t/task", Text: edit.TaskDone, ExpectedCount: 2}},
	} {
		if r, err := edit.Apply(doc, ops); err == nil {
			t.Errorf("%d: %s", i, fmt.Sprint(r.Changes))
		}
	}
	r, err := edit.Apply(doc, []edit.Op{
		{Action: edit.Append, Address: "u", Text: "more"}, {Action: edit.Set, Address: "t/task", Text: edit.TaskToggle, ExpectedCount: 2}, {Action: edit.InsertBefore, Address: "u", Text: "## v"},
	})
	if want := "# t\n\n- [x] x\n- [x] y\n\n## v\n\n## u\n\nz\n\nmore\n"; err != nil || string(r.Doc.Source) != want {
		t.Errorf("%v: %q", err, r.Doc.Source)
	}
}
