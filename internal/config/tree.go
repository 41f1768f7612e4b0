package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// What a text says becomes a tree of our own, in which each value has its bytes. Nothing
// but this file, build.go and syntax.go knows the library.

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
		slices.SortStableFunc(b.faults, func(x, y fault) int { return cmp.Compare(x.offset, y.offset) })
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
	at := b.startOf(n)
	if at < len(b.source) && strings.IndexByte(signs, b.source[at]) >= 0 {
		message := unclear
		if len(b.faults) < maxProblems { // more are not told
			message = b.signAdvice(at, b.intendedText(at))
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
				b.fail(b.startOf(inner), fmt.Sprintf("more than %d keys; make the file shorter", maxKeys))
			}
			if inner.Style == 0 && inner.Value == "<<" {
				b.fail(b.startOf(inner), "<< merges keys in YAML, which is not allowed here; write the keys out")
			}
		}
		b.judge(inner, depth+1)
	}
}
