package plan_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/plan"
)

// preset returns a preset by its name.
func preset(t testing.TB, name string) *plan.Config {
	t.Helper()
	cfg, err := plan.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func tasks(n int, line string) string { return strings.Repeat(line+"\n", n) }

// TestParse has what the recorded cases leave out, as the JSON of the result.
func TestParse(t *testing.T) {
	const h = "feat(a): t\n\n"
	const head = `{"state":"parsed","header":{"type":"feat","scope":"a","breaking":false,"title":"t"}`
	const halted = `{"state":"halted","header":{"type":"feat","scope":"a","breaking":false,"title":"t"}`
	for _, c := range []struct{ name, form, in, want string }{
		{"cr", "", "feat(a): t\r\ra\r", head + `,"description":"a"}`},
		{"colon missing", "", h + "- [ ] a", head + `,"constraints":[],"tasks":[[false,"a",[]]],"diagnostics":[{"line":3,"code":"TASK_COLON_MISSING","text":"- [ ] a"}]}`},
		{"gaps close", "", h + "    - [ ]: a\n  - [ ]: b\n      - [ ]: c\n    - [x]: d", head + `,"constraints":[],"tasks":[[false,"a",[]],[false,"b",[[false,"c",[]],[true,"d",[]]]]]}`},
		{"too deep", "", h + "- [ ]: 0\n - [ ]: 1\n  - [ ]: 2\n   - [ ]: 3\n    - [ ]: 4\n     - [ ]: 5", halted + `,"constraints":[],"tasks":[[false,"0",[[false,"1",[[false,"2",[[false,"3",[[false,"4",[]]]]]]]]]]],"halt":{"line":8,"code":"NESTING_TOO_DEEP","text":"     - [ ]: 5"}}`},
		{"bad box in tasks", "", h + "- [ ]: a\n- [y]: b", halted + `,"constraints":[],"tasks":[[false,"a",[]]],"halt":{"line":4,"code":"INVALID_TASK","text":"- [y]: b"}}`},
		{"bullet after tasks", "", h + "- [ ]: a\n- b", halted + `,"constraints":[],"tasks":[[false,"a",[]]],"halt":{"line":4,"code":"SECTION_ORDER","text":"- b"}}`},
		{"bullet among constraints", "", h + "- Do not: a\n- b", halted + `,"constraints":[["Do not","a"]],"halt":{"line":4,"code":"INVALID_CONSTRAINT","text":"- b"}}`},
		{"text after directive", "", h + "~~~ GO ~~~\n\na", halted + `,"directive":"GO","halt":{"line":5,"code":"TEXT_AFTER_DIRECTIVE","text":"a"}}`},
		{"directive after direction", "", h + "- Do not: a\ngo on\n\nthere\n~~~ GO ~~~", head + `,"constraints":[["Do not","a"]],"tasks":[],"direction":"go on\n\nthere","directive":"GO"}`},
		{"constraint in direction", "", h + "- Do not: a\ngo on\n- Never: b", halted + `,"constraints":[["Do not","a"]],"halt":{"line":5,"code":"SECTION_ORDER","text":"- Never: b"}}`},
		{"unknown constraint in direction", "", h + "- Do not: a\ngo on\n- Note: b", head + `,"constraints":[["Do not","a"]],"tasks":[],"direction":"go on\n- Note: b"}`},
		{"nodash ends a run", "", h + "a\n- N: b\n[x]: c", halted + `,"description":"a","constraints":[["N","b"]],"halt":{"line":5,"code":"INVALID_TASK","text":"[x]: c"}}`},
		{"known within a run", "", h + "a\n- Note: X\n- Do not: b\ntext here", head + `,"description":"a\n- Note: X","constraints":[["Do not","b"]],"tasks":[],"direction":"text here"}`},
		{"nul in line 3", "", h + "a\x00", `{"state":"halted","halt":{"line":3,"code":"UNSAFE_CHARACTER"}}`},
		{"no UTF-8", "", h + "\uFFFD\xff\x00", `{"state":"halted","halt":{"line":3,"code":"UNSAFE_CHARACTER"}}`},
		{"no UTF-8 behind a NUL", "", "feat:\x00\n\xff", `{"state":"halted","halt":{"line":1,"code":"UNSAFE_CHARACTER"}}`},
		{"blank end counts not", "", h + strings.Repeat("x", 99_988) + "\n\n \n", head + `,"description":"` + strings.Repeat("x", 99_988) + `"}`},

		{"links", "", h + "See:\n- [docs](http://x)\n- [all: of](x): them\n- [1](x)\n- [a][b]\n\n- [ ]: a", head + `,"description":"See:\n- [docs](http://x)\n- [all: of](x): them\n- [1](x)\n- [a][b]","constraints":[],"tasks":[[false,"a",[]]]}`},
		{"link among constraints", "", h + "- Never: a\n- [docs](x): b", halted + `,"constraints":[["Never","a"]],"halt":{"line":4,"code":"INVALID_CONSTRAINT","text":"- [docs](x): b"}}`},
		{"box in code", "", h + "So:\n```md\n- [ ]: a\n- Never: b\n~~~ GO ~~~\n``\n````\n\n- [ ]: c\nlike this:\n~~~\n- [ ]: d\n~~~\nand on", head + ",\"description\":\"So:\\n```md\\n- [ ]: a\\n- Never: b\\n~~~ GO ~~~\\n``\\n````\"" + `,"constraints":[],"tasks":[[false,"c",[]]],"direction":"like this:\n~~~\n- [ ]: d\n~~~\nand on"}`},
		{"code without an end", "", h + "So:\n```\n- [ ]: a\n`````go\n~~~", head + ",\"description\":\"So:\\n```\"" + `,"constraints":[],"tasks":[[false,"a",[]]],` + "\"direction\":\"`````go\\n~~~\"}"},
		{"strict wants a colon", plan.Strict, h + "- [ ] a", halted + `,"halt":{"line":3,"code":"INVALID_TASK","text":"- [ ] a"}}`},
		{"strict wants x", plan.Strict, h + "- [X]: a", halted + `,"halt":{"line":3,"code":"INVALID_TASK","text":"- [X]: a"}}`},
		{"strict description", plan.Strict, h + "\na\nb\n\nc", halted + `,"description":"a\nb","halt":{"line":6,"code":"BLANK_LINE_IN_DESCRIPTION"}}`},
		{"strict depth", plan.Strict, h + "- [ ]: 0\n - [ ]: 1\n  - [ ]: 2\n   - [ ]: 3\n    - [ ]: 4", halted + `,"constraints":[],"tasks":[[false,"0",[[false,"1",[[false,"2",[[false,"3",[]]]]]]]]],"halt":{"line":7,"code":"NESTING_TOO_DEEP","text":"    - [ ]: 4"}}`},
		{"strict title", plan.Strict, "feat(a): " + strings.Repeat("t", 51), `{"state":"halted","header":{"type":"feat","scope":"a","breaking":false},"halt":{"line":1,"code":"TITLE_TOO_LONG"}}`},
		{"strict direction", plan.Strict, h + "- Do not: a\nXY", head + `,"constraints":[["Do not","a"]],"tasks":[],"direction":"XY"}`},
		{"strict length", plan.Strict, h + strings.Repeat("x", 9_989), `{"state":"halted","halt":{"line":1,"code":"INPUT_TOO_LONG"}}`},

		{"conventional", plan.Conventional, "feat!: add it", `{"state":"parsed","header":{"type":"feat","breaking":true,"title":"add it"}}`},
		{"conventional without title", plan.Conventional, "feat:", `{"state":"parsed","header":{"type":"feat","breaking":false}}`},
		{"conventional with scope", plan.Conventional, "feat(a): t", head + `}`},

		{"markdown", plan.MarkdownTasks, "# A title\n\n[link](x)\n- [link](y)\n\n> Do not: a\n> Odd: A\n\n- [ ] b\n  - [x] c", `{"state":"parsed","header":{"type":"","breaking":false,"title":"A title"},"description":"[link](x)\n- [link](y)","constraints":[["Do not","a"]],"tasks":[[false,"b",[[true,"c",[]]]]],"skipped":["> Odd: A"],"diagnostics":[{"line":7,"code":"CONSTRAINT_SKIPPED","text":"> Odd: A"}]}`},
		{"markdown without dash", plan.MarkdownTasks, "# t\n\n- [ ] a\n[x] b", `{"state":"halted","header":{"type":"","breaking":false,"title":"t"},"constraints":[],"tasks":[[false,"a",[]]],"halt":{"line":4,"code":"INVALID_TASK","text":"[x] b"}}`},
		{"yaml", plan.YAMLLike, "title: t\n\nwhy\n\nDo not: a\nkey: b\n- task: c (x)\n    - task: d\n\t- task: e (f)", `{"state":"parsed","header":{"type":"","breaking":false,"title":"t"},"description":"why","constraints":[["Do not","a"],["key","b"]],"tasks":[[true,"c",[[false,"d",[]],[false,"e (f)",[]]]]]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := preset(t, plan.CommitMessage)
			if c.form != "" {
				cfg = preset(t, c.form)
			}
			got, err := plan.Parse(c.in, cfg).MarshalJSON()
			if err != nil || string(got) != c.want {
				t.Errorf("%v\n%s", err, cmp.Diff(c.want, string(got)))
			}
		})
	}
}

func TestTooManyTasks(t *testing.T) {
	for form, n := range map[string]int{plan.CommitMessage: 1000, plan.Strict: 50} {
		cfg := preset(t, form)
		r := plan.Parse("feat(a): t\n\n"+tasks(n, "- [ ]: a"), cfg)
		if r.State != plan.Parsed || len(r.Tasks) != n {
			t.Errorf("%s: %s, %d tasks", form, r.State, len(r.Tasks))
		}
		r = plan.Parse("feat(a): t\n\n"+tasks(n+1, "- [ ]: a"), cfg)
		if r.State != plan.Halted || r.Halt.Code != plan.TooManyTasks || r.Halt.Line != n+3 || len(r.Tasks) != n {
			t.Errorf("%s: %+v, %d tasks", form, r.Halt, len(r.Tasks))
		}
	}
}

func TestFormatRefuses(t *testing.T) {
	type doc = plan.Document
	head := &plan.Header{Type: "feat", Scope: "a", Title: "t"}
	long := strings.Repeat("a", 130)
	for _, c := range []struct {
		name  string
		form  string
		doc   doc
		field string
		line  int
		class plan.Class
		code  plan.Code
	}{
		{"no header", "", doc{Description: "a"}, "header", 1, plan.ClassHeader, plan.MissingHeader},
		{"no format fits", "", doc{Header: &plan.Header{}}, "header", 1, plan.ClassHeader, plan.Required},
		{"type", "", doc{Header: &plan.Header{Type: "Feat"}}, "header", 1, plan.ClassText, ""},
		{"type in a form without", plan.MarkdownTasks, doc{Header: head}, "header.type", 1, plan.ClassHeader, ""},
		{"scope", "", doc{Header: &plan.Header{Type: "feat", Scope: "a b", Title: "t"}}, "header", 1, plan.ClassText, ""},
		{"scope alone", "", doc{Header: &plan.Header{Type: "feat", Scope: "a): x("}}, "header.scope", 1, plan.ClassHeader, ""},
		{"breaking", plan.YAMLLike, doc{Header: &plan.Header{Title: "t", Breaking: true}}, "header.breaking", 1, plan.ClassHeader, ""},
		{"title without scope", "", doc{Header: &plan.Header{Type: "feat", Title: "t"}}, "header.title", 1, plan.ClassHeader, ""},
		{"title too long", "", doc{Header: &plan.Header{Type: "feat", Scope: "a", Title: long}}, "header.title", 1, plan.ClassHeader, plan.TitleTooLong},
		{"title of two lines", "", doc{Header: &plan.Header{Type: "feat", Scope: "a", Title: "t\nu"}}, "header.title", 2, plan.ClassText, plan.MissingBlankLine},
		{"ignored title", "", doc{Header: head, IgnoredTitle: "x"}, "header.title", 1, plan.ClassHeader, ""},
		{"ignored title of two lines", "", doc{Header: &plan.Header{Type: "feat"}, IgnoredTitle: "x\ny"}, "ignored_title", 2, plan.ClassText, plan.MissingBlankLine},
		{"description begins with a bullet", "", doc{Header: head, Description: "\n- a"}, "description", 3, plan.ClassBullet, plan.InvalidConstraint},
		{"description with a task", "", doc{Header: head, Description: "a\n\n- [ ]: b\nc"}, "description", 6, plan.ClassText, plan.DirectionIncomplete},
		{"description ends like constraints", "", doc{Header: head, Description: "a\n\n- Note: X"}, "description", 5, plan.ClassCLike, ""},
		{"description in one block", plan.Strict, doc{Header: head, Description: "a\n\nb"}, "description", 4, plan.ClassBlank, plan.BlankLineInDesc},
		{"constraint key", "", doc{Header: head, Constraints: []plan.Constraint{{Key: "Never", Value: "a"}, {Key: "never", Value: "b"}}}, "constraints.1", 4, plan.ClassCLike, ""},
		{"constraint value", "", doc{Header: head, Constraints: []plan.Constraint{{Key: "Never", Value: "A"}}}, "constraints.0", 3, plan.ClassCLike, ""},
		{"constraint of two lines", "", doc{Header: head, Constraints: []plan.Constraint{{Key: "Never", Value: "a\n- b"}}}, "constraints.0", 4, plan.ClassBullet, plan.InvalidConstraint},
		{"skipped is a constraint", "", doc{Header: head, Skipped: []string{"- N: X", "- Never: a"}}, "skipped.1", 4, plan.ClassConstraint, ""},
		{"skipped is blank", "", doc{Header: head, Skipped: []string{" "}, Directive: "A"}, "skipped.0", 3, plan.ClassBlank, ""},
		{"task of two lines", "", doc{Header: head, Tasks: []plan.Task{{Text: "p", Children: []plan.Task{{Text: "a"}, {Text: "b\nthe rest"}}}}}, "tasks.0.2.1.1", 6, plan.ClassText, ""},
		{"task with a carriage return", "", doc{Header: head, Tasks: []plan.Task{{Text: "b\rthe rest"}}}, "tasks.0.1", 4, plan.ClassText, ""},
		{"task without text", "", doc{Header: head, Tasks: []plan.Task{{Text: "a"}, {Text: " "}}}, "tasks.1.1", 4, plan.ClassBadBox, plan.InvalidTask},
		{"task with a NUL", "", doc{Header: head, Tasks: []plan.Task{{Text: "a\x00"}}}, "tasks.0.1", 3, plan.ClassTask, plan.UnsafeCharacter},
		{"task too deep", plan.Strict, doc{Header: head, Tasks: []plan.Task{{Text: "0", Children: []plan.Task{{Text: "1", Children: []plan.Task{{Text: "2", Children: []plan.Task{{Text: "3", Children: []plan.Task{{Text: "4"}}}}}}}}}}}, "tasks.0.2.0.2.0.2.0.2.0", 7, plan.ClassTask, plan.NestingTooDeep},
		{"too many tasks", plan.Strict, doc{Header: head, Tasks: slicesRepeat(plan.Task{Text: "a"}, 51)}, "tasks.50", 53, plan.ClassTask, plan.TooManyTasks},
		{"direction alone", "", doc{Header: head, Description: "a", Direction: "go on"}, "direction", 5, plan.ClassText, ""},
		{"direction too short", "", doc{Header: head, Tasks: []plan.Task{{Text: "a"}}, Direction: "go"}, "direction", 5, plan.ClassText, plan.DirectionIncomplete},
		{"direction begins with a task", "", doc{Header: head, Tasks: []plan.Task{{Text: "a"}}, Direction: "- [ ]: b\nand go on"}, "direction", 5, plan.ClassTask, ""},
		{"direction with a directive", "", doc{Header: head, Tasks: []plan.Task{{Text: "a"}}, Direction: "and go\n\n~~~ GO ~~~"}, "direction", 7, plan.ClassDirective, ""},
		{"directive in small letters", "", doc{Header: head, Tasks: []plan.Task{{Text: "a"}}, Directive: "go"}, "directive", 5, plan.ClassText, ""},
		{"directive with a NUL", "", doc{Header: head, Directive: "GO\x00"}, "directive", 3, plan.ClassText, plan.UnsafeCharacter},
		{"too long", plan.Strict, doc{Header: head, Description: strings.Repeat("x", 10_000)}, "document", 0, plan.ClassHeader, plan.InputTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := preset(t, plan.CommitMessage)
			if c.form != "" {
				cfg = preset(t, c.form)
			}
			text, err := plan.Format(c.doc, cfg)
			e, ok := err.(*plan.FormatError) //nolint:errorlint // it is not wrapped
			if !ok {
				t.Fatalf("%q, %v", text, err)
			}
			if e.Field != c.field || e.Line != c.line || e.Class != c.class || e.Code != c.code {
				t.Errorf("%s line %d %s %q\n%v", e.Field, e.Line, e.Class, e.Code, e)
			}
			if message := e.Error(); len(message) < 20 || len(message) > 800 {
				t.Errorf("message %q", message)
			}
		})
	}
}

func slicesRepeat[T any](v T, n int) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// TestFormatErrorText counts lines as whoever sent the field does.
func TestFormatErrorText(t *testing.T) {
	header, one := &plan.Header{Type: "feat"}, []plan.Constraint{{Key: "Never", Value: "a"}}
	tasks := func(text string) []plan.Task { return []plan.Task{{Text: "a"}, {Text: text}} }
	for want, d := range map[string]plan.Document{
		`line 2 of the description, "- Note: X", would be read as a broken constraint (CLIKE) and not as what it is; write it in other words, on one line if it is no description or direction`: {Description: "why\n- Note: X"},
		`line 1 of the description, "- [ ]: x", would be read as a task (TASK) and not`:                                                                                                         {Description: "- [ ]: x"},
		`line 3 of the direction, "~~~ GO ~~~", would be read as a directive (DIRECTIVE) and not`:                                                                                               {Description: "why", Tasks: tasks("b"), Direction: "and go\n\n~~~ GO ~~~"},
		`line 1 of the direction, "go", is too short for a direction`:                                                                                                                           {Description: "why\nand\nhow", Tasks: tasks("b"), Direction: "go"},
		`line 2 of tasks.1.1, "and more", would be read as text (TEXT) and not`:                                                                                                                 {Description: "why", Tasks: tasks("b\nand more")},
		`tasks.1.1, "- [ ]: ", would be read as a broken task (BADBOX) and not`:                                                                                                                 {Description: "why", Constraints: one, Tasks: tasks("")},
		`constraints.0, "- Never: A", would be read as a broken constraint (CLIKE) and not`:                                                                                                     {Constraints: []plan.Constraint{{Key: "Never", Value: "A"}}},
		`line 2 of the description would have a NUL or bytes that are no UTF-8; take them out`:                                                                                                  {Description: "why\n\x00"},
		`tasks.1.1 would have a NUL or bytes that are no UTF-8; take them out`:                                                                                                                  {Tasks: tasks("\x00")},
		`header.title, "feat:", would be read as a header (HEADER) and not`:                                                                                                                     {},
	} {
		d.Header = header
		if want[0] == 'h' {
			d.Header = &plan.Header{Type: "feat", Title: "b"}
		}
		_, err := plan.Format(d, nil)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

func TestTooLongText(t *testing.T) {
	form := preset(t, plan.Strict)
	_, err := plan.Format(plan.Document{Header: &plan.Header{Type: "feat"}, Description: strings.Repeat("ü", 10_000)}, form)
	if want := "the text would have 10007 characters, and max_input is 10000; shorten it, or raise the limit"; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	r := plan.Parse("feat:\n\n"+strings.Repeat("ü", 10_000), form)
	if _, err := plan.FormatResult(&r, form); err == nil || err.Error() != "the text has 10007 characters, and max_input is 10000; shorten it, or raise the limit" {
		t.Errorf("%v", err)
	}
	report := plan.ValidateResult(&r, form)
	if want := "The text has 10007 characters, and max_input is 10000"; len(report.Errors) != 1 || report.Errors[0].Message != want {
		t.Errorf("%+v", report.Errors)
	}
}

func TestFormatResultRefuses(t *testing.T) {
	bad := plan.Config{}
	for text, want := range map[string]string{
		" ":             "the text is empty",
		"no plan":       "the first line is no header",
		"feat:\n\n- [ ": "only up to line 3 (INVALID_TASK)",
	} {
		r := plan.Parse(text, nil)
		if got, err := plan.FormatResult(&r, nil); err == nil || !strings.Contains(err.Error(), want) || got != "" {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	r := plan.Parse("feat:", &bad)
	if r.State != plan.Halted || r.Halt.Code != plan.ConfigInvalid || !strings.Contains(r.Halt.Text, "max_title: 0 is too small") {
		t.Errorf("%s, %+v", r.State, r.Halt)
	}
	if _, err := plan.FormatResult(&r, nil); err == nil || !strings.Contains(err.Error(), "configuration is wrong") {
		t.Errorf("%v", err)
	}
	if _, err := plan.Format(plan.Document{}, &bad); err == nil || !strings.Contains(err.Error(), "max_title") {
		t.Errorf("%v", err)
	}
}

// TestNormaliseKeepsApart checks what is absent and what is empty.
func TestNormaliseKeepsApart(t *testing.T) {
	head := &plan.Header{Type: "feat"}
	for _, c := range []struct{ doc, want plan.Document }{
		{plan.Document{Header: head, Constraints: []plan.Constraint{}, Tasks: []plan.Task{}, Skipped: []string{}}, plan.Document{Header: head}},
		{plan.Document{Header: head, Tasks: []plan.Task{{Text: "a"}}}, plan.Document{Header: head, Constraints: []plan.Constraint{}, Tasks: []plan.Task{{Text: "a"}}}},
		{plan.Document{Header: head, Direction: "go on"}, plan.Document{Header: head, Constraints: []plan.Constraint{}, Tasks: []plan.Task{}, Direction: "go on"}},
	} {
		got := plan.Normalise(c.doc)
		if diff := cmp.Diff(c.want, got); diff != "" || !plan.Equal(got, c.want) {
			t.Error(diff)
		}
	}
	a, b := plan.Document{Tasks: []plan.Task{}}, plan.Document{}
	if plan.Equal(a, b) || !plan.Equal(a, a) {
		t.Error("empty and absent are equal")
	}
}

// TestWrappedTask blames a task that was broken into two lines, and not the one after it.
func TestWrappedTask(t *testing.T) {
	const text = "feat(a): t\n\n- [ ]: a task that\n\n  is wrapped\n- [ ]: b"
	r := plan.Parse(text, nil)
	if r.Halt == nil || r.Halt.Code != plan.SectionOrder || r.Halt.Line != 6 || r.Halt.Begin != 5 {
		t.Errorf("%+v", r.Halt)
	}
	if _, err := plan.FormatResult(&r, nil); err == nil || !strings.HasSuffix(err.Error(), "; mend line 5 first, which ends the tasks") {
		t.Error(err)
	}
	for _, text := range []string{"feat(a): t\n\n- [ ]: a\n- b", "feat(a): t\n\n- [ ]: a\n- Never: b"} {
		if r := plan.Parse(text, nil); r.Halt == nil || r.Halt.Begin != 0 {
			t.Errorf("%q: %+v", text, r.Halt)
		}
	}
}

// TestLimitsAreNamed has the numbers in what is said of texts that are too long.
func TestLimitsAreNamed(t *testing.T) {
	head := &plan.Header{Type: "feat", Scope: "a", Title: "t"}
	deep := []plan.Task{{Text: "0", Children: []plan.Task{{Text: "1", Children: []plan.Task{{Text: "2", Children: []plan.Task{{Text: "3", Children: []plan.Task{{Text: "4"}}}}}}}}}}
	for want, d := range map[string]plan.Document{
		"header.title: it has 51 characters, and max_title is 50; shorten it":         {Header: &plan.Header{Type: "feat", Scope: "a", Title: strings.Repeat("é", 51)}},
		`tasks.50: "- [ ]: a" is one task more than max_tasks, 50; take some out`:     {Header: head, Tasks: slicesRepeat(plan.Task{Text: "a"}, 51)},
		`tasks.0.2.0.2.0.2.0.2.0: "4" is nested deeper than max_depth, 3; move it up`: {Header: head, Tasks: deep},
	} {
		if _, err := plan.Format(d, preset(t, plan.Strict)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
