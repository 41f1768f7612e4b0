package frontmatter

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"weak"
)

// Format is a language of front matter.
type Format uint8

// The formats.
const (
	YAML Format = iota
	TOML
)

// String returns "YAML" or "TOML".
func (f Format) String() string { return [...]string{"YAML", "TOML"}[f&1] }

// Kind says what a value is.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	Time  // a date or a time, as it is written
	Other // of a tag that is none of the usual ones
	List
	Map
	Alias // of YAML; Text is the name of the anchor
)

// Span is a range of bytes of the text, half open.
type Span struct{ Start, End int }

// Len returns the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// A Node is a value and where it stands.
type Node struct {
	Kind Kind
	// Span is its bytes. That of a null that isn't written is empty, where one would be.
	// That of a table of TOML that several places make is all of them, if nothing else
	// stands between.
	Span
	Text  string // of a scalar: what it says; of a number, in one form for the same digits; of a key, as it is written
	Items []Item // of a list or mapping, in their order

	anchor    string // its name, empty if it has none
	flow      bool   // a list or mapping in brackets, or what stands in one
	quote     byte   // of a scalar: '"', '\'', '|', '>' or 0
	header    Span   // of a table of TOML: the line that begins it, if there is one
	scattered bool   // something else stands between the places of a table
}

// An Item is an entry of a list or of a mapping.
type Item struct {
	Key   *Node // nil in a list
	Value *Node
	// start is where the entry begins: the key, the dash, or the value in brackets; of
	// TOML, the first part of a dotted key.
	start int
	// colon is where the value may begin: behind the colon, the dash or the sign "=".
	colon int
	comma int // behind the comma after it, -1 if there is none
	// again are the other places that name the key of a table of TOML.
	again []Span
}

// end returns where the entry ends, without a comma.
func (i *Item) end() int { return max(i.Value.End, i.colon) }

// find returns the index of the entry that a name of a path means, -1 for none.
func (n *Node) find(name string) int {
	switch n.Kind {
	case List:
		if i := index(name); i < len(n.Items) {
			return i
		}
	case Map:
		if i := slices.IndexFunc(n.Items, func(i Item) bool { return i.Key.Text == name }); i >= 0 {
			return i
		}
		return slices.IndexFunc(n.Items, func(i Item) bool { return i.Key.says() == name })
	}
	return -1
}

// says returns what a key says, however it is written: one that is a number, a truth value or null
// has that as a second name.
func (n *Node) says() string { return said(n.Kind, n.Text) }

// said returns what a value of a kind says that is written without quotes.
func said(k Kind, written string) string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return strings.ToLower(written)
	case Int, Float:
		return number(k, written)
	}
	return written
}

// names returns the names of a path that lead on from the node.
func (n *Node) names() []string {
	names := make([]string, 0, len(n.Items))
	for i := range n.Items {
		if n.Kind == Map {
			names = append(names, n.Items[i].Key.Text)
		} else {
			names = append(names, strconv.Itoa(i))
		}
	}
	return names
}

// equal reports whether two values say the same, with their keys in the same order if that
// counts.
func (n *Node) equal(o *Node, ordered bool) bool {
	if n.Kind != o.Kind || n.Text != o.Text || n.anchor != o.anchor || len(n.Items) != len(o.Items) {
		return false
	}
	for i := range n.Items {
		a, b := &n.Items[i], &o.Items[i]
		if n.Kind == Map && !ordered {
			k := o.find(a.Key.Text)
			if k < 0 {
				return false
			}
			b = &o.Items[k]
		}
		if n.Kind == Map && !a.Key.equal(b.Key, ordered) || !a.Value.equal(b.Value, ordered) {
			return false
		}
	}
	return true
}

// any reports whether the function holds for the value, or for a key or value in it.
func (n *Node) any(is func(*Node) bool) bool {
	return is(n) || slices.ContainsFunc(n.Items, func(i Item) bool { return i.Value.any(is) || i.Key != nil && is(i.Key) })
}

// number returns a number as the names of keys are compared: without what can be written in several
// ways, and one with a fraction as 64 bits hold it.
func number(k Kind, s string) string {
	plain := strings.ReplaceAll(s, "_", "")
	if k == Int {
		if n, ok := new(big.Int).SetString(strings.TrimPrefix(plain, "+"), 0); ok {
			return n.String()
		}
	}
	if f, err := strconv.ParseFloat(plain, 64); err == nil {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return s
}

// A Text is front matter that was read: what stands between its two lines of marks.
type Text struct {
	source string
	format Format
	root   *Node // a mapping; without entries if nothing is written
}

// Read reads front matter. Its error is an *Error with the reason Unreadable.
func Read(source string, f Format) (*Text, error) {
	if last := latest.Load(); last != nil {
		if t := last.Value(); t != nil && t.format == f && t.source == source {
			return t, nil
		}
	}
	t, err := read(source, f)
	if err != nil {
		return nil, err
	}
	kept := weak.Make(t)
	latest.Store(&kept)
	return t, nil
}

// latest is what was read last, which nobody changes, as long as it is in memory: who looks for a
// key and then changes it reads the same text some times in a row.
var latest atomic.Pointer[weak.Pointer[Text]]

// maxSize is the number of bytes that front matter may have.
const maxSize = 1 << 20

// maxParts is the number of lines, of parts of keys, and of items that TOML may have: its parser
// takes time that grows with the square of their number, and two kilobytes for each.
const maxParts = 5000

// maxValues is the number of lines and items, together, that YAML may have, and of items that a
// value may: one takes up to 1,600 bytes while it is read, for which a document of few bytes has
// no room.
const maxValues = 10_000

// values returns the number of lines of a text of YAML, and of the signs with which a value may begin
// on the line of another one; or that of the signs before what its reader keeps until it knows whether
// it is a key, if they are more. Texts have them too, but rarely so many.
func values(s string) int {
	among := func(i int, these string) bool {
		return i < 0 || i == len(s) || strings.IndexByte(these, s[i]) >= 0
	}
	const blanks = " \t\r\n"
	lines, signs := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '\n', ',', '[', '{':
			lines++
		case '\r':
			if !strings.HasPrefix(s[i:], "\r\n") {
				lines++
			}
		case '-', '?':
			if among(i-1, blanks) && among(i+1, blanks) {
				lines++
			}
		case ':':
			if among(i-1, blanks) && among(i+1, blanks) {
				lines++
			}
			if among(i-1, `"']}`) || among(i+1, blanks+",[]{}") {
				signs++
			}
		case '"', '\'', '&', '*', '!':
			if among(i-1, blanks+`,[]{}:"'`) {
				signs++
			}
		}
	}
	return max(lines, signs)
}

// maxNesting is the number of lists and mappings that may stand in each other, and of names in a
// path: what a path makes in YAML is indented by it, line by line.
const maxNesting = 100

// tooDeep is the error for a path of more names.
func tooDeep() *Error {
	return wrong(Invalid, "the address of a key has more than %d names; name a key further up", maxNesting)
}

// inTurn has texts be read one after the other: what several take is what one takes.
var inTurn sync.Mutex

func read(source string, f Format) (*Text, *Error) {
	if len(source) > maxSize {
		return nil, wrong(Unreadable, "the front matter has more than %d bytes", maxSize)
	}
	t := &Text{source: source, format: f}
	reader := readYAML
	if f == TOML {
		reader = readTOML
	}
	inTurn.Lock()
	root, err := reader(source)
	inTurn.Unlock()
	t.root = root
	if err != nil {
		return nil, err
	}
	err = t.checkKeys(t.root, 0)
	return t, err
}

// checkKeys refuses a mapping that has a key twice: which of them counts is different from
// reader to reader. TOML makes many mappings in each other by one line.
func (t *Text) checkKeys(n *Node, depth int) *Error {
	if depth > maxNesting {
		return wrong(Unreadable, "the front matter has more than %d lists and mappings in each other; change it as text", maxNesting)
	}
	seen := make(map[string]bool, len(n.Items))
	for i := range n.Items {
		if key := n.Items[i].Key; key != nil {
			if seen[key.Text] || seen[key.says()] {
				e := wrong(Unreadable, "the front matter has the key %q twice, on line %d of it again; take one of them out", key.Text, lineNumber(t.source, key.Start))
				e.Line = lineNumber(t.source, key.Start)
				return e
			}
			seen[key.Text], seen[key.says()] = true, true
		}
		if err := t.checkKeys(n.Items[i].Value, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// Find returns the value that a path leads to. The error is an *Error: NotFound with the
// names that are there, Refused for a value of which the bytes are not one range.
func (t *Text) Find(p Path) (*Node, error) {
	if len(p) > maxNesting {
		return nil, tooDeep()
	}
	n := t.root
	for at, name := range p {
		i := n.find(name)
		if i < 0 {
			return nil, t.notFound(n, p, at)
		}
		n = n.Items[i].Value
	}
	if n.scattered {
		return nil, wrong(Refused, "%s stands in several places of the front matter; name one of its keys", p)
	}
	return n, nil
}

// Counts reports whether a path leads over an item of a list by its number.
func (t *Text) Counts(p Path) bool {
	n := t.root
	for _, name := range p {
		i := n.find(name)
		if i < 0 || n.Kind == List {
			return i >= 0
		}
		n = n.Items[i].Value
	}
	return false
}

// FindLike returns the values to which the path leads with any numbers of items, in their order;
// those of which the bytes are not one range are left out.
func (t *Text) FindLike(p Path) []*Node {
	list := []*Node{t.root}
	for _, name := range p {
		var next []*Node
		for _, n := range list {
			if n.Kind == List && index(name) >= 0 {
				for _, item := range n.Items {
					next = append(next, item.Value)
				}
			} else if i := n.find(name); i >= 0 {
				next = append(next, n.Items[i].Value)
			}
		}
		list = next
	}
	return slices.DeleteFunc(list, func(n *Node) bool { return n.scattered })
}

// notFound is the error for a path that leads nowhere from its part at.
func (t *Text) notFound(n *Node, p Path, at int) *Error {
	e := &Error{Reason: NotFound, At: at, Keys: n.names()}
	where := "the front matter"
	if at > 0 {
		where = p[:at].String()[len("."):]
	}
	switch n.Kind {
	case List:
		e.Message = "the list " + where + " has " + strconv.Itoa(len(n.Items)) + " items, counted from 0, and no item " + strconv.Quote(p[at])
	case Map:
		e.Message = where + " has no key " + strconv.Quote(p[at])
	case Alias:
		e.Message = where + " is an alias of *" + n.Text + ", where its value stands"
	default:
		e.Message = where + " is a single value and has no keys"
	}
	return e
}

// PathOf returns the shortest path to a value that has just these bytes, and whether there is one.
func (t *Text) PathOf(s Span) (Path, bool) { return pathOf(t.root, s, Path{}) }

func pathOf(n *Node, s Span, above Path) (Path, bool) {
	for i, name := range n.names() {
		value := n.Items[i].Value
		path := append(slices.Clone(above), name)
		if value.Span == s && !value.scattered {
			return path, true
		}
		if value.scattered || value.Start <= s.Start && s.End <= value.End {
			if found, ok := pathOf(value, s, path); ok {
				return found, true
			}
		}
	}
	return nil, false
}
