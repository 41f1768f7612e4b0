package main

import (
	"fmt"
	"strings"
)

// report is what all measurements have found.
type report struct {
	rows    []row
	panels  []panel
	errands []ran
	ranked  []ranked
	sought  []sought
	goals   []goal
	peers   *report  // of tools for documents, nil where they weren't measured
	skipped []string // a sentence for each tool and document that is not here
}

// note adds a sentence about what was left out.
func (r *report) note(format string, arguments ...any) {
	r.skipped = append(r.skipped, fmt.Sprintf(format, arguments...))
}

// noteAll notes what was left out of each of many things: how many, and some of them.
func (r *report) noteAll(what string, all []string) {
	const some = 5
	if len(all) > some {
		r.note("%s %s: %s and %s more", thousands(len(all)), what, strings.Join(all[:some], ", "), thousands(len(all)-some))
	} else if len(all) > 0 {
		r.note("%s %s: %s", thousands(len(all)), what, strings.Join(all, ", "))
	}
}

// row is a line of the table.
type row struct {
	measure string
	tool    string
	result  string
	detail  string  // spread, or what the result consists of
	beside  string  // how many times our figure it is
	value   float64 // of which a bar is drawn, or 0
	unit    string
	cases   []single // what the result is made of, or some of it
}

// share is the value of a row that tells how many of all are right, in hundredths.
const share = "%"

// single is one case of a row.
type single struct {
	What string `json:"what"`
	Came string `json:"came"`
	Good bool   `json:"good,omitempty"`
}

func (r *report) add(line row) { r.rows = append(r.rows, line) }

func (r *report) chart(p panel) {
	if len(p.bars) > 1 {
		r.panels = append(r.panels, p)
	}
}

// table writes all rows as one Markdown table. What repeats is written once.
func (r *report) table() string {
	var b strings.Builder
	b.WriteString("| measure | tool | result | spread or parts | beside sectile |\n| --- | --- | --- | --- | --- |\n")
	before := ""
	for i := range r.rows {
		line := &r.rows[i]
		measure := line.measure
		if measure == before {
			measure = ""
		}
		before = line.measure
		tool := line.tool
		if strings.HasPrefix(tool, ours) {
			tool = "**" + tool + "**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", measure, tool, line.result, line.detail, line.beside)
	}
	return b.String()
}

// measured is a tool with its figures for one measure.
type measured struct {
	tool   string
	values sample
	missed int // how many of what was to be measured it could not do
}

// compare adds a row for each tool, beside the first, and a panel of the chart.
func (r *report) compare(measure, unit string, all []measured, chart *panel) {
	for i, m := range all {
		line := row{measure: measure, tool: m.tool, result: figure(m.values.median()) + " " + unit, detail: m.values.spread()}
		if len(m.values) == 0 {
			line.result, line.detail = "it fails", ""
		}
		if m.missed > 0 {
			line.detail += fmt.Sprintf("; not found: %s", thousands(m.missed))
		}
		if i > 0 {
			line.beside = times(m.values.over(all[0].values))
		}
		r.add(line)
		if chart != nil {
			chart.add(m.tool, m.values.median())
		}
	}
	if chart != nil {
		r.chart(*chart)
	}
}
