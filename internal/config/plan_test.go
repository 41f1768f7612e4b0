package config

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPlan reads what both files say of plans: each setting and each preset is the
// project's, and otherwise the user's.
func TestPlan(t *testing.T) {
	const user = "plan:\n  store: git\n  file: notes/plan.md\n  preset: long\n  presets:\n    long: {max_title: 200}\n    mine: {types: [a, 2024]}\n"
	for name, tt := range map[string]struct {
		project, user string
		want          Plan
	}{
		"neither":         {"", "", Plan{Store: "auto"}},
		"nothing of them": {"categories: {}\nplan:\n", "", Plan{Store: "auto"}},
		"the user's": {"", user, Plan{Store: "git", StoreScope: User, File: "notes/plan.md", FileScope: User, Preset: "long", IsSet: true, Presets: []Preset{
			{"long", map[string]any{"max_title": int64(200)}, User}, {"mine", map[string]any{"types": []any{"a", int64(2024)}}, User},
		}}},
		"both say the same": {"plan: {store: git}\n", "plan: {store: git}\n", Plan{Store: "git", StoreScope: User, IsSet: true}},
		"both": {"plan: {store: jj, presets: {short: null, long: {base: short, open: ' ', compact_description: true}}}\n", user, Plan{
			Store: "jj", File: "notes/plan.md", FileScope: User, Preset: "long", IsSet: true, Presets: []Preset{
				{"short", map[string]any{}, Project},
				{"long", map[string]any{"base": "short", "open": " ", "compact_description": true}, Project},
				{"mine", map[string]any{"types": []any{"a", int64(2024)}}, User},
			},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			project, own := parse([]byte(tt.project), Project, nil), parse([]byte(tt.user), User, nil)
			if err := problemsOf(project, own); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, merge(project, own).config.Plan); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPlanProblems tells what is wrong at its place.
func TestPlanProblems(t *testing.T) {
	for text, want := range map[string]string{
		"plan: 7\n":                  "1:7: plan",
		"plan:\n  store: hg\n":       "2:10: plan.store",
		"plan:\n  store: [jj]\n":     "2:10: plan.store",
		"plan:\n  stor: jj\n":        "2:3: plan.stor",
		"plan:\n  file: ''\n":        "2:9: plan.file",
		"plan:\n  file: docs/\n":     "2:9: plan.file",
		"plan:\n  file: ./.\n":       "2:9: plan.file",
		"plan:\n  file: a/../b\n":    "2:9: plan.file",
		"plan:\n  file: /a\n":        "2:9: plan.file",
		"plan:\n  file: 'c:\\a'\n":   "2:9: plan.file",
		"plan:\n  file: ~/a\n":       "2:9: plan.file",
		"plan:\n  file: x/.JJ/a\n":   "2:9: plan.file",
		"plan:\n  file: '.git./a'\n": "2:9: plan.file",
		"plan:\n  file: .sectile/.sectile-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp\n": "2:9: plan.file",
		"plan:\n  file: .sectile-abcdefghijklmnopqrstuvwxyz.TMP/a.md\n":     "2:9: plan.file",
		"plan:\n  file: .sectile.yaml\n":                                    "2:9: plan.file",
		"plan:\n  file: ./.SECTILE.yaml\n":                                  "2:9: plan.file",
		"plan:\n  file: 'a\\.Sectile.Yaml. '\n":                             "2:9: plan.file",
		"plan:\n  file: .ſectile.yaml\n":                                    "2:9: plan.file",
		"plan:\n  file: \"a\\tb\"\n":                                        "2:9: plan.file",
		"plan:\n  preset: ' '\n":                                            "2:11: plan.preset",
		"plan:\n  presets: [a]\n":                                           "2:12: plan.presets",
		"plan:\n  presets: {a: b}\n":                                        "2:16: plan.presets.a",
		"plan:\n  presets: {'a b': {}}\n":                                   "2:13: plan.presets.\"a b\"",
		"plan:\n  presets: {a: {x: null}}\n":                                "2:20: plan.presets.a.x",
		"plan:\n  presets: {a: {x: 1, x: 2}}\n":                             "2:23: plan.presets.a.x",
		"plan:\n  presets: {a: {x: 1}, a: {x: 1}}\n":                        "2:24: plan.presets.a",
		"plan:\n  presets: {a: {b: {c: {d: [e, 01]}}}}\n":                   "2:32: plan.presets.a.b.c.d[1]",
	} {
		f := parse([]byte(text), Project, nil)
		if len(f.problems) != 1 {
			t.Errorf("%q: %v, want %s", text, f.problems, want)
			continue
		}
		if p := f.problems[0]; fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Field) != want || p.Message == "" {
			t.Errorf("%q: %v, want %s", text, p, want)
		}
	}
}

// TestPlanCheck puts what a check finds where it belongs.
func TestPlanCheck(t *testing.T) {
	project := parse([]byte("plan:\n  presets:\n    a:\n      types: [x, y]\n      open: q\n"), Project, nil)
	user := parse([]byte("plan:\n  preset: z\n  presets:\n    b: {indent: 1}\n"), User, nil)
	m := merge(project, user)
	m.checkPlan(func(p Plan) []PlanProblem {
		if len(p.Presets) != 2 || p.Preset != "z" {
			t.Errorf("%+v", p)
		}
		return []PlanProblem{
			{"a", "types.1", "one"}, {"a", "open", "two"}, {"a", "done", "three"}, {"a", "types.7", "four"}, {"b", "indent", "five"}, {"b", "", "six"}, {"", "", "seven"},
		}
	})
	var got []string
	for _, p := range m.problems {
		got = append(got, p.String())
	}
	want := []string{
		".sectile.yaml:3:5: plan.presets.a: three",
		".sectile.yaml:4:7: plan.presets.a.types: four",
		".sectile.yaml:4:18: plan.presets.a.types[1]: one",
		".sectile.yaml:5:7: plan.presets.a.open: two",
		"config.yaml of the user:2:3: plan.preset: seven",
		"config.yaml of the user:4:5: plan.presets.b: six",
		"config.yaml of the user:4:9: plan.presets.b.indent: five",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	m = merge(nil, nil)
	m.checkPlan(func(Plan) []PlanProblem { return []PlanProblem{{"", "", "x"}} })
	if m.problems != nil {
		t.Errorf("%v", m.problems)
	}
}
