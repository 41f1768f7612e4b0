package yamltree

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sectile/sectile/internal/frontmatter"
)

// The library's nodes say what stands where, and where each begins. A change needs to
// know where each ends too: so ours are made from left to right, and between two of them
// nothing may stand but blanks, comments and the sign that belongs there.

// builder makes nodes.
type builder struct {
	*Text
	faults       []Fault
	keys, values int
	at           int // after what was made
}

// fail notes what can't be read.
func (b *builder) fail(offset int, message string) {
	b.faults = append(b.faults, Fault{offset, message})
}

// startOf returns where a node of the library begins.
func (b *builder) startOf(n *yaml.Node) int { return b.offsetOf(n.Line, n.Column) }

// document makes the node of the whole text, nil if it holds nothing. What begins a
// second document is refused.
func (b *builder) document(doc *yaml.Node) (root *Node) {
	b.at = len(b.Source) - len(strings.TrimPrefix(b.Source, BOM))
	b.skip()
	if b.peek() == '%' {
		b.fail(b.at, b.signAdvice(b.at, b.intendedText(b.at)))
		return nil
	}
	b.takeMark("---")
	for _, n := range doc.Content {
		if !isUnwritten(n) {
			root = b.node(n, -1, false)
		}
	}
	b.skip()
	ended := b.takeMark("...")
	b.skip()
	switch {
	case b.at == len(b.Source) || len(b.faults) > 0:
	case ended:
		b.fail(b.at, "text behind the end of the document (...); take it out")
	case b.takeMark("---"):
		b.fail(b.at-3, "a second document begins here; take the --- out, for the file is one document")
	default:
		b.fail(b.at, unclear)
	}
	return root
}

// peek returns the next byte, 0 at the end.
func (b *builder) peek() byte {
	if b.at == len(b.Source) {
		return 0
	}
	return b.Source[b.at]
}

// take goes past a sign if it is there.
func (b *builder) take(sign string) bool {
	ok := strings.HasPrefix(b.Source[b.at:], sign)
	if ok {
		b.at += len(sign)
	}
	return ok
}

// takeMark goes past the mark of a document if it is there.
func (b *builder) takeMark(mark string) bool {
	rest, ok := strings.CutPrefix(b.Source[b.at:], mark)
	if !ok || rest != "" && strings.IndexByte(" \t\r\n", rest[0]) < 0 {
		return false
	}
	return b.take(mark)
}

// skip goes past blanks, line breaks and comments.
func (b *builder) skip() {
	for b.at < len(b.Source) {
		switch c := b.Source[b.at]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			b.at++
		case c == '#' && (b.begins(b.at) || strings.IndexByte(" \t", b.Source[b.at-1]) >= 0):
			b.at = b.Lines[b.lineAt(b.at)].End
		default:
			return
		}
	}
}

// node makes a node. The owner is the column of the block that it lies in, -1 for none.
func (b *builder) node(n *yaml.Node, owner int, flow bool) *Node {
	made := &Node{Span: Span{b.at, b.at}, Flow: flow}
	if isUnwritten(n) || len(b.faults) > 0 {
		return made
	}
	b.skip()
	made.Start = b.at
	brackets := b.peek() == '[' || b.peek() == '{'
	switch {
	case b.startOf(n) != b.at:
		b.fail(b.at, unclear)
	case n.Kind == yaml.ScalarNode:
		b.scalar(made, n, owner)
	case brackets && n.Style&yaml.FlowStyle != 0:
		b.inBrackets(made, n)
	case n.Kind == yaml.MappingNode:
		made.Kind = Mapping
		for i := 0; i < len(n.Content) && len(b.faults) == 0; i += 2 {
			made.Items = append(made.Items, b.pair(n.Content[i], n.Content[i+1], b.column(made.Start), flow))
		}
	default:
		made.Kind = List
		for _, inner := range n.Content {
			b.skip()
			it := Item{Start: b.at, Comma: -1}
			if !b.take("-") {
				b.fail(b.at, unclear)
				break
			}
			it.Colon = b.at
			it.Value = b.node(inner, b.column(made.Start), false)
			made.Items = append(made.Items, it)
		}
	}
	made.End = b.at
	return made
}

const complexKey = "? begins a key in YAML, which is not allowed here; write KEY: VALUE, and text in quotes"

// pair makes an item of a key and its value. In brackets a key may be without a colon.
func (b *builder) pair(key, value *yaml.Node, owner int, flow bool) Item {
	b.skip()
	it := Item{Start: b.at, Comma: -1}
	switch {
	case b.peek() == '?' && (key.Style != 0 || !strings.HasPrefix(key.Value, "?")):
		b.fail(b.at, complexKey)
	case isUnwritten(key):
		b.fail(b.at, "a colon without a key; write KEY: VALUE, and text in quotes")
	}
	it.Key = b.node(key, owner, flow)
	if it.Key.Kind == List || it.Key.Kind == Mapping {
		b.fail(it.Start, cmp.Or(bracketAdvice(b.restOfLine(it.Start)), unclear))
	}
	it.Colon = b.at
	b.skip()
	if b.take(":") {
		it.Colon = b.at
	} else if advice := b.ColonAdvice(it.Key.Text); advice != "" && it.Key.Plain != "" {
		b.fail(it.Start, advice)
	} else {
		b.at = it.Colon
	}
	it.Value = b.node(value, owner, flow)
	return it
}

// inBrackets makes the items of a list or mapping in brackets.
func (b *builder) inBrackets(made *Node, n *yaml.Node) {
	made.Flow, made.Kind = true, List
	closing, step := "]", 1
	if n.Kind == yaml.MappingNode {
		made.Kind, closing, step = Mapping, "}", 2
	}
	b.at++
	for i := 0; i < len(n.Content) && len(b.faults) == 0; i += step {
		var it Item
		if made.Kind == Mapping {
			it = b.pair(n.Content[i], n.Content[i+1], -1, true)
		} else {
			value := b.node(n.Content[i], -1, true)
			it = Item{Value: value, Start: value.Start, Colon: value.Start}
		}
		b.skip()
		if it.Comma = b.at; !b.take(",") {
			it.Comma = -1
		}
		made.Items = append(made.Items, it)
	}
	if b.skip(); !b.take(closing) && len(b.faults) == 0 {
		b.fail(b.at, unclear)
	}
}

// scalar makes a single value.
func (b *builder) scalar(made *Node, n *yaml.Node, owner int) {
	made.Kind, made.Text = Scalar, n.Value
	switch {
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		b.at += frontmatter.QuotedLength(b.Source[b.at:])
		if _, message := fixEscapes(b.Source[made.Start:b.at]); message != "" && b.Source[made.Start] == '"' {
			b.fail(made.Start, message)
		}
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		b.blockScalar(made, owner)
	default:
		if made.Plain = n.Tag; n.Tag == "!!null" {
			made.Kind = Null
		}
		b.words(made)
	}
}

// words goes past a text without quotes: what it says, with other blanks and line breaks
// between its words.
func (b *builder) words(made *Node) {
	const blanks = " \t\r\n"
	for i, word := range strings.FieldsFunc(made.Text, func(r rune) bool { return strings.ContainsRune(blanks, r) }) {
		at := len(b.Source) - len(strings.TrimLeft(b.Source[b.at:], blanks))
		if !strings.HasPrefix(b.Source[at:], word) || (at == b.at) != (i == 0) {
			b.fail(made.Start, unclear)
			return
		}
		if word == "-" && i > 0 && b.begins(at) {
			b.fail(made.Start, "put this in quotes if it is a text, for its signs mean something in YAML")
		}
		b.at = at + len(word)
	}
}

// blockScalar goes past a text after | or >: the lines that are indented as its first.
func (b *builder) blockScalar(made *Node, owner int) {
	made.Block = true
	i := b.lineAt(b.at)
	head := b.Source[b.at:b.Lines[i].End]
	sign, _, _ := strings.Cut(head, " ")
	sign, _, _ = strings.Cut(sign, "\t")
	if strings.Trim(sign, "|>+-123456789") != "" {
		b.fail(b.at, unclear)
	}
	b.at += len(sign)
	if n := strings.IndexByte(head, '#'); n >= 0 {
		b.at = b.Lines[i].End
		made.Note = Span{made.Start + n, b.at}
	}
	least := -1
	if n := strings.IndexAny(sign, "123456789"); n >= 0 {
		least = max(owner, 0) + int(sign[n]-'0')
	}
	for i++; i < len(b.Lines); i++ {
		line := b.content(i)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch empty := indent == len(line); {
		case empty && (least < 0 || indent <= least):
			if strings.Contains(sign, "+") {
				b.at = b.Lines[i].End
			}
			continue
		case least < 0:
			least = max(indent, owner+1)
		}
		if indent < least {
			return
		}
		b.at = b.Lines[i].End
	}
}
