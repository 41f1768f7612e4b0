package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A grammar is a configuration that was checked, ready for use. The expressions of
// the presets are compiled once, so that making one takes about a microsecond.
type grammar struct {
	*Config
	header             []*pattern
	task, taskLax      *pattern
	taskLike, taskBare *pattern
	constraint         *pattern
	constraintLike     *pattern
	scope              *pattern
	headerFormat       []*template
	taskFormat         *template
	constraintFormat   *template
	typed              bool      // headers have a type
	titleAlone         bool      // a header may have a title without a scope
	starts             [256]bool // by the first byte after the indentation: the line may be more than text
	indentation        string    // of the deepest level
	preset             bool      // as it is here, without a change
	errs               FieldErrors
	found              match // by the pattern that was tried last: memory that is used again
}

// compile returns the grammar of a configuration, nil for the default, or what is
// wrong with it.
func compile(c *Config) (*grammar, FieldErrors) {
	if c == nil {
		standard := commitMessage()
		c = &standard
	}
	g := &grammar{Config: c, preset: isPreset(c)}
	if !g.preset {
		g.checkLimits()
		g.checkWords()
	}
	g.compileHeader()
	g.compileLines()
	if g.errs != nil {
		return nil, g.errs
	}
	g.indentation = strings.Repeat(" ", c.Indent*c.MaxDepth)
	if !g.preset {
		if g.checkTried(); g.errs != nil {
			return nil, g.errs
		}
		if g.checkReadBack(); g.errs != nil {
			return nil, g.errs
		}
	}
	g.findStarts()
	return g, nil
}

func (g *grammar) fail(field string, code Code, format string, args ...any) {
	g.errs = append(g.errs, FieldError{field, fmt.Sprintf(format, args...), code})
}

func (g *grammar) checkLimits() {
	for _, l := range []struct {
		field           string
		n, least, limit int
	}{
		{"indent", g.Indent, 1, maxIndent},
		{"max_title", g.MaxTitle, 1, maxInput},
		{"max_depth", g.MaxDepth, 0, maxLevel},
		{"max_tasks", g.MaxTasks, 1, maxTasks},
		{"max_input", g.MaxInput, 1, maxInput},
		{"direction_halt", g.DirectionLimit, 0, maxInput},
	} {
		switch {
		case l.n < l.least:
			g.fail(l.field, TooSmall, "%d is too small; use %d to %d", l.n, l.least, l.limit)
		case l.n > l.limit:
			g.fail(l.field, TooBig, "%d is too large; use %d to %d", l.n, l.least, l.limit)
		}
	}
}

// checkWords checks marks and lists of words.
func (g *grammar) checkWords() {
	for _, w := range []struct{ field, text string }{{"open", g.Open}, {"done", g.Done}, {"bang", g.Bang}} {
		switch {
		case w.text == "":
			g.fail(w.field, TooSmall, "it is empty; use a character")
		case len(w.text) > maxPattern:
			g.fail(w.field, TooBig, "it has %d bytes, at most %d are allowed", len(w.text), maxPattern)
		case strings.ContainsAny(w.text, "\r\n\x00"):
			g.fail(w.field, InvalidFormat, "it has more than one line, or a NUL")
		}
	}
	if g.Done != "" && (strings.EqualFold(g.Open, g.Done) || blank(g.Done)) {
		g.fail("done", InvalidValue, "%q can't be told from the mark of an open task, %q", g.Done, g.Open)
	}
	for _, l := range []struct {
		field string
		words []string
	}{{"types", g.Types}, {"prefixes", g.Prefixes}} {
		if len(l.words) > maxList {
			g.fail(l.field, TooBig, "%d entries are too many; use at most %d", len(l.words), maxList)
		}
		for i, w := range l.words {
			if field := fmt.Sprintf("%s.%d", l.field, i); w == "" || strings.TrimSpace(w) != w || len(w) > maxPattern {
				g.fail(field, InvalidFormat, "%.100q is empty, too long, or has white space around it", w)
			} else if slices.Index(l.words, w) < i {
				g.fail(field, InvalidValue, "%q is there twice", w)
			}
		}
	}
}

func (g *grammar) compileHeader() {
	const allowed = inHeader
	g.checkList("header", len(g.Header))
	g.checkList("header_format", len(g.HeaderFormat))
	for i, source := range g.Header {
		p, err := compilePattern(source, g.preset, allowed, 0)
		switch {
		case err != nil:
			g.fail(fmt.Sprintf("header.%d", i), InvalidFormat, "%v", err)
		case p == nil || !p.groups.has(groupType) && !p.groups.has(groupTitle):
			g.fail(fmt.Sprintf("header.%d", i), Required, "it has neither a type nor a title: write (?P<type>…) or (?P<title>…)")
		default:
			g.header = append(g.header, p)
		}
	}
	var words []string
	for i, format := range g.HeaderFormat {
		t, err := compileTemplate(format, allowed, 0)
		if err == nil && !t.groups.has(groupType) && !t.groups.has(groupTitle) {
			err = fmt.Errorf("it lacks {type} and {title}")
		}
		if err != nil {
			g.fail(fmt.Sprintf("header_format.%d", i), InvalidFormat, "%v", err)
			continue
		}
		g.headerFormat = append(g.headerFormat, t)
		words = append(words, t.words, t.words+wordsOf(g.Bang))
		g.typed = g.typed || t.groups.has(groupType)
		g.titleAlone = g.titleAlone || t.groups.has(groupTitle) && !t.groups.has(groupScope)
	}
	for _, p := range g.header {
		p.words = words
	}
}

func (g *grammar) checkList(field string, n int) {
	switch {
	case n == 0:
		g.fail(field, Required, "it is empty; at least one is needed")
	case n > maxList:
		g.fail(field, TooBig, "%d entries are too many; use at most %d", n, maxList)
	}
}

// compileLines compiles all other patterns and formats.
func (g *grammar) compileLines() {
	const needed = inTask &^ (1 << groupIndent)
	for _, l := range []struct {
		field           string
		source          string
		at              **pattern
		allowed, needed groupSet
	}{
		{"task", g.Task, &g.task, inTask, needed},
		{"task_lax", g.TaskLax, &g.taskLax, inTask, needed},
		{"task_like", g.TaskLike, &g.taskLike, 0, 0},
		{"task_bare", g.TaskBare, &g.taskBare, 0, 0},
		{"constraint", g.Constraint, &g.constraint, inConstraint, inConstraint},
		{"constraint_like", g.ConstraintLike, &g.constraintLike, inConstraint, 0},
	} {
		p, err := compilePattern(l.source, g.preset, l.allowed, l.needed)
		if err != nil {
			g.fail(l.field, InvalidFormat, "%v", err)
		} else if p == nil && (l.field == "task" || l.field == "constraint") {
			g.fail(l.field, Required, "it is empty; a pattern is needed")
		}
		if p != nil && l.field == "constraint_like" {
			p.groups = 0 // such lines are kept whole
		}
		*l.at = p
	}
	var err error
	if g.scope, err = compilePattern(g.Scope, g.preset, 0, 0); err != nil {
		g.fail("scope", InvalidFormat, "%v", err)
	}
	if g.taskFormat, err = compileTemplate(g.TaskFormat, inTask, needed); err != nil {
		g.fail("task_format", InvalidFormat, "%v", err)
	}
	if g.constraintFormat, err = compileTemplate(g.ConstraintFormat, inConstraint, inConstraint); err != nil {
		g.fail("constraint_format", InvalidFormat, "%v", err)
	}
	if g.errs != nil {
		return
	}
	g.task.words = []string{g.taskFormat.words}
	if g.taskLax != nil {
		g.taskLax.words = g.task.words
	}
	g.constraint.words = []string{g.constraintFormat.words}
}

// checkTried checks what the form's own patterns take on the longest text.
func (g *grammar) checkTried() {
	var known []string
	presets := Presets()
	for i := range presets {
		known = append(known, presets[i].patterns()...)
	}
	steps := 0
	for _, p := range append(slices.Clone(g.header), g.task, g.taskLax, g.taskLike, g.taskBare, g.constraint, g.constraintLike, g.scope) {
		if p == nil {
			continue
		}
		if i := slices.Index(known, p.re.String()); i >= 0 {
			known = slices.Delete(known, i, i+1) // so that one is not there a hundred times
		} else {
			steps += p.steps
		}
	}
	if most := maxTried / g.MaxInput; steps > most {
		g.fail("max_input", TooBig, "the patterns that are no preset's come to %d steps, and with a max_input of %d at most %d are allowed; lower it to %d, or write shorter patterns", steps, g.MaxInput, most, maxTried/steps)
	}
}

// findStarts finds the bytes that lines begin with which may be more than text.
func (g *grammar) findStarts() {
	for _, p := range []*pattern{g.task, g.taskLax, g.taskLike, g.taskBare, g.constraint, g.constraintLike} {
		if p == nil {
			continue
		}
		for b, may := range p.opening.First {
			g.starts[b] = g.starts[b] || may
		}
	}
	g.starts['~'], g.starts['-'] = true, true // directives, lone dashes and bullets
	for b := utf8.RuneSelf; b < len(g.starts); b++ {
		g.starts[b] = true // white space that isn't ASCII
	}
}
