package frontmatter

import (
	"slices"
	"strconv"
	"strings"
)

// Action says what a change does to a key.
type Action uint8

// The actions.
const (
	Set    Action = iota // gives it a value, with the mappings around it that are missing
	Append               // puts a value at the end of its list, which is made if it is missing
	Remove               // takes it out, with its value; of a list, an item
	Rename               // gives it another name
)

// Change is what is done to one key.
type Change struct {
	Action Action
	Path   Path
	Value  Value // for Set and Append
	// Unless appends nothing if the list has the value. There are no splices then.
	Unless bool
	Name   string // for Rename
}

// A Splice is a range of the text and what stands there then.
type Splice struct {
	Span
	Text string
}

// changer makes one change of a text.
type changer struct {
	*Text
	Change
	value   *Node
	splices []Splice
}

// Apply returns the splices that make the change, in order and apart. The error is an *Error:
// NotFound, Refused, Invalid, or Same.
func (t *Text) Apply(c Change) ([]Splice, error) {
	splices, err := t.apply(c)
	if err != nil {
		return nil, err
	}
	return splices, nil
}

func (t *Text) apply(change Change) ([]Splice, *Error) {
	c := &changer{Text: t, Change: change, value: change.Value.node}
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := c.readDate(); err != nil {
		return nil, err
	}
	want, err := c.expected()
	switch {
	case err != nil:
		return nil, err
	case want == nil: // what is to be appended is there
		return nil, nil
	case want.equal(t.root, true):
		return nil, wrong(Same, "the front matter says that already; there is nothing to do")
	}
	if err := c.make(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.splices, func(a, b Splice) int { return a.Start - b.Start })
	text, ok := Splices(c.splices).in(t.source)
	if !ok {
		return nil, byHand("what is there is written in an unusual way")
	}
	if now, err := read(text, t.format); err != nil || !now.root.equal(want, t.format == YAML) {
		return nil, byHand("what is there is written in an unusual way")
	}
	return c.splices, nil
}

// Spliced returns a text with the splices that Apply has returned for it.
func Spliced(source string, s []Splice) string {
	text, _ := Splices(s).in(source)
	return text
}

// Splices are ranges of a text and what stands there then, in order.
type Splices []Splice

// in returns the text with the splices, and whether they stand apart.
func (s Splices) in(source string) (string, bool) {
	var b strings.Builder
	at := 0
	for _, one := range s {
		if one.Start < at || one.End < one.Start || one.End > len(source) {
			return "", false
		}
		b.WriteString(source[at:one.Start])
		b.WriteString(one.Text)
		at = one.End
	}
	b.WriteString(source[at:])
	return b.String(), true
}

// check refuses a change that can't be, or of a text that may be another one tomorrow.
func (c *changer) check() *Error {
	switch {
	case len(c.Path) == 0:
		return wrong(Invalid, "name a key of the front matter, as in @frontmatter.title")
	case len(c.Path) > maxNesting:
		return tooDeep()
	case (c.Action == Set || c.Action == Append) && c.value == nil:
		return wrong(Invalid, "the value is missing")
	case c.format == TOML && c.value != nil && c.value.any(func(n *Node) bool { return n.Kind == Null }):
		return wrong(Invalid, "TOML has no null; leave the key out, or take it out with remove")
	case c.value != nil && c.value.any(c.isLarge):
		return wrong(Invalid, "a whole number of the value is too large for %s; write it as a text in quotes", c.format)
	case c.Action == Rename && c.Name == "":
		return wrong(Invalid, "the new name of the key is empty")
	}
	if c.isTemplate() {
		return byHand("a template makes this front matter ({{, {% or <%), which may stand for any text")
	}
	return nil
}

// isLarge reports whether a value is a whole number that the format's readers don't take for one.
func (c *changer) isLarge(n *Node) bool {
	if n.Kind != Int {
		return false
	}
	_, err := strconv.ParseInt(n.Text, 10, 64)
	if err != nil && c.format == YAML {
		_, err = strconv.ParseUint(n.Text, 10, 64)
	}
	return err != nil
}

// isTemplate reports whether marks of a template stand anywhere but in quotes.
func (c *changer) isTemplate() bool {
	text := []byte(c.source)
	c.root.any(func(n *Node) bool {
		if n.quote == '"' || n.quote == '\'' {
			for i := n.Start; i < n.End; i++ {
				text[i] = ' '
			}
		}
		return false
	})
	rest := string(text)
	return strings.Contains(rest, "{{") || strings.Contains(rest, "{%") || strings.Contains(rest, "<%")
}

// replace replaces a range.
func (c *changer) replace(start, end int, text string) {
	c.splices = append(c.splices, Splice{Span{start, end}, text})
}

// way is the way to the value of a path, as far as it is there.
type way struct {
	nodes []*Node // from the root on
	items []*Item // that lead to each of them but the root
	rest  Path    // that leads nowhere
}

// walk goes the way of the path.
func (c *changer) walk() way {
	w := way{nodes: []*Node{c.root}, rest: c.Path}
	for len(w.rest) > 0 {
		n := w.nodes[len(w.nodes)-1]
		i := n.find(w.rest[0])
		if i < 0 {
			break
		}
		w.items, w.nodes, w.rest = append(w.items, &n.Items[i]), append(w.nodes, n.Items[i].Value), w.rest[1:]
	}
	return w
}

// last returns the last value of the way, and the entry that leads to it, nil for the root.
func (w *way) last() (*Node, *Item) {
	n := w.nodes[len(w.nodes)-1]
	if len(w.items) == 0 {
		return n, nil
	}
	return n, w.items[len(w.items)-1]
}

// free refuses a change of what aliases stand for. The value itself changes if it goes.
func (c *changer) free(w *way, goes bool) *Error {
	used := map[string]bool{}
	c.root.any(func(n *Node) bool {
		if n.Kind == Alias {
			used[n.Text] = true
		}
		return false
	})
	for _, n := range w.nodes {
		if used[n.anchor] {
			return byHand("the alias *" + n.anchor + " stands for this value elsewhere")
		}
	}
	n, it := w.last()
	if n.Kind == Alias && (len(w.rest) > 0 || c.Action == Append) {
		return byHand("the value is an alias, *" + n.Text)
	}
	if goes && (n.any(func(n *Node) bool { return used[n.anchor] }) || it != nil && it.Key != nil && used[it.Key.anchor]) {
		return byHand("an alias stands elsewhere for a value in it")
	}
	return nil
}

// make makes the splices.
func (c *changer) make() *Error {
	w := c.walk()
	n, it := w.last()
	found := len(w.rest) == 0
	if err := c.free(&w, found && c.Action != Append); err != nil {
		return err
	}
	switch {
	case c.Action == Rename:
		c.rename(it)
		return nil
	case c.Action == Remove:
		return c.remove(&w)
	case !found:
		return c.add(&w, c.newValue(w.rest[1:]))
	case c.Action == Set:
		return c.setTo(it, n, c.value)
	case n.Kind == Null:
		return c.setTo(it, n, c.newValue(nil))
	}
	return c.appendTo(n)
}

// newValue returns the value of a key that isn't there: for Append a list, and mappings
// around it for the rest of the path.
func (c *changer) newValue(rest Path) *Node {
	v := c.value
	if c.Action == Append {
		v = &Node{Kind: List, Items: []Item{{Value: v}}}
	}
	for _, name := range slices.Backward(rest) {
		v = &Node{Kind: Map, Items: []Item{{Key: &Node{Kind: String, Text: name}, Value: v}}}
	}
	return v
}

// rename gives a key another name.
func (c *changer) rename(it *Item) {
	text := c.Name
	if c.format == TOML {
		text = tomlKey(text)
	} else {
		text = yamlText(text, it.Key.flow, it.Key.quote)
	}
	for _, span := range append([]Span{it.Key.Span}, it.again...) {
		c.replace(span.Start, span.End, text)
	}
}
