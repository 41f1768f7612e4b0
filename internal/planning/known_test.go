package planning

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/sectile/sectile/internal/documents"
)

// TestPlanPositionsOfOneReader marks by positions at once: only this reader writes,
// and no task moves. What somebody else does counts.
func TestPlanPositionsOfOneReader(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	text := "feat(x): y\n\nText.\n\n" + strings.Repeat("- [ ]: task\n", 20)
	store(t, file, text)
	shown := must(t)(p.Show(t.Context()))
	var all sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		all.Go(func() { _, errs[i] = p.Mark(t.Context(), PlanMark{Task: strconv.Itoa(i + 1)}) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if got := stored(t, file); got != strings.ReplaceAll(text, "[ ]", "[x]") {
		t.Errorf("%s", got)
	}
	// A reply that comes late takes nothing back.
	p.seen(shown, 0).Text(0)
	must(t)(p.Mark(t.Context(), PlanMark{Task: "3", Open: true}))
	store(t, file, strings.Replace(text, "[ ]: task", "[x]: another", 2)) // which no order of the marks has made
	refusedAs(t, second(p.Mark(t.Context(), PlanMark{Task: "3"})), planConcurrent)
	// Nor do positions outlive tasks that its own change has moved.
	must(t)(p.SetPlan(t.Context(), PlanTasks{Tasks: "- a\n- b"}))
	must(t)(p.Mark(t.Context(), PlanMark{Task: "2"}))
	store(t, file, text)
	refusedAs(t, second(p.Mark(t.Context(), PlanMark{Task: "2"})), planConcurrent)
}

// TestPlanReaders has several readers of one project: what one was shown, or does,
// says nothing of the others, and nobody knows who has no session.
func TestPlanReaders(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	ok := must(t)
	ctx := t.Context()
	one, two, nobody := documents.NewSession(), documents.NewSession(), p.For(nil)
	store(t, file, planText)
	first := ok(p.For(one).Show(ctx))
	ok(p.For(two).Gather(ctx, PlanGather{}))
	ok(nobody.Show(ctx)) // which helps nobody
	// The change of one moves the tasks of the other; the session is what counts.
	ok(p.For(one).SetPlan(ctx, PlanTasks{Tasks: "- wait\n- write"}))
	ok(p.For(one).Mark(ctx, PlanMark{Task: "2"}))
	refusedAs(t, second(p.For(two).Mark(ctx, PlanMark{Task: "1"})), planConcurrent)
	ok(p.For(two).Mark(ctx, PlanMark{Task: "wait"}))
	refusedAs(t, second(p.For(one).Mark(ctx, PlanMark{Task: "1"})), planConcurrent)

	e := wantPlanError(t, second(nobody.Mark(ctx, PlanMark{Task: "2", Open: true})), planInput)
	version, _ := e.Metadata["version"].(string)
	if e.Metadata["field"] != "expected_version" || e.Metadata["task_now"] != "write" || version == "" || version == first.Version {
		t.Errorf("%v", e.Metadata)
	}
	refusedAs(t, second(nobody.Mark(ctx, PlanMark{Task: "7"})), planInput)
	refusedAs(t, second(nobody.Mark(ctx, PlanMark{Task: "1", ExpectedVersion: first.Version})), planConcurrent)
	if r := ok(nobody.Mark(ctx, PlanMark{Task: "2", Open: true, ExpectedVersion: version})); r.Did != "task 2 is open: write" {
		t.Errorf("%q", r.Did)
	}
	refusedAs(t, second(nobody.Mark(ctx, PlanMark{Task: "2", ExpectedVersion: version})), planConcurrent)
	ok(nobody.Mark(ctx, PlanMark{Task: "write"}))
	// Who is known and has seen nothing is believed.
	ok(p.For(documents.NewSession()).Mark(ctx, PlanMark{Task: "1"}))
}

// TestPlanRepliesInAnyOrder has two changes of one reader beside each other, the reply
// to the second seen before the first one's, or after it.
func TestPlanRepliesInAnyOrder(t *testing.T) {
	for _, reversed := range []bool{false, true} {
		p, file := newPlans(t, "", PlanOptions{})
		store(t, file, planText)
		ok := must(t)
		ctx := t.Context()
		old := ok(p.Show(ctx))
		// What is done under the store's lock, in this order, without the replies.
		beside := p.For(documents.NewSession())
		tasks, mark := p.shown.Next(), p.shown.Next()
		seen := []func(){
			func(r *PlanReply) func() { return func() { p.seen(r, tasks).Text(0) } }(ok(beside.SetPlan(ctx, PlanTasks{Tasks: "- a\n- b"}))),
			func(r *PlanReply) func() { return func() { p.seen(r, mark).Text(0) } }(ok(beside.Mark(ctx, PlanMark{Task: "b"}))),
		}
		if reversed {
			slices.Reverse(seen)
		}
		for _, f := range seen {
			f()
		}
		p.seen(old, 0).Text(0) // what was read before both comes last
		ok(p.Mark(ctx, PlanMark{Task: "1"}))
		store(t, file, planText)
		refusedAs(t, second(p.Mark(ctx, PlanMark{Task: "1.2"})), planConcurrent)
	}
}

// TestPlanPositionsOfAPart has the plan change behind a reader, who then reads a part of it: a
// position means what it meant in that part, and the others mean nothing, whatever its text looks like.
func TestPlanPositionsOfAPart(t *testing.T) {
	const goal, tasks = "feat(x): y\n\n# Head\n\n1 …\n3 [ ] pay the bill\n\n", "- [ ]: pay the bill\n- [ ]: send the letter\n- [ ]: delete everything\n"
	for _, c := range []struct {
		read    PlanGather
		allowed string
	}{
		{read: PlanGather{Section: "Head"}},
		{read: PlanGather{Section: "send the letter"}, allowed: "2"},
		{read: PlanGather{Section: "tasks"}, allowed: "123"},
		{allowed: "123"},
	} {
		p, file := newPlans(t, "", PlanOptions{})
		store(t, file, goal+tasks)
		ok := must(t)
		ok(p.Gather(t.Context(), PlanGather{}))
		store(t, file, goal+"- [ ]: delete everything\n- [ ]: send the letter\n- [ ]: pay the bill\n")
		refusedAs(t, second(p.Mark(t.Context(), PlanMark{Task: "1"})), planConcurrent)
		ok(p.Gather(t.Context(), c.read))
		for _, position := range []string{"1", "2", "3"} {
			if _, err := p.Mark(t.Context(), PlanMark{Task: position}); (err == nil) != strings.Contains(c.allowed, position) {
				t.Errorf("%+v: %s: %v", c.read, position, err)
			}
		}
	}
}
