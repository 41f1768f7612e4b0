package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed charts.html
var chartsTemplate string

// charted is a measure on the page.
type charted struct {
	Name, ID, Better string
	Rows             []chartedRow
}

type chartedRow struct {
	result
	Ours, Drawn bool
	Width       string // of the bar, in hundredths of the longest
	Wrong       []single
	Right       []string // some of them
	More        int      // right ones that only the JSON has
	Count       int      // of cases
}

// maxRight is how many cases of a row are named that are as they should be.
const maxRight = 10

// lost is a measure in which another tool has a better figure than ours.
type lost struct{ Name, ID, Ours, Best, Theirs string }

// chartsPage draws the rows, each with its cases below it. It needs no script, and nothing from
// elsewhere.
func chartsPage(r *results) ([]byte, error) {
	measures, losses := chartsOf(r)
	var page bytes.Buffer
	err := template.Must(template.New("charts").Parse(chartsTemplate)).Execute(&page, map[string]any{
		"Made": strings.ReplaceAll(r.Made, "`", ""), "LeftOut": r.LeftOut, "Measures": measures, "Losses": losses,
	})
	// Indentation is a tenth of the page.
	lines := bytes.Split(page.Bytes(), []byte("\n"))
	page.Reset()
	for _, line := range lines {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			page.Write(append(line, '\n'))
		}
	}
	return page.Bytes(), err
}

// chartsOf groups the rows by measures, in their order.
func chartsOf(r *results) (measures []charted, losses []lost) {
	for i := range r.Rows {
		line := &r.Rows[i]
		if n := len(measures); n == 0 || measures[n-1].Name != line.Measure {
			better := fewer
			if line.Unit == share || line.Unit == "" {
				better = more
			}
			measures = append(measures, charted{Name: line.Measure, ID: fmt.Sprintf("m%d", n+1), Better: string(better)})
		}
		m := &measures[len(measures)-1]
		one := chartedRow{result: *line, Ours: strings.HasPrefix(line.Tool, ours), Drawn: line.Unit != "", Count: len(line.Cases)}
		for _, c := range line.Cases {
			switch {
			case c.Good && line.Unit == share && len(one.Right) == maxRight:
				one.More++
			case c.Good && line.Unit == share:
				one.Right = append(one.Right, c.What)
			default:
				one.Wrong = append(one.Wrong, c)
			}
		}
		m.Rows = append(m.Rows, one)
	}
	for i := range measures {
		m := &measures[i]
		longest, own, best := 0.0, (*chartedRow)(nil), (*chartedRow)(nil)
		for j := range m.Rows {
			one := &m.Rows[j]
			longest = max(longest, one.Value)
			if one.Unit == share {
				longest = 100
			}
			if one.Ours && own == nil {
				own = one
			}
			if one.Drawn && (best == nil || m.Better == string(more) && one.Value > best.Value || m.Better == string(fewer) && one.Value < best.Value) {
				best = one
			}
		}
		for j := range m.Rows {
			m.Rows[j].Width = fmt.Sprintf("%.1f", max(0.3, 100*m.Rows[j].Value/max(longest, 1e-9)))
		}
		if own != nil && best != nil && own.Drawn && best.Value != own.Value && !best.Ours {
			losses = append(losses, lost{m.Name, m.ID, own.Result, best.Tool, best.Result})
		}
	}
	return measures, losses
}
