package config

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// What the parser makes of a text becomes a tree of our own, in which each value
// has its bytes. Nothing behind this file knows the parser.

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
	text  string     // of a scalar
	plain token.Type // of a scalar that is not quoted, what YAML takes it for
	block bool       // it is a block scalar
	note  span       // the comment behind the sign of a block scalar
	items []item
}

// item is an entry of a list or mapping.
type item struct {
	key   *node // nil in a list
	value *node
	start int // of the key, the dash, or the value in brackets
	colon int // behind the colon or dash, where the value may begin
	comma int // of the comma behind it, -1 if there is none
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
	defer func() {
		if problem := recover(); problem != nil {
			root, faults = nil, []fault{{offset: -1, message: "the parser failed at it; write it more simply"}}
		}
	}()
	all, faults := t.tokenize()
	if len(faults) > 0 {
		for i := range min(len(faults), maxProblems) { // it takes time, and more are not told
			faults[i] = t.explain(faults[i])
		}
		return nil, slices.Compact(faults)
	}
	file, err := parser.Parse(all.list, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, []fault{t.explain(all.syntaxFault(err))}
	}
	for _, doc := range file.Docs {
		switch doc.Body.(type) {
		case nil, *ast.CommentGroupNode:
			continue
		}
		if root != nil {
			return nil, []fault{{offset: -1, message: "a second document is in it; the file is one document"}}
		}
		b := &builder{tokens: all}
		root = b.node(doc.Body, 0, false)
		if b.fault != nil {
			return nil, []fault{*b.fault}
		}
	}
	return root, nil
}

// syntaxError is what the parser returns, without its excerpt of the text.
type syntaxError interface {
	error
	GetToken() *token.Token
	GetMessage() string
}

// syntaxFault returns what the parser says, at the place where it says it.
func (t *tokens) syntaxFault(err error) fault {
	said, ok := errors.AsType[syntaxError](err)
	if !ok {
		return fault{offset: -1, message: "not valid YAML; check it"}
	}
	problem := problemOf(said.GetMessage())
	f := fault{offset: -1, message: problem.message(said.GetMessage()), vague: problem == unknownProblem}
	if i, ok := t.at[said.GetToken()]; ok {
		f.offset = t.spans[i].start
	}
	return f
}

// builder makes nodes.
type builder struct {
	*tokens
	fault *fault // the first
}

// fail notes what can't be read.
func (b *builder) fail(offset int, message string) {
	if b.fault == nil {
		b.fault = &fault{offset: offset, message: message}
	}
}

// spanOf returns the bytes of a token, or a place for one that the parser added.
func (b *builder) spanOf(tk *token.Token, place int) (span, bool) {
	if i, ok := b.at[tk]; ok {
		return b.spans[i], true
	}
	return span{place, place}, false
}

// node makes a node. The place is where a null that is not written would be.
func (b *builder) node(n ast.Node, place int, flow bool) *node {
	switch n := n.(type) {
	case *ast.MappingNode:
		return b.mappingNode(n, flow)
	case *ast.SequenceNode:
		return b.listNode(n, flow)
	case *ast.LiteralNode:
		return b.blockScalar(n, place)
	case *ast.NullNode:
		s, _ := b.spanOf(n.Token, place)
		return &node{span: s, flow: flow, text: b.source[s.start:s.end]}
	case *ast.StringNode:
		s, _ := b.spanOf(n.Token, place)
		made := &node{kind: scalar, span: s, flow: flow, text: b.says(n.Token, place)}
		if n.Token.Type == token.StringType {
			made.plain = token.StringType
		}
		return made
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		tk := n.GetToken()
		s, ok := b.spanOf(tk, place)
		if !ok {
			b.fail(place, unclear)
		}
		return &node{kind: scalar, span: s, flow: flow, text: b.source[s.start:s.end], plain: tk.Type}
	}
	b.fail(place, unclear)
	return &node{span: span{place, place}}
}

// blockScalar makes a node of a text behind | or >.
func (b *builder) blockScalar(n *ast.LiteralNode, place int) *node {
	i, ok := b.at[n.Start]
	if !ok {
		b.fail(place, unclear)
		return &node{}
	}
	made := &node{kind: scalar, block: true, span: b.spans[i]}
	if i++; i < len(b.list) && b.list[i].Type == token.CommentType && b.lineAt(b.spans[i].start) == b.lineAt(made.start) {
		made.note = b.spans[i]
		made.end = made.note.end
		i++
	}
	if i < len(b.list) { // without a line behind it, it is empty
		made.text = b.says(b.list[i], place)
		made.end = max(made.end, b.spans[i].end)
	}
	return made
}

// says returns what a text says that the scan has read.
func (b *builder) says(tk *token.Token, place int) string {
	text, ok := b.texts[tk]
	if !ok {
		b.fail(place, unclear)
	}
	return text
}

// mappingNode makes a node of a mapping.
func (b *builder) mappingNode(n *ast.MappingNode, flow bool) *node {
	made := &node{kind: mapping, flow: flow || n.IsFlowStyle}
	for _, v := range n.Values {
		key := b.node(v.Key, 0, made.flow)
		if key.kind != scalar && key.end == key.start {
			b.fail(key.start, unclear)
		}
		colon, ok := b.spanOf(v.Start, key.end)
		if !ok || b.fault != nil {
			b.fail(key.start, unclear)
			return made
		}
		value := b.node(v.Value, colon.end, made.flow)
		made.items = append(made.items, item{key: key, value: value, start: key.start, colon: max(colon.end, key.end), comma: -1})
	}
	b.enclose(made, n.Start, n.End, n.IsFlowStyle)
	return made
}

// listNode makes a node of a list.
func (b *builder) listNode(n *ast.SequenceNode, flow bool) *node {
	made := &node{kind: list, flow: flow || n.IsFlowStyle}
	for i, v := range n.Values {
		it := item{comma: -1}
		if !n.IsFlowStyle {
			dash, ok := b.spanOf(n.Entries[i].Start, 0)
			if !ok {
				b.fail(-1, unclear)
				return made
			}
			it.start, it.colon = dash.start, dash.end
		}
		it.value = b.node(v, it.colon, made.flow)
		if n.IsFlowStyle {
			it.start, it.colon = it.value.start, it.value.start
		}
		made.items = append(made.items, it)
	}
	b.enclose(made, n.Start, n.End, n.IsFlowStyle)
	return made
}

// enclose gives a list or mapping its bytes, and sees that it stands as it was
// understood.
func (b *builder) enclose(made *node, start, end *token.Token, brackets bool) {
	if b.fault != nil {
		return
	}
	if !brackets {
		if len(made.items) == 0 {
			b.fail(-1, unclear)
			return
		}
		made.start, made.end = made.items[0].start, made.items[len(made.items)-1].end()
		b.checkBlock(made)
		return
	}
	from, ok1 := b.spanOf(start, 0)
	to, ok2 := b.spanOf(end, 0)
	if !ok1 || !ok2 {
		b.fail(-1, unclear)
		return
	}
	made.start, made.end = from.start, to.end
	at := made.start
	for i := range made.items {
		it := &made.items[i]
		if it.start < at || it.end() > made.end {
			b.fail(it.start, unclear)
			return
		}
		at = it.end()
		it.comma = b.commaBehind(at)
	}
}

// commaBehind returns where the comma is that follows a place with nothing but
// comments between, -1 if there is none.
func (b *builder) commaBehind(offset int) int {
	low, high := 0, len(b.spans)
	for low < high {
		if mid := (low + high) / 2; b.spans[mid].start < offset {
			low = mid + 1
		} else {
			high = mid
		}
	}
	for ; low < len(b.list); low++ {
		switch b.list[low].Type {
		case token.CommentType:
			continue
		case token.CollectEntryType:
			return b.spans[low].start
		}
		break
	}
	return -1
}

// checkBlock sees that the items of a block stand below each other, and their
// values deeper. What does not was read otherwise than it looks.
func (b *builder) checkBlock(made *node) {
	column := b.column(made.items[0].start)
	at := -1
	for i := range made.items {
		it := &made.items[i]
		inner := it.value.kind == list && !it.value.flow && it.key != nil
		deep := it.value.start == it.value.end || b.column(it.value.start) > column ||
			inner && b.column(it.value.start) == column
		if b.column(it.start) != column || !deep || it.start <= at || i > 0 && !b.begins(it.start) {
			b.fail(it.start, fmt.Sprintf("its indentation is unclear; indent by blanks, as the first of its kind in line %d",
				b.lineAt(made.items[0].start)+1))
			return
		}
		at = it.start
	}
}
