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

// goldmark takes the pipe after two backslashes for an escaped one, which the texts here don't have:
// nor one at the end of a row for anything else: TestParts of package edit does.

// tablesOf returns the texts of the cells of all tables of a document, as goldmark reads it, which
// knows nothing of our parser.
func tablesOf(src []byte) (tables [][][]string) {
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(src))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *east.Table:
			tables = append(tables, nil)
		case *east.TableHeader, *east.TableRow:
			last := &tables[len(tables)-1]
			*last = append(*last, nil)
		case *east.TableCell:
			rows := tables[len(tables)-1]
			rows[len(rows)-1] = append(rows[len(rows)-1], strings.Trim(string(n.Lines().Value(src)), " \t"))
		}
		return ast.WalkContinue, nil
	})
	return tables
}

// applied returns the document that a change makes.
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
		if columns == 1 || r.IntN(3) > 0 || strings.Trim(cells[0], " ") == "" || strings.Trim(cells[n-1], " ") == "" {
			return "|" + text + "|"
		}
		return pick("|", "") + strings.TrimLeft(text, " ") + pick("|", "", " | ")
	}
	word := func() string { return pick("a", "b c", `x\|y`, "`code`", "*e*", "ä", "1", "<br>") }
	var b strings.Builder
	b.WriteString(pick("", "# Title"+ending+ending, "text"+ending+ending))
	b.WriteString(first + row(word, columns) + ending)
	b.WriteString(next + row(func() string { return pick("---", ":--", "--:", ":-:") }, columns) + ending)
	for range r.IntN(4) {
		b.WriteString(next + row(func() string { return pick(word(), word(), "") }, 1+r.IntN(columns)) + ending)
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

// TestTables changes cells and columns of random tables: as goldmark reads it, the table is then
// what it was and the change, all other tables and blocks are what they were, and what is refused
// is refused with a reason.
func TestTables(t *testing.T) {
	rounds := 1000
	if testkit.Long() {
		rounds = 1_000_000
	}
	r := rand.New(rand.NewPCG(7, 8))
	texts := []string{"new", "a|b", `a\|b`, "two\nlines", "", `end\`, "`c|d`", "  blanks  ", "a||b", "- [ ] x", "# no"}
	made := 0
	for round := range rounds {
		src := randomTable(r)
		doc, err := markdown.Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		before := tablesOf(doc.Source)
		b := slices.IndexFunc(doc.Blocks, func(b markdown.Block) bool { return b.Kind == markdown.Table })
		if b < 0 || len(before) != 1 || len(before[0]) != len(childrenOf(doc, b)) {
			continue // a line with a tag alone is no row: goldmark takes it for one
		}
		old := before[0]
		columns, _ := TableOf(doc, b, 0)
		column, row, with := r.IntN(columns), r.IntN(len(old)), texts[r.IntN(len(texts))]
		want := make([][]string, len(old))
		for i := range old {
			want[i] = slices.Clone(old[i])
		}
		var ch *Change
		var refused *Error
		what := ""
		switch r.IntN(4) {
		case 0:
			what = "cell"
			cells := childrenOf(doc, childrenOf(doc, b)[row])
			column %= len(cells)
			ch = ReplaceCell(doc, cells[column], with)
			want[row][column] = cellText(with)
		case 1:
			what = "rename"
			ch, refused = RenameColumn(doc, b, column, with)
			want[0][column] = cellText(with)
		case 2:
			what = "remove"
			ch, refused = RemoveColumn(doc, b, column)
			for i := range want {
				want[i] = slices.Delete(want[i], column, column+1)
			}
		case 3:
			what = "insert"
			column = r.IntN(columns + 1)
			ch, refused = InsertColumn(doc, b, column, with)
			lines := lines(with)
			for i := range want {
				cell := ""
				if i < len(lines) {
					cell = cellText(lines[i])
				}
				want[i] = slices.Insert(want[i], column, cell)
			}
		}
		if refused != nil {
			if refused.Message == "" {
				t.Fatalf("%s %q in %q is refused without a reason", what, with, src)
			}
			continue
		}
		now := appliedTo(doc.Source, ch)
		after, err := markdown.Parse(now)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := ch.Verify(after); wrong != "" {
			continue
		}
		made++
		told := func() string {
			return fmt.Sprintf("round %d: %s %d,%d %q of\n%s\nmakes\n%s", round, what, row, column, with, src, now)
		}
		if got := tablesOf(now); len(got) != 1 || !slices.EqualFunc(got[0], want, slices.Equal[[]string]) {
			t.Fatalf("%s\nfor goldmark %q, want %q", told(), got, want)
		}
		splices := make([]blockcheck.Splice, len(ch.Splices))
		for i, s := range ch.Splices {
			splices[i] = blockcheck.Splice(s)
		}
		if damage := blockcheck.Compare(doc, after, splices, ch.Joined, blockcheck.Comparison{}); damage.Total > 0 {
			t.Fatalf("%s\n%q", told(), damage.Changed)
		}
		if !strings.Contains(src, "\r") == strings.Contains(string(now), "\r") {
			t.Fatalf("%s\nwith another line ending", told())
		}
	}
	if made < rounds/3 {
		t.Errorf("only %d of %d were made", made, rounds)
	}
}
