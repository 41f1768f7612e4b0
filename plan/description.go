package plan

import "slices"

// opener returns the line, from first on, with which the description ends and the
// sections begin. A known constraint, a task and a directive are openers wherever
// they stand. A line that just looks like a constraint is one only if nothing but
// such lines follows up to the next section: "- Note: this" is part of a
// description that goes on after it. Code between fences is part of it, too.
func (p *parser) opener(first int) int {
	run := -1   // first line of those that look like constraints, up to here
	known := -1 // a known constraint within that run
	var l line
	for i := first; i < p.count(); i++ {
		p.classify(p.line(i), &l)
		if l.class == ClassText {
			i = p.skipCode(i)
		}
		switch l.class {
		case ClassBlank:
		case ClassTask, ClassBadBox, ClassDirective:
			if run >= 0 {
				return run
			}
			return i
		case ClassNoDash, ClassLoneDash:
			if run >= 0 {
				return run
			}
		case ClassConstraint, ClassCLike:
			if known < 0 && p.isKnown(&l) {
				known = i
			}
			if run < 0 {
				run = i
			}
			if known == run {
				return run
			}
		default:
			if known >= 0 {
				return known
			}
			run = -1
		}
	}
	if run >= 0 {
		return run
	}
	return p.count()
}

// isKnown reports whether a line is a constraint with one of the keys that are
// meant for constraints.
func (g *grammar) isKnown(l *line) bool {
	return l.class == ClassConstraint && slices.Contains(g.Prefixes, l.key)
}

// readDescription reads the lines from first up to the opener and reports whether
// the parser goes on.
func (p *parser) readDescription(first, opener int) bool {
	last := opener - 1
	for first <= last && blank(p.line(first)) {
		first++
	}
	for first <= last && blank(p.line(last)) {
		last--
	}
	if first > last {
		return true
	}
	switch p.class(p.line(first)) {
	case ClassBullet, ClassCLike, ClassLoneDash, ClassNoDash:
		p.halt(first, InvalidConstraint)
		return false
	}
	if p.CompactDescription {
		for i := first; i < last; i++ {
			if blank(p.line(i)) {
				p.result.Description = p.lines(first, i-1)
				return !p.halted(i+1, BlankLineInDesc)
			}
		}
	}
	p.result.Description = p.lines(first, last)
	return true
}
