package yamltree

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/sectile/sectile/internal/frontmatter"
)

// What a text says becomes a tree of our own, in which each value has its bytes. Nothing
// but this file, build.go and syntax.go knows the library.

// Limits of a text.
const (
	MaxSize    = 1 << 20 // bytes
	MaxLines   = 20_000
	MaxLine    = 1 << 16 // bytes of a line
	MaxKeys    = 10_000
	MaxValues  = 50_000 // with the keys
	MaxNesting = 32
)

// MaxTold is how many faults of a text are told.
const MaxTold = 100

// Fault is something wrong at a place.
type Fault struct {
	Offset  int // -1 for the file as a whole
	Message string
}

// unclear is the message for a place that the library reads otherwise than it looks.
const unclear = "this can't be read with certainty; write it more simply, and text in quotes"

// Kind says what a node is.
type Kind int

// The kinds of nodes.
const (
	Null Kind = iota
	Scalar
	List
	Mapping
)

// Node is a value.
type Node struct {
	Kind Kind
	Span // its bytes; of a null that is not written, where one would be
	// Flow says that a list or mapping is in brackets, or that a scalar lies in
	// brackets.
	Flow  bool
	Text  string // of a scalar
	Plain string // of a scalar that is not quoted, the tag that YAML gives it: !!str, !!int
	Block bool   // it is a block scalar
	Note  Span   // the comment after the sign of a block scalar
	Items []Item
}

// Item is an entry of a list or mapping.
type Item struct {
	Key   *Node // nil in a list
	Value *Node
	Start int // of the key, the dash, or the value in brackets
	Colon int // after the colon or dash, where the value may begin
	Comma int // of the comma after it, -1 if there is none
}

// End returns where an item ends, without a comma.
func (i *Item) End() int { return max(i.Value.End, i.Colon) }

// Get returns the item of a mapping by its key, nil if there is none.
func (n *Node) Get(key string) *Item {
	if n == nil {
		return nil
	}
	for i := range n.Items {
		if n.Items[i].Key != nil && n.Items[i].Key.Text == key {
			return &n.Items[i]
		}
	}
	return nil
}

// Value returns the value of a key, nil if there is none.
func (n *Node) Value(key string) *Node {
	if i := n.Get(key); i != nil {
		return i.Value
	}
	return nil
}

// IsMissing reports whether nothing is written where a value could be.
func (n *Node) IsMissing() bool { return n.Kind == Null && n.Start == n.End }

// Describe names what a value is.
func (n *Node) Describe() string {
	return map[Kind]string{Null: "null", Scalar: "a single value", List: "a list", Mapping: "a mapping"}[n.Kind]
}

// Parse returns the root of a text, nil if it holds nothing but comments.
func (t *Text) Parse() (root *Node, faults []Fault) {
	if f := t.limits(); f != nil {
		return nil, []Fault{*f}
	}
	if b := (&builder{Text: t}); b.document(&yaml.Node{}) == nil && len(b.faults) == 0 {
		return nil, nil
	}
	doc, faults := t.compose()
	b := &builder{Text: t, faults: faults}
	for _, n := range doc.Content {
		b.judge(n, 1)
	}
	if len(b.faults) == 0 {
		root = b.document(&doc)
	}
	if len(b.faults) > 0 {
		slices.SortStableFunc(b.faults, func(x, y Fault) int { return cmp.Compare(x.Offset, y.Offset) })
		return nil, slices.Compact(b.faults)
	}
	return root, nil
}

// limits refuses a text that is too large, or has characters that YAML doesn't allow or
// that only some of its versions take for line breaks.
func (t *Text) limits() *Fault {
	if len(t.Source) > MaxSize {
		return &Fault{-1, fmt.Sprintf("it has more than %d bytes; make it shorter", MaxSize)}
	}
	if len(t.Lines) > MaxLines {
		return &Fault{t.Lines[MaxLines].Start, fmt.Sprintf("more than %d lines; make the file shorter", MaxLines)}
	}
	for i, l := range t.Lines {
		if l.End-l.Start > MaxLine {
			return &Fault{l.Start, fmt.Sprintf("the line has more than %d bytes; make it shorter", MaxLine)}
		}
		for at, r := range t.content(i) {
			switch {
			case r == 0:
				return &Fault{l.Start + at, "it has a NUL byte; take it out"}
			case r == utf8.RuneError && !strings.HasPrefix(t.Source[l.Start+at:], string(utf8.RuneError)):
				return &Fault{l.Start + at, "it is not UTF-8; convert the file to UTF-8"}
			case r < ' ' && r != '\t', r >= 0x7f && r < 0xa0, strings.ContainsRune("\u2028\u2029\ufeff\ufffe\uffff", r):
				return &Fault{l.Start + at, fmt.Sprintf("the character %U is not allowed in YAML, or not read alike by all; take it out, or write %s in double quotes",
					r, strings.Trim(frontmatter.YAMLText(string(r), true), `"`))}
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
	if b.values++; b.values > MaxValues || isUnwritten(n) {
		if b.values == MaxValues+1 {
			b.fail(-1, fmt.Sprintf("it has more than %d keys and values; make it shorter", MaxValues))
		}
		return
	}
	at := b.startOf(n)
	if at < len(b.Source) && strings.IndexByte(signs, b.Source[at]) >= 0 {
		message := unclear
		if len(b.faults) < MaxTold { // more are not told
			message = b.signAdvice(at, b.intendedText(at))
		}
		b.fail(at, message)
	}
	if depth > MaxNesting && len(n.Content) > 0 {
		b.fail(at, fmt.Sprintf("nested deeper than %d levels; make it flatter", MaxNesting))
		return
	}
	for i, inner := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if b.keys++; b.keys == MaxKeys+1 {
				b.fail(b.startOf(inner), fmt.Sprintf("more than %d keys; make the file shorter", MaxKeys))
			}
			if inner.Style == 0 && inner.Value == "<<" {
				b.fail(b.startOf(inner), "<< merges keys in YAML, which is not allowed here; write the keys out")
			}
		}
		b.judge(inner, depth+1)
	}
}
