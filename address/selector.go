package address

import (
	"strconv"
	"strings"
)

// A selector is data: what was written, with nothing of a document in it. Parsing
// it (parse.go) and following it (select.go) know nothing of each other, and a
// range stays two numbers, so that "h2.0-4000000000" costs no more than "h2.0".

// Type says what a step of a selector looks for.
type Type uint8

// The types of steps.
const (
	_               Type = iota
	TypeRoot             // the document
	TypeAny              // "*", the current node
	TypeH1               // a section, by its heading
	TypeH2               // a section, by its heading
	TypeH3               // a section, by its heading
	TypeH4               // a section, by its heading
	TypeH5               // a section, by its heading
	TypeH6               // a section, by its heading
	TypePara             // a paragraph
	TypeList             // a list
	TypeCode             // fenced or indented code
	TypeTable            // a table
	TypeQuote            // a block quote
	TypeItem             // an item of a list
	TypeRow              // a row of a table, the head being row 0
	TypeHTML             // a block of HTML
	TypeFrontMatter      // YAML or TOML at the start of the document
)

// The types of steps that are read and match nothing, as in mdsel.
const (
	typeSection = iota + TypeFrontMatter + 1
	typePage
)

// types holds, by Type, the short form and what a message calls one of them.
var types = [...]struct{ name, noun string }{
	{"", ""},
	{"root", "root"},
	{"*", "node"},
	{"h1", "h1 heading"},
	{"h2", "h2 heading"},
	{"h3", "h3 heading"},
	{"h4", "h4 heading"},
	{"h5", "h5 heading"},
	{"h6", "h6 heading"},
	{"para", "paragraph"},
	{"list", "list"},
	{"code", "code block"},
	{"table", "table"},
	{"quote", "quote"},
	{"item", "item"},
	{"row", "row"},
	{"html", "HTML block"},
	{"frontmatter", "front matter block"},
	{"section", "section"},
	{"page", "page"},
}

// String returns the short form of the type, such as "h2", "para" or "*".
func (t Type) String() string {
	if int(t) < len(types) {
		return types[t].name
	}
	return ""
}

// level returns the level of the headings that the type stands for, or 0.
func (t Type) level() int {
	if TypeH1 <= t && t <= TypeH6 {
		return int(t-TypeH1) + 1
	}
	return 0
}

// Range is a range of indexes, both ends included and counted from 0. A number
// too large for an int counts as the largest one.
type Range struct{ First, Last int }

// Step is one step of a selector.
type Step struct {
	Type Type // what it looks for
	// Index holds the indexes as they were written, repeats included; nil means
	// all matches as the last step and the first as an earlier one.
	Index []Range
}

// SplitQuery takes apart an address and the query behind it, "Install?head=20", of which the
// selector holds what [ParseSelector] reads of one, and nothing else. The query is nil if
// there is none that says something.
func SplitQuery(addr string) (rest string, query *Selector) {
	i := strings.LastIndexByte(addr, '?')
	if i <= 0 {
		return addr, nil
	}
	query, err := ParseSelector(TypeRoot.String() + addr[i:])
	if err != nil || !query.Full && query.Head+query.Tail == 0 {
		return addr, nil
	}
	query.Steps = nil
	return addr[:i], query
}

// SplitNamespace takes apart a namespace, without its quotes, and what stands behind "::". The namespace
// is empty if there is none, and the rest is the text then.
func SplitNamespace(addr string) (namespace, rest string) {
	p := selectorParser{text: addr}
	name, err := p.namespace()
	if err != nil || name == "" {
		return "", addr
	}
	return name, addr[p.pos:]
}

// appendTo appends the step in its short form.
func (s *Step) appendTo(dst []byte) []byte {
	dst = append(dst, s.Type.String()...)
	for i, r := range s.Index {
		dst = append(dst, ".,"[min(i, 1)])
		dst = strconv.AppendInt(dst, int64(r.First), 10)
		if r.Last != r.First {
			dst = strconv.AppendInt(append(dst, '-'), int64(r.Last), 10)
		}
	}
	return dst
}

// Selector is a parsed selector. Make one with ParseSelector.
type Selector struct {
	Namespace string // as it was written, without its quotes; empty if there is none
	Steps     []Step // at least one
	Full      bool   // "?full=true"
	Head      int    // "?head=N", 0 if it isn't there
	Tail      int    // "?tail=N", 0 if it isn't there
}

// String returns the selector in its canonical form: types by their short names,
// indexes after a dot, the namespace in quotes only if it needs them, the query
// with what this package knows. Parsing it gives the same selector.
func (s *Selector) String() string {
	var dst []byte
	if s.Namespace != "" {
		dst = append(appendNamespace(dst, s.Namespace), "::"...)
	}
	for i := range s.Steps {
		if i > 0 {
			dst = append(dst, '/')
		}
		dst = s.Steps[i].appendTo(dst)
	}
	sep := byte('?')
	param := func(name, value string) {
		dst = append(append(dst, sep), name...)
		dst = append(append(dst, '='), value...)
		sep = '&'
	}
	if s.Full {
		param("full", "true")
	}
	if s.Head > 0 {
		param("head", strconv.Itoa(s.Head))
	}
	if s.Tail > 0 {
		param("tail", strconv.Itoa(s.Tail))
	}
	return string(dst)
}

// appendNamespace appends a namespace, in quotes if it could not be read without
// them.
func appendNamespace(dst []byte, name string) []byte {
	if bareNamespace(name) == len(name) {
		return append(dst, name...)
	}
	dst = append(dst, '"')
	for i := range len(name) {
		if name[i] == '"' || name[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, name[i])
	}
	return append(dst, '"')
}

// typeNamed returns the type that a name stands for without "heading:" or
// "block:" before it, or 0.
func typeNamed(name string) Type {
	switch name {
	case "":
		return 0
	case "paragraph":
		return TypePara
	case "blockquote":
		return TypeQuote
	}
	for t := range types {
		if types[t].name == name {
			return Type(t)
		}
	}
	return 0
}

// blockTypeNamed returns the type that a name stands for after "block:", or 0.
func blockTypeNamed(name string) Type {
	switch name {
	case "paragraph", "list", "code", "table", "blockquote":
		return typeNamed(name)
	}
	return 0
}

// headingTypeNamed returns the type that a name stands for after "heading:", or
// 0.
func headingTypeNamed(name string) Type {
	if t := typeNamed(name); t.level() > 0 {
		return t
	}
	return 0
}
