package ignore

import (
	"slices"
	"strings"
)

// pattern is a pattern with wildcards.
type pattern struct {
	number   int
	isPath   bool   // it is compared with the whole path, else with the last name in it
	isFolder bool   // it is for folders alone
	before   []byte // what a text begins with that it matches
	after    []byte // what such a text ends with; it doesn't overlap with before
	tokens   []token
	never    bool // it matches nothing
}

// token is a part of a pattern.
type token struct {
	kind  tokenKind
	char  byte       // of a literal
	class *[4]uint64 // of a class: a bit for each byte
}

type tokenKind uint8

const (
	literal tokenKind = iota // this byte
	class                    // one byte of some, but no slash in a path
	star                     // any number of bytes, but no slash in a path
	all                      // any number of bytes
	folders                  // any number of folders, each with the slash after it
)

// newPattern reads a pattern, which is not empty.
func newPattern(text string, isPath, isFolder bool, number int) pattern {
	p := pattern{number: number, isPath: isPath, isFolder: isFolder}
	wild := len(text) // where the first wildcard begins, or backslash, to git
	for i := 0; i < len(text); {
		switch text[i] {
		case '*', '?', '[', '\\':
			wild = min(wild, i)
		}
		switch text[i] {
		case '*':
			i = p.addStars(text, i, wild == i)
		case '?':
			p.tokens = append(p.tokens, token{kind: class, class: p.anyByte()})
			i++
		case '[':
			i = p.addClass(text, i)
		case '\\':
			if i++; i == len(text) {
				p.never = true
				return p
			}
			fallthrough
		default:
			p.tokens = append(p.tokens, token{kind: literal, char: text[i]})
			i++
		}
		if i < 0 {
			p.never = true
			return p
		}
	}
	first, last := 0, len(p.tokens)
	for first < last && p.tokens[first].kind == literal {
		p.before = append(p.before, p.tokens[first].char)
		first++
	}
	for last > first && p.tokens[last-1].kind == literal && (last-2 < first || p.tokens[last-2].kind != folders) {
		last-- // but for a slash that folders may skip
	}
	for _, t := range p.tokens[last:] {
		p.after = append(p.after, t.char)
	}
	p.tokens = slices.Clone(p.tokens[first:last]) // without the room of those that are bytes now
	return p
}

// anyByte is the class of "?".
func (p *pattern) anyByte() *[4]uint64 {
	c := &[4]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	if p.isPath {
		c['/'>>6] &^= 1 << ('/' & 63)
	}
	return c
}

// addStars adds the stars at i and returns where they end. Two or more that are a whole
// name of a path stand for folders; where they are the first wildcard, git takes them
// for that too wherever the name begins, for it compares what comes before on its own.
func (p *pattern) addStars(text string, i int, first bool) (end int) {
	end = i
	for end < len(text) && text[end] == '*' {
		end++
	}
	isName := i == 0 || text[i-1] == '/' || first
	slash := end < len(text) && text[end] == '/' || end+1 < len(text) && text[end] == '\\' && text[end+1] == '/'
	switch {
	case !p.isPath || end-i == 1 || !isName || end < len(text) && !slash:
		p.tokens = append(p.tokens, token{kind: star})
	case end < len(text) && text[end] == '/':
		if n := len(p.tokens); n > 1 && p.tokens[n-2].kind == folders && p.tokens[n-1] == (token{char: '/'}) {
			p.tokens = p.tokens[:n-2] // any folders behind any folders are any folders
		}
		p.tokens = append(p.tokens, token{kind: folders})
		return end // the slash comes as a literal, which folders may skip
	default:
		p.tokens = append(p.tokens, token{kind: all})
	}
	return end
}

// addClass adds the class at i, as in [a-z], and returns where it ends, or -1 if it
// doesn't.
func (p *pattern) addClass(text string, i int) (end int) {
	i++
	negated := i < len(text) && (text[i] == '!' || text[i] == '^')
	if negated {
		i++
	}
	set := &[4]uint64{}
	var before byte // the character that a range would begin with, 0 for none
	closing := 0    // a bracket that closes; those before it are passed
	for first := true; ; first = false {
		switch {
		case i >= len(text):
			return -1
		case text[i] == ']' && !first:
			return p.closeClass(set, negated, i+1)
		case text[i] == '-' && before != 0 && i+1 < len(text) && text[i+1] != ']':
			i++
			if text[i] == '\\' {
				if i++; i >= len(text) {
					return -1
				}
			}
			for c := int(before); c <= int(text[i]); c++ {
				set[c>>6] |= 1 << (c & 63)
			}
			before = 0
			i++
		case text[i] == '[' && i+1 < len(text) && text[i+1] == ':':
			if closing < i+2 { // sought once, however many brackets open before it
				n := strings.IndexByte(text[i+2:], ']')
				if n < 0 {
					return -1
				}
				closing = i + 2 + n
			}
			name := text[i+2 : closing]
			if !strings.HasSuffix(name, ":") { // it is no named class, but the bracket itself
				set['['>>6] |= 1 << ('[' & 63)
				before = '['
				i++
				continue
			}
			if !addNamed(set, name[:len(name)-1]) {
				return -1
			}
			before = 0
			i = closing + 1
		default:
			if text[i] == '\\' {
				if i++; i >= len(text) {
					return -1
				}
			}
			set[text[i]>>6] |= 1 << (text[i] & 63)
			before = text[i]
			i++
		}
	}
}

// closeClass adds a class and returns where it ends.
func (p *pattern) closeClass(set *[4]uint64, negated bool, end int) int {
	if negated {
		for i := range set {
			set[i] = ^set[i]
		}
	}
	if p.isPath {
		set['/'>>6] &^= 1 << ('/' & 63)
	}
	p.tokens = append(p.tokens, token{kind: class, class: set})
	return end
}

// addNamed adds the ASCII characters of a class of POSIX, and reports whether there is one
// of this name.
func addNamed(set *[4]uint64, name string) bool {
	is, ok := namedClasses[name]
	if !ok {
		return false
	}
	for c := range 0x80 {
		if is(byte(c)) {
			set[c>>6] |= 1 << (c & 63)
		}
	}
	return true
}

// namedClasses are the classes of POSIX.
var namedClasses = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return isLetter(c) || isDigit(c) },
	"alpha":  isLetter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  isDigit,
	"graph":  func(c byte) bool { return c > ' ' && c < 0x7f },
	"lower":  func(c byte) bool { return c >= 'a' && c <= 'z' },
	"print":  func(c byte) bool { return c >= ' ' && c < 0x7f },
	"punct":  func(c byte) bool { return c > ' ' && c < 0x7f && !isLetter(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' },
	"upper":  func(c byte) bool { return c >= 'A' && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' },
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
