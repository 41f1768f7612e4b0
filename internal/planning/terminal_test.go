package planning

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/replies"
)

// inspected returns what a text is as a plan in a store.
func inspected(t *testing.T, text string) *PlanReply {
	t.Helper()
	r, err := NewPlans(PlanOptions{Start: t.TempDir(), UserFile: "-"}).Inspect(t.Context(), text, "")
	if err != nil {
		t.Fatal(err)
	}
	r.Store, r.Where, r.Version = "file", ".sectile/plan.md", "0123456789abcdef"
	return r
}

func TestPlanTerminal(t *testing.T) {
	const text = "feat(reader): read archives that are long\n\nWhy, and how it is to be done at last.\n\n- Never: unpack\n- Note: odd: x\n\n" +
		"- [ ]: parse\n  - [x]: header\n  - [ ]: the body of the archive\n- [ ]: test\n\nGo on until all is done.\n"
	const head = ".sectile/plan.md (file), version 0123456789abcdef\n"
	colours := replies.Colours()
	for _, tt := range []struct {
		name, text string
		look       PlanLook
		want       string
	}{
		{"nothing", "", PlanLook{}, head + "stage 0 of 6, goal: There is no goal yet.\nnext: plan goal\n"},
		{
			"plain", text,
			PlanLook{},
			"feat(reader): read archives that are long\n" + head + "[#############---------------------------] 1 of 3 tasks done (33 %)\n" +
				"stage 5 of 6, execution: The plan is agreed: carry it out.\nnext: plan mark, plan finish, plan set\n\n" +
				"Why, and how it is to be done at last.\n\n- Never: unpack\n- Note: odd: x\n\n" +
				"[ ] 1 parse\n  [x] 1.1 header\n  [ ] 1.2 the body of the archive\n[ ] 2 test\n\nGo on until all is done.\n",
		},
		{
			"narrow", text,
			PlanLook{Width: 30},
			"feat(reader): read archives\nthat are long\n.sectile/plan.md (file),\nversion 0123456789abcdef\n[###-------] 1 of 3 tasks done\n(33 %)\n" +
				"stage 5 of 6, execution: The\nplan is agreed: carry it out.\nnext: plan mark, plan finish,\n      plan set\n\n" +
				"Why, and how it is to be done\nat last.\n\n- Never: unpack\n- Note: odd: x\n\n" +
				"[ ] 1 parse\n  [x] 1.1 header\n  [ ] 1.2 the body of the\n          archive\n[ ] 2 test\n\nGo on until all is done.\n",
		},
		{
			"colours", "fix(a): b\n\nc\n\n- [x]: d\n- [ ]: e\n- [ ]: f\n",
			PlanLook{Style: colours},
			"\x1b[1mfix(a): b\x1b[0m\n\x1b[2m" + strings.TrimSuffix(head, "\n") + "\x1b[0m\n[#############---------------------------] 1 of 3 tasks done (33 %)\n" +
				"stage 5 of 6, execution: The plan is agreed: carry it out.\nnext: plan mark, plan finish, plan set\n\nc\n\n" +
				"[x] 1 \x1b[2md\x1b[0m\n[ ] 2 \x1b[1me\x1b[0m\n[ ] 3 f\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := string(inspected(t, tt.text).Terminal(tt.look))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestPlanListText(t *testing.T) {
	list := []PlanListed{
		{Name: "main", Where: "branch main", Title: "feat(a): b\x1b[2J", Stage: "5", Done: 1, Total: 2, Current: true},
		{Name: "old", Where: "branch old", Title: "fix(a): c", Stage: "1", Orphan: true, gone: "its branch is gone", Continue: "sectile plan adopt old"},
		{Name: "qpv", Where: "change qpv", Title: "docs(a): d", Stage: "5", Workspace: "other", Continue: "jj edit qpv"},
		{Name: "bad", Where: "refs/bad", Stage: "0", Orphan: true, gone: "its branch is gone", Unreadable: "the plan on refs/bad has a NUL", Hint: "see `git log`"},
	}
	const want = "* main: feat(a): b\ufffd[2J\n    stage 5, 1 of 2 tasks done, in branch main\n" +
		"  old: fix(a): c\n    stage 1, in branch old; to go on there: `sectile plan adopt old`; its branch is gone\n" +
		"  qpv: docs(a): d\n    stage 5, in change qpv; another workspace has it: other\n" +
		"  bad: can't be read: the plan on refs/bad has a NUL\n    see `git log`\n"
	if diff := cmp.Diff(want, string(PlanListText(list, replies.Style{}))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := string(PlanListText(nil, replies.Style{})); got != "no plans\n" {
		t.Errorf("got %q", got)
	}
}
