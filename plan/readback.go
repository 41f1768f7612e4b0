package plan

import "slices"

// A format that writes what its pattern doesn't read would make every plan refuse
// to be saved. That is found here, before anything is parsed, by writing usual
// lines and reading them.

// usualTexts returns texts of which a sensible pattern takes at least one.
func usualTexts() []string {
	return []string{"text of some words", "Text of some words", "ABC-1 text", "TEXT", "text", "1"}
}

// checkReadBack checks that patterns read what the formats write.
func (g *grammar) checkReadBack() {
	texts := usualTexts()
	if !slices.ContainsFunc(texts, g.taskReadsBack) {
		g.fail("task_format", InvalidValue, "a line that it writes, %q, is not read by the pattern of task", g.taskLine(0, texts[0], false))
	}
	keys := g.Prefixes
	if len(keys) == 0 {
		keys = append(usualTexts(), "Key")
	}
	if !slices.ContainsFunc(keys, func(key string) bool {
		return slices.ContainsFunc(texts, func(value string) bool { return g.constraintReadsBack(key, value) })
	}) {
		g.fail("constraint_format", InvalidValue, "a line that it writes, %q, is not read by the pattern of constraint", g.constraintLine(keys[0], texts[0]))
	}
	g.checkHeaderReadBack(texts)
}

func (g *grammar) taskReadsBack(text string) bool {
	for depth := range min(2, g.MaxDepth+1) {
		for _, done := range []bool{false, true} {
			var l line
			line := g.taskLine(depth, text, done)
			if !g.asTask(g.task, line, &l) || l.text != text || l.done != done || l.width != depth*g.Indent {
				return false
			}
		}
	}
	return true
}

func (g *grammar) taskLine(depth int, text string, done bool) string {
	return string(g.appendTask(nil, &node{depth: depth, text: text, done: done}))
}

func (g *grammar) constraintReadsBack(key, value string) bool {
	m := &g.found
	s := g.constraintLine(key, value)
	_, ok := g.constraint.match(s, m)
	return ok && m.text(s, groupKey) == key && m.text(s, groupValue) == value
}

func (g *grammar) constraintLine(key, value string) string {
	return string(g.appendConstraint(nil, Constraint{key, value}))
}

// checkHeaderReadBack checks each format with headers that have just its groups.
func (g *grammar) checkHeaderReadBack(texts []string) {
	types := g.Types
	if len(types) == 0 {
		types = []string{"feat", "Feat", "FEAT"}
	}
	for i, t := range g.headerFormat {
		var h Header
		if !slices.ContainsFunc(types, func(name string) bool {
			return slices.ContainsFunc(texts, func(title string) bool {
				h = Header{}
				if t.groups.has(groupType) {
					h.Type = name
				}
				if t.groups.has(groupTitle) {
					h.Title = title
				}
				if t.groups.has(groupScope) {
					h.Scope = "a"
				}
				got, ignored, ok := g.readHeader(string(g.appendHeader(nil, &h, t)))
				return ok && got == h && ignored == ""
			})
		}) {
			g.fail(numbered("header_format", i), InvalidValue, "a line that it writes, %q, is not read by the patterns of header", g.appendHeader(nil, &h, t))
		}
	}
}
