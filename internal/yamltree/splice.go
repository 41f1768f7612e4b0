package yamltree

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/frontmatter"
)

// A change is a list of splices. Where something is added in a block it follows
// the lines of what is there: its indentation, its blank lines, its line ending.

// splice replaces a range of a text.
type splice struct {
	Span
	text string
}

// Draft is a text that is being changed.
type Draft struct {
	*Text
	root    *Node // nil if the text holds nothing
	tidy    bool  // blank lines are added and taken out as between the others
	splices []splice
}

// NewDraft returns a text, with what it says, to be changed.
func NewDraft(t *Text, root *Node, tidy bool) *Draft { return &Draft{Text: t, root: root, tidy: tidy} }

// replace replaces a range.
func (d *Draft) replace(start, end int, text string) {
	d.splices = append(d.splices, splice{Span{start, end}, text})
}

// Result returns the text with its splices, and whether they stand apart.
func (d *Draft) Result() (string, bool) {
	slices.SortStableFunc(d.splices, func(a, b splice) int { return a.Start - b.Start })
	var b strings.Builder
	at := 0
	for _, s := range d.splices {
		if s.Start < at || s.End < s.Start || s.End > len(d.Source) {
			return "", false
		}
		b.WriteString(d.Source[at:s.Start])
		b.WriteString(s.text)
		at = s.End
	}
	b.WriteString(d.Source[at:])
	return b.String(), true
}

// Place returns the line and the column, in characters, of the first place that is changed;
// zero if there is none.
func (d *Draft) Place() (line, column int) {
	for _, s := range d.splices {
		if s.Start >= 0 && s.Start <= len(d.Source) {
			return d.Position(s.Start)
		}
	}
	return 0, 0
}

// insert adds lines after a line; after -1 they are the first.
func (d *Draft) insert(behind int, lines []string) {
	text := strings.Join(lines, d.ending)
	switch {
	case len(d.Lines) == 0:
		d.replace(len(d.Source), len(d.Source), text+d.ending)
	case behind < 0:
		d.replace(d.Lines[0].Start, d.Lines[0].Start, text+d.endingAt(0))
	case d.open(behind):
		d.replace(len(d.Source), len(d.Source), d.endingAt(behind)+strings.Join(lines, d.endingAt(behind)))
	default:
		ending := d.endingAt(behind)
		at := d.next(behind)
		d.replace(at, at, strings.Join(lines, ending)+ending)
	}
}

// endingAt returns the line ending of a line, or of the file if it has none.
func (d *Draft) endingAt(i int) string {
	if s := d.Source[d.Lines[i].End:d.next(i)]; s != "" {
		return s
	}
	return d.ending
}

// lastLine returns the last line of what ends at an offset: comments that follow
// and are indented deeper than its owner belong to it.
func (d *Draft) lastLine(end, indent int) int {
	last := d.lineAt(end)
	for i := last + 1; i < len(d.Lines); i++ {
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
func (d *Draft) step() int {
	const usual = 2
	if d.root == nil || d.root.Flow {
		return usual
	}
	for i := range d.root.Items {
		if inner := d.root.Items[i].Value; inner.Kind == Mapping && !inner.Flow {
			return d.column(inner.Start) - d.column(d.root.Start)
		}
	}
	return usual
}

// width is how long a line may be that is made of a list in brackets.
const width = 80

// block returns a key and its value as lines; like says how a brother is written,
// and may be nil.
func (d *Draft) block(p Pair, indent int, like *Item) []string {
	head := strings.Repeat(" ", indent) + frontmatter.YAMLText(p.Key, false) + ":"
	inline := like != nil && like.Value.Kind != Null && like.Value.Kind != Scalar && like.Value.Flow
	switch value := p.Value.(type) {
	case []Pair:
		if inline {
			break
		}
		lines := []string{head}
		inner := indent + d.step()
		if like != nil && like.Value.Kind == Mapping && !like.Value.Flow {
			inner = indent + d.column(like.Value.Start) - d.column(like.Start)
		}
		for _, child := range value {
			lines = append(lines, d.block(child, inner, nil)...)
		}
		return lines
	case []string:
		below := like != nil && like.Value.Kind == List && !like.Value.Flow
		if one := head + " " + WriteValue(value); !below && (inline || len(one) <= width) {
			return []string{one}
		}
		lines, inner := []string{head}, indent+d.step()
		if below {
			inner = indent + d.column(like.Value.Start) - d.column(like.Start)
		}
		for _, s := range value {
			lines = append(lines, strings.Repeat(" ", inner)+"- "+frontmatter.YAMLText(s, false))
		}
		return lines
	}
	if text, ok := p.Value.(string); ok {
		return []string{head + " " + frontmatter.YAMLText(text, false)}
	}
	return []string{head + " " + WriteValue(p.Value)}
}

// spaced reports whether blank lines stand between the items of a mapping.
func (d *Draft) spaced(n *Node) bool {
	if len(n.Items) < 2 {
		return n == d.root
	}
	i := d.lineAt(n.Items[len(n.Items)-1].Start) - 1
	for i > 0 && d.isComment(i) {
		i--
	}
	return i >= 0 && d.isBlank(i)
}

// add adds an item to a mapping that has some. Its owner is the column of the key
// that it belongs to, -1 for the root.
func (d *Draft) add(n *Node, owner int, p Pair) {
	if n.Flow {
		d.addInline(n, writePair(p))
		return
	}
	last := &n.Items[len(n.Items)-1]
	lines := d.block(p, d.column(n.Start), last)
	behind := d.lastLine(n.End, owner)
	if d.tidy && d.spaced(n) && !d.isBlank(behind) {
		lines = slices.Insert(lines, 0, "")
	}
	d.insert(behind, lines)
}

// AddTop adds an item to the mapping of a key of the root.
func (d *Draft) AddTop(top string, p Pair) {
	it := d.root.Get(top)
	switch {
	case d.root == nil:
		d.first(Pair{top, []Pair{p}})
	case it == nil:
		d.addKey(Pair{top, []Pair{p}})
	case it.Value.Kind == Null && d.root.Flow:
		d.replace(it.Colon, it.End(), " "+WriteValue([]Pair{p}))
	case it.Value.Kind == Null, !d.root.Flow && d.isHollow(it.Value):
		d.fill(it, p)
	default:
		d.add(it.Value, d.column(it.Start), p)
	}
}

// addKey adds a key to the root.
func (d *Draft) addKey(p Pair) {
	if d.root.Flow {
		d.addInline(d.root, writePair(p))
		return
	}
	d.add(d.root, -1, p)
}

// isHollow reports whether a mapping is a pair of brackets with nothing between.
func (d *Draft) isHollow(n *Node) bool {
	return n.Kind == Mapping && n.Flow && len(n.Items) == 0 && strings.Trim(d.Source[n.Start:n.End], "{} \t\r\n") == ""
}

// fill gives a key without a value, or with an empty one, its first item.
func (d *Draft) fill(it *Item, p Pair) {
	owner := d.column(it.Start)
	if !it.Value.IsMissing() {
		d.replace(it.Colon, it.Value.End, "")
	}
	d.insert(d.lastLine(it.End(), owner), d.block(p, owner+d.step(), nil))
}

// first gives a file that holds nothing, or comments alone, its first key.
func (d *Draft) first(p Pair) {
	behind := -1
	for i := range d.Lines {
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

// Wrap makes a mapping of the value of an item, which is a list: a pair, and the list by a key.
// The list keeps its lines: it may be indented as far as the item's key.
func (d *Draft) Wrap(it *Item, before Pair, key string) {
	n := it.Value
	if n.Flow && it.Key.Flow {
		d.replace(n.Start, n.Start, "{"+writePair(before)+", "+key+": ")
		d.replace(n.End, n.End, "}")
		return
	}
	column := d.column(it.Start)
	indent := column + d.step()
	if !n.Flow && d.column(n.Start) > column {
		indent = d.column(n.Start)
	}
	lines := d.block(before, indent, nil)
	head := strings.Repeat(" ", indent) + key + ":"
	if n.Flow {
		ending := d.endingAt(d.lineAt(it.Start))
		d.replace(it.Colon, it.Colon, ending+strings.Join(append(lines, head), ending))
		return
	}
	first, last := d.lineAt(it.Colon), d.lineAt(n.End)
	d.insert(first, append(lines, head))
	if d.column(n.Start) > column {
		return
	}
	for i := first + 1; i <= last; i++ { // below its key, and no deeper
		if !d.isBlank(i) {
			d.replace(d.Lines[i].Start, d.Lines[i].Start, strings.Repeat(" ", indent-column))
		}
	}
}
