package guide

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cbroglie/mustache"

	"github.com/sectile/sectile/internal/testkit"
)

func TestRenderLimits(t *testing.T) {
	testkit.OneGoroutine(t)
	list := func(n int) []any {
		l := make([]any, n)
		for i := range l {
			l[i] = strings.Repeat("x", 10)
		}
		return l
	}
	within := func(n int, inside string) string {
		return strings.Repeat("{{#l}}", n) + inside + strings.Repeat("{{/l}}", n)
	}
	chained := func(from, _ string) ([]byte, string, error) {
		return []byte("{{>next}}"), from + "x", nil
	}
	doubled := func(from, _ string) ([]byte, string, error) {
		return []byte("{{>p}}{{>p}}"), from + "x", nil
	}
	large := func(_, name string) ([]byte, string, error) {
		return bytes.Repeat([]byte("x"), 1<<20), name, nil
	}
	for _, c := range []struct {
		name string
		t    Template
		vars map[string]any
		want string
	}{
		{"text", Template{Source: []byte(strings.Repeat("x", 101)), MaxBytes: 100}, nil, "more than 100 bytes"},
		{"the usual size", Template{Source: bytes.Repeat([]byte("x"), 1<<20+1)}, nil, "more than 1048576 bytes"},
		{"a mark", Template{Source: []byte("\uFEFFxx"), MaxBytes: 4}, nil, "more than 4 bytes"},
		{"a mark alone", Template{Source: []byte("\uFEFF"), MaxBytes: 2}, nil, "more than 2 bytes"},
		{"one variable", Template{Source: []byte("{{l}}"), MaxBytes: 100}, map[string]any{"l": strings.Repeat("x", 101)}, "more than 100 bytes"},
		{"the last variable", Template{Source: []byte("{{#l}}{{.}}{{/l}}"), MaxBytes: 99}, map[string]any{"l": list(10)}, "more than 99 bytes"},
		{"loops", Template{Source: []byte(within(20, strings.Repeat("x", 100)+"{{.}}"))}, map[string]any{"l": list(10)}, "more than 1048576 bytes"},
		{"loops without a text", Template{Source: []byte(within(20, ""))}, map[string]any{"l": list(10)}, "more than 200000 steps"},
		{"loops with nothing", Template{Source: []byte(within(30, "{{e}}{{^l}}x{{/l}}"))}, map[string]any{"l": list(3), "e": ""}, "more than 200000 steps"},
		{"many values at many names", Template{Source: []byte(within(30, strings.Repeat("{{#l}}{{.}}{{/l}}", 100)))}, map[string]any{"l": list(50_000)}, "looking for the names takes more than"},
		{"sections", Template{Source: []byte(within(maxSections+1, ""))}, map[string]any{"l": true}, "more than 32 sections are within each other"},
		{"sections without an end", Template{Source: []byte(strings.Repeat("{{#l}}", 100_000))}, map[string]any{"l": true}, "more than 32 sections"},
		{"tags", Template{Source: []byte(strings.Repeat("{{l}}", maxTemplateTags+1))}, map[string]any{"l": ""}, "more than 100000 tags"},
		{"partials within each other", Template{Source: []byte("{{>p}}"), Partial: chained}, nil, "within each other more than 16 times: a.md → a.mdx → "},
		{"partials", Template{Source: []byte("{{>p}}"), Partial: doubled}, nil, "partials"},
		{"many partials", Template{Source: []byte(strings.Repeat("{{>p}}", maxPartials+1)), Partial: partials(map[string]string{"p": ""})}, nil, "more than 1000 partials"},
		{"large partials", Template{Source: []byte(strings.Repeat("{{>p}}", 10)), Partial: large, MaxBytes: 100 << 20}, nil, "more than 4194304 bytes"},
		{"a large source", Template{Source: bytes.Repeat([]byte("x"), maxTemplateSource+1), MaxBytes: 100 << 20}, nil, "more than 4194304 bytes"},
		{"dots", Template{Source: []byte("{{l" + strings.Repeat(".", 1<<20) + "}}")}, map[string]any{"l": ""}, "unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.t.Path, c.t.Vars = "a.md", c.vars
			got, err := Render(t.Context(), c.t)
			if got != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
			if err != nil && len(err.Error()) > 2000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

// What is at a limit, but not beyond it, is rendered.
func TestRenderWithinLimits(t *testing.T) {
	nested := strings.Repeat("{{#l}}", maxSections) + "x" + strings.Repeat("{{/l}}", maxSections)
	chained := func(from, _ string) ([]byte, string, error) {
		if len(from) == len("a.md")+maxPartialDepth-1 {
			return []byte("end"), from + "x", nil
		}
		return []byte("{{>p}}"), from + "x", nil
	}
	for _, c := range []struct {
		name string
		t    Template
		want string
	}{
		{"bytes", Template{Source: []byte("{{#l}}xxxxx{{.}}{{/l}}"), MaxBytes: 9}, "xxxxxtrue"},
		{"sections", Template{Source: []byte(nested)}, "x"},
		{"partials within each other", Template{Source: []byte("{{>p}}"), Partial: chained}, "end"},
		{"partials", Template{Source: []byte(strings.Repeat("{{>p}}", maxPartials)), Partial: partials(map[string]string{"p": "x"})}, strings.Repeat("x", maxPartials)},
		{"the usual size", Template{Source: bytes.Repeat([]byte("x"), 1<<20)}, strings.Repeat("x", 1<<20)},
	} {
		c.t.Path, c.t.Vars = "a.md", map[string]any{"l": true}
		if got, err := Render(t.Context(), c.t); string(got) != c.want || err != nil {
			t.Errorf("%s: %d bytes, %v", c.name, len(got), err)
		}
	}
}

// FuzzRender renders any template with any values: there is no panic, nothing
// beyond the limit, nothing on standard output, where the library tells of a panic
// that it recovered from, and no variable that the library misses after its name
// was found. A template without tags is what it was, and text around a template
// stays what it is.
func FuzzRender(f *testing.F) {
	for _, source := range []string{
		"{{a}} {{{a}}} {{&a}}\r\n{{! x}}\r\n", "{{#l}}{{.}}{{n}}{{/l}}{{^l}}x{{/l}}", "{{=<% %>=}}<%a%>", "  {{>p}}\n", "{{m.b.c}}{{#m.b}}{{c}}{{/m.b}}",
		"{{#m}}{{#l}}{{#l}}{{#l}}{{a}}{{/l}}{{/l}}{{/l}}{{/m}}", "{{", "{{{", "{{}}", "{{=", "{{==}}", "{{#a}}{{/b}}", "{{.}}", "{{..}}", "{{a.}}", "{{m..}}", "\x00(&a)\x00",
		"{{#l}}{{#k0}}{{k0}}{{/k0}}{{^k0}}{{#k1}}{{k1}}{{/k1}}{{/k0}}{{/l}}", "{{#l}}{{k0}}{{/l}}", "{{#m}}{{#l}}{{#k1}}{{k1}}{{#b}}{{c}}{{/b}}{{/k1}}{{/l}}{{/m}}",
		"{{#s}}{{.}}{{/s}}{{#.}}{{a}}{{/.}}", "{{>p}}{{>q}}", "\uFEFF{{#a}}\n\n{{/a}}", "{{<a}}{{/a}}{{$a}}{{/a}}{{>*a}}", "{{a\n}}", "text",
	} {
		f.Add(source, "{{a}}\n{{#l}}\n{{.}}\n{{/l}}\n", "value", uint8(3))
		f.Add("{{>p}}", source, "{{a}}", uint8(0))
		f.Add("{{#l}}{{>p}}{{/l}}", source, "", uint8(200))
	}
	f.Add("{{0}}", "", "\x00", uint8(0)) // a name that an error must not show as it is
	stdout, err := os.Create(filepath.Join(f.TempDir(), "stdout"))
	if err != nil {
		f.Fatal(err)
	}
	defer stdout.Close()
	f.Fuzz(func(t *testing.T, source, partial, value string, n uint8) {
		const most = 4096
		list := make([]any, n)
		for i := range list {
			list[i] = map[string]any{"n": int64(i), "k" + fmt.Sprint(i%3): value}
		}
		vars := map[string]any{
			"a": value, "l": list, "s": []any{value, 1.5, nil, true}, "String": value,
			"m": map[string]any{"b": map[string]any{"c": value}, "": nil, "l": list}, value: "v",
		}
		tmpl := Template{Path: "a.md", Source: []byte(source), Vars: vars, MaxBytes: most, Partial: partials(map[string]string{"p": partial, "q": source})}
		got, err := quietly(t, stdout, tmpl)
		if len(got) > most || err != nil && (got != nil || strings.ContainsAny(err.Error(), "\x00")) {
			t.Fatalf("%q gives %q, %v", source, got, err)
		}
		if err != nil {
			return
		}
		if !strings.Contains(source, "{{") && string(got) != source {
			t.Errorf("%q, which has no tags, gives %q", source, got)
		}
		// With text on the lines of its ends, a template is the same between them.
		tmpl.Source = []byte("x\r\n" + strings.TrimPrefix(source, byteOrderMark) + "\ny")
		if around, err := quietly(t, stdout, tmpl); err == nil && !bytes.HasPrefix(around, []byte("x\r\n")) {
			t.Errorf("%q, with text around it, gives %q", source, around)
		}
	})
}

// quietly renders and fails if anything was printed.
func quietly(t *testing.T, stdout *os.File, tmpl Template) ([]byte, error) {
	t.Helper()
	before := os.Stdout
	os.Stdout, mustache.AllowMissingVariables = stdout, false // a strict library has nothing to object to
	got, err := Render(t.Context(), tmpl)
	os.Stdout, mustache.AllowMissingVariables = before, true
	if err != nil && strings.Contains(err.Error(), "missing variable") {
		t.Errorf("%q: %v", tmpl.Source, err)
	}
	if info, statErr := stdout.Stat(); statErr != nil || info.Size() > 0 {
		t.Fatalf("%q printed %d bytes, %v", tmpl.Source, info.Size(), statErr)
	}
	return got, err
}
