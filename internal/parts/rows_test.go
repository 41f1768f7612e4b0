package parts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// TestNewTable makes tables of rows, and refuses what is none.
func TestNewTable(t *testing.T) {
	for _, c := range []struct {
		rows [][]string
		want string
	}{
		{[][]string{{"a", "b"}, {"1", ""}}, "| a | b |\n| --- | --- |\n| 1 |  |"},
		{[][]string{{"a|b"}, {"one\r\ntwo "}}, "| a\\|b |\n| --- |\n| one<br>two |"},
		{[][]string{{"a"}}, "| a |\n| --- |"},
		{[][]string{}, "there are no rows; give the head of the table as the first one"},
		{[][]string{{}, {}}, "row 1, the head of the table, has no cells; give a text for each column"},
		{[][]string{{"a", "b"}, {"1", "2"}, {"3"}}, `row 3 ("3") has 1 cells and the first one 2; give each row as many, empty ones too`},
		{[][]string{{"a"}, {"1", "2"}}, `row 2 ("1, 2") has 2 cells and the first one 1; give each row as many, empty ones too`},
	} {
		got, err := NewTable(c.rows)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.rows, got, c.want)
		}
	}
}

// TestMoreRows makes rows for a table that is there; its head may be sent with them.
func TestMoreRows(t *testing.T) {
	doc, err := markdown.Parse([]byte("| a | b\\|c |\n|---|---|\n|  1 | 2 |\n| x |\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rows [][]string
		want string
		has  bool
	}{
		{[][]string{{"1", "2"}}, "| 1 | 2 |", true},
		{[][]string{{"x", ""}}, "| x |  |", true},
		{[][]string{{"a", "b|c"}, {"1", "2"}, {"3", ""}}, "| 1 | 2 |\n| 3 |  |", false},
		{[][]string{{"---", ":-:"}, {"-", "x"}}, "| \\--- | :-: |\n| - | x |", false},
		{[][]string{{"a", "b|c"}}, "there are no rows for the table; give at least one besides its head", false},
		{nil, "there are no rows for the table; give at least one besides its head", false},
		{[][]string{{"1"}}, `row 1 ("1") has 1 cells and the table 2; give each row as many, empty ones too`, false},
	} {
		got, err := MoreRows(doc, 0, c.rows)
		if err != nil {
			got = err.Error()
		}
		if got != c.want || err == nil && HasRows(doc, 0, got) != c.has {
			t.Errorf("%q: %q, want %q", c.rows, got, c.want)
		}
	}
}

// TestTablesOfAnything makes tables of texts with everything in them that ends a cell, a row or a
// table: they are read back as they were written, by our parser and by goldmark.
func TestTablesOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b c", "|", `\`, "\n", "`", "`x|y`", "-", "---", ":-:", "#", "> ", "- ", "1. ", "    ", "\t", "<!--", "</p>", "```", "~~~", "é", "", "[x]: /u", "\u00a0", "<br>"}
	cell := func() string {
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	for range testkit.Some(20_000, 10) {
		rows := make([][]string, 1+r.IntN(4))
		columns := 1 + r.IntN(3)
		want := make([][]string, len(rows))
		escapes := false
		for i := range rows {
			for range columns {
				c := cell()
				rows[i], want[i] = append(rows[i], c), append(want[i], cellText(c))
				escapes = escapes || strings.Contains(c, `\`)
			}
		}
		text, err := NewTable(rows)
		if err != nil {
			t.Fatal(err)
		}
		src := []byte("before\n\n" + text + "\n\nafter\n")
		doc, parseErr := markdown.Parse(src)
		if parseErr != nil {
			t.Fatal(parseErr)
		}
		if n := slices.Collect(kindsOf(doc)); fmt.Sprint(n) != "[paragraph table paragraph]" {
			t.Fatalf("%q is %v:\n%s", rows, n, text)
		}
		table := tableAt(doc, 1)
		if got := table.texts(); !slices.EqualFunc(got, want, slices.Equal[[]string]) {
			t.Fatalf("%q is read as %q:\n%s", rows, got, text)
		}
		if theirs := byGoldmark(string(src)).Tables; !escapes && (len(theirs) != 1 || !slices.EqualFunc(theirs[0].Rows, want, slices.Equal[[]string])) {
			t.Fatalf("%q is %q for goldmark:\n%s", rows, theirs, text)
		}
	}
}

// kindsOf yields the names of the kinds of blocks at the top level.
func kindsOf(doc *markdown.Document) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for b := range doc.Children(-1) {
			if !yield(doc.Blocks[b].Kind.String()) {
				return
			}
		}
	}
}

// TestRowsInLinearTime: a table of many rows, cells with much white space, and rows of which it is
// asked whether they are there, take as long as their size. Each would take hours otherwise.
func TestRowsInLinearTime(t *testing.T) {
	testkit.OneGoroutine(t)
	const n = 200_000
	rows := make([][]string, n)
	for i := range rows {
		rows[i] = []string{fmt.Sprint(i)}
	}
	rows[0] = []string{strings.Repeat("\v", 4<<20) + strings.Repeat("a", 4<<20)}
	text := ""
	allocs := testing.AllocsPerRun(1, func() { text, _ = NewTable(rows) })
	if most := 8.0 * n; allocs > most {
		t.Errorf("%d rows took %.0f allocations", n, allocs)
	}
	doc, err := markdown.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(text, "---")
	_, body, _ = strings.Cut(body, "\n")
	if !HasRows(doc, 0, body) || HasRows(doc, 0, body+"\n| x |") {
		t.Error("rows that are there are not found, or others are")
	}
}
