package parts

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// result is the document that a change makes, or why there is none.
func result(t *testing.T, src string, change func(doc *markdown.Document) (*Change, *Error)) string {
	t.Helper()
	doc, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	ch, refused := change(doc)
	if refused != nil {
		return [...]string{Invalid: "invalid: ", Same: "same", NotFound: "not found: "}[refused.Reason] + refused.Error()
	}
	now := appliedTo(doc.Source, ch)
	after, err := markdown.Parse(now)
	if err != nil {
		t.Fatal(err)
	}
	if wrong := ch.Verify(after); wrong != "" {
		return "wrong: " + wrong
	}
	if ch.First >= 0 && (ch.Last < ch.First || ch.Last > len(now)) {
		t.Errorf("%q: the new text is from %d to %d of %d bytes", src, ch.First, ch.Last, len(now))
	}
	return string(now)
}

// TestSetTask sets tasks in lists, quotes and lists of lists, where a box stands in all the ways
// that it may.
func TestSetTask(t *testing.T) {
	for _, c := range []struct{ src, state, want string }{
		{"- [ ] a\n", Done, "- [x] a\n"},
		{"- [x] a\n", Open, "- [ ] a\n"},
		{"- [X] a\n", Toggle, "- [ ] a\n"},
		{"- [ ] a\n", " toggle\n", "- [x] a\n"},
		{"- [ ] a\n", Open, "same"},
		{"- [X] a\n", Done, "same"},
		{"- [ ] a\n", "perhaps", `invalid: a task is set to done, open or toggle, not to "perhaps"`},
		{"1) [\t] a\n", Done, "1) [x] a\n"},
		{"> * [ ] a\r\n>   b\r\n", Done, "> * [x] a\r\n>   b\r\n"},
		{"-\n  [ ] below\n", Done, "-\n  [x] below\n"},
	} {
		got := result(t, c.src, func(doc *markdown.Document) (*Change, *Error) {
			b := slices.IndexFunc(doc.Blocks, func(b markdown.Block) bool { return b.Kind == markdown.Item })
			if is, _ := IsTask(doc, b); !is {
				t.Fatalf("%q is no task", c.src)
			}
			return SetTask(doc, b, c.state)
		})
		if got != c.want {
			t.Errorf("%q to %s: %q, want %q", c.src, c.state, got, c.want)
		}
	}
}

// TestChangeKey changes keys of front matter in a document: where it stands, and what its lines
// end with, stays.
func TestChangeKey(t *testing.T) {
	set := func(path, value string) frontmatter.Change {
		v, err := frontmatter.ParseValue(value)
		if err != nil {
			t.Fatal(err)
		}
		return frontmatter.Change{Action: frontmatter.Set, Path: frontmatter.Path(strings.Split(path, ".")), Value: v}
	}
	of := func(action frontmatter.Action, path, name string) frontmatter.Change {
		return frontmatter.Change{Action: action, Path: frontmatter.Path(strings.Split(path, ".")), Name: name}
	}
	for _, c := range []struct {
		src    string
		change frontmatter.Change
		want   string
	}{
		{"---\na: 1 # one\nb: 2\n---\n# T\n", set("a", "3"), "---\na: 3 # one\nb: 2\n---\n# T\n"},
		{"---\r\na: 1\r\n---\r\ntext", set("b", "x"), "---\r\na: 1\r\nb: x\r\n---\r\ntext"},
		{"---\r\n---\r\ntext", set("b.c", "x"), "---\r\nb:\r\n  c: x\r\n---\r\ntext"},
		{"+++\na = 1\n+++\ntext\n", set("b.c", "x"), "+++\na = 1\nb.c = \"x\"\n+++\ntext\n"},
		{"---\na: 1\nb: 2\n---\n", of(frontmatter.Remove, "a", ""), "---\nb: 2\n---\n"},
		{"---\na: 1\n---\n", of(frontmatter.Rename, "a", "c"), "---\nc: 1\n---\n"},
		{"# T\n", set("a", "x"), "---\na: x\n---\n\n# T\n"},
		{"\ufeff\ntext\n", set("a", "x"), "\ufeff---\na: x\n---\n\ntext\n"},
		{"", set("a", "[1, 2]"), "---\na: [1, 2]\n---\n"},
		{"---\na: 1\n---\n", set("a", "1"), "samethe front matter says that already; there is nothing to do"},
		{"---\na: 1\n---\n", of(frontmatter.Remove, "b", ""), "not found: "},
		{"# T\n", of(frontmatter.Remove, "b", ""), "not found: "},
		{"---\na: {{ x }}\n---\n", set("a", "1"), "invalid: "},
		{"---\na: 1\na: 2\n---\n", set("a", "3"), "invalid: "},
		{"---\n- a\n- b\n---\n", set("a", "3"), "invalid: "},
		{"---\ntext\n---\n", set("a", "3"), "invalid: "},
	} {
		ending := "\n"
		if strings.Contains(c.src, "\r") {
			ending = "\r\n"
		}
		got := result(t, c.src, func(doc *markdown.Document) (*Change, *Error) { return ChangeKey(doc, c.change, ending) })
		if got != c.want && (!strings.HasSuffix(c.want, ": ") || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}

// TestWrongResult: a change that came out otherwise than it was meant is told.
func TestWrongResult(t *testing.T) {
	doc, err := markdown.Parse([]byte("| a | b |\n|---|---|\n| 1 | 2 |\n\n- [ ] task\n"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := markdown.Parse([]byte("# Other\n"))
	if err != nil {
		t.Fatal(err)
	}
	table := slices.IndexFunc(doc.Blocks, func(b markdown.Block) bool { return b.Kind == markdown.Table })
	item := slices.IndexFunc(doc.Blocks, func(b markdown.Block) bool { return b.Kind == markdown.Item })
	cell := ReplaceCell(doc, table+2, "x")
	renamed, _ := RenameColumn(doc, table, 0, "x")
	removed, _ := RemoveColumn(doc, table, 1)
	task, _ := SetTask(doc, item, Done)
	value, err := frontmatter.ParseValue("1")
	if err != nil {
		t.Fatal(err)
	}
	key, _ := ChangeKey(doc, frontmatter.Change{Action: frontmatter.Set, Path: frontmatter.Path{"a"}, Value: value}, "\n")
	for name, ch := range map[string]*Change{"cell": cell, "rename": renamed, "remove": removed, "task": task, "key": key} {
		if ch == nil || ch.Verify(other) == "" || ch.Verify(doc) == "" {
			t.Errorf("%s: nothing is wrong with another document", name)
		}
	}
	if columns, head := TableOf(doc, table, 1); columns != 2 || head != "b" {
		t.Errorf("%d columns, %q", columns, head)
	}
	if columns, head := TableOf(doc, table, 2); columns != 2 || head != "" {
		t.Errorf("%d columns, %q", columns, head)
	}
}

// TestColumnsOfShortRows: what a column of a wide table takes grows with the cells that are there,
// and rows aren't filled up without a bound.
func TestColumnsOfShortRows(t *testing.T) {
	testkit.OneGoroutine(t)
	const n = 2000
	src := []byte(strings.Repeat("|h", n) + "|\n" + strings.Repeat("|-", n) + "|\n" + strings.Repeat("|x|\n", n))
	doc, err := markdown.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	ofText := strings.Repeat("x\n", n+1)
	for name, change := range map[string]func() (*Change, *Error){
		"remove the first":     func() (*Change, *Error) { return RemoveColumn(doc, 0, 0) },
		"remove the last":      func() (*Change, *Error) { return RemoveColumn(doc, 0, n-1) },
		"insert a head behind": func() (*Change, *Error) { return InsertColumn(doc, 0, n, "head") },
		"insert before":        func() (*Change, *Error) { return InsertColumn(doc, 0, 0, ofText) },
		"rename":               func() (*Change, *Error) { return RenameColumn(doc, 0, n/2, "head") },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ch, refused := change()
		runtime.ReadMemStats(&after)
		if refused != nil {
			t.Fatalf("%s: %v", name, refused)
		}
		if got := int(after.TotalAlloc-before.TotalAlloc) / len(src); got > 100 {
			t.Errorf("%s: %d bytes for each of the document", name, got)
		}
		out, err := markdown.Parse(appliedTo(src, ch))
		if err != nil {
			t.Fatal(err)
		}
		if wrong := ch.Verify(out); wrong != "" {
			t.Errorf("%s: %s", name, wrong)
		}
	}
	if _, refused := InsertColumn(doc, 0, n, ofText); refused == nil || !strings.Contains(refused.Error(), "lack more than") {
		t.Errorf("cells are made up: %v", refused)
	}
}

// TestColumns changes columns and cells of tables, also where lines begin or end with no pipe.
func TestColumns(t *testing.T) {
	remove := func(column int) func(doc *markdown.Document) (*Change, *Error) {
		return func(doc *markdown.Document) (*Change, *Error) { return RemoveColumn(doc, 0, column) }
	}
	insert := func(column int, text string) func(doc *markdown.Document) (*Change, *Error) {
		return func(doc *markdown.Document) (*Change, *Error) { return InsertColumn(doc, 0, column, text) }
	}
	cell := func(row, column int, text string) func(doc *markdown.Document) (*Change, *Error) {
		return func(doc *markdown.Document) (*Change, *Error) {
			return ReplaceCell(doc, childrenOf(doc, childrenOf(doc, 0)[row])[column], text), nil
		}
	}
	for _, c := range []struct {
		src    string
		change func(doc *markdown.Document) (*Change, *Error)
		want   string
	}{
		{"a | b | c\n--|---|--\n1 | 2 | 3\n4 | 5\n", remove(0), "b | c\n---|--\n2 | 3\n| 5 |\n"},
		{"a|b|c\n-|-|-\n1|2|3\n", remove(0), "b|c\n-|-\n2|3\n"},
		{"a | b | c\n--|---|--\n1 |  | 3\n2 | |\n", remove(0), "b | c\n---|--\n|  | 3\n| |\n"},
		{"a | b | c\n-- | - | -\n1 | # x | 3\n2 | - y\n3 |1. z|\n", remove(0), "b | c\n| - | -\n| # x | 3\n| - y |\n|1. z|\n"},
		{"| a |\n|---|\n| x |\n| y |\n", insert(0, "\r\n1\r\n2\r\n"), "|  | a |\n| --- |---|\n| 1 | x |\n| 2 | y |\n"},
		{"| a |\n|---|\n| x |\n| y |\n", insert(1, " \n\n2\n\n\n"), "| a |  |\n|---| --- |\n| x |\n| y | 2 |\n"},
		{"| a |\n|---|\n| x |\n", insert(0, "\n\n3"), "invalid: the text has 3 lines and the table 2 rows, with its head; give the head, and a line for each row below it"},
		{"a | b\n--|--\n1 | 2\n", insert(2, "\n3"), "a | b |  |\n--|-- | ---\n1 | 2 | 3\n"},
		{"a | b\n--|--\n1 | 2\n", cell(1, 0, ""), "a | b\n--|--\n|  | 2\n"},
		{"a | b\n--|--\n1 | 2  \n", cell(1, 1, ""), "a | b\n--|--\n1 |  |  \n"},
		{"a | b\n--|--\n1\n", cell(1, 0, ""), "a | b\n--|--\n|  |\n"},
		{"a | b\n--|--\n1|2|\n", cell(1, 0, "- x"), "a | b\n--|--\n| - x|2|\n"},
		{"a | b\n--|--\n1|2|\n", cell(1, 1, "- x"), "a | b\n--|--\n1|- x|\n"},
		{"a | b\n--|--\n1 | 2\n", cell(0, 0, "# |"), "| # \\| | b\n--|--\n1 | 2\n"},
		{"a | b\n--|--\n1 | 2\n", cell(0, 0, "*x*"), "*x* | b\n--|--\n1 | 2\n"},
		{"a | b\n--|--\n1 | 2\n", insert(0, "\n3"), "|  | a | b\n| --- | --|--\n| 3 | 1 | 2\n"},
	} {
		if got := result(t, c.src, c.change); got != c.want {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}
