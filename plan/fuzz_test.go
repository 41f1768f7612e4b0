package plan_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/plan"
)

// FuzzParse checks the laws of reading and writing on any text.
func FuzzParse(f *testing.F) {
	presets := plan.Presets()
	for i := range presets {
		g := &gen{rand.New(rand.NewPCG(7, uint64(i))), presets[i].Name}
		for range 40 {
			f.Add(g.text(), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, text string, form uint8) {
		checkText(t, text, &presets[int(form)%len(presets)])
	})
}

// FuzzFormat checks the laws of writing on any document, as JSON, and that JSON
// which is none is an error.
func FuzzFormat(f *testing.F) {
	presets := plan.Presets()
	for i := range presets {
		g := &gen{rand.New(rand.NewPCG(8, uint64(i))), presets[i].Name}
		for range 20 {
			data, err := json.Marshal(g.document())
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data, uint8(i))
		}
	}
	f.Add([]byte(`{"tasks":[[false,"a",[["x",1,{}]]]],"header":[],"skipped":[1]}`), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, form uint8) {
		cfg := &presets[int(form)%len(presets)]
		report := plan.ValidateJSON(data, cfg)
		if report.IsValid != (len(report.Errors) == 0) {
			t.Errorf("%s: %+v", data, report)
		}
		var d plan.Document
		if err := json.Unmarshal(data, &d); err != nil {
			return
		}
		checkDocument(t, d, cfg)
		checkTasks(t, d)
		again, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var back plan.Document
		if err := json.Unmarshal(again, &back); err != nil || !plan.Equal(plan.Normalise(d), plan.Normalise(back)) {
			t.Errorf("%s is %s: %v", data, again, err)
		}
	})
}

// FuzzConfig checks that any configuration is either refused or keeps the laws, but
// for one: what it reads, it may be unable to write, and then it must say so.
func FuzzConfig(f *testing.F) {
	f.Add(`{"base":"MARKDOWN_TASKS","max_title":40}`, "# t\n\n- [ ] a\n")
	f.Add(`{"task":"^(?P<indent> *)\\* (?P<mark>[x.]) (?P<text>.+)$","task_format":"{indent}* {mark} {text}","open":"."}`, "a:\n\n* . b\n  * x c\n")
	f.Add(`{"header":["^(?P<type>\\w+)/(?P<title>.*)"],"header_format":["{type}/{title}"],"types":[]}`, "a/b\n\nc\n")
	f.Add(`{"task":"(?P<indent> *)\\* (?P<mark>[x.])(?P<text>.*)","task_format":"{indent}* {mark} {text}","open":"."}`, "a:\n\n* xab")
	f.Add(`{"constraint":"^! (?P<key>\\w+) lost (?P<value>.+)$","constraint_format":"! {key} {value}"}`, "a:\n\n! b lost c\n")
	f.Fuzz(func(t *testing.T, config, text string) {
		var values map[string]any
		if json.Unmarshal([]byte(config), &values) != nil {
			t.Skip()
		}
		cfg, err := plan.Override(nil, values)
		if err != nil {
			var errs plan.FieldErrors
			if !errors.As(err, &errs) || len(errs) == 0 || errs[0].Field == "" && len(values) > 0 && values[""] == nil {
				t.Fatalf("%s: %#v", config, err)
			}
			return
		}
		r := plan.Parse(text, cfg)
		checkResult(t, text, &r)
		written, err := plan.FormatResult(&r, cfg)
		if err != nil {
			return
		}
		again := plan.Parse(written, cfg)
		if diff := cmp.Diff(plan.Normalise(r.Document), again.Document); diff != "" {
			t.Errorf("%s: %q, written as %q\n%s", config, text, written, diff)
		}
		// Marks and what stands for a breaking change may be written in other letters.
		_, before, _ := strings.Cut(strings.ToLower(unixLines(text)), "\n")
		_, after, _ := strings.Cut(strings.ToLower(written), "\n")
		for letter := 'a'; letter <= 'z'; letter++ {
			s := string(letter)
			if !strings.Contains(strings.ToLower(cfg.Open+cfg.Done), s) && strings.Count(before, s) > strings.Count(after, s) {
				t.Errorf("%s: %q has lost a letter %s: %q", config, text, s, written)
			}
		}
	})
}

// FuzzRead checks that whatever is sent as a plan is read or refused with a reason.
func FuzzRead(f *testing.F) {
	f.Add(`[[false,"a",[[true,"b",[]]]],{"text":"c","subtasks":[{"text":"d","done":true}]}]`)
	f.Add(`"- [ ] a\n  - [x]: b\n1. c\n* d"`)
	f.Add(`[["Do not","a"],"Never: b"]`)
	f.Fuzz(func(t *testing.T, data string) {
		var refused *plan.InputError
		p, err := plan.ReadPlan(json.RawMessage(data), nil)
		if err != nil {
			if !errors.As(err, &refused) || refused.Field == "" || refused.Message == "" {
				t.Errorf("%q: %#v", data, err)
			}
		} else {
			d := plan.SetTasks(plan.Document{Header: &plan.Header{Type: "feat"}}, p)
			checkDocument(t, d, &plan.Presets()[0])
			again := plan.SetTasks(d, p)
			if !reflect.DeepEqual(d, again) {
				t.Errorf("%q: set again (-first +second)\n%s", data, cmp.Diff(d, again))
			}
		}
		if _, err := plan.ReadConstraints(json.RawMessage(data)); err != nil && (!errors.As(err, &refused) || refused.Field == "") {
			t.Errorf("%q: %#v", data, err)
		}
	})
}

// TestSizes parses and writes large inputs of every shape that a function might be
// quadratic or recursive in: such a one would take minutes.
func TestSizes(t *testing.T) {
	testkit.OneGoroutine(t)
	cfg, err := plan.Override(nil, map[string]any{"max_input": 1_000_000, "max_tasks": 10_000, "max_depth": 64, "max_title": 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	const n = 30_000
	const header = "feat(a): t\n\n"
	steps := ""
	for i := range 2000 {
		steps += strings.Repeat(" ", i%70) + "- [ ]: a\n"
	}
	for name, text := range map[string]string{
		"newlines":    header + strings.Repeat("\n", n) + "a",
		"crs":         header + strings.Repeat("\r", n) + "a",
		"spaces":      header + strings.Repeat(" ", n) + "a",
		"like":        header + "a\n" + strings.Repeat("- Note: this\n", n) + "b",
		"runs":        header + strings.Repeat("a\n- Note: this\n", n),
		"known":       header + "a\n- Note: x\n" + strings.Repeat("- Do not: this\n", n) + "b",
		"skipped":     header + strings.Repeat("- N: X\n", n),
		"tasks":       header + strings.Repeat("- [ ]: a\n", n),
		"deep":        header + strings.Repeat(" ", n) + "- [ ]: a\n- [ ]: b",
		"steps":       header + steps,
		"boxes":       header + "- [ ]: a\n" + strings.Repeat("- [ ]", n),
		"title":       "feat(" + strings.Repeat("a", n) + "): " + strings.Repeat("b ", n),
		"type":        strings.Repeat("a", n),
		"direction":   header + "- [ ]: a\n" + strings.Repeat("go on\n\n", n),
		"directive":   header + "~~~ " + strings.Repeat("A ", n) + "~~~",
		"invalid":     header + strings.Repeat("\xff", n),
		"unicode":     header + strings.Repeat("\u00a0\n", n) + "a",
		"description": header + strings.Repeat("a\n\n", n),
	} {
		t.Run(name, func(t *testing.T) {
			r := plan.Parse(text, cfg)
			if _, err := plan.FormatResult(&r, cfg); (err == nil) != (r.State == plan.Parsed) {
				t.Errorf("%s: %v, %v", r.State, r.Halt, err)
			}
			plan.ValidateResult(&r, cfg)
		})
	}
}

// TestDepths checks that a tree of any depth ends in an error and not in a stack.
func TestDepths(t *testing.T) {
	testkit.OneGoroutine(t)
	const depth = 100_000
	tasks := []plan.Task{{Text: "leaf"}}
	for range depth {
		tasks = []plan.Task{{Text: "a", Children: tasks}}
	}
	d := plan.Document{Header: &plan.Header{Type: "feat"}, Tasks: tasks}
	var refused *plan.FormatError
	if _, err := plan.Format(d, nil); !errors.As(err, &refused) || refused.Code != plan.NestingTooDeep || refused.Field != "tasks.0.2.0.2.0.2.0.2.0.2.0" {
		t.Errorf("%v", err)
	}
	if report := plan.Validate(d, nil); len(report.Errors) != 2 || report.Errors[0].Code != plan.TooBig || report.Errors[1].Field != refused.Field {
		t.Errorf("%v", report.Errors)
	}
	if n := plan.Normalise(d); !plan.Equal(n, plan.Normalise(n)) {
		t.Error("normalised twice it differs")
	}
	if done, total := plan.Progress(tasks); done != 0 || total != 1 {
		t.Errorf("%d of %d", done, total)
	}
	if _, err := json.Marshal(d); err == nil {
		t.Error("encoding/json has no limit any more: test deep documents")
	}
	deep := strings.Repeat(`[[false,"a",`, 3000) + "[]" + strings.Repeat("]]", 3000)
	var back plan.Document
	if err := json.Unmarshal([]byte(`{"tasks":`+deep+`}`), &back); err == nil || !strings.Contains(err.Error(), "Nesting exceeds 64 levels") {
		t.Errorf("%.200v", err)
	}
	var input *plan.InputError
	if _, err := plan.ReadPlan(json.RawMessage(deep), nil); !errors.As(err, &input) || input.Field != "plan.0.2.0.2.0.2.0.2.0.2.0" {
		t.Errorf("%v", err)
	}
	if report := plan.ValidateJSON([]byte(`{"state":"parsed","header":{"type":"feat","breaking":false},"tasks":`+deep+`}`), nil); len(report.Errors) != 1 {
		t.Errorf("%v", report.Errors)
	}
}
