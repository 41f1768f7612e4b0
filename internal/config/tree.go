package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// The library's nodes say what stands where, and where each begins. Ours have in
// addition where each ends, which a change needs: they are made from left to right,
// and between two of them nothing may stand but blanks, comments and the sign that
// belongs there. Nothing after this file and syntax.go knows the library.

// Limits of a file.
const (
	maxSize    = 1 << 20 // bytes
	maxLines   = 20_000
	maxLine    = 1 << 16 // bytes of a line
	maxKeys    = 10_000
	maxValues  = 50_000 // with the keys
	maxNesting = 32
)

// fault is something wrong at a place.
type fault struct {
	offset  int // -1 for the file as a whole
	message string
}

// unclear is the message for a place that the library reads otherwise than it looks.
const unclear = "this can't be read with certainty; write it more simply, and text in quotes"

// kind says what a node is.
type kind int

const (
	null kind = iota
	scalar
	list
	mapping
)

// node is a value.
type node struct {
	kind kind
	span // its bytes; of a null that is not written, where one would be
	// flow says that a list or mapping is in brackets, or that a scalar lies in
	// brackets.
	flow  bool
	text  string // of a scalar
	plain string // of a scalar that is not quoted, the tag that YAML gives it: !!str, !!int
	block bool   // it is a block scalar
	note  span   // the comment after the sign of a block scalar
	items []item
}

// item is an entry of a list or mapping.
type item struct {
	key   *node // nil in a list
	value *node
	start int // of the key, the dash, or the value in brackets
	colon int // after the colon or dash, where the value may begin
	comma int // of the comma after it, -1 if there is none
}

// end returns where an item ends, without a comma.
func (i *item) end() int { return max(i.value.end, i.colon) }

// get returns the item of a mapping by its key, nil if there is none.
func (n *node) get(key string) *item {
	if n == nil {
		return nil
	}
	for i := range n.items {
		if n.items[i].key != nil && n.items[i].key.text == key {
			return &n.items[i]
		}
	}
	return nil
}

// value returns the value of a key, nil if there is none.
func (n *node) value(key string) *node {
	if i := n.get(key); i != nil {
		return i.value
	}
	return nil
}

// parseTree returns the root of a text, nil if it holds nothing but comments.
func (t *text) parseTree() (root *node, faults []fault) {
	if f := t.limits(); f != nil {
		return nil, []fault{*f}
	}
	if b := (&builder{text: t}); b.document(&yaml.Node{}) == nil && len(b.faults) == 0 {
		return nil, nil
	}
	doc, faults := t.compose()
	b := &builder{text: t, faults: faults}
	for _, n := range doc.Content {
		b.judge(n, 1)
	}
	if len(b.faults) == 0 {
		root = b.document(&doc)
	}
	if len(b.faults) > 0 {
		return nil, slices.Compact(b.faults)
	}
	return root, nil
}

// limits refuses a text that is too large, or has characters that YAML doesn't allow or
// that only some of its versions take for line breaks.
func (t *text) limits() *fault {
	if len(t.source) > maxSize {
		return &fault{-1, fmt.Sprintf("it has more than %d bytes; make it shorter", maxSize)}
	}
	if len(t.lines) > maxLines {
		return &fault{t.lines[maxLines].start, fmt.Sprintf("more than %d lines; make the file shorter", maxLines)}
	}
	for i, l := range t.lines {
		if l.end-l.start > maxLine {
			return &fault{l.start, fmt.Sprintf("the line has more than %d bytes; make it shorter", maxLine)}
		}
		for at, r := range t.content(i) {
			switch {
			case r == 0:
				return &fault{l.start + at, "it has a NUL byte; take it out"}
			case r == utf8.RuneError && !strings.HasPrefix(t.source[l.start+at:], string(utf8.RuneError)):
				return &fault{l.start + at, "it is not UTF-8; convert the file to UTF-8"}
			case r < ' ' && r != '\t', r >= 0x7f && r < 0xa0, strings.ContainsRune("\u2028\u2029\ufeff\ufffe\uffff", r):
				return &fault{l.start + at, fmt.Sprintf("the character %U is not allowed in YAML, or not read alike by all; take it out, or write %s in double quotes",
					r, strings.Trim(writeText(string(r), true), `"`))}
			}
		}
	}
	return nil
}

// builder makes nodes.
type builder struct {
	*text
	faults       []fault
	keys, values int
	at           int // after what was made
	// known is the last place that was asked for, by the library's count: lines may be long.
	known struct{ line, column, offset int }
}

// fail notes what can't be read.
func (b *builder) fail(offset int, message string) {
	b.faults = append(b.faults, fault{offset, message})
}

// place returns where a node begins.
func (b *builder) place(n *yaml.Node) int {
	if n.Line > len(b.lines) {
		return len(b.source)
	}
	k := &b.known
	if n.Line != k.line || n.Column < k.column {
		k.line, k.column, k.offset = n.Line, 1, b.lines[n.Line-1].start
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

// judge refuses what a configuration has no use for, and what is nested too deep. An
// alias is never followed.
func (b *builder) judge(n *yaml.Node, depth int) {
	if b.values++; b.values > maxValues || isUnwritten(n) {
		if b.values == maxValues+1 {
			b.fail(-1, fmt.Sprintf("it has more than %d keys and values; make it shorter", maxValues))
		}
		return
	}
	at := b.place(n)
	if strings.IndexByte(signs, b.source[at]) >= 0 {
		message := unclear
		if len(b.faults) < maxProblems { // more are not told
			message = b.signAdvice(at)
		}
		b.fail(at, message)
	}
	if depth > maxNesting && len(n.Content) > 0 {
		b.fail(at, fmt.Sprintf("nested deeper than %d levels; make it flatter", maxNesting))
		return
	}
	for i, inner := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if b.keys++; b.keys == maxKeys+1 {
				b.fail(b.place(inner), fmt.Sprintf("more than %d keys; make the file shorter", maxKeys))
			}
			if inner.Style == 0 && inner.Value == "<<" {
				b.fail(b.place(inner), "<< merges keys in YAML, which is not allowed here; write the keys out")
			}
		}
		b.judge(inner, depth+1)
	}
}

// document makes the node of the whole text, nil if it holds nothing. What begins a
// second document is refused.
func (b *builder) document(doc *yaml.Node) (root *node) {
	b.at = len(b.source) - len(strings.TrimPrefix(b.source, bom))
	b.skip()
	if b.peek() == '%' {
		b.fail(b.at, b.signAdvice(b.at))
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
	case b.at == len(b.source) || len(b.faults) > 0:
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
	if b.at == len(b.source) {
		return 0
	}
	return b.source[b.at]
}

// take goes past a sign if it is there.
func (b *builder) take(sign string) bool {
	ok := strings.HasPrefix(b.source[b.at:], sign)
	if ok {
		b.at += len(sign)
	}
	return ok
}

// takeMark goes past the mark of a document if it is there.
func (b *builder) takeMark(mark string) bool {
	rest, ok := strings.CutPrefix(b.source[b.at:], mark)
	if !ok || rest != "" && strings.IndexByte(" \t\r\n", rest[0]) < 0 {
		return false
	}
	return b.take(mark)
}

// skip goes past blanks, line breaks and comments.
func (b *builder) skip() {
	for b.at < len(b.source) {
		switch c := b.source[b.at]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			b.at++
		case c == '#' && (b.begins(b.at) || strings.IndexByte(" \t", b.source[b.at-1]) >= 0):
			b.at = b.lines[b.lineAt(b.at)].end
		default:
			return
		}
	}
}

// node makes a node. The owner is the column of the block that it lies in, -1 for none.
func (b *builder) node(n *yaml.Node, owner int, flow bool) *node {
	made := &node{span: span{b.at, b.at}, flow: flow}
	if isUnwritten(n) || len(b.faults) > 0 {
		return made
	}
	b.skip()
	made.start = b.at
	brackets := b.peek() == '[' || b.peek() == '{'
	switch {
	case b.place(n) != b.at:
		b.fail(b.at, unclear)
	case n.Kind == yaml.ScalarNode:
		b.scalar(made, n, owner)
	case brackets && n.Style&yaml.FlowStyle != 0:
		b.inBrackets(made, n)
	case n.Kind == yaml.MappingNode:
		made.kind = mapping
		for i := 0; i < len(n.Content) && len(b.faults) == 0; i += 2 {
			made.items = append(made.items, b.pair(n.Content[i], n.Content[i+1], b.column(made.start), flow))
		}
	default:
		made.kind = list
		for _, inner := range n.Content {
			b.skip()
			it := item{start: b.at, comma: -1}
			if !b.take("-") {
				b.fail(b.at, unclear)
				break
			}
			it.colon = b.at
			it.value = b.node(inner, b.column(made.start), false)
			made.items = append(made.items, it)
		}
	}
	made.end = b.at
	return made
}

const complexKey = "? begins a key in YAML, which is not allowed here; write KEY: VALUE, and text in quotes"

// pair makes an item of a key and its value. In brackets a key may be without a colon.
func (b *builder) pair(key, value *yaml.Node, owner int, flow bool) item {
	b.skip()
	it := item{start: b.at, comma: -1}
	if isUnwritten(key) || b.peek() == '?' && (key.Style == 0 && !strings.HasPrefix(key.Value, "?") || key.Style != 0) {
		b.fail(b.at, complexKey)
	}
	it.key = b.node(key, owner, flow)
	it.colon = b.at
	b.skip()
	if b.take(":") {
		it.colon = b.at
	} else if advice := colonAdvice(it.key.text); advice != "" && it.key.plain != "" {
		b.fail(it.start, advice)
	} else {
		b.at = it.colon
	}
	it.value = b.node(value, owner, flow)
	return it
}

// inBrackets makes the items of a list or mapping in brackets.
func (b *builder) inBrackets(made *node, n *yaml.Node) {
	made.flow, made.kind = true, list
	closing, step := "]", 1
	if n.Kind == yaml.MappingNode {
		made.kind, closing, step = mapping, "}", 2
	}
	b.at++
	for i := 0; i < len(n.Content) && len(b.faults) == 0; i += step {
		var it item
		if made.kind == mapping {
			it = b.pair(n.Content[i], n.Content[i+1], -1, true)
		} else {
			value := b.node(n.Content[i], -1, true)
			it = item{value: value, start: value.start, colon: value.start}
		}
		b.skip()
		if it.comma = b.at; !b.take(",") {
			it.comma = -1
		}
		made.items = append(made.items, it)
	}
	if b.skip(); !b.take(closing) && len(b.faults) == 0 {
		b.fail(b.at, unclear)
	}
}

// scalar makes a single value.
func (b *builder) scalar(made *node, n *yaml.Node, owner int) {
	made.kind, made.text = scalar, n.Value
	switch {
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		b.at += quotedLength(b.source[b.at:])
		if _, message := mendEscapes(b.source[made.start:b.at]); message != "" && b.source[made.start] == '"' {
			b.fail(made.start, message)
		}
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		b.blockScalar(made, owner)
	default:
		if made.plain = n.Tag; n.Tag == "!!null" {
			made.kind = null
		}
		b.words(made)
	}
}

// quotedLength returns the length of the text in quotes that another begins with, up to
// the end if they aren't closed.
func quotedLength(s string) int {
	for at := 1; at < len(s); at++ {
		switch {
		case s[at] == '\\' && s[0] == '"':
			at++
		case s[at] != s[0]:
		case s[0] == '\'' && strings.HasPrefix(s[at+1:], "'"):
			at++
		default:
			return at + 1
		}
	}
	return len(s)
}

// words goes past a text without quotes: what it says, with other blanks and line breaks
// between its words.
func (b *builder) words(made *node) {
	const blanks = " \t\r\n"
	for i, word := range strings.FieldsFunc(made.text, func(r rune) bool { return r < utf8.RuneSelf && strings.ContainsRune(blanks, r) }) {
		at := len(b.source) - len(strings.TrimLeft(b.source[b.at:], blanks))
		if !strings.HasPrefix(b.source[at:], word) || (at == b.at) != (i == 0) {
			b.fail(made.start, unclear)
			return
		}
		if word == "-" && i > 0 && b.begins(at) {
			b.fail(made.start, "put this in quotes if it is a text, for its signs mean something in YAML")
		}
		b.at = at + len(word)
	}
}

// blockScalar goes past a text after | or >: the lines that are indented as its first.
func (b *builder) blockScalar(made *node, owner int) {
	made.block = true
	i := b.lineAt(b.at)
	head := b.source[b.at:b.lines[i].end]
	sign, _, _ := strings.Cut(head, " ")
	sign, _, _ = strings.Cut(sign, "\t")
	if strings.Trim(sign, "|>+-123456789") != "" {
		b.fail(b.at, unclear)
	}
	b.at += len(sign)
	if n := strings.IndexByte(head, '#'); n >= 0 {
		b.at = b.lines[i].end
		made.note = span{made.start + n, b.at}
	}
	least := -1
	if n := strings.IndexAny(sign, "123456789"); n >= 0 {
		least = max(owner, 0) + int(sign[n]-'0')
	}
	for i++; i < len(b.lines); i++ {
		line := b.content(i)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch empty := indent == len(line); {
		case empty && (least < 0 || indent <= least):
			if strings.Contains(sign, "+") {
				b.at = b.lines[i].end
			}
			continue
		case least < 0:
			least = max(indent, owner+1)
		}
		if indent < least {
			return
		}
		b.at = b.lines[i].end
	}
}
