package edit_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// TestRows puts tables made of rows wherever a block can be put, and rows into a table that is
// there.
func TestRows(t *testing.T) {
	rows := [][]string{{"Name", "Price"}, {"Apple|Pear", "1"}, {"Plum", ""}}
	const table = "| Name | Price |\n| --- | --- |\n| Apple\\|Pear | 1 |\n| Plum |  |\n"
	const src = "# A\n\ntext\n\n## B\n\n| Name | Price |\n| --- | ---: |\n| Fig | 2 |\n\n> | Name | Price |\n> | --- | --- |\n\n- item\n"
	const old = "| Name | Price |\n| --- | ---: |\n| Fig | 2 |\n"
	at := func(place, with string) string { return strings.Replace(src, place, with, 1) }
	for _, c := range []struct {
		name string
		op   edit.Op
		want string
	}{
		{"at the end of a section", edit.Op{Action: edit.Append, Address: "A"}, at("text\n", "text\n\n"+table)},
		{"at its beginning", edit.Op{Action: edit.Prepend, Address: "A"}, at("text\n", table+"\ntext\n")},
		{"in the place of a body", edit.Op{Action: edit.Replace, Address: "A", Scope: edit.ScopeBody}, at("text\n", table)},
		{"before a block", edit.Op{Action: edit.InsertBefore, Address: "A/para.0"}, at("text\n", table+"\ntext\n")},
		{"in the place of a table", edit.Op{Action: edit.Replace, Address: "B/table.0"}, at(old, table)},
		{"in an item", edit.Op{Action: edit.InsertAfter, Address: "B/list.0/item.0/para.0"}, at("- item\n", "- item\n\n  "+strings.ReplaceAll(strings.TrimSuffix(table, "\n"), "\n", "\n  ")+"\n")},
		{"at the end of a table", edit.Op{Action: edit.Append, Address: "B/table.0"}, at("| Fig | 2 |\n", "| Fig | 2 |\n| Apple\\|Pear | 1 |\n| Plum |  |\n")},
		{"at the end of one with a head alone", edit.Op{Action: edit.Append, Address: "B/quote.0/table.0"}, at("> | --- | --- |\n", "> | --- | --- |\n> | Apple\\|Pear | 1 |\n> | Plum |  |\n")},
		{"behind a row", edit.Op{Action: edit.InsertAfter, Address: "B/table.0/row.0"}, at("| Fig | 2 |\n", "| Apple\\|Pear | 1 |\n| Plum |  |\n| Fig | 2 |\n")},
		{"in the place of a row", edit.Op{Action: edit.Replace, Address: "B/table.0/row.1"}, at("| Fig | 2 |\n", "| Apple\\|Pear | 1 |\n| Plum |  |\n")},
		{"rows as text", edit.Op{Action: edit.Append, Address: "B/table.0", Text: "| Kiwi | 3 |"}, at("| Fig | 2 |\n", "| Fig | 2 |\n| Kiwi | 3 |\n")},
		{"rows that are there", edit.Op{Action: edit.Append, Address: "B/table.0", Text: "|Fig|2|", UnlessPresent: true}, src},
	} {
		for _, ending := range []string{"\n", "\r\n"} {
			if c.op.Text == "" {
				c.op.Rows = rows
			}
			doc := parse(t, []byte(strings.ReplaceAll(src, "\n", ending)))
			res, err := applyWith(doc, []edit.Op{c.op}, edit.Options{Pinned: true})
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if got := string(res.Doc.Source); got != strings.ReplaceAll(c.want, "\n", ending) {
				t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
			}
			if c.op.Action == edit.Append && (res.Changes[0].After == nil || !c.op.UnlessPresent && res.Changes[0].Lines.Len() < 1) {
				t.Errorf("%s: after %v, lines %v", c.name, res.Changes[0].After, res.Changes[0].Lines)
			}
		}
	}
}

// rows: what rows make is what a text makes that is the table, or more rows of one.
func (j *judgement) rows() error {
	written := *j.attempt
	written.ops = slices.Clone(j.ops)
	for i := range written.ops {
		o := &written.ops[i]
		if o.Rows == nil {
			continue
		}
		for k, row := range o.Rows {
			o.Text += "| " + strings.Join(row, " | ") + " |\n"
			n := j.res.Changes[i].Target // o.node is only what its address was made for
			isRow := n.Kind == address.BlockNode && (j.doc.Blocks[n.Block].Kind == markdown.TableRow || o.Action == edit.Append)
			if k == 0 && !isRow {
				o.Text += "|" + strings.Repeat(" --- |", len(row)) + "\n" // as rows are written: a line that is there keeps its ending
			}
		}
		o.Rows = nil
	}
	res, err := written.apply()
	if err != nil {
		return fmt.Errorf("rows: what they make can't be made of text: %w", err)
	}
	if err := judge(&written, res); err != nil {
		return err
	}
	squeezed := func(src []byte) string { return strings.NewReplacer(" ", "", "---", "-").Replace(string(src)) }
	if got, want := squeezed(j.res.Doc.Source), squeezed(res.Doc.Source); got != want {
		return fmt.Errorf("rows: %q, and of text %q", got, want)
	}
	return nil
}

// TestRowsRefused: rows that are none, or don't fit, and places for which they aren't.
func TestRowsRefused(t *testing.T) {
	const src = "---\ntags: [a]\n---\n# A\n\n| Name | Price |\n| --- | ---: |\n| Fig | 2 |\n\n- [ ] task\n"
	for _, c := range []struct {
		op   edit.Op
		says string
	}{
		{edit.Op{Action: edit.Append, Address: "A", Rows: [][]string{}}, "there are no rows"},
		{edit.Op{Action: edit.Append, Address: "A", Rows: [][]string{{"a"}, {"b", "c"}}}, "row 2"},
		{edit.Op{Action: edit.Append, Address: "A", Rows: [][]string{{"a"}}, Text: "x"}, "rows and a text"},
		{edit.Op{Action: edit.Append, Address: "A/table.0", Rows: [][]string{{"a"}}}, `row 1 ("a") has 1 cells and the table 2`},
		{edit.Op{Action: edit.Append, Address: "A/table.0", Rows: [][]string{{"Name", "Price"}}}, "besides its head"},
		{edit.Op{Action: edit.Append, Address: "A/table.0", Text: "text"}, "no row of a table"},
		{edit.Op{Action: edit.Append, Address: "A/list.0", Text: "text"}, "append is not possible for this list; there are replace, insert_before, insert_after, remove"},
		{edit.Op{Action: edit.Prepend, Address: "A/table.0", Text: "| a | b |"}, "prepend is not possible for this table; there are replace, insert_before, insert_after, remove, append"},
		{edit.Op{Action: edit.InsertBefore, Address: "A", Rows: [][]string{{"a"}}}, "begin"},
		{edit.Op{Action: edit.Replace, Address: `A/table.0["Fig","Price"]`, Rows: [][]string{{"a"}}}, "don't fit here"},
		{edit.Op{Action: edit.InsertAfter, Address: `A/table.0["Price"]`, Rows: [][]string{{"a"}}}, "don't fit here"},
		{edit.Op{Action: edit.Append, Address: `@frontmatter.tags`, Rows: [][]string{{"a"}}}, "don't fit here"},
		{edit.Op{Action: edit.Append, Address: `@frontmatter.none`, Rows: [][]string{{"a"}}}, "don't fit here"},
		{edit.Op{Action: edit.Append, Address: `@frontmatter.none.none`, Rows: [][]string{{"a"}}}, "don't fit here"},
		{edit.Op{Action: edit.Rename, Address: `A`, Rows: [][]string{{"a"}}}, "rename takes no rows"},
		{edit.Op{Action: edit.Remove, Address: `A`, Rows: [][]string{{"a"}}}, "takes no"},
		{edit.Op{Action: edit.ReplaceText, Old: `A`, Rows: [][]string{{"a"}}}, "takes no rows"},
		{edit.Op{Action: edit.Append, Address: `A`, Rows: [][]string{{"a\x00"}}}, "NUL"},
	} {
		_, err := applyWith(parse(t, []byte(src)), []edit.Op{c.op}, edit.Options{Pinned: true})
		if errs, ok := errors.AsType[edit.Errors](err); !ok || !strings.Contains(errs[0].Error(), c.says) {
			t.Errorf("%s %s: %v, want %q", c.op.Action, c.op.Address, err, c.says)
		}
	}
}
