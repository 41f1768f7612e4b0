package plan

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Each of these functions reads a section from line i on. It returns the line where
// the next section begins, and whether the parser goes on.

func (p *parser) readConstraints(i int) (next int, ok bool) {
	var l line
	for ; i < p.count(); i++ {
		p.classify(p.line(i), &l)
		switch l.class {
		case ClassBlank:
		case ClassConstraint:
			p.addConstraint(i, Constraint{l.key, l.value})
		case ClassCLike:
			p.result.Skipped = append(p.result.Skipped, p.line(i))
			p.note(i, ConstraintSkipped, p.line(i))
		case ClassBadBox, ClassNoDash, ClassLoneDash:
			p.halt(i, InvalidTask)
			return i, false
		case ClassBullet:
			p.halt(i, InvalidConstraint)
			return i, false
		default:
			return i, true
		}
	}
	return i, true
}

// addConstraint adds the constraint of line i. Where there are many, most of the
// lines that follow are constraints too, so that little garbage is made if the list
// is given room for them soon.
func (p *parser) addConstraint(i int, c Constraint) {
	list := &p.result.Constraints
	if n := len(*list); n == cap(*list) {
		const few, times = 8, 16
		*list = slices.Grow(*list, min(max(few, times*n), p.count()-i))
	}
	*list = append(*list, c)
}

func (p *parser) readTasks(i int) (next int, ok bool) {
	var l line
	for ; i < p.count(); i++ {
		p.classify(p.line(i), &l)
		switch l.class {
		case ClassBlank:
		case ClassTask:
			if !p.readTask(i, &l) {
				return i, false
			}
		case ClassBadBox, ClassNoDash, ClassLoneDash:
			p.halt(i, InvalidTask)
			return i, false
		case ClassConstraint, ClassCLike, ClassBullet:
			p.halt(i, SectionOrder)
			return i, false
		default:
			return i, true
		}
	}
	return i, true
}

// readTask adds a task below the last one that is indented less.
func (p *parser) readTask(i int, l *line) bool {
	parent := p.open.parent(l.width)
	switch {
	case len(p.open) > p.MaxDepth:
		p.halt(i, NestingTooDeep)
		return false
	case len(p.nodes) == p.MaxTasks:
		p.halt(i, TooManyTasks)
		return false
	}
	if l.lax {
		p.note(i, TaskColonMissing, p.line(i))
	}
	p.open = append(p.open, openTask{len(p.nodes), l.width})
	p.nodes = append(p.nodes, node{text: l.text, done: l.done, parent: parent, depth: len(p.open) - 1})
	return true
}

// readDirection reads free text up to the directive. Tasks and known constraints in
// it are in the wrong place, unless they stand in code, and that is worse than a
// direction that is too short.
func (p *parser) readDirection(i int) (next int, ok bool) {
	first, last := i, -1
	var l line
	for ; i < p.count(); i++ {
		p.classify(p.line(i), &l)
		if l.class == ClassTask || p.isKnown(&l) {
			p.halt(i, SectionOrder)
			p.result.Halt.Begin = first + 1
			return i, false
		}
		if l.class == ClassDirective {
			break
		}
		if l.class == ClassText {
			i = p.skipCode(i)
		}
		if l.class != ClassBlank {
			last = i
		}
	}
	if last < 0 {
		return i, true
	}
	if utf8.RuneCountInString(strings.TrimSpace(p.line(first))) <= p.DirectionLimit {
		p.result.Direction = p.line(first)
		p.halt(first, DirectionIncomplete)
		return i, false
	}
	p.result.Direction = p.lines(first, last)
	return i, true
}

func (p *parser) readDirective(i int) {
	if i == p.count() {
		return
	}
	var l line
	p.classify(p.line(i), &l)
	p.result.Directive = l.text
	for i++; i < p.count(); i++ {
		if !blank(p.line(i)) {
			p.halt(i, TextAfterDirective)
			return
		}
	}
}
