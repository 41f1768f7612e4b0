package plan_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/plan"
)

func TestPresets(t *testing.T) {
	var names []string
	for _, c := range plan.Presets() {
		names = append(names, c.Name)
		// Under another name it is checked like the configuration of a user.
		own := c
		own.Name = "own"
		if errs := own.Check(); errs != nil {
			t.Errorf("%s: %v", c.Name, errs)
		}
		if errs := c.Check(); errs != nil {
			t.Errorf("%s: %v", c.Name, errs)
		}
	}
	if diff := cmp.Diff([]string{"COMMIT_MESSAGE", "MARKDOWN_TASKS", "YAML_LIKE", "STRICT", "CONVENTIONAL"}, names); diff != "" {
		t.Error(diff)
	}
	if _, err := plan.Preset("STRIKT"); err == nil || err.Error() != `preset: there is no preset "STRIKT"; did you mean "STRICT"?` {
		t.Error(err)
	}
	if _, err := plan.Preset("x"); err == nil || !strings.Contains(err.Error(), "use one of COMMIT_MESSAGE, MARKDOWN_TASKS") {
		t.Error(err)
	}
}

func TestOverride(t *testing.T) {
	cfg, err := plan.Override(nil, map[string]any{
		"base": "MARKDOWN_TASKS", "name": "mine", "max_title": uint64(40), "max_tasks": int64(3), "max_depth": 1.0, "indent": 4,
		"types": []any{"feat"}, "prefixes": []string{"Do not"}, "header": `^# +(?P<title>\S.*)$`, "compact_description": true,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := preset(t, plan.MarkdownTasks)
	want.Name, want.MaxTitle, want.MaxTasks, want.MaxDepth, want.Indent = "mine", 40, 3, 1, 4
	want.Types, want.Prefixes, want.CompactDescription = []string{"feat"}, []string{"Do not"}, true
	if diff := cmp.Diff(want, cfg); diff != "" {
		t.Error(diff)
	}
	again, err := plan.Override(cfg, map[string]any{"max_title": 41})
	if err != nil || again.MaxTitle != 41 || again.MaxTasks != 3 || cfg.MaxTitle != 40 {
		t.Errorf("%v %+v", err, again)
	}
}

// TestOverrideOwnForm reads and writes a form that is in no preset.
func TestOverrideOwnForm(t *testing.T) {
	_, err := plan.Override(nil, map[string]any{
		"header": []any{`^(?P<type>[A-Z]+)-(?P<scope>\d+)(?P<bang> BREAKING)? (?P<title>\S.*)$`}, "header_format": "{type}-{scope}{bang} {title}",
		"types": []any{"ABC"}, "scope": `^\d+$`, "bang": " BREAKING",
		"task": `^(?P<indent> *)\* (?P<mark>todo|done) (?P<text>.+)$`, "task_format": "{indent}* {mark} {text}", "task_lax": "", "task_like": `^ *\* `, "task_bare": "",
		"open": "todo", "done": "done", "prefixes": []any{}, "constraint": `^!(?P<key>\w+)=(?P<value>.*)$`, "constraint_format": "!{key}={value}", "constraint_like": "^!",
	})
	if err == nil {
		t.Fatal("a scope of digits is accepted although no example has one")
	}
	if !strings.Contains(err.Error(), "header_format.0") {
		t.Fatal(err)
	}
	values := map[string]any{
		"header": `^(?P<type>[A-Z]+)-(?P<scope>\w+)(?P<bang> BREAKING)? (?P<title>\S.*)$`, "header_format": "{type}-{scope}{bang} {title}",
		"types": []any{"ABC"}, "scope": `^\d+$`, "bang": " BREAKING",
		"task": `^(?P<indent> *)\* (?P<mark>todo|done) (?P<text>.+)$`, "task_format": "{indent}* {mark} {text}", "task_lax": "", "task_like": `^ *\* `, "task_bare": "",
		"open": "todo", "done": "done", "prefixes": []any{}, "constraint": `^!(?P<key>\w+)=(?P<value>.*)$`, "constraint_format": "!{key}={value}", "constraint_like": "^!",
	}
	cfg, err := plan.Override(nil, values)
	if err != nil {
		t.Fatal(err)
	}
	const text = "ABC-12 BREAKING the title\n\nwhy\n\n!a=b\n!odd\n\n* todo one\n  * todo two\n* done three"
	r := plan.Parse(text, cfg)
	if got, err := plan.FormatResult(&r, cfg); err != nil || got != text || len(r.Skipped) != 1 {
		t.Errorf("%+v, %v\n%s", r, err, got)
	}
	if report := plan.ValidateResult(&r, cfg); !report.IsValid {
		t.Error(report.Errors)
	}
	r.Header.Scope = "x"
	if report := plan.Validate(r.Document, cfg); len(report.Errors) != 1 || report.Errors[0].Message != `Scope must match ^\d+$` {
		t.Error(report.Errors)
	}
}

// TestLosingPatterns checks that a pattern takes no line of which it would lose a
// word, and no mark that it couldn't write.
func TestLosingPatterns(t *testing.T) {
	cfg, err := plan.Override(nil, map[string]any{
		"task": `^(?P<indent>[ .]*)- \[(?P<mark>.)\]: (?P<text>\S+)( .*)?$`, "task_lax": "",
	})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]plan.State{
		"- [ ]: one":     plan.Parsed,
		"- [ ]: one …?!": plan.Halted,
		"- [ ]: one two": plan.Halted,
		"- [?]: one":     plan.Halted,
		". - [ ]: one":   plan.Parsed, // text of the description
	} {
		r := plan.Parse("feat:\n\n"+line, cfg)
		if r.State != want || (r.State == plan.Parsed) != (len(r.Tasks) == 1 || r.Description == line) {
			t.Errorf("%s: %s, %+v", line, r.State, r.Document)
		}
	}
}

// TestChangingPattern checks that a task is not saved whose pattern reads another
// text than the one that was written.
func TestChangingPattern(t *testing.T) {
	cfg, err := plan.Override(nil, map[string]any{"task": `^(?P<indent> *)- \[(?P<mark>[x ])\]: (?P<text>[^!]+)!*$`})
	if err != nil {
		t.Fatal(err)
	}
	d := plan.Document{Header: &plan.Header{Type: "feat"}, Tasks: []plan.Task{{Text: "one"}, {Text: "two!"}}}
	var refused *plan.FormatError
	if text, err := plan.Format(d, cfg); !errors.As(err, &refused) || refused.Field != "tasks.1.1" || refused.Line != 4 {
		t.Errorf("%q, %v", text, err)
	}
}

func TestConfigErrors(t *testing.T) {
	for _, c := range []struct {
		field string
		value any
		want  string
	}{
		{"max_titel", 1, `max_titel: there is no field "max_titel"; did you mean "max_title"?`},
		{"zzz", 1, `zzz: there is no field "zzz"; use one of base, name, header, `},
		{"Base", plan.Strict, `Base: there is no field "Base"; did you mean "base"?`},
		{"base", 1, "base: Expected string, got number"},
		{"base", "x", `base: there is no preset "x"; use one of COMMIT_MESSAGE`},
		{"max_title", "1", "max_title: Expected whole number, got string"},
		{"max_title", 1.5, "max_title: Expected whole number, got number"},
		{"max_title", nil, "max_title: Expected whole number, got null"},
		{"max_title", 0, "max_title: 0 is too small; use 1 to 1000000"},
		{"max_title", 1e18, "max_title: 2147483647 is too large"},
		{"max_depth", -1, "max_depth: -1 is too small"},
		{"max_depth", 65, "max_depth: 65 is too large; use 0 to 64"},
		{"max_tasks", int64(1) << 60, "max_tasks: 2147483647 is too large"},
		{"max_input", uint64(1) << 60, "max_input: 2147483647 is too large"},
		{"indent", 17, "indent: 17 is too large"},
		{"direction_halt", -1, "direction_halt: -1 is too small"},
		{"compact_description", "yes", "compact_description: Expected boolean, got string"},
		{"task", true, "task: Expected string, got boolean"},
		{"task", "", "task: it is empty; a pattern is needed"},
		{"task", "(", "task: it is no regular expression"},
		{"task", "(?P<text>.)(?P<foo>.)", `task: it has a group "foo"; use indent, mark, text`},
		{"task", "(?P<text>.)(?P<key>.)", `task: it has a group "key"; use indent, mark, text`},
		{"task", "(?P<text>.)", "task: it has no group for mark: write (?P<mark>…)"},
		{"task", `^- (?P<key>[A-Z][a-z ]*): (?P<value>[a-z].*)$`, `task: it has a group "key"; use indent, mark, text`},
		{"task", strings.Repeat("a", 1001), "task: it has 1001 bytes"},
		{"task_like", strings.Repeat("(?:.?){999}", 80), "task_like: it comes to 159842 steps with all that it repeats, at most 200 are allowed"},
		{"task_like", "(?P<text>.)", `task_like: it has a group "text"; use none here`},
		{"task_format", "", "task_format: it is empty"},
		{"task_format", "{mark}\n{text}", "task_format: it has more than one line"},
		{"task_format", "{mark} {key}", "task_format: it has {key}; use {indent}, {mark}, {text} in braces"},
		{"task_format", "{mark} {text", "task_format: it has {text}; use"},
		{"task_format", "{mark} {text} {text}", "task_format: it has {text} twice"},
		{"task_format", "{text}", "task_format: it lacks {mark}"},
		{"task_format", strings.Repeat("a", 1001), "task_format: it has 1001 bytes"},
		{"task_format", "* {mark} {text}", `task_format: a line that it writes, "*   text of some words", is not read by the pattern of task`},
		{"constraint_format", "+ {key}: {value}", `constraint_format: a line that it writes, "+ Do not: text of some words", is not read`},
		{"constraint", "", "constraint: it is empty"},
		{"constraint", "(?P<key>.)", "constraint: it has no group for value"},
		{"header", []any{}, "header: it is empty; at least one"},
		{"header", []any{1}, "header.0: Expected string, got number"},
		{"header", 1, "header: Expected array, got number"},
		{"header", []any{"x"}, "header.0: it has neither a type nor a title"},
		{"header", []any{""}, "header.0: it has neither a type nor a title"},
		{"header", []any{"("}, "header.0: it is no regular expression"},
		{"header", slicesRepeat("(?P<type>x)", 101), "header: 101 entries are too many"},
		{"header_format", []any{}, "header_format: it is empty"},
		{"header_format", []any{"{scope}"}, "header_format.0: it lacks {type} and {title}"},
		{"header_format", []any{"{text}"}, "header_format.0: it has {text}; use {type}, {scope}, {bang}, {title}"},
		{"header_format", []any{"{type}:", "{type} {title}"}, `header_format.1: a line that it writes, "spec 1", is not read by the patterns of header`},
		{"open", "", "open: it is empty"},
		{"open", "a\nb", "open: it has more than one line"},
		{"done", " ", "done: \" \" can't be told from the mark of an open task"},
		{"bang", strings.Repeat("a", 1001), "bang: it has 1001 bytes"},
		{"types", []any{"a", "b", "a"}, `types.2: "a" is there twice`},
		{"types", []any{" a"}, `types.0: " a" is empty, too long, or has white space`},
		{"prefixes", []any{""}, `prefixes.0: "" is empty`},
		{"prefixes", slicesRepeat(any("a"), 101), "prefixes: 101 entries are too many"},
		{"scope", "(", "scope: it is no regular expression"},
		{"header", slicesRepeat(any(plan.Presets()[0].Header[0]), 100), "max_input: the patterns that are no preset's come to 2522 steps"},
		{"header", slicesRepeat(any("^(?P<type>[a-z]+)(?P<bang>!?): *(?P<title>.+)$"), 40), "max_input: the patterns that are no preset's come to 760 steps, and with a max_input of 100000 at most 500 are allowed; lower it to 65789"},
	} {
		_, err := plan.Override(nil, map[string]any{c.field: c.value})
		var errs plan.FieldErrors
		if !errors.As(err, &errs) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s %.100v: %v, want %s", c.field, c.value, err, c.want)
		}
		for _, e := range errs {
			if e.Code == "" || e.Message == "" {
				t.Errorf("%s: %#v", c.field, e)
			}
		}
	}
	_, err := plan.Override(nil, map[string]any{"task": "(", "max_title": 0, "types": []any{""}})
	var errs plan.FieldErrors
	if !errors.As(err, &errs) || len(errs) != 3 {
		t.Errorf("not all errors: %v", err)
	}
	if report := plan.Validate(plan.Document{}, &plan.Config{}); report.IsValid || len(report.Errors) < 5 {
		t.Errorf("%+v", report)
	}
	if _, err := plan.ReadPlan("", &plan.Config{}); err == nil {
		t.Error("a plan is read by no form")
	}
}
