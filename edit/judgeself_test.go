package edit_test

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// TestJudge gives the judge results that break a law each, made by hand. A judge that
// finds all in order shows nothing.
func TestJudge(t *testing.T) {
	const src = "# A\n\nalpha\n\n## B\n\nbeta\n\n- one\n- two\n\n## C\n\ngamma\n"
	at := func(text string) int { return strings.Index(src, text) }
	splice := func(from, to int, text string) []edit.Splice {
		return []edit.Splice{{Span: markdown.Span{Start: from, End: to}, Text: []byte(text)}}
	}
	b := address.NodeOfSection(1)
	appended := made{Op: edit.Op{Action: edit.Append, Address: "## B", Text: "new"}, node: b, sure: true}
	end := at("- two\n") + len("- two\n")
	tests := []struct {
		name    string
		op      made
		splices []edit.Splice
		change  edit.Change
		law     string // with which the breach begins; none if there is none
	}{
		{"fine", appended, splice(end, end, "\nnew\n"), edit.Change{After: &b, Lines: markdown.Lines{First: 12, Last: 12}}, ""},
		{"two blank lines", appended, splice(end, end, "\n\nnew\n"), edit.Change{After: &b, Lines: markdown.Lines{First: 13, Last: 13}}, "gaps"},
		{"no blank line", appended, splice(end, end, "new\n"), edit.Change{After: &b, Lines: markdown.Lines{First: 11, Last: 11}}, "gaps"},
		{"in the wrong section", appended, splice(at("\n## B"), at("\n## B"), "\nnew\n"), edit.Change{After: &b}, "place"},
		{"takes something out", appended, splice(at("- two"), end, "\nnew\n"), edit.Change{After: &b}, "place"},
		{"another line ending", appended, splice(end, end, "\r\nnew\r\n"), edit.Change{After: &b}, "endings"},
		{"another text", appended, splice(end, end, "\nnow\n"), edit.Change{After: &b, Lines: markdown.Lines{First: 12, Last: 12}}, "arrived"},
		{
			"swallows",
			made{Op: edit.Op{Action: edit.Append, Address: "## B", Text: "```"}, node: b, sure: true},
			splice(end, end, "\n```\n"),
			edit.Change{After: &b, Lines: markdown.Lines{First: 12, Last: 12}},
			"blocks",
		},
		{
			"a shallower heading",
			made{Op: edit.Op{Action: edit.Append, Address: "# A", Text: "# X"}, node: address.NodeOfSection(0), sure: true},
			splice(at("## B"), at("## B"), "# X\n\n"),
			edit.Change{After: &address.Node{Kind: address.SectionNode, Block: -1}, Lines: markdown.Lines{First: 5, Last: 5}},
			"blocks",
		},
		{"an underline", made{Op: edit.Op{Action: edit.ReplaceText, Old: "alpha\n", Text: "alpha\n---\n"}}, splice(at("alpha"), at("alpha")+6, "alpha\n---\n"), edit.Change{Count: 1}, ""},
		{"divided", made{Op: edit.Op{Action: edit.ReplaceText, Old: "beta", Text: "### X\n\nbeta"}}, splice(at("beta"), at("beta")+4, "### X\n\nbeta"), edit.Change{Count: 1}, ""},
		{"divided by an underline", made{Op: edit.Op{Action: edit.ReplaceText, Old: "alpha", Text: "alpha"}}, splice(at("beta"), at("beta")+4, "X\n---\n\nbeta"), edit.Change{Count: 1}, "blocks"},
		{"divided by the section's level", made{Op: edit.Op{Action: edit.ReplaceText, Old: "beta", Text: "## X\n\nbeta"}}, splice(at("beta"), at("beta")+4, "## X\n\nbeta"), edit.Change{Count: 1}, "blocks"},
		{"a heading gone", made{Op: edit.Op{Action: edit.ReplaceText, Old: "## B", Text: "B"}}, splice(at("## B"), at("## B")+4, "B"), edit.Change{Count: 1}, "blocks"},
		{"a list parted", made{Op: edit.Op{Action: edit.ReplaceText, Old: "- one\n", Text: "- one\n\n***\n\n"}}, splice(at("- one"), at("- two"), "- one\n\n***\n\n"), edit.Change{Count: 1}, ""},
		{"elsewhere", made{Op: edit.Op{Action: edit.ReplaceText, Old: "beta", Text: "x"}}, splice(at("gamma"), at("gamma")+5, "x"), edit.Change{Count: 1}, "texts"},
		{"not unique", made{Op: edit.Op{Action: edit.ReplaceText, Old: "a\n", Text: "x\n"}}, splice(at("a\n\n## B"), at("\n\n## B"), "x"), edit.Change{Count: 1}, "texts"},
		{"the end of the file", made{Op: edit.Op{Action: edit.Append, Address: "## C", Text: "new"}, node: address.NodeOfSection(2), sure: true}, splice(len(src), len(src), "\nnew"), edit.Change{}, "tail"},
		{"nothing", appended, nil, edit.Change{}, "bytes"},
		{"before the start", appended, splice(-1, 0, "x"), edit.Change{}, "bytes"},
		{"a mark", made{Op: edit.Op{Action: edit.ReplaceText, Old: "# A", Text: "x"}}, splice(0, 0, "\uFEFF"), edit.Change{}, "bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := parse(t, []byte(src))
			now := src
			for _, s := range tt.splices {
				now = src[:max(0, s.Start)] + string(s.Text) + src[s.End:]
			}
			if tt.op.Address != "" {
				r, err := address.Resolve(doc, tt.op.Address)
				if err != nil {
					t.Fatal(err)
				}
				tt.change.Target = r
			}
			if tt.change.Lines == (markdown.Lines{}) {
				tt.change.Lines.First = 1 // an empty range
			}
			res := &edit.Result{Doc: parse(t, []byte(now)), Splices: tt.splices, Changes: []edit.Change{tt.change}}
			err := judge(&attempt{doc: doc, ops: []made{tt.op}}, res)
			if tt.law == "" && err != nil || tt.law != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.law)) {
				t.Errorf("%v, want a breach of %q\n%q", err, tt.law, now)
			}
		})
	}
}

// TestJudgeDivided: beside an operation that may change blocks, text that stands in the place of
// another one divides a section, and text that is put in doesn't.
func TestJudgeDivided(t *testing.T) {
	doc := parse(t, []byte("# A\n\nalpha\n\nbeta\n\n# B\n"))
	const before, heading = "# A\n\n", "## X\n\n"
	now := parse(t, []byte(before+heading+"alpha\n\nbeta\n\n# B\n\nend\n"))
	splices := []edit.Splice{
		{Span: markdown.Span{Start: len(before), End: len(before)}, Text: []byte(heading)},
		{Span: markdown.Span{Start: len(doc.Source), End: len(doc.Source)}, Text: []byte("\nend\n")},
	}
	last := made{Op: edit.Op{Action: edit.Append, Address: "# B", Text: "end", AllowRestructure: true}}
	for _, tt := range []struct {
		op      edit.Op
		lines   markdown.Lines
		isRight bool
	}{
		{edit.Op{Action: edit.ReplaceText, Old: "alpha", Text: heading + "alpha"}, markdown.Lines{First: 3, Last: 5}, true},
		{edit.Op{Action: edit.ReplaceText, Old: "beta", Text: heading + "beta"}, markdown.Lines{First: 7, Last: 7}, false},
		{edit.Op{Action: edit.ReplaceText, Old: "alpha", Text: "## Y\n\nalpha"}, markdown.Lines{First: 3, Last: 5}, false},
		{edit.Op{Action: edit.Prepend, Address: "# A", Text: heading}, markdown.Lines{First: 3, Last: 3}, false},
	} {
		j := &judgement{attempt: &attempt{doc: doc, ops: []made{{Op: tt.op}, last}}, new: now, deltas: []int{0, len(heading), len(now.Source) - len(doc.Source)}}
		j.res = &edit.Result{Doc: now, Splices: splices, Changes: []edit.Change{{Lines: tt.lines}, {Lines: markdown.Lines{First: 11, Last: 11}}}}
		if err := j.blocks(); (err == nil) != tt.isRight {
			t.Errorf("%s %q on lines %v: %v", tt.op.Action, tt.op.Text, tt.lines, err)
		}
	}
}

// TestJudgeTargets: another section than the one that is meant, and a position without
// a hash.
func TestJudgeTargets(t *testing.T) {
	doc := parse(t, []byte("# A\n\n## B\n\nx\n\n## B\n\ny\n"))
	res, err := edit.Apply(doc, []edit.Op{{Action: edit.Append, Address: "h2.1", ExpectedHash: doc.SectionHash(2), Text: "z"}})
	if err != nil {
		t.Fatal(err)
	}
	m := made{Op: edit.Op{Action: edit.Append, Address: "h2.1", ExpectedHash: doc.SectionHash(2), Text: "z"}, node: address.NodeOfSection(2), sure: true}
	if err := judge(&attempt{doc: doc, ops: []made{m}}, res); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(m *made){
		"another section": func(m *made) { m.node.Section = 1 },
		"no hash":         func(m *made) { m.ExpectedHash = "" },
		"another hash":    func(m *made) { m.ExpectedHash = doc.SectionHash(1) },
		"a short hash":    func(m *made) { m.ExpectedHash = m.ExpectedHash[:8] },
	} {
		bad := m
		change(&bad)
		if err := judge(&attempt{doc: doc, ops: []made{bad}}, res); err == nil || !strings.HasPrefix(err.Error(), "target") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestJudgeSmall: keys, tasks, cells and columns of which something else has become, or beside
// which something has.
func TestJudgeSmall(t *testing.T) {
	const src = "---\na: 1\nb: 2\n---\n- [ ] one\n- [x] two\n\n| K | L |\n|---|---|\n| 1 | 2 |\n"
	for _, tt := range []struct {
		op       edit.Op
		old, new string
		isRight  bool
	}{
		{edit.Op{Action: edit.Set, Address: "@frontmatter.a", Text: "3"}, "a: 1", "a: 3", true},
		{edit.Op{Action: edit.Set, Address: "@frontmatter.a", Text: "3"}, "b: 2", "b: 3", false},
		{edit.Op{Action: edit.Set, Address: "@frontmatter.a", Text: "3"}, "a: 1\n", "a: 3\nc: 1\n", false},
		{edit.Op{Action: edit.Set, Address: "@frontmatter.a", Text: "3"}, "a: 1\n", "a: [\n", false},
		{edit.Op{Action: edit.Set, Address: "@frontmatter.a", Text: "3"}, "---\na: 1\nb: 2\n---\n", "", false},
		{edit.Op{Action: edit.Remove, Address: "@frontmatter.a"}, "a: 1\n", "", true},
		{edit.Op{Action: edit.Remove, Address: "@frontmatter.a"}, "a: 1\nb: 2\n", "", false},
		{edit.Op{Action: edit.Remove, Address: "@frontmatter.a"}, "a: 1", "a: 3", false},
		{edit.Op{Action: edit.Set, Address: `task["one"]`, Text: "done"}, "[ ]", "[x]", true},
		{edit.Op{Action: edit.Set, Address: `task["one"]`, Text: "done"}, "[x]", "[ ]", false},
		{edit.Op{Action: edit.Set, Address: `task["two"]`, Text: "toggle"}, "[ ]", "[x]", false},
		{edit.Op{Action: edit.Set, Address: `task["one"]`, Text: "open"}, "[ ]", "[x]", false},
		{edit.Op{Action: edit.Set, Address: `task["one"]`, Text: "done"}, "[ ] one", "[x] One", false},
		{edit.Op{Action: edit.Replace, Address: `table["1","L"]`, Text: "n"}, "| 2 |", "| n |", true},
		{edit.Op{Action: edit.Replace, Address: `table["1","L"]`, Text: "n"}, "| 1 |", "| m |", false},
		{edit.Op{Action: edit.Replace, Address: `table["1","L"]`, Text: "n"}, "| 1 | 2 |", "| 1 |", false},
		{edit.Op{Action: edit.Replace, Address: `table["1","L"]`, Text: "a|b"}, "| 2 |", "| a|b |", false},
		{edit.Op{Action: edit.Rename, Address: `table["L"]`, Text: "N"}, "| L |", "| N |", true},
		{edit.Op{Action: edit.Rename, Address: `table["L"]`, Text: "N"}, "| K |", "| N |", false},
		{edit.Op{Action: edit.Remove, Address: `table["L"]`}, "| K | L |\n|---|---|\n| 1 | 2 |", "| K |\n|---|\n| 1 |", true},
		{edit.Op{Action: edit.Remove, Address: `table["L"]`}, "| K | L |\n|---|---|\n| 1 | 2 |", "| K |\n|---|\n| 2 |", false},
		{edit.Op{Action: edit.InsertAfter, Address: `table["K"]`, Text: "N"}, "| K | L |\n|---|---|\n| 1 | 2 |", "| K | N | L |\n|---|---|---|\n| 1 |  | 2 |", true},
		{edit.Op{Action: edit.InsertAfter, Address: `table["K"]`, Text: "N"}, "| K | L |\n|---|---|\n| 1 | 2 |", "| K | N | L |\n|---|---|---|\n| 1 | 2 |", false},
	} {
		doc := parse(t, []byte(src))
		at := strings.Index(src, tt.old)
		target, err := address.Resolve(doc, tt.op.Address)
		if err != nil || at < 0 {
			t.Fatal(tt.op.Address, err)
		}
		now := parse(t, []byte(src[:at]+tt.new+src[at+len(tt.old):]))
		i := 0 // the first byte that differs, which is all of a task
		for i < min(len(tt.old), len(tt.new)) && tt.old[i] == tt.new[i] {
			i++
		}
		k := 0
		for k < min(len(tt.old), len(tt.new))-i && tt.old[len(tt.old)-1-k] == tt.new[len(tt.new)-1-k] {
			k++
		}
		splice := edit.Splice{Span: markdown.Span{Start: at + i, End: at + len(tt.old) - k}, Text: []byte(tt.new[i : len(tt.new)-k])}
		j := &judgement{
			attempt: &attempt{doc: doc, ops: []made{{Op: tt.op}}}, new: now,
			res: &edit.Result{Doc: now, Splices: []edit.Splice{splice}, Changes: []edit.Change{{Target: target}}},
		}
		if err := j.small(); (err == nil) != tt.isRight {
			t.Errorf("%s %s, %q for %q: %v", tt.op.Action, tt.op.Address, tt.new, tt.old, err)
		}
	}
}
