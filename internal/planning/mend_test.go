package planning

import (
	"crypto/rand"
	"os"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/replies"
)

// TestMend repairs a text that is no plan from a line on, by that line alone.
func TestMend(t *testing.T) {
	const broken = "feat(parser): read\n\nWhy.\n\n- [ ]: one\n- [y]: two\n- [ ]: three\n"
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, broken)
	r, err := p.Show(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.SetPlan(t.Context(), PlanTasks{Tasks: "- a"}); err == nil || !strings.Contains(err.Error(), "mend that line with plan set with lines") {
		t.Error("the way out isn't named:", err)
	}
	for _, c := range []struct {
		lines   map[int]string
		version string
		want    string
	}{
		{map[int]string{6: "- [x]: two"}, "", "lines move"},
		{map[int]string{6: "- [x]: two"}, "0123456789abcdef", "its version is"},
		{map[int]string{6: "- [z]: two"}, r.Version, `line 6, "- [z]: two"`},
		{map[int]string{9: "- [x]: two"}, r.Version, "no line 9"},
		{map[int]string{0: "- [x]: two"}, r.Version, "no line 0"},
		{map[int]string{1: "hello"}, r.Version, "no plan either"},
		{map[int]string{1: "note: hello", 6: "- [x]: two"}, r.Version, "not be valid"},
	} {
		if _, err := p.SetPlan(t.Context(), PlanTasks{Lines: c.lines, ExpectedVersion: c.version}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.lines, err)
		}
		if text, _ := os.ReadFile(file); string(text) != broken {
			t.Fatalf("%v: the text is\n%s", c.lines, text)
		}
	}
	const before = "feat(parser): read\n\nIt says 10 %\rIt says 20 %\r\n\n- [ ]: one\n" // six lines
	store(t, file, before+"- [y]: two\n- [ ]: three\n")
	mixed, err := p.Show(t.Context())
	if err != nil || mixed.Problems[0].Line != 7 {
		t.Fatalf("%+v, %v", mixed, err)
	}
	if _, err := p.SetPlan(t.Context(), PlanTasks{Lines: map[int]string{7: ""}, ExpectedVersion: mixed.Version}); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(file); string(text) != "feat(parser): read\n\nIt says 10 %\nIt says 20 %\n\n- [ ]: one\n- [ ]: three\n" {
		t.Errorf("with endings of each kind: %q", text)
	}
	for _, other := range []string{"hello\n", "note: read this\n"} { // what is no plan isn't made one
		store(t, file, other)
		if r, err := p.Show(t.Context()); err != nil {
			t.Fatal(err)
		} else if _, err := p.SetPlan(t.Context(), PlanTasks{Lines: map[int]string{1: "feat: a"}, ExpectedVersion: r.Version}); err == nil || !strings.Contains(err.Error(), "is no plan") {
			t.Errorf("%q: %v", other, err)
		}
	}
	store(t, file, broken)
	if r, err = p.SetPlan(t.Context(), PlanTasks{Lines: map[int]string{6: "- [x]: two", 7: ""}, ExpectedVersion: r.Version}); err != nil || r.Did != "2 lines of the text changed" {
		t.Fatal(r, err)
	}
	if text, _ := os.ReadFile(file); strings.TrimSpace(string(text)) != "feat(parser): read\n\nWhy.\n\n- [ ]: one\n- [x]: two" {
		t.Errorf("%s", text)
	}
}

// TestMendThinned sends back in lines what only replies show: it is stored nowhere in the plan, unless it
// stands there already.
func TestMendThinned(t *testing.T) {
	const left, long = "[left out: 3 lines; `sectile plan message` prints all]", "a text that is so long that a reply may cut it somewhere in its middle"
	const broken = "feat(parser): read\n\n" + left + "\n" + long + "\n\n- [ ]: one\n- [y]: two\n\nSome words that say where all of this is to lead to.\n"
	marks := replies.NewMarks(rand.Reader)
	mark := string(marks.Draw())
	p, file := newPlans(t, "", PlanOptions{Marks: marks})
	store(t, file, broken)
	r, err := p.Show(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(left, "3", "4", 1)
	for _, line := range []string{other, "> " + other, mark + other, mark + "some words", long[:40] + "…"} {
		for number := range strings.Count(broken, "\n") {
			lines := map[int]string{7: "- [ ]: two", number + 1: line}
			if number++; number == 7 {
				lines[7] = "- [ ]: " + line
			}
			_, err := p.SetPlan(t.Context(), PlanTasks{Lines: lines, ExpectedVersion: r.Version})
			if err == nil || !strings.Contains(err.Error(), ", which ") || !strings.Contains(err.Error(), "nothing was written") || stored(t, file) != broken {
				t.Fatalf("%d: %q: %v", number, line, err)
			}
		}
	}
	if _, err := p.SetPlan(t.Context(), PlanTasks{Lines: map[int]string{3: left, 7: "- [ ]: two"}, ExpectedVersion: r.Version}); err != nil {
		t.Error(err)
	}
}

func TestReadLines(t *testing.T) {
	lines, err := ReadLines(map[string]any{"7": "a", "8": nil}, true)
	if err != nil || len(lines) != 2 || lines[7] != "a" || lines[8] != "" {
		t.Error(lines, err)
	}
	for _, value := range []any{[]any{"a"}, map[string]any{}, map[string]any{"a": "b"}, map[string]any{"1": 2.0}} {
		if _, err := ReadLines(value, true); err == nil {
			t.Errorf("%v was taken", value)
		}
	}
	if _, err := ReadLines(map[string]any{"15": "a", "015": "b"}, true); err == nil || !strings.Contains(err.Error(), "line 15 is given twice") {
		t.Errorf("a line twice: %v", err)
	}
	if _, err := ReadLines(map[string]any{"7": "a"}, false); err == nil {
		t.Error("lines beside a plan were taken")
	}
}
