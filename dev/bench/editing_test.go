package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fake is an editor that is known to be right, or to be wrong in one way. What a
// measurement says of it must be that.
type fake struct {
	folder string
	change func(source string, c change) (string, error)
}

func (f *fake) close() {}

func (f *fake) edit(file string, c change) (int, error) {
	path := filepath.Join(f.folder, file)
	source, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	result, err := f.change(string(source), c)
	if err != nil {
		return 1, err
	}
	return 1, os.WriteFile(path, []byte(result), 0o600)
}

// flawless changes what the change names by the line of its heading, and nothing
// else.
func flawless(source string, c change) (string, error) {
	for _, s := range sections([]byte(source), judgeHeadings([]byte(source))) {
		if s.line != c.line || s.heading != c.heading {
			continue
		}
		body := source[s.start:s.end]
		crlf := strings.Contains(source, "\r\n")
		text, _ := c.newBody()
		switch {
		case c.op == changeLine && !strings.Contains(body, c.old):
			return "", refusal{"the line is not there"}
		case c.op == changeLine:
			body = strings.Replace(body, c.old, c.new, 1)
		case crlf:
			body = strings.ReplaceAll(text, "\n", "\r\n")
		default:
			body = text
		}
		return source[:s.start] + body + source[s.end:], nil
	}
	return "", refusal{"the heading is not there"}
}

// toLF has the flaw of losing line endings, and of the rest none.
func toLF(source string, c change) (string, error) {
	result, err := flawless(source, c)
	return strings.ReplaceAll(result, "\r\n", "\n"), err
}

// toFirst changes the first text like the one that is meant.
func toFirst(source string, c change) (string, error) {
	if c.op != changeLine {
		return flawless(source, c)
	}
	sent := c.sent
	if strings.Contains(source, "\r\n") {
		sent = strings.ReplaceAll(sent, "\n", "\r\n")
	}
	if !strings.Contains(source, sent+c.old) {
		return "", refusal{"the line is not there"}
	}
	return strings.Replace(source, sent+c.old, sent+c.new, 1), nil
}

// reformatted is what a tool writes that has read a tree from the document.
func reformatted(source string, c change) (string, error) {
	result, err := flawless(source, c)
	return strings.TrimRight(strings.ReplaceAll(result, "* ", "- "), "\r\n"), err
}

// glued puts a paragraph right after the last one, so that they become one.
func glued(source string, c change) (string, error) {
	result, err := flawless(source, c)
	if at := strings.Index(result, c.new); c.op == appendText && at > 0 {
		before := strings.TrimRight(result[:at], "\r\n")
		ending := "\n"
		if strings.Contains(result, "\r\n") {
			ending = "\r\n"
		}
		result = before + ending + result[at:]
	}
	return result, err
}

// squeezed loses the blank lines within a new body.
func squeezed(source string, c change) (string, error) {
	if c.op == setBody {
		c.new = "\n" + strings.ReplaceAll(strings.Trim(c.new, "\n"), "\n\n", "\n") + "\n\n"
	}
	return flawless(source, c)
}

// liar does nothing and says that all is well.
func liar(source string, _ change) (string, error) { return source, nil }

// scoresOf has a fake do all tasks over generated documents.
func scoresOf(t *testing.T, edit func(string, change) (string, error)) map[string]*score {
	t.Helper()
	fakeTool := tool{name: "fake", editor: func(_ context.Context, folder string) (editor, error) { return &fake{folder, edit}, nil }}
	scores := scoresOfTool(t, fakeTool, t.TempDir(), 200, 20)
	for _, k := range kinds {
		if s := scores[k.name]; s == nil || s.tasks < 10 {
			t.Fatalf("too few tasks of the kind %q: %+v", k.name, s)
		}
	}
	return scores
}

// scoresOfTool has an editor do so many tasks of each kind over generated documents.
func scoresOfTool(t *testing.T, editing tool, scratch string, documents, limit int) map[string]*score {
	t.Helper()
	docs := generated(1, documents)
	reference := map[string][]heading{}
	for _, d := range docs {
		reference[d.name] = judgeHeadings(d.source)
	}
	b := &bench{machine: &machine{scratch: scratch}}
	scores, err := b.perform(t.Context(), editing, tasks(docs, reference, 1, limit))
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

// TestFakes measures editors whose flaws are known. If one of them passes for right
// in what it does wrong, or for wrong in what it does right, the measurement is of no
// use.
func TestFakes(t *testing.T) {
	total := func(scores map[string]*score) (n score) {
		n.outcomes = map[outcome]int{}
		for _, s := range scores {
			n.tasks += s.tasks
			n.outside += s.outside
			n.crlf += s.crlf
			n.kept += s.kept
			for o, count := range s.outcomes {
				n.outcomes[o] += count
			}
		}
		return n
	}
	t.Run("flawless", func(t *testing.T) {
		n := total(scoresOf(t, flawless))
		if n.outcomes[right] != n.tasks || n.outside != 0 || n.kept != n.crlf || n.crlf < 10 {
			t.Errorf("%+v", n)
		}
	})
	t.Run("line endings", func(t *testing.T) {
		n := total(scoresOf(t, toLF))
		if n.kept != 0 || n.outcomes[damaged] != n.crlf || n.outcomes[damaged]+n.outcomes[right] != n.tasks || n.outside < 100*n.crlf {
			t.Errorf("%+v", n)
		}
	})
	t.Run("the first of two", func(t *testing.T) {
		scores := scoresOf(t, toFirst)
		equal := scores["change one of two equal lines, sent alone"]
		if n := total(scores); equal.outcomes[wrongPlace] == 0 || n.outcomes[wrongPlace] != equal.outcomes[wrongPlace]+scores[withCRLF].outcomes[wrongPlace] || n.outcomes[right]+n.outcomes[wrongPlace] != n.tasks {
			t.Errorf("%+v, of these %+v", n, equal)
		}
	})
	t.Run("reformatting", func(t *testing.T) {
		n := total(scoresOf(t, reformatted))
		if n.outcomes[right] > n.tasks/2 || n.outcomes[damaged] < n.tasks/3 {
			t.Errorf("%+v", n)
		}
	})
	for _, flaw := range []struct {
		name, kind string
		edit       func(string, change) (string, error)
	}{
		{"glued", "append to a section", glued},
		{"glued", "append to one of two equal headings", glued},
		{"squeezed", "replace a body", squeezed},
	} {
		t.Run(flaw.name+", "+flaw.kind, func(t *testing.T) {
			scores := scoresOf(t, flaw.edit)
			if s := scores[flaw.kind]; s.outcomes[damaged] != s.tasks {
				t.Errorf("%+v", s)
			}
			if s := scores["change a line"]; s.outcomes[right] != s.tasks {
				t.Errorf("a line: %+v", s)
			}
		})
	}
	t.Run("lies", func(t *testing.T) {
		if n := total(scoresOf(t, liar)); n.outcomes[falseSuccess] != n.tasks {
			t.Errorf("%+v", n)
		}
	})
}

// TestReportEditing draws what is right of the kinds that all tools can be asked for.
func TestReportEditing(t *testing.T) {
	b := &bench{report: &report{}}
	of := func(tasks, good, notAsked int) *score {
		return &score{tasks: tasks, notAsked: notAsked, outcomes: map[outcome]int{right: good, damaged: tasks - good}}
	}
	b.reportEditing([]string{"a", "b"}, map[string]map[string]*score{
		"a": {"change a line": of(10, 10, 0), "replace a body": of(10, 0, 0), "append to a section": of(10, 10, 0), withCRLF: of(10, 10, 0)},
		"b": {"change a line": of(10, 4, 0), "replace a body": of(10, 1, 0), "append to a section": of(7, 7, 3), withCRLF: of(10, 3, 0)},
	})
	for i, want := range [][]bar{{{"a", 50}, {"b", 25}}, {{"a", 100}, {"b", 30}}} {
		if diff := cmp.Diff(want, b.report.panels[i].bars, cmp.AllowUnexported(bar{})); diff != "" {
			t.Error(diff)
		}
	}
	want := []row{
		{measure: "Edit: change a line", tool: "a", result: "10 of 10 right", detail: "0 bytes changed outside"},
		{measure: "Edit: change a line", tool: "b", result: "4 of 10 right", detail: "6 with damage; 0 bytes changed outside"},
		{measure: "Edit: append to a section", tool: "a", result: "10 of 10 right", detail: "0 bytes changed outside"},
		{measure: "Edit: append to a section", tool: "b", result: "7 of 7 right", detail: "3 more it can't be asked for; 0 bytes changed outside"},
		{measure: "Edit: replace a body", tool: "a", result: "0 of 10 right", detail: "10 with damage; 0 bytes changed outside"},
		{measure: "Edit: replace a body", tool: "b", result: "1 of 10 right", detail: "9 with damage; 0 bytes changed outside"},
		{measure: "Edit: " + withCRLF, tool: "a", result: "10 of 10 right", detail: "0 bytes changed outside"},
		{measure: "Edit: " + withCRLF, tool: "b", result: "3 of 10 right", detail: "7 with damage; 0 bytes changed outside"},
	}
	if diff := cmp.Diff(want, b.report.rows, cmp.AllowUnexported(row{})); diff != "" {
		t.Error(diff)
	}
}

// TestBrokenEditor notes an editor that fails, and measures the others.
func TestBrokenEditor(t *testing.T) {
	with := func(name string, edit func(string, change) (string, error)) tool {
		return tool{name: name, editor: func(_ context.Context, folder string) (editor, error) { return &fake{folder, edit}, nil }}
	}
	broken := func(string, change) (string, error) { return "", errors.New("it has ended") }
	docs := generated(1, 100)
	reference := map[string][]heading{}
	for _, d := range docs {
		reference[d.name] = judgeHeadings(d.source)
	}
	for _, measure := range []func(context.Context, *bench) error{measureEditing, measureRounds} {
		b := &bench{machine: &machine{scratch: t.TempDir()}, report: &report{}, docs: docs, reference: reference}
		b.seed, b.tasks, b.undoneDocs = 1, 5, 1
		b.tools = []tool{with("broken", broken), with("good", flawless)}
		if err := measure(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if len(b.report.rows) == 0 || slices.ContainsFunc(b.report.rows, func(r row) bool { return r.tool != "good" }) ||
			len(b.report.skipped) == 0 || !strings.Contains(b.report.skipped[0], "broken fails") {
			t.Errorf("%+v, %q", b.report.rows, b.report.skipped)
		}
		b.tools = []tool{with(ours, broken)}
		if err := measure(t.Context(), b); err == nil {
			t.Error("that ours fails is no error")
		}
	}
}

// TestUndo counts what is left of changes that were taken back. The second is made of
// what the first brings, so that they can only be taken back in reverse order.
func TestUndo(t *testing.T) {
	source := "# Title\n\nThe first line of this.\n\n* item\n"
	at := change{op: changeLine, title: "Title", heading: "# Title", line: 1}
	first, second := at, at
	first.old, first.new = "The first line of this.", "The first line of all."
	second.old, second.new = "The first line of all.", "The first line of them."
	d := undone{document{"a.md", []byte(source)}, []change{first, second}}
	const all = 4 * changeRounds
	for name, c := range map[string]struct {
		edit func(string, change) (string, error)
		want residue
	}{
		"flawless":       {flawless, residue{same: 1, made: all}},
		"reformatting":   {reformatted, residue{differ: 7, made: all}},
		"refuses":        {func(string, change) (string, error) { return "", refusal{"no"} }, residue{same: 1, refused: all}},
		"can't be asked": {func(string, change) (string, error) { return "", errNotAsked }, residue{same: 1, notAsked: all}},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			got, err := undoOne(&fake{folder, c.edit}, folder, "a.md", d)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(residue{})); diff != "" {
				t.Error(diff)
			}
			if nothing := got.row("", "", 1).result == "it made no edit"; nothing != (got.made == 0) {
				t.Errorf("%+v", got.row("", "", 1))
			}
		})
	}
}
