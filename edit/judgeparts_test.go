package edit_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	burnt "github.com/BurntSushi/toml"
	"github.com/goccy/go-yaml"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// small: what was asked of a key, a task, a cell or a column has become of it, and of nothing
// beside it. Front matter is read by libraries that it isn't written with.
func (j *judgement) small() error {
	o, c := &j.ops[0], &j.res.Changes[0]
	if len(j.ops) > 1 || c.Target == nil || o.Action == edit.ReplaceText {
		return nil
	}
	n := c.Target.Node
	switch {
	case n.Kind == address.KeyNode:
		return j.keys(o)
	case n.Kind == address.ColumnNode:
		return j.column(o, n)
	case n.Kind != address.BlockNode:
		return nil
	case o.Action == edit.Set:
		return j.task(o, n.Block)
	case j.doc.Blocks[n.Block].Kind == markdown.TableCell:
		return j.cell(o, n.Block)
	}
	return nil
}

// readFrontMatter reads front matter: its keys and values.
func readFrontMatter(doc *markdown.Document) (keys map[string]any, err error) {
	text := doc.Text(doc.Content(doc.FrontMatter()))
	if doc.Blocks[doc.FrontMatter()].Marker == '+' {
		err = burnt.Unmarshal(text, &keys)
	} else {
		err = yaml.Unmarshal(text, &keys)
	}
	return keys, err
}

// keys: all keys but the one that was changed have the values that they had.
func (j *judgement) keys(o *made) error {
	name := strings.TrimPrefix(o.Address, "@frontmatter.")
	name, _, _ = strings.Cut(name, ".")
	old, err := readFrontMatter(j.doc)
	if err != nil {
		return nil //nolint:nilerr // the judge reads it otherwise, or not at all
	}
	if j.new.FrontMatter() < 0 {
		return errors.New("small: the front matter is gone")
	}
	now, err := readFrontMatter(j.new)
	if err != nil {
		return fmt.Errorf("small: the front matter can't be read: %w", err)
	}
	for key, value := range old {
		if key != name && fmt.Sprint(now[key]) != fmt.Sprint(value) {
			return fmt.Errorf("small: %s was %v and is %v", key, value, now[key])
		}
	}
	most := len(old)
	if _, ok := now[name]; ok != (o.Action != edit.Remove && o.Action != edit.Rename || name != strings.TrimPrefix(o.Address, "@frontmatter.")) {
		return fmt.Errorf("small: %s is there: %v", name, ok)
	}
	if len(now) > most {
		return fmt.Errorf("small: %v is now %v", old, now)
	}
	return nil
}

// task: one byte has changed, between the brackets of the task.
func (j *judgement) task(o *made, b int) error {
	if len(j.res.Splices) != 1 {
		return fmt.Errorf("small: %d splices for a task", len(j.res.Splices))
	}
	s := j.res.Splices[0]
	item := &j.doc.Blocks[b]
	around := string(j.doc.Source[s.Start-1 : s.End+1])
	if s.Len() != 1 || len(s.Text) != 1 || around[0] != '[' || around[2] != ']' || s.Start > int(item.Start)+20 && !bytes.HasPrefix(bytes.TrimLeft(j.doc.Source[item.Start+1:], white), []byte("[")) {
		return fmt.Errorf("small: %q became %q for a task", around, s.Text)
	}
	is := j.new.Blocks[b].Flags&markdown.Done != 0
	was := item.Flags&markdown.Done != 0
	if is == was || o.Text == "done" && !is || o.Text == "open" && is {
		return fmt.Errorf("small: the task was done: %v, and is: %v", was, is)
	}
	return nil
}

// tableOf returns the texts of the cells of a table, row by row.
func tableOf(doc *markdown.Document, b int) [][]string {
	var rows [][]string
	for r := range doc.Children(b) {
		row := []string{}
		for c := range doc.Children(r) {
			row = append(row, string(doc.Text(doc.Blocks[c].Span())))
		}
		rows = append(rows, row)
	}
	return rows
}

// inCell returns a text as a reader sees it in a cell.
func inCell(s string) string {
	return strings.Trim(strings.NewReplacer(`\|`, "|", "<br>", "\n", "\\\\", "\\").Replace(s), white)
}

// cell: its row has as many cells, and this one has the text.
func (j *judgement) cell(o *made, b int) error {
	row := int(j.doc.Blocks[b].Parent)
	table := int(j.doc.Blocks[row].Parent)
	old, now := tableOf(j.doc, table), tableOf(j.new, table)
	for i := range old {
		if i >= len(now) || len(old[i]) != len(now[i]) {
			return fmt.Errorf("small: %q is now %q", old, now)
		}
		for k, text := range old[i] {
			if changed := now[i][k] != text; changed && inCell(o.Text) != inCell(now[i][k]) && !strings.ContainsAny(o.Text, "\r\n") {
				return fmt.Errorf("small: %q is now %q, after %q", text, now[i][k], o.Text)
			}
		}
	}
	return nil
}

// column: without it, the tables before and after are the same.
func (j *judgement) column(o *made, n address.Node) error {
	old, now := tableOf(j.doc, n.Block), tableOf(j.new, n.Block)
	if len(old) != len(now) {
		return fmt.Errorf("small: %d rows are %d", len(old), len(now))
	}
	at, from, to := n.Column, 0, 0
	switch o.Action {
	case edit.Remove:
		from = 1
	case edit.InsertAfter:
		at++
		to = 1
	case edit.InsertBefore:
		to = 1
	case edit.Rename:
		from, to = 1, 1
	}
	for i := range old {
		without := func(row []string, n int) []string {
			if n == 0 || at >= len(row) {
				return row
			}
			return slices.Delete(slices.Clone(row), at, at+1)
		}
		a, b := without(old[i], from), without(now[i], to)
		for len(b) > len(a) && b[len(b)-1] == "" { // cells that were missing
			b = b[:len(b)-1]
		}
		for len(a) > len(b) && a[len(a)-1] == "" {
			a = a[:len(a)-1]
		}
		if !slices.Equal(a, b) {
			return fmt.Errorf("small: row %d, %q, is %q", i, old[i], now[i])
		}
	}
	return nil
}
