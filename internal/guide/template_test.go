package guide

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"strings"
	"testing"

	"github.com/cbroglie/mustache"
	"github.com/google/go-cmp/cmp"
)

// sampleVars are what a category's templates are given, with values of each kind.
func sampleVars() map[string]any {
	return map[string]any{
		"project":  map[string]any{"name": "next.js", "root": "/p"},
		"category": map[string]any{"name": "docs"},
		"date":     "2025-06-01",
		"html":     `<b> & "it's"`,
		"count":    int64(7), "half": 0.5, "zero": int64(0), "yes": true, "no": false,
		"empty": "", "blank": " \t", "nothing": nil, "none": []any{},
		"names": []any{"Ann", "Bo"},
		"steps": []any{
			map[string]any{"title": "plan", "note": "first", "tags": []any{"a", "b"}},
			map[string]any{"title": "do", "tags": []any{}},
		},
		"nested": []any{[]any{"a", "b"}, []any{"c"}},
		"server": map[string]any{"host": "h", "port": uint64(80), "tls": map[string]any{"on": true}},
		"my key": "spaced",
		"Größe":  "big",
		"raw":    "{{date}}",
		"lines":  "<\n->",
		"odd":    map[string]any{"": map[string]any{"": "x"}},
		"mixed":  []any{map[string]any{"m": map[string]any{"x": "1"}}, map[string]any{"m": map[string]any{}}},
	}
}

// partials gives partials from a map of paths, looked for beside the file and
// then in the category's folder.
func partials(texts map[string]string) func(from, name string) ([]byte, string, error) {
	return func(from, name string) ([]byte, string, error) {
		for _, p := range []string{path.Join(path.Dir(from), name), path.Clean(name)} {
			if text, ok := texts[p]; ok {
				return []byte(text), p, nil
			}
		}
		return nil, "", fs.ErrNotExist
	}
}

func render(source string, texts map[string]string) (string, error) {
	text, err := Render(context.Background(), Template{Path: "a.md", Source: []byte(source), Vars: sampleVars(), Partial: partials(texts)})
	return string(text), err
}

type templateCase struct {
	name, source, want string
	partials           map[string]string
}

func checkTemplates(t *testing.T, cases []templateCase) {
	t.Helper()
	names := map[string]bool{}
	for _, c := range cases {
		if names[c.name] {
			t.Errorf("two cases are called %q", c.name)
		}
		names[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			got, err := render(c.source, c.partials)
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Errorf("%q: %v (-want +got)\n%s", c.source, err, diff)
			}
		})
	}
}

func TestRenderVariables(t *testing.T) {
	checkTemplates(t, []templateCase{
		{name: "no tags", source: "text\r\n", want: "text\r\n"},
		{name: "empty", source: "", want: ""},
		{name: "text", source: "on {{date}}.", want: "on 2025-06-01."},
		{name: "blanks in the tag", source: "{{ date }}{{\tdate\n}}", want: "2025-06-012025-06-01"},
		{name: "dotted", source: "{{project.name}} {{server.tls.on}}", want: "next.js true"},
		{name: "no escaping", source: "{{html}} {{{html}}} {{&html}} {{& html }} {{{ html }}}", want: strings.TrimSuffix(strings.Repeat(`<b> & "it's" `, 5), " ")},
		{name: "braces after a blank", source: "{{ {date}}}", want: "2025-06-01"},
		{name: "a value isn't read again", source: "{{raw}}", want: "{{date}}"},
		{name: "numbers", source: "{{count}} {{half}} {{zero}} {{server.port}}", want: "7 0.5 0 80"},
		{name: "truth values", source: "{{yes}} {{no}}", want: "true false"},
		{name: "null and empty", source: "({{nothing}}{{empty}})", want: "()"},
		{name: "a name with a blank", source: "{{my key}}", want: "spaced"},
		{name: "a name that isn't ASCII", source: "{{Größe}}", want: "big"},
		{name: "blanks around stay", source: "  {{date}}\n", want: "  2025-06-01\n"},
		{name: "alone on a line", source: "a\r\n{{date}}\r\nb", want: "a\r\n2025-06-01\r\nb"},
		{name: "many on a line", source: "{{count}}{{count}} {{count}}", want: "77 7"},
		{name: "braces that are no tag", source: "a } b { c }} d {", want: "a } b { c }} d {"},
	})
}

func TestRenderBytes(t *testing.T) {
	checkTemplates(t, []templateCase{
		{name: "CRLF", source: "a\r\n{{count}}\r\n\r\nb\r\n", want: "a\r\n7\r\n\r\nb\r\n"},
		{name: "a mark", source: "\uFEFF{{count}}", want: "\uFEFF7"},
		{name: "a mark before a comment's line", source: "\uFEFF{{! x }}\r\na", want: "\uFEFFa"},
		{name: "a mark alone", source: "\uFEFF", want: "\uFEFF"},
		{name: "a mark within", source: "a\uFEFFb{{count}}", want: "a\uFEFFb7"},
		{name: "no final newline", source: "{{count}}\nb", want: "7\nb"},
		{name: "blanks at ends", source: " \t{{count}} \t\n  ", want: " \t7 \t\n  "},
		{name: "lone CR", source: "a\r{{#yes}}\rb{{/yes}}\r", want: "a\r\rb\r"},
		{name: "not UTF-8", source: "\xff{{count}}\xfe", want: "\xff7\xfe"},
		{name: "what the library would be told", source: ")( {{=( )=}}(count){{= {{count}}", want: ")( 7{{= {{count}}"},
		{name: "a section, then an empty line", source: "x\n{{#yes}}\n\n{{/yes}}\n\ny", want: "x\n\n\ny"},
		{name: "sections after each other", source: "{{#yes}}\n{{#count}}\n\nx\n{{/count}}\n{{/yes}}\n", want: "\nx\n"},
		{name: "a change at the start, then an empty line", source: "{{=<% %>=}}\n\n<%count%>", want: "\n7"},
		{name: "nothing but an empty line first", source: "\n{{count}}", want: "\n7"},
	})
}

func TestRenderValues(t *testing.T) {
	for want, value := range map[string]any{
		"7": 7.0, "0.1": 0.1, "0": 0.0, "-1.5": -1.5, "100000000": 1e8, "123456789.5": 123456789.5,
		"100000000000000000000": 1e20, "1e+21": 1e21, "0.000001": 1e-6, "1e-07": 1e-7, "NaN": math.NaN(), "-Inf": math.Inf(-1),
		"-9223372036854775808": int64(-1 << 63), "18446744073709551615": uint64(1<<64 - 1), "5": 5,
	} {
		for source, want := range map[string]string{
			"{{v}}":                                      want,
			"{{#v}}{{.}}{{/v}}{{^v}}not{{/v}}":           holdsOr(want, "not"),
			"{{#list}}{{.}}{{/list}}":                    want,
			"{{#m}}{{#v}}{{v}}{{/v}}{{^v}}0{{/v}}{{/m}}": want,
		} {
			vars := map[string]any{"v": value, "list": []any{value}, "m": map[string]any{"v": value}}
			got, err := Render(t.Context(), Template{Path: "a.md", Source: []byte(source), Vars: vars})
			if string(got) != want || err != nil {
				t.Errorf("%v in %s is %q, %v, not %q", value, source, got, err, want)
			}
		}
	}
}

func holdsOr(number, otherwise string) string {
	if number == "0" {
		return otherwise
	}
	return number
}

func TestRenderErrors(t *testing.T) {
	for _, c := range []struct {
		name, source string
		partials     map[string]string
		want         []string
	}{
		{"unknown", "a\nb {{datum}}", nil, []string{"a.md: {{datum}} in line 2 is unknown", "known are Größe, blank, category"}},
		{"unknown section", "{{#drafts}}x{{/drafts}}", nil, []string{"{{#drafts}} in line 1 is unknown", "(false as its value leaves the section out)"}},
		{"unknown inverted", "\n\n{{^drafts}}x{{/drafts}}", nil, []string{"{{^drafts}} in line 3 is unknown"}},
		{"unknown part", "{{project.nme}}", nil, []string{"{{project.nme}} in line 1 is unknown, for project has name, root"}},
		{"a part of a text", "{{date.year}}", nil, []string{"{{date.year}}", "date has no names of its own"}},
		{"a part of null", "{{nothing.x}}", nil, []string{"{{nothing.x}}", "unknown"}},
		{"in a section that isn't rendered", "{{#no}}{{datum}}{{/no}}", nil, []string{"{{datum}}"}},
		{"in an inverted one", "{{^yes}}{{datum}}{{/yes}}", nil, []string{"{{datum}}"}},
		{"in an unknown one", "{{#a}}{{b}}{{date}}{{/a}}", nil, []string{"{{#a}}", "{{b}} in line 1 is unknown; known"}},
		{"of a mapping outside of its section", "{{host}}", nil, []string{"{{host}}"}},
		{"of an item outside of its section", "{{#steps}}{{title}}{{/steps}}{{title}}", nil, []string{"{{title}}"}},
		{"not in every item", "{{#steps}}\n{{note}}\n{{/steps}}", nil, []string{"{{note}} in line 2 is not in every item", "{{#note}}…{{/note}}"}},
		{"not behind a dotted name in every item", "{{#steps}}{{note.x}}{{/steps}}", nil, []string{"{{note.x}}"}},
		{"more than five", "{{a}}{{b}}{{c}}{{d}}{{e}}{{f}}{{g}}", nil, []string{"{{a}}", "{{e}}", "; and 2 more; known"}},
		{"dots", "{{.date}}", nil, []string{"{{.date}}"}},
		{"a dot at the end", "{{server..}}", nil, []string{"{{server..}}"}},
		{"two dots that the library takes for one", "{{odd..}}", nil, []string{"{{odd..}}"}},
		{"a part that some items lack", "{{#mixed}}{{m.x}}{{/mixed}}", nil, []string{"{{m.x}} in line 1 is not in every item"}},
		{"only dots", "{{..}}", nil, []string{"{{..}}"}},
		{"a key with a dot", "{{a.b}}", nil, []string{"{{a.b}}"}},
		{"a method", "{{date.Len}}{{String}}", nil, []string{"{{date.Len}}", "{{String}}"}},
		{"an index", "{{names.0}}", nil, []string{"{{names.0}}"}},
		{"a list", "{{names}}", nil, []string{"{{names}} in line 1 is a list", "{{#names}}{{.}}{{/names}}"}},
		{"an empty list", "{{none}}", nil, []string{"is a list"}},
		{"a list of an item", "{{#steps}}{{tags}}{{/steps}}", nil, []string{"{{tags}} in line 1 is a list"}},
		{"a list of lists", "{{#nested}}{{.}}{{/nested}}", nil, []string{"{{.}} in line 1 is a list"}},
		{"a mapping", "{{server}}", nil, []string{"{{server}} in line 1 is a mapping"}},
		{"all", "{{.}}", nil, []string{"{{.}} in line 1 is a mapping"}},
		{"a long unprintable name", "{{" + strings.Repeat("\x1b[1m\u202e", 100) + "}}", nil, []string{"{{ [1m"}},
		{"not closed", "a\n{{date", nil, []string{"a.md, line 2", "{{ is not closed by }}"}},
		{"braces not closed", "{{{date}} x", nil, []string{"not closed by }}}"}},
		{"nothing in it", "{{}}", nil, []string{"line 1", "no name"}},
		{"blanks in it", "{{ \n }}", nil, []string{"no name"}},
		{"a sign in it", "{{#}}{{/}}", nil, []string{"no name"}},
		{"an open section", "\n{{#yes}}\n", nil, []string{"line 2", "the section {{#yes}} is not closed by {{/yes}}"}},
		{"an end alone", "\n\n{{/yes}}\n", nil, []string{"line 3", "{{/yes}} closes a section that was not begun"}},
		{"crossed", "{{#yes}}\n{{^no}}\n{{/yes}}{{/no}}", nil, []string{"line 3", "{{/no}} must close the section of line 2"}},
		{"a bad change", "{{=<%=}}", nil, []string{"changes delimiters"}},
		{"a change to three", "{{=a b c=}}", nil, []string{"changes delimiters"}},
		{"a change with its sign", "{{=a= =b=}}", nil, []string{"changes delimiters"}},
		{"a change that isn't closed", "{{=}}", nil, []string{"not closed by =}}"}},
		{"inheritance", "{{<layout}}{{/layout}}", nil, []string{"inheritance", "{{> NAME}}"}},
		{"a block", "{{$block}}{{/block}}", nil, []string{"inheritance"}},
		{"a dynamic name", "{{>*name}}", nil, []string{"write the name itself"}},
		{"NUL", "a\x00b", nil, []string{"a.md: it has a NUL byte"}},
		{"NUL in a partial", "{{>p}}", map[string]string{"p": "\x00(&x)\x00"}, []string{"p: it has a NUL byte"}},
		{"no partial", "\n{{> p }}", nil, []string{"a.md, line 2", `there is no partial "p" in this category`}},
		{"unknown in a partial", "{{>p}}", map[string]string{"p": "\n{{datum}}"}, []string{"a.md: {{datum}} in line 2 of p is unknown"}},
		{"a partial with an open section", "{{>p}}{{/yes}}", map[string]string{"p": "{{#yes}}"}, []string{"p, line 1", "not closed"}},
		{"a partial that closes", "{{#yes}}{{>p}}", map[string]string{"p": "x\n{{/yes}}"}, []string{"p, line 2", "not begun in this file"}},
		{"itself", "{{>a.md}}", map[string]string{"a.md": "x"}, []string{"includes itself: a.md → a.md"}},
		{"a circle", "{{>p}}", map[string]string{"p": "{{>q}}", "q": "x\n{{#no}}{{>p}}{{/no}}"}, []string{"q, line 2", "includes itself: a.md → p → q → p"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := render(c.source, c.partials)
			if err == nil {
				t.Fatalf("%q is %q", c.source, got)
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q doesn't say %q", err, part)
				}
			}
			if strings.ContainsAny(err.Error(), "\n\x00\x1b\u202e") || len(err.Error()) > 2000 {
				t.Errorf("%q isn't one line to be shown", err)
			}
		})
	}
}

func TestRenderPartialFailure(t *testing.T) {
	broken := errors.New("broken")
	for _, partial := range []func(from, name string) ([]byte, string, error){
		nil,
		func(string, string) ([]byte, string, error) { return nil, "", fs.ErrNotExist },
		func(string, string) ([]byte, string, error) {
			return nil, "", &fs.PathError{Op: "open", Path: "/home/me/secret", Err: fs.ErrNotExist}
		},
		func(string, string) ([]byte, string, error) {
			return nil, "", fmt.Errorf("open: %w", &fs.PathError{Op: "open", Path: "/home/me/secret", Err: broken})
		},
		func(string, string) ([]byte, string, error) { return nil, "", broken },
	} {
		_, err := Render(t.Context(), Template{Path: "a.md", Source: []byte("{{>p}}"), Partial: partial})
		if err == nil || !strings.Contains(err.Error(), `a.md, line 1`) || !strings.Contains(err.Error(), `"p"`) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v", err)
		}
	}
}

func TestRenderValueErrors(t *testing.T) {
	deep := any("x")
	for range 20 {
		deep = map[string]any{"d": deep}
	}
	circle := map[string]any{}
	circle["c"] = circle
	wide := make([]any, maxValues+1)
	for name, vars := range map[string]map[string]any{
		"deep":   {"a": deep},
		"circle": circle,
		"many":   {"wide": wide},
		"large":  {"a": strings.Repeat("x", maxValueBytes+1), "b": "y"},
		"blank":  {"a": strings.Repeat(" ", maxValueBlanks+1)},
		"type":   {"a": struct{ X int }{1}},
		"func":   {"a": []any{func() string { return "" }}},
	} {
		if got, err := Render(t.Context(), Template{Path: "a.md", Source: []byte("x"), Vars: vars}); err == nil || !strings.HasPrefix(err.Error(), "a.md: the variable") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestRenderNoNames(t *testing.T) {
	if _, err := Render(t.Context(), Template{Path: "a\nb.md", Source: []byte("{{x}}")}); err == nil || err.Error() != "a b.md: {{x}} in line 1 is unknown; known are none" {
		t.Error(err)
	}
}

// What holds for a section is what the library renders it for.
func TestHolds(t *testing.T) {
	for _, v := range []any{
		nil, true, false, 0, 1, -1, int64(0), int64(2), uint64(0), uint64(3), 0.0, 0.5, math.Copysign(0, -1), math.NaN(),
		"", " \t\r\n", "0", "false", "x",
		[]any{},
		[]any{nil},
		map[string]any{},
		map[string]any{"a": nil},
	} {
		got, err := Render(t.Context(), Template{Path: "a.md", Source: []byte("{{#v}}yes{{/v}}{{^v}}no{{/v}}"), Vars: map[string]any{"v": v}})
		values, valueErr := templateValues(t.Context(), map[string]any{"v": v})
		if err != nil || valueErr != nil || (string(got) == "yes") != holds(values["v"]) || len(got) == 0 {
			t.Errorf("%#v is %s in a template, %v, %v", v, got, err, valueErr)
		}
	}
}

// The library's strictness is a variable of the whole program, which must stay as
// it is: names are looked for before.
func TestRenderGlobal(t *testing.T) {
	if _, err := render("{{datum}}", nil); err == nil || !mustache.AllowMissingVariables {
		t.Errorf("%v; the library's variable is %v", err, mustache.AllowMissingVariables)
	}
}
