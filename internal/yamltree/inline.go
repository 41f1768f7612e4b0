package yamltree

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sectile/sectile/internal/frontmatter"
)

// Adding to lists and mappings in brackets, and taking items out, in brackets or
// in a block. Comments outside of what is taken out stay, wherever they are.

// addInline adds an item to a list or mapping in brackets. If the last one begins
// a line, the new one gets a line of its own.
func (d *Draft) addInline(n *Node, text string) {
	if len(n.Items) == 0 {
		d.replace(n.Start+1, n.Start+1, text)
		return
	}
	last := &n.Items[len(n.Items)-1]
	end := last.End()
	behind := end
	if last.Comma >= 0 {
		behind = last.Comma + 1
	}
	i := d.lineAt(behind)
	if rest := strings.TrimLeft(d.Source[behind:d.Lines[i].End], " \t"); !d.begins(last.Start) || rest != "" && rest[0] != '#' || d.open(i) {
		d.replace(end, end, ", "+text)
		return
	}
	start := d.Lines[d.lineAt(last.Start)].Start
	line := d.Source[start:last.Start] + text
	if last.Comma >= 0 {
		line += ","
	} else {
		d.replace(end, end, ",")
	}
	d.insert(i, []string{line})
}

// Remove takes items out of a list or mapping, those whose indexes are gone.
func (d *Draft) Remove(n *Node, gone ...int) {
	if n.Flow {
		d.removeInline(n, gone)
		return
	}
	var ranges []Span
	for _, i := range gone {
		r := d.linesOf(n, i)
		if k := len(ranges) - 1; k >= 0 && ranges[k].End == r.Start {
			ranges[k].End = r.End
			continue
		}
		ranges = append(ranges, r)
	}
	for _, r := range ranges {
		// Where the file has no line ending at its end, it still has none.
		if last := len(d.Lines) - 1; r.End == len(d.Source) && d.open(last) && r.Start > d.Lines[0].Start {
			r.Start = d.Lines[d.lineAt(r.Start)-1].End
		}
		d.replace(r.Start, r.End, "")
	}
}

// linesOf returns the lines of an item of a block, with a blank line that would be
// one too many without it.
func (d *Draft) linesOf(n *Node, i int) Span {
	it := &n.Items[i]
	if !d.begins(it.Start) {
		return Span{0, -1} // which no result allows
	}
	first := d.lineAt(it.Start)
	last := d.lastLine(it.End(), d.column(it.Start))
	r := Span{d.Lines[first].Start, d.next(last)}
	switch {
	case !d.tidy:
	case i > 0 && first > 0 && d.isBlank(first-1) && d.lineAt(n.Items[i-1].End()) < first-1: // it is none of a text
		r.Start = d.Lines[first-1].Start
	case i == 0 && len(n.Items) > 1 && last+1 < len(d.Lines) && d.isBlank(last+1):
		r.End = d.next(last + 1)
	}
	return r
}

// removeInline takes items out of brackets, each with one comma: the one after
// it, or the one before it if no item stays after it.
func (d *Draft) removeInline(n *Node, gone []int) {
	final := len(n.Items) // after it nothing stays
	if n.Items[final-1].Comma < 0 {
		for final > 0 && slices.Contains(gone, final-1) {
			final--
		}
	}
	for _, i := range gone {
		it := &n.Items[i]
		switch {
		case i < final && i > 0 && i == len(n.Items)-1 && !slices.Contains(gone, i-1) && d.blank(n.Items[i-1].Comma+1, it.Start) && d.blank(it.End(), it.Comma):
			d.replace(n.Items[i-1].Comma+1, it.Comma+1, "")
		case i < final:
			d.clear(it.Start, it.End(), it.Comma)
		case i == 0:
			d.replace(it.Start, it.End(), "")
		default:
			comma := n.Items[i-1].Comma
			if d.blank(comma+1, it.Start) {
				d.replace(comma, it.End(), "")
				continue
			}
			d.replace(comma, comma+1, "")
			d.clear(it.Start, it.End(), -1)
		}
	}
}

// clear takes an item in brackets out, and the comma after it if there is one; the
// line too if nothing else is on it.
func (d *Draft) clear(start, end, comma int) {
	if comma < 0 {
		comma = end - 1
	}
	to := d.afterBlanks(comma + 1)
	i := d.lineAt(start)
	switch {
	case !d.blank(end, comma): // a comment between
		d.replace(start, end, "")
		d.replace(comma, to, "")
	case d.begins(start) && to == d.Lines[i].End && !d.open(i):
		d.replace(d.Lines[i].Start, d.next(i), "")
	default:
		d.replace(start, to, "")
	}
}

// blank reports whether a range has nothing but blanks.
func (d *Draft) blank(start, end int) bool {
	return strings.Trim(d.Source[start:max(start, end)], " \t") == ""
}

// afterBlanks returns the offset after the blanks at an offset, on its line.
func (d *Draft) afterBlanks(at int) int {
	for at < len(d.Source) && (d.Source[at] == ' ' || d.Source[at] == '\t') {
		at++
	}
	return at
}

// SetText gives a scalar a new text; a comment after it stays.
func (d *Draft) SetText(it *Item, text string) {
	n := it.Value
	text = d.textIn(n, text)
	switch {
	case n.IsMissing():
		d.replace(it.Colon, it.Colon, " "+text)
	case n.Block && n.Note.End > 0:
		d.replace(n.Start, n.End, text+" "+d.Source[n.Note.Start:n.Note.End])
	default:
		d.replace(n.Start, n.End, text)
	}
}

// SetField changes a field of a mapping, adds it, or takes it out if the value is
// empty. The owner is the item whose value the mapping is.
func (d *Draft) SetField(owner *Item, n *Node, key string, value any) {
	i := slices.IndexFunc(n.Items, func(it Item) bool { return it.Key.Text == key })
	text, isText := value.(string)
	texts, _ := value.([]string)
	switch empty := text == "" && len(texts) == 0; {
	case empty && i >= 0:
		d.Remove(n, i)
	case empty:
	case i < 0:
		d.add(n, d.column(owner.Start), Pair{key, value})
	case isText:
		d.SetText(&n.Items[i], text)
	default:
		d.SetList(&n.Items[i], texts)
	}
}

// Rename gives an item another key.
func (d *Draft) Rename(it *Item, key string) {
	d.replace(it.Key.Start, it.Key.End, d.textIn(it.Key, key))
}

// textIn returns a text as YAML for the place of a scalar, in the quotes that this has, if it may
// stand in them as it is.
func (d *Draft) textIn(n *Node, text string) string {
	quote := d.Source[n.Start:min(n.Start+1, n.End)]
	isPlain := func(r rune) bool { return unicode.IsPrint(r) && r != '\\' && r != '"' && r != '\'' }
	if quote != `"` && quote != "'" || strings.ContainsFunc(text, func(r rune) bool { return !isPlain(r) }) {
		return frontmatter.YAMLText(text, n.Flow)
	}
	return quote + text + quote
}

// SetList makes the items of a list those that are wanted, and touches none that
// stays. The owner is the item whose value it is.
func (d *Draft) SetList(owner *Item, want []string) {
	n := owner.Value
	if n.Kind != List || len(n.Items) == 0 {
		text := WriteValue(want)
		if n.IsMissing() {
			text = " " + text
		}
		d.replace(n.Start, n.End, text)
		return
	}
	have := make([]string, len(n.Items))
	for i := range n.Items {
		have[i] = n.Items[i].Value.Text
	}
	var gone []int
	stays := common(have, want)
	for i, j, k := 0, 0, 0; i < len(have) || j < len(want); k++ {
		nextHave, nextWant := len(have), len(want)
		if k < len(stays) {
			nextHave, nextWant = stays[k][0], stays[k][1]
		}
		for i < nextHave && j < nextWant { // one in the place of another
			d.SetText(&n.Items[i], want[j])
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
		d.Remove(n, gone...)
	}
}

// addItems adds items to a list that has some, after one, or before all after
// -1.
func (d *Draft) addItems(owner *Item, behind int, texts []string) {
	n := owner.Value
	if n.Flow && behind == len(n.Items)-1 {
		for i := range texts {
			texts[i] = frontmatter.YAMLText(texts[i], true)
		}
		d.addInline(n, strings.Join(texts, ", "))
		return
	}
	if n.Flow {
		at := n.Items[behind+1].Start
		for _, s := range texts {
			d.replace(at, at, frontmatter.YAMLText(s, true)+", ")
		}
		return
	}
	indent := d.column(n.Start)
	var lines []string
	for _, s := range texts {
		lines = append(lines, strings.Repeat(" ", indent)+"- "+frontmatter.YAMLText(s, false))
	}
	if behind < 0 {
		d.insert(d.lineAt(owner.Start), lines)
		return
	}
	it := &n.Items[behind]
	d.insert(d.lastLine(it.End(), indent), lines)
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
