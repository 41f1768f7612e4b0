package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// direction says which figures are the good ones.
type direction string

const (
	more  direction = "more is better"
	fewer direction = "less is better"
)

// panel is a part of the chart: a bar for each tool, on a scale of its own that
// begins at 0.
type panel struct {
	title, unit string
	better      direction
	bars        []bar
}

type bar struct {
	tool  string
	value float64
}

func (p *panel) add(tool string, value float64) {
	if !math.IsNaN(value) {
		p.bars = append(p.bars, bar{tool, value})
	}
}

// Sizes in pixels.
const (
	chartWidth  = 840
	labelWidth  = 270
	barWidth    = 440 // of the longest bar
	barHeight   = 18
	barStep     = 24
	titleHeight = 34
	panelGap    = 22
	margin      = 20
)

// chartStyle has the colours, for light surroundings and for dark ones. An image has
// no other way to know them.
const chartStyle = `
  .paper { fill: #ffffff } .title { font: 600 15px sans-serif; fill: #1f2328 } .text { font: 13px sans-serif; fill: #3d444d }
  .note { font: 12px sans-serif; fill: #59636e } .ours { fill: #0969da } .theirs { fill: #9aa4b0 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } .title { fill: #f0f6fc } .text { fill: #d1d7e0 } .note { fill: #9198a1 } .ours { fill: #4493f8 } .theirs { fill: #656c76 }
  }`

// svg draws the panels below each other.
func svg(panels []panel) string {
	height := margin
	for _, p := range panels {
		height += titleHeight + len(p.bars)*barStep + panelGap
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n", chartWidth, height)
	fmt.Fprintf(&b, "<title>sectile beside other tools</title>\n<style>%s\n</style>\n", chartStyle)
	fmt.Fprintf(&b, `<rect class="paper" width="%d" height="%d" rx="6"/>`+"\n", chartWidth, height)
	y := margin
	for _, p := range panels {
		y = p.draw(&b, y)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// draw draws a panel from a height downwards, and returns where the next one begins.
func (p *panel) draw(b *strings.Builder, y int) int {
	fmt.Fprintf(b, `<text class="title" x="%d" y="%d">%s</text>`, margin, y+14, html.EscapeString(p.title))
	fmt.Fprintf(b, `<text class="note" x="%d" y="%d" text-anchor="end">%s</text>`+"\n", chartWidth-margin, y+14, p.better)
	y += titleHeight
	longest := 0.0
	for _, one := range p.bars {
		longest = max(longest, one.value)
	}
	for _, one := range p.bars {
		length := 1.0 // so that nothing is seen to be little
		if longest > 0 {
			length = max(1, one.value/longest*barWidth)
		}
		class := "theirs"
		if strings.HasPrefix(one.tool, ours) {
			class = "ours"
		}
		label := strings.TrimSpace(figure(one.value) + " " + p.unit)
		fmt.Fprintf(b, `<text class="text" x="%d" y="%d" text-anchor="end">%s</text>`, labelWidth, y+13, html.EscapeString(one.tool))
		fmt.Fprintf(b, `<rect class="%s" x="%d" y="%d" width="%.1f" height="%d" rx="2"/>`, class, labelWidth+10, y, length, barHeight)
		fmt.Fprintf(b, `<text class="text" x="%.1f" y="%d">%s</text>`+"\n", labelWidth+18+length, y+13, html.EscapeString(label))
		y += barStep
	}
	return y + panelGap
}
