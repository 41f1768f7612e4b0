package config

import (
	"slices"
	"strings"
	"unicode"
)

// Adding to lists and mappings in brackets, and taking items out, in brackets or
// in a block. Comments outside of what is taken out stay, wherever they are.

// addInline adds an item to a list or mapping in brackets. If the last one begins
// a line, the new one gets a line of its own.
func (d *draft) addInline(n *node, text string) {
	if len(n.items) == 0 {
		d.replace(n.start+1, n.start+1, text)
		return
	}
	last := &n.items[len(n.items)-1]
	end := last.end()
	behind := end
	if last.comma >= 0 {
		behind = last.comma + 1
	}
	i := d.lineAt(behind)
	if rest := strings.TrimLeft(d.source[behind:d.lines[i].end], " \t"); !d.begins(last.start) || rest != "" && rest[0] != '#' || d.open(i) {
		d.replace(end, end, ", "+text)
		return
	}
	start := d.lines[d.lineAt(last.start)].start
	line := d.source[start:last.start] + text
	if last.comma >= 0 {
		line += ","
	} else {
		d.replace(end, end, ",")
	}
	d.insert(i, []string{line})
}

// remove takes items out of a list or mapping, those whose indexes are gone.
func (d *draft) remove(n *node, gone ...int) {
	if n.flow {
		d.removeInline(n, gone)
		return
	}
	var ranges []span
	for _, i := range gone {
		r := d.linesOf(n, i)
		if k := len(ranges) - 1; k >= 0 && ranges[k].end == r.start {
			ranges[k].end = r.end
			continue
		}
		ranges = append(ranges, r)
	}
	for _, r := range ranges {
		// Where the file has no line ending at its end, it still has none.
		if last := len(d.lines) - 1; r.end == len(d.source) && d.open(last) && r.start > d.lines[0].start {
			r.start = d.lines[d.lineAt(r.start)-1].end
		}
		d.replace(r.start, r.end, "")
	}
}

// linesOf returns the lines of an item of a block, with a blank line that would be
// one too many without it.
func (d *draft) linesOf(n *node, i int) span {
	it := &n.items[i]
	if !d.begins(it.start) {
		return span{0, -1} // which no result allows
	}
	first := d.lineAt(it.start)
	last := d.lastLine(it.end(), d.column(it.start))
	r := span{d.lines[first].start, d.next(last)}
	switch {
	case !d.tidy:
	case i > 0 && first > 0 && d.isBlank(first-1) && d.lineAt(n.items[i-1].end()) < first-1: // it is none of a text
		r.start = d.lines[first-1].start
	case i == 0 && len(n.items) > 1 && last+1 < len(d.lines) && d.isBlank(last+1):
		r.end = d.next(last + 1)
	}
	return r
}

// removeInline takes items out of brackets, each with one comma: the one after
// it, or the one before it if no item stays after it.
func (d *draft) removeInline(n *node, gone []int) {
	final := len(n.items) // after it nothing stays
	if n.items[final-1].comma < 0 {
		for final > 0 && slices.Contains(gone, final-1) {
			final--
		}
	}
	for _, i := range gone {
		it := &n.items[i]
		switch {
		case i < final && i > 0 && i == len(n.items)-1 && !slices.Contains(gone, i-1) && d.blank(n.items[i-1].comma+1, it.start) && d.blank(it.end(), it.comma):
			d.replace(n.items[i-1].comma+1, it.comma+1, "")
		case i < final:
			d.clear(it.start, it.end(), it.comma)
		case i == 0:
			d.replace(it.start, it.end(), "")
		default:
			comma := n.items[i-1].comma
			if d.blank(comma+1, it.start) {
				d.replace(comma, it.end(), "")
				continue
			}
			d.replace(comma, comma+1, "")
			d.clear(it.start, it.end(), -1)
		}
	}
}

// clear takes an item in brackets out, and the comma after it if there is one; the
// line too if nothing else is on it.
func (d *draft) clear(start, end, comma int) {
	if comma < 0 {
		comma = end - 1
	}
	to := d.afterBlanks(comma + 1)
	i := d.lineAt(start)
	switch {
	case !d.blank(end, comma): // a comment between
		d.replace(start, end, "")
		d.replace(comma, to, "")
	case d.begins(start) && to == d.lines[i].end && !d.open(i):
		d.replace(d.lines[i].start, d.next(i), "")
	default:
		d.replace(start, to, "")
	}
}

// blank reports whether a range has nothing but blanks.
func (d *draft) blank(start, end int) bool {
	return strings.Trim(d.source[start:max(start, end)], " \t") == ""
}

// afterBlanks returns the offset after the blanks at an offset, on its line.
func (d *draft) afterBlanks(at int) int {
	for at < len(d.source) && (d.source[at] == ' ' || d.source[at] == '\t') {
		at++
	}
	return at
}

// setText gives a scalar a new text; a comment after it stays.
func (d *draft) setText(it *item, text string) {
	n := it.value
	text = d.textIn(n, text)
	switch {
	case n.missing():
		d.replace(it.colon, it.colon, " "+text)
	case n.block && n.note.end > 0:
		d.replace(n.start, n.end, text+" "+d.source[n.note.start:n.note.end])
	default:
		d.replace(n.start, n.end, text)
	}
}

// textIn returns a text as YAML for the place of a scalar, in the quotes that this has, if it may
// stand in them as it is.
func (d *draft) textIn(n *node, text string) string {
	quote := d.source[n.start:min(n.start+1, n.end)]
	isPlain := func(r rune) bool { return unicode.IsPrint(r) && r != '\\' && r != '"' && r != '\'' }
	if quote != `"` && quote != "'" || strings.ContainsFunc(text, func(r rune) bool { return !isPlain(r) }) {
		return writeText(text, n.flow)
	}
	return quote + text + quote
}

// setList makes the items of a list those that are wanted, and touches none that
// stays. The owner is the item whose value it is.
func (d *draft) setList(owner *item, want []string) {
	n := owner.value
	if n.kind != list || len(n.items) == 0 {
		text := writeValue(want)
		if n.missing() {
			text = " " + text
		}
		d.replace(n.start, n.end, text)
		return
	}
	have := make([]string, len(n.items))
	for i := range n.items {
		have[i] = n.items[i].value.text
	}
	var gone []int
	stays := common(have, want)
	for i, j, k := 0, 0, 0; i < len(have) || j < len(want); k++ {
		nextHave, nextWant := len(have), len(want)
		if k < len(stays) {
			nextHave, nextWant = stays[k][0], stays[k][1]
		}
		for i < nextHave && j < nextWant { // one in the place of another
			d.setText(&n.items[i], want[j])
			i, j = i+1, j+1
		}
		for ; i < nextHave; i++ {
			gone = append(gone, i)
		}
		if j < nextWant {
			d.addItems(owner, i-1, want[j:nextWant])
		}
		i, j = nextHave+1, nextWant+1
	}
	if len(gone) > 0 {
		d.remove(n, gone...)
	}
}

// addItems adds items to a list that has some, after one, or before all after
// -1.
func (d *draft) addItems(owner *item, behind int, texts []string) {
	n := owner.value
	if n.flow && behind == len(n.items)-1 {
		for i := range texts {
			texts[i] = writeText(texts[i], true)
		}
		d.addInline(n, strings.Join(texts, ", "))
		return
	}
	if n.flow {
		at := n.items[behind+1].start
		for _, s := range texts {
			d.replace(at, at, writeText(s, true)+", ")
		}
		return
	}
	indent := d.column(n.start)
	var lines []string
	for _, s := range texts {
		lines = append(lines, strings.Repeat(" ", indent)+"- "+writeText(s, false))
	}
	if behind < 0 {
		d.insert(d.lineAt(owner.start), lines)
		return
	}
	it := &n.items[behind]
	d.insert(d.lastLine(it.end(), indent), lines)
}

// common returns the longest list of pairs of indexes, ascending, at which two
// lists hold the same.
func common(a, b []string) [][2]int {
	lengths := make([][]int, len(a)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(b)+1)
	}
	for i, x := range slices.Backward(a) {
		for j, y := range slices.Backward(b) {
			lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			if x == y {
				lengths[i][j] = lengths[i+1][j+1] + 1
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case lengths[i+1][j] >= lengths[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}
