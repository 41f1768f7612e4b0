package config

import (
	"slices"
	"strings"
)

// A change is a list of splices. Where something is added in a block it follows
// the lines of what is there: its indentation, its blank lines, its line ending.

// splice replaces a range of a text.
type splice struct {
	span
	text string
}

// draft is a file that is being changed.
type draft struct {
	*file
	splices []splice
	tidy    bool // blank lines are added and taken out as between the others
}

// replace replaces a range.
func (d *draft) replace(start, end int, text string) {
	d.splices = append(d.splices, splice{span{start, end}, text})
}

// result returns the text with its splices, and whether they stand apart.
func (d *draft) result() (string, bool) {
	slices.SortStableFunc(d.splices, func(a, b splice) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, s := range d.splices {
		if s.start < at || s.end < s.start || s.end > len(d.source) {
			return "", false
		}
		b.WriteString(d.source[at:s.start])
		b.WriteString(s.text)
		at = s.end
	}
	b.WriteString(d.source[at:])
	return b.String(), true
}

// insert adds lines after a line; after -1 they are the first.
func (d *draft) insert(behind int, lines []string) {
	text := strings.Join(lines, d.ending)
	switch {
	case len(d.lines) == 0:
		d.replace(len(d.source), len(d.source), text+d.ending)
	case behind < 0:
		d.replace(d.lines[0].start, d.lines[0].start, text+d.endingAt(0))
	case d.open(behind):
		d.replace(len(d.source), len(d.source), d.endingAt(behind)+strings.Join(lines, d.endingAt(behind)))
	default:
		ending := d.endingAt(behind)
		at := d.next(behind)
		d.replace(at, at, strings.Join(lines, ending)+ending)
	}
}

// endingAt returns the line ending of a line, or of the file if it has none.
func (d *draft) endingAt(i int) string {
	if s := d.source[d.lines[i].end:d.next(i)]; s != "" {
		return s
	}
	return d.ending
}

// lastLine returns the last line of what ends at an offset: comments that follow
// and are indented deeper than its owner belong to it.
func (d *draft) lastLine(end, indent int) int {
	last := d.lineAt(end)
	for i := last + 1; i < len(d.lines); i++ {
		switch {
		case d.isBlank(i):
		case d.isComment(i) && d.indent(i) > indent:
			last = i
		default:
			return last
		}
	}
	return last
}

// step is how far the file indents.
func (d *draft) step() int {
	const usual = 2
	if d.root == nil || d.root.flow {
		return usual
	}
	for i := range d.root.items {
		if inner := d.root.items[i].value; inner.kind == mapping && !inner.flow {
			return d.column(inner.start) - d.column(d.root.start)
		}
	}
	return usual
}

// width is how long a line may be that is made of a list in brackets.
const width = 80

// block returns a key and its value as lines; like says how a brother is written,
// and may be nil.
func (d *draft) block(p pair, indent int, like *item) []string {
	head := strings.Repeat(" ", indent) + writeText(p.key, false) + ":"
	inline := like != nil && like.value.kind != null && like.value.kind != scalar && like.value.flow
	switch value := p.value.(type) {
	case []pair:
		if inline {
			break
		}
		lines := []string{head}
		inner := indent + d.step()
		if like != nil && like.value.kind == mapping && !like.value.flow {
			inner = indent + d.column(like.value.start) - d.column(like.start)
		}
		for _, child := range value {
			lines = append(lines, d.block(child, inner, nil)...)
		}
		return lines
	case []string:
		below := like != nil && like.value.kind == list && !like.value.flow
		if one := head + " " + writeValue(value); !below && (inline || len(one) <= width) {
			return []string{one}
		}
		lines, inner := []string{head}, indent+d.step()
		if below {
			inner = indent + d.column(like.value.start) - d.column(like.start)
		}
		for _, s := range value {
			lines = append(lines, strings.Repeat(" ", inner)+"- "+writeText(s, false))
		}
		return lines
	}
	if text, ok := p.value.(string); ok {
		return []string{head + " " + writeText(text, false)}
	}
	return []string{head + " " + writeValue(p.value)}
}

// spaced reports whether blank lines stand between the items of a mapping.
func (d *draft) spaced(n *node) bool {
	if len(n.items) < 2 {
		return n == d.root
	}
	i := d.lineAt(n.items[len(n.items)-1].start) - 1
	for i > 0 && d.isComment(i) {
		i--
	}
	return i >= 0 && d.isBlank(i)
}

// add adds an item to a mapping that has some. Its owner is the column of the key
// that it belongs to, -1 for the root.
func (d *draft) add(n *node, owner int, p pair) {
	if n.flow {
		d.addInline(n, writePair(p))
		return
	}
	last := &n.items[len(n.items)-1]
	lines := d.block(p, d.column(n.start), last)
	behind := d.lastLine(n.end, owner)
	if d.tidy && d.spaced(n) && !d.isBlank(behind) {
		lines = slices.Insert(lines, 0, "")
	}
	d.insert(behind, lines)
}

// addTop adds an item to the mapping of a key of the root.
func (d *draft) addTop(top string, p pair) {
	it := d.root.get(top)
	switch {
	case d.root == nil:
		d.first(pair{top, []pair{p}})
	case it == nil:
		d.addKey(pair{top, []pair{p}})
	case it.value.kind == null && d.root.flow:
		d.replace(it.colon, it.end(), " "+writeValue([]pair{p}))
	case it.value.kind == null, !d.root.flow && d.isHollow(it.value):
		d.fill(it, p)
	default:
		d.add(it.value, d.column(it.start), p)
	}
}

// addKey adds a key to the root.
func (d *draft) addKey(p pair) {
	if d.root.flow {
		d.addInline(d.root, writePair(p))
		return
	}
	d.add(d.root, -1, p)
}

// isHollow reports whether a mapping is a pair of brackets with nothing between.
func (d *draft) isHollow(n *node) bool {
	return n.kind == mapping && n.flow && len(n.items) == 0 && strings.Trim(d.source[n.start:n.end], "{} \t\r\n") == ""
}

// fill gives a key without a value, or with an empty one, its first item.
func (d *draft) fill(it *item, p pair) {
	owner := d.column(it.start)
	if !it.value.missing() {
		d.replace(it.colon, it.value.end, "")
	}
	d.insert(d.lastLine(it.end(), owner), d.block(p, owner+d.step(), nil))
}

// first gives a file that holds nothing, or comments alone, its first key.
func (d *draft) first(p pair) {
	behind := -1
	for i := range d.lines {
		if strings.HasPrefix(d.content(i), "...") {
			break
		}
		if !d.isBlank(i) {
			behind = i
		}
	}
	lines := d.block(p, 0, nil)
	if d.tidy && behind >= 0 && d.isComment(behind) {
		lines = slices.Insert(lines, 0, "")
	}
	d.insert(behind, lines)
}
