package plan

import "strings"

// A Class says what a line is by itself. The classes are tried in this order, but
// for ClassHeader, which only the first line can be.
type Class uint8

// The classes of lines. The examples are of the default configuration.
const (
	ClassHeader     Class = iota
	ClassBlank            // white space, or nothing
	ClassTask             // "- [ ]: text"
	ClassBadBox           // "- [" that is no task and no link
	ClassDirective        // "~~~ NAME ~~~"
	ClassConstraint       // "- Key: value"
	ClassCLike            // "- ", and ": " after it
	ClassNoDash           // "[x]:"
	ClassLoneDash         // "-"
	ClassBullet           // "- "
	ClassText             // anything else
)

// String returns the name in capitals.
func (c Class) String() string {
	return [...]string{"HEADER", "BLANK", "TASK", "BADBOX", "DIRECTIVE", "CONSTRAINT", "CLIKE", "NODASH", "LONEDASH", "BULLET", "TEXT"}[c]
}

// describe says what a line of the class is, for a message.
func (c Class) describe() string {
	return [...]string{
		"a header", "a blank line", "a task", "a broken task", "a directive", "a constraint", "a broken constraint",
		"a task without a dash", "a lone dash", "a bullet", "text",
	}[c]
}

// A line is a line that was read.
type line struct {
	class Class
	lax   bool   // a task that only the lax pattern takes
	done  bool   // of a task
	width int    // of a task's indentation, in columns
	text  string // of a task, or the name of a directive
	// key and value of a constraint
	key, value string
}

// blank reports whether s is white space.
func blank(s string) bool { return strings.TrimSpace(s) == "" }

// classify reads a line into l. Of the fields it sets those that lines of the class
// have.
func (g *grammar) classify(s string, l *line) {
	bare := unindented(s)
	if g.isText(bare) {
		l.class = ClassText
		return
	}
	switch {
	case blank(bare):
		l.class = ClassBlank
	case g.task.mayBe(bare) && g.asTask(g.task, s, l):
		l.class, l.lax = ClassTask, false
	case g.taskLax.mayBe(bare) && g.asTask(g.taskLax, s, l):
		l.class, l.lax = ClassTask, true
	case g.taskLike.mayBe(bare) && g.matches(g.taskLike, s):
		l.class = ClassBadBox
	case asDirective(s, l):
		l.class = ClassDirective
	case g.constraint.mayBe(bare) && g.asConstraint(s, l):
		l.class = ClassConstraint
	case g.constraintLike.mayBe(bare) && g.matches(g.constraintLike, s):
		l.class = ClassCLike
	case g.taskBare.mayBe(bare) && g.matches(g.taskBare, s):
		l.class = ClassNoDash
	case isLoneDash(s):
		l.class = ClassLoneDash
	case strings.HasPrefix(s, "- "):
		l.class = ClassBullet
	default:
		l.class = ClassText
	}
}

// class returns the class of a line.
func (g *grammar) class(s string) Class {
	var l line
	g.classify(s, &l)
	return l.class
}

// matches reports whether a line has a pattern.
func (g *grammar) matches(p *pattern, s string) bool {
	_, ok := p.match(s, &g.found)
	return ok
}

// isText reports that a line without its indentation is text by its first character
// alone, which most are.
func (g *grammar) isText(s string) bool {
	return s != "" && ' ' < s[0] && !g.starts[s[0]]
}

// asTask reads a task by one of its patterns.
func (g *grammar) asTask(p *pattern, s string, l *line) bool {
	m := &g.found
	if _, ok := p.match(s, m); !ok {
		return false
	}
	text := m.text(s, groupText)
	if text == "" {
		return false
	}
	mark, indent := m.text(s, groupMark), m.text(s, groupIndent)
	done := strings.EqualFold(mark, g.Done)
	if !done && mark != g.Open && !blank(mark) { // a mark that couldn't be written back
		return false
	}
	width := 0
	for i := range len(indent) {
		switch indent[i] {
		case ' ':
			width++
		case '\t':
			width += g.Indent
		default:
			return false
		}
	}
	l.done, l.width, l.text = done, width, text
	return true
}

// isLoneDash reports whether a line has a dash and nothing else.
func isLoneDash(s string) bool {
	rest, ok := strings.CutPrefix(unindented(s), "-")
	return ok && unindented(rest) == ""
}

// asConstraint reads a constraint.
func (g *grammar) asConstraint(s string, l *line) bool {
	m := &g.found
	if _, ok := g.constraint.match(s, m); !ok {
		return false
	}
	l.key, l.value = m.text(s, groupKey), m.text(s, groupValue)
	return l.key != "" && l.value != ""
}

// asDirective reads "~~~ NAME ~~~".
func asDirective(s string, l *line) bool {
	name, ok := strings.CutPrefix(s, "~~~ ")
	if !ok {
		return false
	}
	if name, ok = strings.CutSuffix(name, " ~~~"); !ok || !isDirective(name) {
		return false
	}
	l.text = strings.TrimRight(name, " ")
	return true
}

// isDirective reports whether a name is of capitals and spaces.
func isDirective(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'A' || 'Z' < c) && (i == 0 || c != ' ') {
			return false
		}
	}
	return name != ""
}
