package frontmatter

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// The library says what stands where, and where each value begins. A change needs to know
// where each ends too: so the nodes are made from left to right, and between two of them
// nothing may stand but blanks, comments, and the sign that belongs there.

// readYAML returns the mapping that a text is.
func readYAML(source string) (*Node, *Error) {
	if values(source) > maxValues {
		return nil, wrong(Unreadable, "the front matter has more than %d lines and items; change it as text", maxValues)
	}
	for at, r := range source {
		if r == utf8.RuneError && !strings.HasPrefix(source[at:], string(utf8.RuneError)) {
			return nil, wrong(Unreadable, "the front matter is not UTF-8; convert the file")
		}
		if strings.ContainsRune("\u0085\u2028\u2029\ufeff", r) {
			return nil, wrong(Unreadable, "line %d of the front matter has the character %U, which some readers of YAML take for the end of a line; take it out", lineNumber(source, at), r)
		}
	}
	doc, err := compose(source)
	if err != nil {
		return nil, err
	}
	b := &builder{source: source}
	for at := 0; at < len(source); at = nextLine(source, at) {
		b.lines = append(b.lines, at)
	}
	root := &Node{Kind: Map}
	for _, n := range doc.Content {
		if !isUnwritten(n) {
			root = b.node(n, -1, false, 0)
		}
	}
	if b.skip(); b.at < len(source) {
		b.fail()
	}
	switch {
	case b.wrong != nil:
		return nil, b.wrong
	case root.Kind != Map:
		return nil, wrong(Unreadable, "the front matter is no mapping of keys; write it as KEY: VALUE")
	}
	return root, nil
}

// compose has the library read a text.
func compose(source string) (doc yaml.Node, wrongly *Error) {
	defer func() {
		if recover() != nil {
			wrongly = wrong(Unreadable, "the front matter can't be read as YAML; mend it as text")
		}
	}()
	err := yaml.NewDecoder(strings.NewReader(source)).Decode(&doc)
	if err == nil || errors.Is(err, io.EOF) {
		return doc, nil
	}
	e := wrong(Unreadable, "the front matter is no YAML")
	if load, ok := errors.AsType[*yaml.LoadError](err); ok {
		e.Message += ": " + strings.ReplaceAll(strings.TrimSpace(load.Message), "\n", " ")
	}
	e.Message += "; mend it as text first"
	return doc, e
}

// builder makes nodes.
type builder struct {
	source string
	lines  []int // where they begin
	at     int   // after what was made
	wrong  *Error
	known  struct{ line, column, offset int } // what was asked for last
}

// fail notes that the text is not what it looks like.
func (b *builder) fail() {
	if b.wrong == nil {
		b.wrong = wrong(Unreadable, "line %d of the front matter can't be read with certainty; write it more simply, and text in quotes", lineNumber(b.source, b.at))
		b.wrong.Line = lineNumber(b.source, b.at)
	}
}

// offset returns where a node of the library begins: lines and columns are counted from 1,
// columns in characters.
func (b *builder) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(b.lines) {
		return len(b.source)
	}
	k := &b.known
	if n.Line != k.line || n.Column < k.column {
		k.line, k.column, k.offset = n.Line, 1, b.lines[n.Line-1]
	}
	for ; k.column < n.Column && k.offset < len(b.source); k.column++ {
		_, size := utf8.DecodeRuneInString(b.source[k.offset:])
		k.offset += size
	}
	return k.offset
}

// isUnwritten reports whether nothing is written where a node of the library is.
func isUnwritten(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.Anchor == ""
}

// take goes past a sign if it is there.
func (b *builder) take(sign byte) bool {
	ok := b.at < len(b.source) && b.source[b.at] == sign
	if ok {
		b.at++
	}
	return ok
}

// skip goes past blanks, line breaks and comments.
func (b *builder) skip() {
	for b.at < len(b.source) {
		switch c := b.source[b.at]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			b.at++
		case c == '#' && (b.at == 0 || strings.IndexByte(" \t\r\n", b.source[b.at-1]) >= 0):
			b.at = lineEnd(b.source, b.at)
		default:
			return
		}
	}
}

// column returns how many bytes stand before the offset in its line.
func (b *builder) column(at int) int { return at - lineStart(b.source, at) }

// node makes a node. The owner is the column of the block that it lies in, -1 for none.
func (b *builder) node(n *yaml.Node, owner int, flow bool, depth int) *Node {
	made := &Node{Span: Span{b.at, b.at}, flow: flow}
	if isUnwritten(n) || b.wrong != nil {
		return made
	}
	b.skip()
	made.Start = b.at
	if b.offset(n) != b.at || depth > maxNesting {
		b.fail()
		return made
	}
	b.properties(made, n)
	content := b.at // of a block mapping with an anchor, it begins further on
	switch {
	case n.Kind == yaml.AliasNode:
		made.Kind, made.Text = Alias, n.Value
		if !strings.HasPrefix(b.source[b.at:], "*"+n.Value) {
			b.fail()
			break
		}
		b.at += len("*" + n.Value)
	case n.Kind == yaml.ScalarNode:
		b.scalar(made, n, owner)
	case n.Style&yaml.FlowStyle != 0:
		b.inBrackets(made, n, depth)
	case n.Kind == yaml.MappingNode:
		made.Kind = Map
		column := b.column(content)
		for i := 0; i < len(n.Content) && b.wrong == nil; i += 2 {
			made.Items = append(made.Items, b.pair(n.Content[i], n.Content[i+1], column, flow, depth))
		}
	default:
		made.Kind = List
		b.dashes(made, n, b.column(content), depth)
	}
	made.End = b.at
	return made
}

// properties goes past an anchor and a tag.
func (b *builder) properties(made *Node, n *yaml.Node) {
	made.anchor = n.Anchor
	seen := false
	for b.at < len(b.source) && (b.source[b.at] == '&' && n.Anchor != "" || b.source[b.at] == '!' && n.Style&yaml.TaggedStyle != 0) {
		seen = true
		for b.at < len(b.source) && strings.IndexByte(" \t\r\n,[]{}", b.source[b.at]) < 0 {
			b.at++
		}
		b.skip()
	}
	if (n.Anchor != "" || n.Style&yaml.TaggedStyle != 0) && !seen {
		b.fail()
	}
}

// dashes makes the items of a list in lines.
func (b *builder) dashes(made *Node, n *yaml.Node, column, depth int) {
	for _, inner := range n.Content {
		b.skip()
		it := Item{start: b.at, comma: -1}
		if !b.take('-') {
			b.fail()
			return
		}
		it.colon = b.at
		it.Value = b.node(inner, column, false, depth+1)
		made.Items = append(made.Items, it)
	}
}

// pair makes an item of a key and its value. In brackets a key may be without a colon.
func (b *builder) pair(key, value *yaml.Node, owner int, flow bool, depth int) Item {
	b.skip()
	it := Item{start: b.at, comma: -1}
	if isUnwritten(key) || key.Kind != yaml.ScalarNode || b.at < len(b.source) && b.source[b.at] == '?' && key.Style == 0 && !strings.HasPrefix(key.Value, "?") {
		b.fail()
	}
	if it.Key = b.node(key, owner, flow, depth+1); it.Key.Kind != Other && it.Key.Kind != Alias {
		it.Key.Text = key.Value
	}
	it.colon = b.at
	b.skip()
	if b.take(':') {
		it.colon = b.at
	} else {
		b.at = it.colon
		if !flow {
			b.fail()
		}
	}
	it.Value = b.node(value, owner, flow, depth+1)
	return it
}

// inBrackets makes the items of a list or mapping in brackets.
func (b *builder) inBrackets(made *Node, n *yaml.Node, depth int) {
	made.flow, made.Kind = true, List
	opening, closing, step := byte('['), byte(']'), 1
	if n.Kind == yaml.MappingNode {
		made.Kind, opening, closing, step = Map, '{', '}', 2
	}
	if !b.take(opening) { // a pair of a list in brackets
		b.fail()
	}
	for i := 0; i < len(n.Content) && b.wrong == nil; i += step {
		var it Item
		if made.Kind == Map {
			it = b.pair(n.Content[i], n.Content[i+1], -1, true, depth)
		} else {
			b.skip()
			value := b.node(n.Content[i], -1, true, depth+1)
			it = Item{Value: value, start: value.Start, colon: value.Start}
		}
		b.skip()
		if it.comma = -1; b.take(',') {
			it.comma = b.at
		}
		made.Items = append(made.Items, it)
	}
	if b.skip(); !b.take(closing) && b.wrong == nil {
		b.fail()
	}
}
