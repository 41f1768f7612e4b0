package parts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// grid is a table as another parser reads it, which knows nothing of ours: the alignments of its
// columns, and the texts of its cells as they are written, as many in each row as in the head.
type grid struct {
	Align []string
	Rows  [][]string
}

// reading is what another parser reads in a document: its tables, and what it has beside them.
type reading struct {
	Tables []grid
	Rest   string
}

// goldmark takes the pipe after two backslashes for an escaped one, which the texts here don't have:
// nor one at the end of a row for anything else: TestParts of package edit does.

// byGoldmark returns what goldmark reads; of what is beside tables, the kinds of blocks.
func byGoldmark(src string) (r reading) {
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader([]byte(src)))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *east.Table:
			t := grid{}
			for _, a := range n.Alignments {
				t.Align = append(t.Align, a.String())
			}
			r.Tables = append(r.Tables, t)
		case *east.TableHeader, *east.TableRow:
			last := &r.Tables[len(r.Tables)-1]
			last.Rows = append(last.Rows, nil)
		case *east.TableCell:
			rows := r.Tables[len(r.Tables)-1].Rows
			rows[len(rows)-1] = append(rows[len(rows)-1], strings.Trim(string(n.Lines().Value([]byte(src))), " \t"))
			return ast.WalkSkipChildren, nil
		}
		r.Rest += n.Kind().String() + " "
		return ast.WalkContinue, nil
	})
	r.Rest = strings.NewReplacer("TableHeader ", "", "TableRow ", "").Replace(r.Rest)
	return r
}

// appliedTo returns the document that a change makes.
func appliedTo(src []byte, ch *Change) []byte {
	var out []byte
	at := 0
	for _, s := range ch.Splices {
		out = append(append(out, src[at:s.Start]...), s.Text...)
		at = s.End
	}
	return append(out, src[at:]...)
}

// randomTable writes a document with a table among other blocks, perhaps in a quote or list.
func randomTable(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	first := pick("", "", "> ", "- ", "1. ", "> - ")
	next := strings.NewReplacer("-", " ", "1.", "  ").Replace(first)
	ending := pick("\n", "\n", "\r\n")
	columns := 1 + r.IntN(4)
	row := func(cell func() string, n int) string {
		cells := make([]string, n)
		for i := range cells {
			cells[i] = pick("", " ", "  ") + cell() + pick("", " ", "  ")
		}
		text := strings.Join(cells, "|")
		if columns == 1 || r.IntN(3) > 0 || strings.Trim(cells[0], " -#xy") == "" || strings.Trim(cells[n-1], " ") == "" {
			return "|" + text + "|"
		}
		return pick("|", "") + strings.TrimLeft(text, " ") + pick("|", "", " | ")
	}
	word := func() string { return pick("a", "b c", `x\|y`, "`code`", "*e*", "ä", "1", "<br>") }
	var b strings.Builder
	b.WriteString(pick("", "# Title"+ending+ending, "text"+ending+ending))
	b.WriteString(first + row(func() string { return pick(word(), word(), word(), "") }, columns) + ending)
	b.WriteString(next + row(func() string { return pick("---", ":--", "--:", ":-:") }, columns) + ending)
	for range r.IntN(4) {
		b.WriteString(next + row(func() string { return pick(word(), word(), word(), "", "- x", "# y") }, 1+r.IntN(columns)) + ending)
	}
	b.WriteString(pick("", ending+"after"+ending, ending+"# Next"+ending))
	return b.String()
}

// childrenOf returns the blocks in a block.
func childrenOf(doc *markdown.Document, b int) []int {
	var list []int
	for child := range doc.Children(b) {
		list = append(list, child)
	}
	return list
}

// tableChange is a change of a cell or a column of a random document that has been made.
type tableChange struct {
	src, now string
	rows     int         // of the table before
	told     string      // what was done
	makes    func(*grid) // makes of the table what it is to be
}

// changeTable makes a random change of the table of a random document, as the n-th of them; there
// is none if the change is refused.
func changeTable(t *testing.T, n int) *tableChange {
	t.Helper()
	r := rand.New(rand.NewPCG(7, uint64(n)))
	src := randomTable(r)
	doc, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	b := slices.IndexFunc(doc.Blocks, func(b markdown.Block) bool { return b.Kind == markdown.Table })
	if b < 0 {
		return nil
	}
	texts := []string{"new", "a|b", `a\|b`, "two\nlines", "\n1\n\n2\n", "", `end\`, "`c|d`", "  blanks  ", "a||b", "- [ ] x", "# no"}
	columns, _ := TableOf(doc, b, 0)
	rows := childrenOf(doc, b)
	column, row, with := r.IntN(columns), r.IntN(len(rows)), texts[r.IntN(len(texts))]
	c := &tableChange{src: src, rows: len(rows)}
	var ch *Change
	var refused *Error
	what := ""
	switch r.IntN(4) {
	case 0:
		what = "cell"
		cells := childrenOf(doc, rows[row])
		column %= len(cells)
		ch = ReplaceCell(doc, cells[column], with)
		c.makes = func(t *grid) { t.Rows[row][column] = cellText(with) }
	case 1:
		what = "rename"
		ch, refused = RenameColumn(doc, b, column, with)
		c.makes = func(t *grid) { t.Rows[0][column] = cellText(with) }
	case 2:
		what = "remove"
		ch, refused = RemoveColumn(doc, b, column)
		c.makes = func(t *grid) {
			t.Align = slices.Delete(t.Align, column, column+1)
			for i := range t.Rows {
				t.Rows[i] = slices.Delete(t.Rows[i], column, column+1)
			}
		}
	case 3:
		what = "insert"
		column = r.IntN(columns + 1)
		ch, refused = InsertColumn(doc, b, column, with)
		lines := strings.Split(strings.TrimRight(with, " \n"), "\n")
		c.makes = func(t *grid) {
			t.Align = slices.Insert(t.Align, column, "none")
			for i := range t.Rows {
				cell := ""
				if i < len(lines) {
					cell = cellText(lines[i])
				}
				t.Rows[i] = slices.Insert(t.Rows[i], column, cell)
			}
		}
	}
	if refused != nil {
		if refused.Message == "" {
			t.Fatalf("%s %q in %q is refused without a reason", what, with, src)
		}
		return nil
	}
	now := appliedTo(doc.Source, ch)
	after, err := markdown.Parse(now)
	if err != nil {
		t.Fatal(err)
	}
	c.now = string(now)
	c.told = fmt.Sprintf("change %d: %s %d,%d %q of\n%s\nmakes\n%s", n, what, row, column, with, src, now)
	if wrong := ch.Verify(after); wrong != "" {
		t.Fatalf("%s\n%s", c.told, wrong)
	}
	splices := make([]blockcheck.Splice, len(ch.Splices))
	for i, s := range ch.Splices {
		splices[i] = blockcheck.Splice(s)
	}
	if damage := blockcheck.Compare(doc, after, splices, ch.Joined, blockcheck.Comparison{}); damage.Total > 0 {
		t.Fatalf("%s\n%q", c.told, damage.Changed)
	}
	if !strings.Contains(src, "\r") == strings.Contains(c.now, "\r") {
		t.Fatalf("%s\nwith another line ending", c.told)
	}
	return c
}

// judge holds what another parser reads after a change against what it read before and the change.
// It can't if it reads another table than we do before.
func (c *tableChange) judge(before, after reading) (judged bool, err error) {
	if len(before.Tables) != 1 || len(before.Tables[0].Rows) != c.rows {
		return false, nil // a line with a tag alone is no row: goldmark takes it for one
	}
	want := before.Tables[0]
	c.makes(&want)
	switch {
	case len(after.Tables) != 1 || !slices.Equal(after.Tables[0].Align, want.Align) || !slices.EqualFunc(after.Tables[0].Rows, want.Rows, slices.Equal[[]string]):
		return true, fmt.Errorf("%s\nread as %q\nwant    %q", c.told, after.Tables, want)
	case after.Rest != before.Rest:
		return true, fmt.Errorf("%s\nbeside the table there was %s\nand is %s", c.told, before.Rest, after.Rest)
	}
	return true, nil
}

// someTables is how many changes of tables are tried.
func someTables() int {
	if testkit.Long() {
		return 1_000_000
	}
	return 1000
}

// TestTables changes cells and columns of random tables: as goldmark reads it, the table is then
// what it was and the change, all other tables and blocks are what they were, and what is refused
// is refused with a reason.
func TestTables(t *testing.T) {
	made, n := 0, someTables()
	for i := range n {
		c := changeTable(t, i)
		if c == nil {
			continue
		}
		judged, err := c.judge(byGoldmark(c.src), byGoldmark(c.now))
		if err != nil {
			t.Fatal(err)
		}
		if judged {
			made++
		}
	}
	t.Logf("goldmark judged %d changes of %d", made, n)
	if made < n/3 {
		t.Errorf("only %d of %d were made and judged", made, n)
	}
}

// faults are changes of a table that do something else than they say.
var faults = map[string]struct {
	now   string
	makes func(*grid)
}{
	"another cell":      {"| a | b |\n|:--|---|\n| 1 | x |\n\n# T\n", func(t *grid) { t.Rows[1][0] = "x" }},
	"a pipe as it is":   {"| a | b |\n|:--|---|\n| x|y | 2 |\n\n# T\n", func(t *grid) { t.Rows[1][0] = "x|y" }},
	"a row gone":        {"| x | b |\n|:--|---|\n\n# T\n", func(t *grid) { t.Rows[0][0] = "x" }},
	"no table":          {"| x | b |\n|:--|\n| 1 | 2 |\n\n# T\n", func(t *grid) { t.Rows[0][0] = "x" }},
	"another alignment": {"| x | b |\n|--:|---|\n| 1 | 2 |\n\n# T\n", func(t *grid) { t.Rows[0][0] = "x" }},
	"half a column":     {"| b |\n|---|\n| 1 |\n\n# T\n", removeFirst},
	"two tables":        {"| b |\n|---|\n| 2 |\n\n| b |\n|---|\n\n# T\n", removeFirst},
	"a heading below":   {"| b |\n|---|\n| 2 |\n# T\n\n# T\n", removeFirst},
	"a heading gone":    {"| b |\n|---|\n| 2 |\n\nT\n", removeFirst},
}

func removeFirst(t *grid) {
	t.Align = t.Align[1:]
	for i := range t.Rows {
		t.Rows[i] = t.Rows[i][1:]
	}
}

// findsFaults: the judge finds each fault, and none in what is right.
func findsFaults(t *testing.T, read func(src string) reading) {
	t.Helper()
	const src = "| a | b |\n|:--|---|\n| 1 | 2 |\n\n# T\n"
	right := &tableChange{src: src, rows: 2, makes: removeFirst}
	if judged, err := right.judge(read(src), read("| b |\n|---|\n| 2 |\n\n# T\n")); !judged || err != nil {
		t.Errorf("what is right: %v, %v", judged, err)
	}
	for name, f := range faults {
		c := &tableChange{src: src, rows: 2, makes: f.makes}
		if judged, err := c.judge(read(src), read(f.now)); !judged || err == nil {
			t.Errorf("%s: judged: %v, and nothing is found", name, judged)
		}
	}
}

func TestTablesFaults(t *testing.T) { findsFaults(t, byGoldmark) }
