package plan

import "strings"

// Code between fences is text, whatever its lines look like: an example of a task in a
// description is no task. A fence counts only if it is closed, so that one which isn't
// takes no tasks away. What else a line of a document in Markdown can be is of no account
// here.

// fence is a line of three or more backticks or tildes.
type fence struct {
	char   byte // 0 for none
	length int
	closes bool // nothing stands behind it, so that it may be a closing one
}

// minFence is the least number of characters of a fence.
const minFence = 3

// fenceOf returns the fence that a line is. A directive is none, though Markdown takes it
// for one.
func fenceOf(s string) fence {
	s = unindented(s)
	if s == "" || s[0] != '`' && s[0] != '~' {
		return fence{}
	}
	rest := strings.TrimLeft(s, s[:1])
	f := fence{char: s[0], length: len(s) - len(rest), closes: blank(rest)}
	var l line
	if f.length < minFence || f.char == '`' && strings.IndexByte(rest, '`') >= 0 || asDirective(s, &l) {
		return fence{}
	}
	return f
}

// closedBy reports whether the second fence ends the code that the first begins.
func (f fence) closedBy(end fence) bool {
	return end.closes && end.char == f.char && end.length >= f.length
}

// skipCode returns the last line of the code that line i begins, or i if it begins none.
func (p *parser) skipCode(i int) int {
	f := fenceOf(p.line(i))
	if f.char == 0 || !p.isClosed(f, i) {
		return i
	}
	for end := i + 1; ; end++ {
		if f.closedBy(fenceOf(p.line(end))) {
			return end
		}
	}
}

// isClosed reports whether a line behind line i closes the fence. All lines are looked
// through once, from the last: the longest fence behind a line says which can be closed.
func (p *parser) isClosed(f fence, i int) bool {
	if p.closing == nil {
		p.closing = make([]closing, p.count()+1)
		for n := p.count() - 1; n >= 0; n-- {
			p.closing[n] = p.closing[n+1]
			if end := fenceOf(p.line(n)); end.closes {
				at := p.closing[n].of(end.char)
				*at = max(*at, end.length)
			}
		}
	}
	return *p.closing[i+1].of(f.char) >= f.length
}

// closing has the lengths of the longest closing fences from a line on.
type closing struct{ backticks, tildes int }

func (c *closing) of(char byte) *int {
	if char == '`' {
		return &c.backticks
	}
	return &c.tildes
}
