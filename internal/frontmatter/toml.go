package frontmatter

import (
	"errors"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A table of TOML is made by lines in several places: a header, keys with dots, headers
// of tables in it. All of them become one mapping here.

// tomlReader makes nodes of the expressions of a text.
type tomlReader struct {
	source string
	parser unstable.Parser
	root   *Node
	table  *Node // that the keys go into
	wrong  *Error
}

// readTOML returns the mapping that a text is.
func readTOML(source string) (root *Node, wrongly *Error) {
	defer func() {
		if recover() != nil {
			root, wrongly = nil, wrong(Unreadable, "the front matter can't be read as TOML; mend it as text")
		}
	}()
	for _, mark := range []string{"\n", "=", ".", ",", "[", "{"} { // texts have them too, but rarely so many
		if strings.Count(source, mark) > maxParts {
			return nil, wrong(Unreadable, "the front matter has more than %d lines, keys, parts of keys or items; change it as text", maxParts)
		}
	}
	// The library refuses what TOML does: keys given twice, tables that are closed.
	var all map[string]any
	if err := toml.Unmarshal([]byte(source), &all); err != nil {
		return nil, notTOML(err)
	}
	r := &tomlReader{source: source, root: &Node{Kind: Map, Span: Span{0, len(source)}}}
	r.table = r.root
	r.parser.Reset([]byte(source))
	for r.parser.NextExpression() && r.wrong == nil {
		r.expression(r.parser.Expression())
	}
	if err := r.parser.Error(); err != nil && r.wrong == nil {
		r.wrong = notTOML(err)
	}
	return r.root, r.wrong
}

// notTOML is the error for what the library can't read.
func notTOML(err error) *Error {
	e := wrong(Unreadable, "the front matter is no TOML: %s", strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", " "), "toml: "))
	if at, ok := errors.AsType[*toml.DecodeError](err); ok {
		e.Line, _ = at.Position()
		e.Message = strings.Replace(e.Message, "TOML:", "TOML, line "+itoa(e.Line)+":", 1)
	}
	e.Message += "; mend it as text first"
	return e
}

// keyPart is a part of a dotted key.
type keyPart struct {
	name string
	span Span
}

// keys returns the parts of a key.
func keys(it unstable.Iterator) []keyPart {
	var parts []keyPart
	for it.Next() {
		n := it.Node()
		parts = append(parts, keyPart{string(n.Data), rangeOf(n.Raw)})
	}
	return parts
}

func rangeOf(r unstable.Range) Span { return Span{int(r.Offset), int(r.Offset + r.Length)} }

// expression adds a line of a key, or a header.
func (r *tomlReader) expression(e *unstable.Node) {
	switch e.Kind {
	case unstable.KeyValue:
		r.pair(r.table, e, false)
	case unstable.Table, unstable.ArrayTable:
		parts := keys(e.Key())
		line := Span{lineStart(r.source, parts[0].span.Start), lineEnd(r.source, parts[0].span.Start)}
		n := r.root
		for _, p := range parts[:len(parts)-1] {
			n = r.within(n, p, line)
		}
		last := parts[len(parts)-1]
		if e.Kind == unstable.Table {
			n = r.within(n, last, line)
			n.header = line
			r.table = n
			return
		}
		list := r.child(n, last, List, line)
		item := &Node{Kind: Map, Span: line, header: line}
		list.Items = append(list.Items, Item{Value: item, start: line.Start, colon: line.End, comma: -1})
		r.table = item
	}
}

// within returns the mapping below a key, the last of the list if that is one, and adds the
// bytes to it.
func (r *tomlReader) within(n *Node, p keyPart, bytes Span) *Node {
	inner := r.child(n, p, Map, bytes)
	if inner.Kind == List && len(inner.Items) > 0 {
		inner = inner.Items[len(inner.Items)-1].Value
		r.extend(inner, bytes)
	}
	return inner
}

// child returns the value of a key, which is made if it isn't there, and adds the bytes to it.
func (r *tomlReader) child(n *Node, p keyPart, k Kind, bytes Span) *Node {
	if i := slices.IndexFunc(n.Items, func(i Item) bool { return i.Key != nil && i.Key.Text == p.name }); i >= 0 {
		inner := n.Items[i].Value
		n.Items[i].again = append(n.Items[i].again, p.span)
		r.extend(inner, bytes)
		return inner
	}
	inner := &Node{Kind: k, Span: bytes}
	key := &Node{Kind: String, Text: p.name, Span: p.span}
	n.Items = append(n.Items, Item{Key: key, Value: inner, start: bytes.Start, colon: p.span.End, comma: -1})
	return inner
}

// extend adds bytes to those of a table.
func (r *tomlReader) extend(n *Node, bytes Span) {
	if bytes.Start < n.End {
		return
	}
	// Nothing but blanks and comments may stand between, and in brackets a comma.
	at := r.skip(n.End)
	if at < bytes.Start && r.source[at] == ',' {
		at = r.skip(at + 1)
	}
	n.scattered = n.scattered || at < bytes.Start
	n.End = bytes.End
}

// pair adds the value of a key, which may have dots, to a mapping, and returns the entry of the
// mapping that holds it.
func (r *tomlReader) pair(into *Node, e *unstable.Node, flow bool) *Item {
	parts, whole := keys(e.Key()), rangeOf(e.Raw)
	value := r.value(e.Value(), valueStart(r.source, parts[len(parts)-1].span.End), flow)
	whole.End = value.End
	if !flow {
		r.grow(r.root, into, whole)
	}
	n := into
	for _, p := range parts[:len(parts)-1] {
		n = r.within(n, p, whole)
	}
	last := parts[len(parts)-1]
	key := &Node{Kind: String, Text: last.name, Span: last.span, quote: quoteOf(r.source[last.span.Start])}
	n.Items = append(n.Items, Item{Key: key, Value: value, start: whole.Start, colon: last.span.End, comma: -1})
	return &into.Items[into.find(parts[0].name)]
}

// grow adds the bytes of a line to the tables that lead to the one that it goes into.
func (r *tomlReader) grow(n, to *Node, bytes Span) bool {
	if n == to {
		if n != r.root {
			r.extend(n, bytes)
		}
		return true
	}
	for _, it := range slices.Backward(n.Items) {
		inner := it.Value
		if (inner.Kind == Map || inner.Kind == List) && !inner.flow && r.grow(inner, to, bytes) {
			if n != r.root {
				r.extend(n, bytes)
			}
			return true
		}
	}
	return false
}

// quoteOf returns the byte if it is a quote, else 0.
func quoteOf(c byte) byte {
	if c == '"' || c == '\'' {
		return c
	}
	return 0
}

// valueStart returns where the value of a key begins that ends at the offset.
func valueStart(source string, at int) int {
	at += strings.IndexByte(source[at:], '=') + 1
	return at + len(source[at:]) - len(strings.TrimLeft(source[at:], " \t"))
}

// value makes the node of a value that begins at the offset.
func (r *tomlReader) value(n *unstable.Node, at int, flow bool) *Node {
	made := &Node{Span: Span{at, at}, flow: flow}
	kinds := map[unstable.Kind]Kind{
		unstable.String: String, unstable.Bool: Bool, unstable.Integer: Int, unstable.Float: Float,
		unstable.LocalDate: Time, unstable.LocalTime: Time, unstable.LocalDateTime: Time, unstable.DateTime: Time,
	}
	switch n.Kind {
	case unstable.Array, unstable.InlineTable:
		r.inBrackets(made, n)
		return made
	}
	made.Kind, made.Text = kinds[n.Kind], string(n.Data)
	if raw := rangeOf(n.Raw); raw.Len() > 0 {
		made.Span = raw
	} else { // a truth value
		made.End = at + len(n.Data)
	}
	if made.Start != at || made.End > len(r.source) {
		r.wrong = wrong(Unreadable, "line %d of the front matter can't be read with certainty; write it more simply", lineNumber(r.source, at))
		return made
	}
	switch made.Kind {
	case Int, Float:
		made.Text = numeral(made.Kind, made.Text)
	case String:
		made.quote = r.source[at]
		if made.Len() >= 6 && strings.HasPrefix(r.source[at:], strings.Repeat(string(made.quote), 3)) {
			made.quote = '|'
		}
	}
	return made
}

// inBrackets makes the items of a list or table in brackets.
func (r *tomlReader) inBrackets(made *Node, n *unstable.Node) {
	made.flow, made.Kind = true, List
	if n.Kind == unstable.InlineTable {
		made.Kind = Map
	}
	at := made.Start + 1
	for it := n.Children(); it.Next() && r.wrong == nil; {
		inner := it.Node()
		if inner.Kind == unstable.Comment {
			continue
		}
		at = r.skip(at)
		item := Item{start: at, colon: at, comma: -1}
		if made.Kind == Map {
			entry := r.pair(made, inner, true)
			at = max(int(inner.Raw.Offset+inner.Raw.Length), lastEnd(made))
			entry.comma = -1 // that behind an earlier key of the same table
			if at = r.skip(at); at < len(r.source) && r.source[at] == ',' {
				at++
				entry.comma = at
			}
			continue
		}
		item.Value = r.value(inner, at, true)
		if at = r.skip(item.Value.End); at < len(r.source) && r.source[at] == ',' {
			at++
			item.comma = at
		}
		made.Items = append(made.Items, item)
	}
	made.End = min(r.skip(at)+1, len(r.source))
}

// lastEnd returns the largest end of a value in a mapping.
func lastEnd(n *Node) int {
	end := n.Start
	for i := range n.Items {
		if inner := n.Items[i].Value; inner.Kind == Map {
			end = max(end, inner.End, lastEnd(inner))
		} else {
			end = max(end, inner.End)
		}
	}
	return end
}

// skip returns where something stands at the offset or behind it that is no blank, line
// break or comment.
func (r *tomlReader) skip(at int) int {
	for at < len(r.source) {
		switch c := r.source[at]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			at++
		case c == '#':
			at = lineEnd(r.source, at)
		default:
			return at
		}
	}
	return at
}
