package address

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
)

// The grammar of spec/select.md, read by hand from left to right: one function a
// rule. White space may stand between any two tokens. Messages that mdsel gives
// too are in its words, for scripts look at them.

// ParseSelector parses a selector. Its error is a *SelectorError.
//
//	h2.1  h2[1]  heading:h2[1]  h2.0,2-3  h2.1/code.0  list.0/item.1
//	readme::h2.0  "2024 notes"::h1.0  h2.0?full=true  h2.0?head=20&tail=5
//
// A namespace needs quotes if white space, a quote, a colon, a question mark or
// a backslash is in it; in quotes, a backslash stands before a quote and before
// a backslash. Of the query only full, head and tail mean something; other names
// are read and ignored, as in mdsel.
func ParseSelector(s string) (*Selector, error) {
	p := selectorParser{text: s}
	sel, err := p.selector()
	if err != nil {
		return nil, err
	}
	return sel, nil
}

// selectorParser stands somewhere in a text.
type selectorParser struct {
	text string
	pos  int
}

func (p *selectorParser) selector() (*Selector, *SelectorError) {
	if p.end() {
		p.pos = 0
		return nil, p.fail(EmptySelector, "Selector cannot be empty")
	}
	var s Selector
	var err *SelectorError
	if s.Namespace, err = p.namespace(); err != nil {
		return nil, err
	}
	for more := true; more; more = p.take('/') {
		step, err := p.step()
		if err != nil {
			return nil, err
		}
		s.Steps = append(s.Steps, step)
	}
	if p.take('?') {
		for more := true; more; more = p.take('&') {
			if err := p.param(&s); err != nil {
				return nil, err
			}
		}
	}
	if !p.end() {
		return nil, p.unexpected("Unexpected token '" + p.token() + "' after selector")
	}
	return &s, nil
}

// namespace reads a namespace and the "::" after it, if they are there.
func (p *selectorParser) namespace() (string, *SelectorError) {
	p.skip()
	start := p.pos
	if c := p.peek(); c == '"' || c == '\'' {
		name, closed := p.quotedText()
		switch {
		case !closed:
			p.pos = start
			return "", p.fail(InvalidSyntax, "Unclosed quote around the namespace")
		case !p.separator() || name == "":
			p.pos = start
			return "", p.fail(InvalidSyntax, "Expected selector type")
		}
		return name, nil
	}
	p.pos += bareNamespace(p.text[p.pos:])
	name := p.text[start:p.pos]
	if name != "" && p.separator() {
		return name, nil
	}
	bad := start + len(name)
	p.pos = start
	path, _, _ := strings.Cut(p.text[start:], "?")
	if i := strings.Index(path, "::"); i > 0 && start+i > bad {
		p.pos = bad
		return "", p.fail(InvalidSyntax, `Write a namespace like this in quotes: "two words"::h1.0`)
	}
	return "", nil
}

// separator reads "::" and reports whether it was there.
func (p *selectorParser) separator() bool {
	p.skip()
	if !strings.HasPrefix(p.text[p.pos:], "::") {
		return false
	}
	p.pos += 2
	return true
}

// bareNamespace returns how much of the beginning of s can be a namespace
// without quotes.
func bareNamespace(s string) int {
	for i, r := range s {
		switch {
		case r == '"' || r == '\'' || r == '?' || r == ':' || r == '\\' || r == utf8.RuneError,
			unicode.IsSpace(r) || unicode.IsControl(r):
			return i
		}
	}
	return len(s)
}

// quotedText reads a text in quotes and reports whether the second one is there.
func (p *selectorParser) quotedText() (text string, closed bool) {
	quote := p.text[p.pos]
	var b strings.Builder
	for p.pos++; p.pos < len(p.text); p.pos++ {
		c := p.text[p.pos]
		if c == quote {
			p.pos++
			return b.String(), true
		}
		if c == '\\' && p.pos+1 < len(p.text) && strings.IndexByte(`"'\`, p.text[p.pos+1]) >= 0 {
			p.pos++
			c = p.text[p.pos]
		}
		b.WriteByte(c)
	}
	return b.String(), false
}

// step reads a type and its indexes.
func (p *selectorParser) step() (Step, *SelectorError) {
	t, err := p.stepType()
	if err != nil {
		return Step{}, err
	}
	s := Step{Type: t}
	switch {
	case p.take('.'):
		s.Index, err = p.indexes("Expected number after '.'")
	case p.take('['):
		s.Index, err = p.indexes("Expected number inside brackets")
		if err == nil && !p.take(']') {
			err = p.fail(UnclosedBracket, "Unclosed bracket, expected ']'")
		}
	}
	return s, err
}

func (p *selectorParser) stepType() (Type, *SelectorError) {
	if p.take('*') {
		return TypeAny, nil
	}
	p.skip()
	start := p.pos
	name := p.word()
	switch name {
	case "":
		return 0, p.unexpected("Expected selector type")
	case "heading":
		return p.subtype(name, headingTypeNamed, InvalidHeadingLevel, "heading level (h1-h6)", "must be h1-h6")
	case "block":
		return p.subtype(name, blockTypeNamed, InvalidBlockType, "block type", "must be one of: paragraph, list, code, table, blockquote")
	}
	if t := typeNamed(name); t != 0 {
		return t, nil
	}
	p.pos = start
	code := InvalidSyntax
	if name[0] == 'h' && strings.Trim(name[1:], "0123456789") == "" {
		code = InvalidHeadingLevel
	}
	return 0, p.fail(code, "Unknown selector '"+name+"' - use h1-h6, code, para, list, table, quote, root, or section")
}

// subtype reads what stands after "heading" and "block".
func (p *selectorParser) subtype(kind string, named func(string) Type, code Code, what, rule string) (Type, *SelectorError) {
	if !p.take(':') {
		return 0, p.fail(InvalidSyntax, "Expected ':' after '"+kind+"'")
	}
	p.skip()
	start := p.pos
	name := p.word()
	if name == "" {
		return 0, p.fail(code, "Expected "+what+" after '"+kind+":'")
	}
	t := named(name)
	if t == 0 {
		p.pos = start
		what, _, _ = strings.Cut(what, " (")
		return 0, p.fail(code, "Invalid "+what+" '"+name+"' - "+rule)
	}
	return t, nil
}

// indexes reads a list of numbers and ranges; missing is the message if its first
// number isn't there.
func (p *selectorParser) indexes(missing string) ([]Range, *SelectorError) {
	var list []Range
	for {
		first, ok := p.number()
		if !ok {
			return nil, p.fail(InvalidIndex, missing)
		}
		r := Range{first, first}
		if p.take('-') {
			p.skip()
			start := p.pos
			if r.Last, ok = p.number(); !ok {
				return nil, p.fail(InvalidIndex, "Expected number after '-' for range")
			}
			if r.Last < first {
				p.pos = start
				return nil, p.fail(InvalidIndex, "Range end must be >= start")
			}
		}
		list = append(list, r)
		if !p.take(',') {
			return list, nil
		}
		missing = "Expected number after ','"
	}
}

// number reads a number. It takes one beyond the largest int for that one: no
// document has so many of anything.
func (p *selectorParser) number() (int, bool) {
	p.skip()
	start, n := p.pos, 0
	for ; p.pos < len(p.text) && isDigit(p.text[p.pos]); p.pos++ {
		digit := int(p.text[p.pos] - '0')
		if n > (math.MaxInt-digit)/10 {
			n = math.MaxInt
			continue
		}
		n = n*10 + digit
	}
	return n, p.pos > start
}

// param reads a name and a value of the query.
func (p *selectorParser) param(s *Selector) *SelectorError {
	p.skip()
	start := p.pos
	name := p.word()
	if name == "" || keyword(name) {
		p.pos = start
		return p.fail(MalformedQuery, "Expected parameter name")
	}
	if !p.take('=') {
		return p.fail(MalformedQuery, "Expected '=' after parameter name '"+name+"'")
	}
	p.skip()
	start = p.pos
	switch name {
	case "full":
		value := p.value()
		if value != "true" && value != "false" {
			p.pos = start
			return p.fail(MalformedQuery, "full must be true or false")
		}
		s.Full = value == "true"
	case "head", "tail":
		n := selectorParser{text: p.value()}
		lines, ok := n.number()
		if !ok || lines == 0 || !n.end() {
			p.pos = start
			return p.fail(MalformedQuery, name+" must be a number of lines, at least 1")
		}
		if name == "head" {
			s.Head = lines
		} else {
			s.Tail = lines
		}
	default:
		p.value()
	}
	return nil
}

// value reads a value, which may be in quotes or empty. The second quote may be
// missing at the end, as in mdsel.
func (p *selectorParser) value() string {
	start := p.pos
	if c := p.peek(); c == '"' || c == '\'' {
		text, _ := p.quotedText()
		return text
	}
	for p.pos < len(p.text) && isDigit(p.text[p.pos]) {
		p.pos++
	}
	if p.pos == start && keyword(p.word()) {
		p.pos = start
	}
	return p.text[start:p.pos]
}

// keyword reports whether mdsel reserves the word.
func keyword(word string) bool {
	switch word {
	case "root", "heading", "section", "block", "page":
		return true
	}
	return false
}

// word reads letters, digits, '_' and '-' that don't begin with a digit or '-'.
func (p *selectorParser) word() string {
	start := p.pos
	for p.pos < len(p.text) && inWord(p.text[p.pos], p.pos > start) {
		p.pos++
	}
	return p.text[start:p.pos]
}

func inWord(c byte, inside bool) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || inside && (isDigit(c) || c == '-')
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// skip moves past white space.
func (p *selectorParser) skip() {
	for p.pos < len(p.text) && (p.text[p.pos] == ' ' || '\t' <= p.text[p.pos] && p.text[p.pos] <= '\r') {
		p.pos++
	}
}

// peek returns the next byte, or 0.
func (p *selectorParser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// take reads c and reports whether it was next.
func (p *selectorParser) take(c byte) bool {
	p.skip()
	if p.pos == len(p.text) || p.text[p.pos] != c {
		return false
	}
	p.pos++
	return true
}

// end reports whether nothing is left but white space.
func (p *selectorParser) end() bool {
	p.skip()
	return p.pos == len(p.text)
}

// token returns the token that comes next, for messages.
func (p *selectorParser) token() string {
	q := *p
	q.skip()
	start := q.pos
	if q.word() == "" {
		if _, ok := q.number(); !ok && !q.separator() {
			_, n := utf8.DecodeRuneInString(q.text[q.pos:])
			q.pos += n
		}
	}
	return q.text[start:q.pos]
}

// unexpected returns the error for what comes next: the message, unless it is a
// character that no selector has.
func (p *selectorParser) unexpected(message string) *SelectorError {
	p.skip()
	t := p.token()
	if t != "" && !inWord(t[0], true) && strings.IndexByte(`.,:/?&=[]*"'`, t[0]) < 0 {
		message = "Invalid character '" + runes.Shown(t, 8) + "' in selector"
	}
	return p.fail(InvalidSyntax, message)
}

func (p *selectorParser) fail(code Code, message string) *SelectorError {
	return &SelectorError{Code: code, Message: message, Selector: p.text, Position: p.pos}
}
