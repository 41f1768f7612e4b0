package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestLeftOut reads what a reply of sectile names, also of a line that is cut, and
// nothing from the text below the head.
func TestLeftOut(t *testing.T) {
	read := func(first, last, char int) call {
		arguments := map[string]any{"path": "a.md", "start_line": first, "end_line": last}
		if char > 0 {
			arguments["start_char"] = char
		}
		return call{"read_file", arguments}
	}
	for name, c := range map[string]struct {
		reply string
		want  []call
	}{
		"ranges":       {"path: a.md\nleft_out: 9 of 20 lines: 7-12, 15, 17-18\ncontinue: x\n\n# A\n", []call{read(7, 12, 0), read(15, 15, 0), read(17, 18, 0)}},
		"a line's end": {"path: a.md\nleft_out: 2 of 6 lines: 3 (from character 9642), 4\n\n# A\n", []call{read(3, 3, 9642), read(4, 4, 0)}},
		"nothing":      {"path: a.md\n\n# A\n", nil},
		"in the text":  {"path: a.md\n\n# A\n\nleft_out: 1 of 2 lines: 1\n", nil},
	} {
		if diff := cmp.Diff(c.want, leftOut("a.md", c.reply)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestArrived(t *testing.T) {
	for name, c := range map[string]struct {
		replies []string
		text    string
		missing string
	}{
		"all":                {[]string{"path: a\n\n# A\n\none\n"}, "# A\n\none\n", ""},
		"in two replies":     {[]string{"x\n\n# A\n", "x\n\none\n"}, "# A\n\none\n", ""},
		"a line in pieces":   {[]string{"x\n\n# A\none tw\n[left out]", "x\n\no three\n"}, "# A\none two three\n", ""},
		"not all":            {[]string{"x\n\n# A\n"}, "# A\n\none\n", "one"},
		"not all of a line":  {[]string{"# A\none tw\n"}, "# A\none two\n", "one two"},
		"one of two of them": {[]string{"# A\none\n"}, "# A\none\none\n", "one"},
		"nothing":            {nil, "# A\n", "# A"},
	} {
		if missing, ok := arrived(c.replies, c.text); missing != c.missing || ok != (c.missing == "") {
			t.Errorf("%s: missing is %q, want %q", name, missing, c.missing)
		}
	}
}

// TestFindLong finds sections that do not come in one reply, for a line of theirs is
// too long or their subsections are too many.
func TestFindLong(t *testing.T) {
	m := here(t)
	ourselves := sectile(m)
	if err := ourselves.find(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	texts := map[string]string{
		"line.md":  "## Big\n\n" + strings.Repeat("word and more. ", 1700) + "\n\nThis is the last line.\n\n",
		"parts.md": "## Big\n\n" + strings.Repeat("### Part\n\n"+strings.Repeat("A line of text.\n", 60)+"\n", 40),
	}
	for name, text := range texts {
		doc := document{name, []byte("# T\n\n" + text + "## End\n\n" + strings.Repeat("x\n\n", 20_000))}
		if err := writeAll(folder, []document{doc}); err != nil {
			t.Fatal(err)
		}
		for _, kind := range ourselves.servers {
			s, err := startServer(t.Context(), kind.command(folder))
			if err != nil {
				t.Fatal(err)
			}
			n, err := kind.find(s, filepath.Join(folder, name), target{3, "Big", text})
			if err != nil || n < len(text) || n > 2*len(text) {
				t.Errorf("%s, %s: %d characters of %d, %v", kind.name, name, n, len(text), err)
			}
			if _, err := kind.find(s, filepath.Join(folder, name), target{3, "Big", text + "what is not there\n"}); err == nil {
				t.Errorf("%s, %s: a line that did not arrive is not missed", kind.name, name)
			}
			s.close()
		}
	}
}

// TestFoundByAll compares tools only over what all of them have found.
func TestFoundByAll(t *testing.T) {
	all := []measured{{tool: "a", values: sample{1, math.NaN(), 3, 4}}, {tool: "b", values: sample{1, 2, 3, math.NaN()}}, {tool: "c", values: sample{5, 6, 7, 8}}, {tool: "none", values: sample{math.NaN(), math.NaN(), math.NaN(), math.NaN()}}}
	foundByAll(all)
	want := []measured{{"a", sample{1, 3}, 1}, {"b", sample{1, 3}, 1}, {"c", sample{5, 7}, 0}, {"none", nil, 4}}
	if diff := cmp.Diff(want, all, cmp.AllowUnexported(measured{}), cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}

// TestAllRead takes no error for a read.
func TestAllRead(t *testing.T) {
	for text, want := range map[string]string{
		`{"result": {"content": [{"text": "a"}]}}`:                        "",
		`{"result": {"content": [{"text": "no file"}], "isError": true}}`: "a read among many: no file",
		`{"error": {"message": "busy"}}`:                                  "a read among many: busy",
	} {
		one := &reply{}
		if err := json.Unmarshal([]byte(text), one); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := allRead([]*reply{one}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestFindDeep finds a section of a document with so many that no outline has it until
// it is asked for by its title; a title that the outline lacks is not found.
func TestFindDeep(t *testing.T) {
	m := here(t)
	ourselves := sectile(m)
	if err := ourselves.find(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	source.WriteString("# T\n\n")
	for i := range 1500 {
		fmt.Fprintf(&source, "## Number %d.\n\nThis is text, and its number is %d.\n\n", i, i)
	}
	doc := document{"many.md", []byte(source.String())}
	folder := t.TempDir()
	if err := writeAll(folder, []document{doc}); err != nil {
		t.Fatal(err)
	}
	text := "## Number 1234.\n\nThis is text, and its number is 1234.\n\n"
	before, _, _ := strings.Cut(source.String(), text)
	line := 1 + strings.Count(before, "\n")
	for _, kind := range ourselves.servers {
		s, err := startServer(t.Context(), kind.command(folder))
		if err != nil {
			t.Fatal(err)
		}
		n, err := kind.find(s, filepath.Join(folder, doc.name), target{line, "Number 1234.", text})
		if err != nil || n < len(text) || n > 12_000 {
			t.Errorf("%s: %d characters, %v", kind.name, n, err)
		}
		if _, err := kind.find(s, filepath.Join(folder, doc.name), target{line, "Number 1235.", text}); err == nil {
			t.Errorf("%s: it is found by the title of another section", kind.name)
		}
		s.close()
	}
}

// TestLookFor wants a section with all that is below it, and no section of more than
// half of a document.
func TestLookFor(t *testing.T) {
	source := "# A\n\n## B\n\nText.\n\n### C\n\n" + strings.Repeat("More.\n\n", 5) + "## D\n\nEnd.\n"
	all := sections([]byte(source), judgeHeadings([]byte(source)))
	start, end := strings.Index(source, "## B"), strings.Index(source, "## D")
	seen := map[string]string{}
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		one := lookFor(r, []byte(source), all)
		seen[one.title] = one.text
	}
	want := map[string]string{"A": source, "B": source[start:end], "C": source[strings.Index(source, "### C"):end], "D": source[end:]}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	b := &bench{docs: []document{{"a.md", []byte(source)}}, reference: map[string][]heading{"a.md": judgeHeadings([]byte(source))}}
	b.tasks = 1
	for seed := range uint64(50) {
		b.seed = seed
		if group := b.targets()[0]; len(group) > 0 && len(group[0].text) > len(source)/2 {
			t.Fatalf("%q is more than half", group[0].text)
		}
	}
}

// TestMeasureFinding compares what all have found, and a server that finds nothing
// takes nothing from the others.
func TestMeasureFinding(t *testing.T) {
	m := here(t)
	ourselves := sectile(m)
	if err := ourselves.find(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	source := []byte(strings.Repeat("# A\n\nText.\n\n", 4))
	b := &bench{machine: m, report: &report{}, docs: []document{{"a.md", source}, {"b.md", source}}, reference: map[string][]heading{"a.md": judgeHeadings(source), "b.md": judgeHeadings(source)}}
	b.tasks, b.seed = 2, 1
	kind := func(name string, find func(file string) (int, error)) *served {
		return &served{serverKind: serverKind{
			name: name, way: "w", command: ourselves.servers[0].command,
			find: func(_ *server, file string, _ target) (int, error) { return find(file) },
		}}
	}
	all := []*served{
		kind("ours", func(string) (int, error) { return 10, nil }),
		kind("some", func(file string) (int, error) {
			if filepath.Base(file) == "0.md" {
				return 0, refusal{"no"}
			}
			return 20, nil
		}),
		kind("none", func(string) (int, error) { return 0, refusal{"no"} }),
		kind("broken", func(string) (int, error) { return 0, errors.New("it has ended") }),
	}
	if err := b.measureFinding(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	const measure = "Characters to find and read a section, in 2 documents of under 4,000 bytes"
	want := []row{
		{measure: measure, tool: "ours, w", result: "10.0 characters", detail: "10.0", beside: ""},
		{measure: measure, tool: "some, w", result: "20.0 characters", detail: "20.0; not found: 1", beside: "2.00 ×"},
		{measure: measure, tool: "none, w", result: "it fails", detail: "; not found: 2", beside: ""},
	}
	if diff := cmp.Diff(want, b.report.rows, cmp.AllowUnexported(row{})); diff != "" {
		t.Error(diff)
	}
	if len(b.report.skipped) != 1 || !strings.Contains(b.report.skipped[0], "broken fails") {
		t.Errorf("%q", b.report.skipped)
	}
}
