package planning

import (
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// sectioned is a plan with a description that has headings.
const sectioned = `feat(reader): read archives

Why it is done.

## Approach

One pass.

### Risks

- it may be slow

## Targets

All archives.
The end.

- Never: parse twice
- Avoid: a second pass

- [ ]: read [id:: read]
  - [x]: the header
  - [ ]: the body
- [ ]: write Targets anew [id:: r]

Go on.

~~~ EXECUTE ~~~
`

// TestPlanSection reads parts of a plan alone, whole and in pages.
func TestPlanSection(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, sectioned)
	for section, want := range map[string]string{
		"goal":         "feat(reader): read archives\n",
		"description":  "Why it is done.\n\n## Approach\n\nOne pass.\n\n### Risks\n\n- it may be slow\n\n## Targets\n\nAll archives.\nThe end.\n",
		"constraints":  "- Never: parse twice\n- Avoid: a second pass\n",
		" Tasks":       "1 [ ] read [id:: read]\n  1.1 [x] the header\n  1.2 [ ] the body\n2 [ ] write Targets anew [id:: r]\n",
		"direction":    "Go on.\n\n~~~ EXECUTE ~~~\n",
		"Approach":     "## Approach\n\nOne pass.\n\n### Risks\n\n- it may be slow\n",
		"appr":         "## Approach\n\nOne pass.\n\n### Risks\n\n- it may be slow\n",
		"#risks":       "### Risks\n\n- it may be slow\n",
		"@preamble":    "Why it is done.\n",
		"## Targets":   "## Targets\n\nAll archives.\nThe end.\n",
		"Targets":      "## Targets\n\nAll archives.\nThe end.\n",
		"1":            "1 [ ] read [id:: read]\n  1.1 [x] the header\n  1.2 [ ] the body\n",
		"read":         "1 [ ] read [id:: read]\n  1.1 [x] the header\n  1.2 [ ] the body\n",
		"1.2":          "  1.2 [ ] the body\n",
		"r":            "2 [ ] write Targets anew [id:: r]\n",
		"targets anew": "2 [ ] write Targets anew [id:: r]\n",
	} {
		shown := string(must(t)(p.Gather(t.Context(), PlanGather{Section: section})).Text(0))
		if _, got, _ := strings.Cut(shown, "\nnext: plan mark, plan finish, plan set\n"); got != want {
			t.Errorf("%q: %q, want %q", section, shown, want)
		}
	}
	// What can't be seen is told of here too.
	store(t, file, strings.Replace(sectioned, "One pass.", "One\u200b pass.", 1))
	if shown := string(must(t)(p.Gather(t.Context(), PlanGather{Section: "Approach"})).Text(0)); !strings.Contains(shown, "note: the text has 1 invisible or direction-changing character (U+200B") {
		t.Errorf("a character that can't be seen: %q", shown)
	}
	store(t, file, sectioned)
	for section, kind := range map[string]string{"nothing": planInput, "descriptions": planInput, "7": planInput, "s": planInput, "the": planTaskAmbiguous} {
		e := wantPlanError(t, second(p.Gather(t.Context(), PlanGather{Section: section})), kind)
		want := []string{"goal", "description", "constraints", "tasks", "direction", "## Approach", "### Risks", "## Targets"}
		switch section {
		case "s":
			want = want[6:]
		case "the":
			want = nil
		}
		if names, _ := e.Metadata["sections"].([]string); !slices.Equal(names, want) {
			t.Errorf("%s: %q", section, names)
		}
	}
}

// TestPlanSectionInPages reads a part that is too long for a reply to its end, and no further.
func TestPlanSectionInPages(t *testing.T) {
	testkit.OneGoroutine(t)
	for name, text := range longPlans() {
		p, file := newPlans(t, "", PlanOptions{})
		text = strings.Replace(text, "\n\n", "\n\n# Long\n\n", 1) + "\n"
		store(t, file, text)
		whole := must(t)(p.Gather(t.Context(), PlanGather{}))
		for _, section := range []string{"description", "constraints", "tasks", "Long"} {
			r, err := p.Gather(t.Context(), PlanGather{Section: section})
			if err != nil {
				refusedAs(t, err, planInput)
				continue
			}
			var want strings.Builder
			for _, part := range r.linesFrom(*r.from) {
				want.Write(part.text)
			}
			got := readOn(t, p, r.cursor(*r.from), 4000)
			if withoutBlanks(got) != withoutBlanks(want.String()) || got == "" {
				t.Errorf("%s, %s: %d characters, want %d", name, section, len(got), want.Len())
			}
			// The section may be named again beside the cursor; another may not.
			cursor := whole.cursor(place{line: r.from.line})
			again := must(t)(p.Gather(t.Context(), PlanGather{Section: section, Cursor: cursor}))
			if *again.from != *r.from {
				t.Errorf("%s, %s: %v, want %v", name, section, *again.from, *r.from)
			}
			refusedAs(t, second(p.Gather(t.Context(), PlanGather{Section: section, Cursor: whole.cursor(place{line: r.from.end})})), planInput)
		}
	}
}
