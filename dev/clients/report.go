package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// report prints the tables in Markdown and returns whether every reply that has to
// be verbatim was.
func report(w *strings.Builder, rows []row, columns []*column) (ok bool) {
	ok = true
	cells := []string{"reply", "characters", "bytes"}
	for _, c := range columns {
		cells = append(cells, c.way.name)
	}
	line(w, cells)
	rule(w, len(cells))
	for _, r := range rows {
		cells := []string{r.about, fmt.Sprint(r.characters), fmt.Sprint(r.bytes)}
		for _, c := range columns {
			v := c.verdicts[r.about]
			switch {
			case v.verbatim:
				cells = append(cells, cmp.Or(v.how, "verbatim"))
			case r.measured || c.way.free || r.bytes > c.way.limit:
				cells = append(cells, v.how)
			default:
				cells = append(cells, "**"+v.how+"**")
				ok = false
			}
		}
		line(w, cells)
	}
	told(w, rows, columns)
	return ok
}

// told prints what else the models are handed: around replies, and of the server.
func told(w *strings.Builder, rows []row, columns []*column) {
	facts := []struct {
		name string
		of   func(c *column) string
	}{
		{"version", func(c *column) string { return c.version }},
		{"around replies", func(c *column) string { return strings.Join(arounds(rows, c), "; or ") }},
		{"replies changed later", func(c *column) string { return fmt.Sprint(c.changed) }},
		{"tools at the start", func(c *column) string { return size(c.surfaces[0].startTools, c.surfaces[0].startBytes) }},
		{"tools once looked for", func(c *column) string { return size(c.surfaces[0].tools, c.surfaces[0].bytes) }},
		{"at the start, `--preset lean`", func(c *column) string { return size(c.surfaces[1].startTools, c.surfaces[1].startBytes) }},
		{"once looked for, `--preset lean`", func(c *column) string { return size(c.surfaces[1].tools, c.surfaces[1].bytes) }},
		{"descriptions of tools, unchanged", func(c *column) string { return share(c.surfaces[0].descriptions, c.surfaces[0].all) }},
		{"descriptions of arguments, unchanged", func(c *column) string { return share(c.surfaces[0].arguments, c.surfaces[0].allArgs) }},
		{"lines of the instructions", func(c *column) string { return share(c.surfaces[0].lines, c.surfaces[0].allLines) }},
		{"tools of the client that read resources", func(c *column) string { return there(c.surfaces[0].resources) }},
		{"prompts", func(c *column) string { return there(c.surfaces[0].prompts) }},
		{"other requests to the model's address", func(c *column) string { return fmt.Sprint(len(c.other)) }},
	}
	cells := []string{"what the model is handed"}
	for _, c := range columns {
		cells = append(cells, c.way.name)
	}
	w.WriteString("\n")
	line(w, cells)
	rule(w, len(cells))
	for _, fact := range facts {
		cells := []string{fact.name}
		for _, c := range columns {
			cells = append(cells, fact.of(c))
		}
		line(w, cells)
	}
}

func size(tools, bytes int) string {
	if tools == 0 {
		return "none"
	}
	return fmt.Sprintf("%d, %d bytes", tools, bytes)
}

func share(some, all int) string { return fmt.Sprintf("%d of %d", some, all) }

func there(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// arounds returns all that was around the replies of a column that were verbatim.
func arounds(rows []row, c *column) (list []string) {
	if c.way.free {
		return []string{"the reply as JSON"}
	}
	for _, r := range rows {
		v := c.verdicts[r.about]
		if text := generic(v.around); v.verbatim && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// line prints a line of a table.
func line(w *strings.Builder, cells []string) {
	fmt.Fprintln(w, "| "+strings.Join(cells, " | ")+" |")
}

// rule prints the line below a table's head.
func rule(w *strings.Builder, n int) {
	fmt.Fprintln(w, "|"+strings.Repeat(" --- |", n))
}
