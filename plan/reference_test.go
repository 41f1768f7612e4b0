package plan_test

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/plan"
)

// A second parser for the default form, made from the specification's sentences
// with regular expressions, recursion and whole passes over the lines, without a
// thought about speed. It judges the parser.

var (
	refHeaders = []*regexp.Regexp{
		regexp.MustCompile(`^([a-z]+)\(([^)\s]+)\)(!):\s*(\S.*)$`),
		regexp.MustCompile(`^([a-z]+)\(([^)\s]+)\)():\s*(\S.*)$`),
		regexp.MustCompile(`^([a-z]+)\(([^)\s]+)\)(!):()`),
		regexp.MustCompile(`^([a-z]+)\(([^)\s]+)\)():()`),
		regexp.MustCompile(`^([a-z]+)()(!?):()`),
	}
	refTask       = regexp.MustCompile(`^([ \t]*)- \[([xX ])\](:?) +(\S.*)$`)
	refDirective  = regexp.MustCompile(`^~~~ ([A-Z][A-Z ]*) ~~~$`)
	refConstraint = regexp.MustCompile(`^- ([A-Z][a-z ]*): ([a-z].*)$`)
	refBox        = regexp.MustCompile(`^[ \t]*- \[`)
	refLink       = regexp.MustCompile(`^[ \t]*- \[[^\]]*\][(\[]`)
	refFence      = regexp.MustCompile("^[ \t]*(?:(`{3,})[^`]*|(~{3,}).*)$")
	refNoDash     = regexp.MustCompile(`^[ \t]*\[[xX ]\]:`)
	refLoneDash   = regexp.MustCompile(`^[ \t]*-[ \t]*$`)
	refPrefixes   = []string{"Do not", "Never", "Avoid", "Decide against", "Must not", "Cannot", "Forbidden"}
)

func refClass(s string) string {
	task := refTask.FindStringSubmatch(s)
	c := refConstraint.FindStringSubmatch(s)
	switch {
	case strings.TrimSpace(s) == "":
		return "BLANK"
	case len(task) > 0 && strings.TrimSpace(task[4]) != "":
		return "TASK"
	case refBox.MatchString(s) && !refLink.MatchString(s):
		return "BADBOX"
	case refDirective.MatchString(s):
		return "DIRECTIVE"
	case len(c) > 0 && slices.Contains(refPrefixes, strings.TrimSpace(c[1])):
		return "KNOWN"
	case c != nil:
		return "CONSTRAINT"
	case strings.HasPrefix(s, "- ") && !refLink.MatchString(s) && strings.Contains(s[2:], ": "):
		return "CLIKE"
	case refNoDash.MatchString(s):
		return "NODASH"
	case refLoneDash.MatchString(s):
		return "LONEDASH"
	case strings.HasPrefix(s, "- "):
		return "BULLET"
	}
	return "TEXT"
}

// refParser has the lines with their numbers as indexes, and their classes.
type refParser struct {
	lines, classes []string
	r              plan.Result
}

func refParse(text string) plan.Result {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if strings.TrimSpace(text) == "" {
		return plan.Result{State: plan.Empty}
	}
	p := &refParser{lines: strings.Split(text, "\n"), r: plan.Result{State: plan.Parsed}}
	for strings.TrimSpace(p.lines[len(p.lines)-1]) == "" {
		p.lines = p.lines[:len(p.lines)-1]
	}
	for _, s := range p.lines {
		p.classes = append(p.classes, refClass(s))
	}
	if p.classes[0] == "BLANK" {
		return plan.Result{State: plan.Halted, Halt: &plan.Diagnostic{Line: 1, Code: plan.LeadingBlankLine}}
	}
	if n := utf8.RuneCountInString(strings.Join(p.lines, "\n")); n > 100_000 {
		return plan.Result{State: plan.Halted, Halt: &plan.Diagnostic{Line: 1, Code: plan.InputTooLong, Length: n}}
	}
	for i, s := range p.lines {
		if strings.Contains(s, "\x00") || !utf8.ValidString(s) {
			return plan.Result{State: plan.Halted, Halt: &plan.Diagnostic{Line: i + 1, Code: plan.UnsafeCharacter}}
		}
	}
	p.document()
	return p.r
}

func (p *refParser) halt(i int, code plan.Code, text string) {
	p.r.State, p.r.Halt = plan.Halted, &plan.Diagnostic{Line: i + 1, Code: code, Text: text}
}

func (p *refParser) note(i int, code plan.Code, text string) {
	p.r.Diagnostics = append(p.r.Diagnostics, plan.Diagnostic{Line: i + 1, Code: code, Text: text})
}

func (p *refParser) document() {
	for _, re := range refHeaders {
		m := re.FindStringSubmatch(p.lines[0])
		if len(m) == 0 || m[4] != "" && strings.TrimSpace(m[4]) == "" {
			continue
		}
		p.r.Header = &plan.Header{Type: m[1], Scope: m[2], Breaking: m[3] != "", Title: strings.TrimSpace(m[4])}
		p.r.IgnoredTitle = strings.TrimSpace(p.lines[0][len(m[0]):])
		break
	}
	switch {
	case p.r.Header == nil:
		p.r = plan.Result{State: plan.Unknown}
		return
	case utf8.RuneCountInString(p.r.Header.Title) > 120:
		p.r.Header.Title = ""
		p.halt(0, plan.TitleTooLong, "")
		return
	}
	if p.r.IgnoredTitle != "" {
		p.note(0, plan.TitleIgnored, p.r.IgnoredTitle)
	}
	if len(p.lines) > 1 && p.classes[1] != "BLANK" {
		p.halt(1, plan.MissingBlankLine, "")
		return
	}
	if len(p.lines) > 1 {
		p.body()
	}
	if p.r.Direction != "" && p.r.Tasks == nil {
		p.r.Tasks = []plan.Task{}
	}
	if p.r.Tasks != nil && p.r.Constraints == nil {
		p.r.Constraints = []plan.Constraint{}
	}
}

// opens reports whether line i is a section opener.
func (p *refParser) opens(i int) bool {
	switch p.classes[i] {
	case "TASK", "BADBOX", "DIRECTIVE", "KNOWN":
		return true
	case "CONSTRAINT", "CLIKE":
		for _, c := range p.classes[i:] {
			switch c {
			case "TASK", "BADBOX", "DIRECTIVE", "NODASH", "LONEDASH":
				return true
			case "BLANK", "KNOWN", "CONSTRAINT", "CLIKE":
			default:
				return false
			}
		}
		return true
	}
	return false
}

// codeEnd returns the line that closes the code which line i begins, or i if there is
// no such code.
func (p *refParser) codeEnd(i int) int {
	m := refFence.FindStringSubmatch(p.lines[i])
	if m == nil || p.classes[i] != "TEXT" || refDirective.MatchString(strings.TrimLeft(p.lines[i], " \t")) {
		return i
	}
	marks := m[1] + m[2]
	for end := i + 1; end < len(p.lines); end++ {
		s := strings.TrimSpace(p.lines[end])
		if strings.HasPrefix(s, marks) && strings.Trim(s, marks[:1]) == "" {
			return end
		}
	}
	return i
}

func (p *refParser) body() {
	opener := 2
	for opener < len(p.lines) && !p.opens(opener) {
		opener = p.codeEnd(opener) + 1
	}
	first := 2
	for first < opener && p.classes[first] == "BLANK" {
		first++
	}
	if first < opener {
		switch p.classes[first] {
		case "BULLET", "CLIKE", "LONEDASH", "NODASH":
			p.halt(first, plan.InvalidConstraint, p.lines[first])
			return
		}
		last := opener
		for p.classes[last-1] == "BLANK" {
			last--
		}
		p.r.Description = strings.Join(p.lines[first:last], "\n")
	}
	p.sections(opener)
}

func (p *refParser) sections(i int) {
	state := "constraints"
	type flat struct {
		width int
		task  plan.Task
	}
	var tasks []flat
	depth := func(n int) int { // of task n, given those before it
		d, width := 0, tasks[n].width
		for j := n - 1; j >= 0; j-- {
			if tasks[j].width < width {
				d, width = d+1, tasks[j].width
			}
		}
		return d
	}
	var tree func(from, to int) []plan.Task
	tree = func(from, to int) (list []plan.Task) {
		for from < to {
			end := from + 1
			for end < to && tasks[end].width > tasks[from].width {
				end++
			}
			t := tasks[from].task
			t.Children = tree(from+1, end)
			list = append(list, t)
			from = end
		}
		return list
	}
	defer func() { p.r.Tasks = tree(0, len(tasks)) }()
	for ; i < len(p.lines); i++ {
		s, class := p.lines[i], p.classes[i]
		switch {
		case class == "BLANK":
		case class == "DIRECTIVE" || class == "TEXT":
			p.end(i)
			return
		case class == "BADBOX" || class == "NODASH" || class == "LONEDASH":
			p.halt(i, plan.InvalidTask, s)
			return
		case class == "TASK":
			state = "tasks"
			m := refTask.FindStringSubmatch(s)
			width := len(strings.ReplaceAll(m[1], "\t", "  "))
			tasks = append(tasks, flat{width, plan.Task{Done: m[2] != " ", Text: strings.TrimSpace(m[4])}})
			code := plan.Code("")
			if len(tasks) > 1000 {
				code = plan.TooManyTasks
			}
			if depth(len(tasks)-1) > 4 {
				code = plan.NestingTooDeep
			}
			if code != "" {
				tasks = tasks[:len(tasks)-1]
				p.halt(i, code, s)
				return
			}
			if m[3] == "" {
				p.note(i, plan.TaskColonMissing, s)
			}
		case state == "tasks":
			p.halt(i, plan.SectionOrder, s)
			return
		case class == "BULLET":
			p.halt(i, plan.InvalidConstraint, s)
			return
		case class == "CLIKE":
			p.r.Skipped = append(p.r.Skipped, s)
			p.note(i, plan.ConstraintSkipped, s)
		default:
			m := refConstraint.FindStringSubmatch(s)
			p.r.Constraints = append(p.r.Constraints, plan.Constraint{Key: strings.TrimSpace(m[1]), Value: strings.TrimSpace(m[2])})
		}
	}
}

// end reads direction and directive.
func (p *refParser) end(first int) {
	directive := first
	for directive < len(p.lines) && p.classes[directive] != "DIRECTIVE" {
		if c := p.classes[directive]; c == "TASK" || c == "KNOWN" {
			p.halt(directive, plan.SectionOrder, p.lines[directive])
			p.r.Halt.Begin = first + 1
			return
		}
		directive = p.codeEnd(directive) + 1
	}
	last := directive
	for last > first && p.classes[last-1] == "BLANK" {
		last--
	}
	if first < last {
		if utf8.RuneCountInString(strings.TrimSpace(p.lines[first])) <= 3 {
			p.r.Direction = p.lines[first]
			p.halt(first, plan.DirectionIncomplete, p.lines[first])
			return
		}
		p.r.Direction = strings.Join(p.lines[first:last], "\n")
	}
	if directive == len(p.lines) {
		return
	}
	p.r.Directive = strings.TrimRight(refDirective.FindStringSubmatch(p.lines[directive])[1], " ")
	for i := directive + 1; i < len(p.lines); i++ {
		if p.classes[i] != "BLANK" {
			p.halt(i, plan.TextAfterDirective, p.lines[i])
			return
		}
	}
}
