package address

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sectile/sectile/internal/nearest"
)

// Parts below another address are named by steps like those of selectors, with what they
// ask for in brackets: the language of code, the state of a task, the beginning of a text,
// the row and column of a cell. Whether a string has this form is decided by its shape; but
// it yields to a heading that has just this text, for it once meant that alone.

// partAddress is an address and steps below it.
type partAddress struct {
	text  string
	base  string // empty for the document
	steps []partStep
}

// partStep is a step.
type partStep struct {
	block Type     // what it looks for; TypeItem for tasks
	task  bool     // tasks alone
	link  NodeKind // links, images or definitions; 0 for blocks
	index []Range  // nil for all
	asks  []asked  // what stands in brackets; one, or the row and the column of a cell
}

// asked is a word, a text in quotes or a number in brackets.
type asked struct {
	text   string
	quoted bool
	n      int // -1 if it is no number
}

// stepTask is the step that leads to tasks.
const stepTask = "task"

// maxPartLen is the length in bytes up to which an address is divided, for that takes time
// with its square.
const maxPartLen = 1 << 12

// parsePart returns the parts of an address of this form, nil if it has another one. Of
// several ways to divide it, the one with the most steps is taken.
func parsePart(s string) *partAddress {
	if len(s) > maxPartLen {
		return nil
	}
	if steps := parseSteps(s); len(steps) > 0 && steps[0].counts() {
		return &partAddress{text: s, steps: steps}
	}
	for i := range len(s) {
		if s[i] != '/' || i == 0 {
			continue
		}
		if steps := parseSteps(s[i+1:]); steps != nil {
			return &partAddress{text: s, base: strings.TrimRight(s[:i], " \t"), steps: steps}
		}
	}
	return nil
}

// counts reports whether the step says which of its kind it means.
func (s *partStep) counts() bool { return s.index != nil || s.asks != nil }

// parseSteps reads steps, nil if the text is anything else.
func parseSteps(s string) []partStep {
	p := partParser{selectorParser{text: s}}
	var steps []partStep
	for more := true; more; more = p.pos < len(s) && s[p.pos] == '/' {
		if len(steps) > 0 {
			p.pos++
		}
		step, ok := p.step()
		if !ok {
			return nil
		}
		steps = append(steps, step)
	}
	if p.pos < len(s) {
		return nil
	}
	return steps
}

// partParser reads steps.
type partParser struct{ selectorParser }

// step reads a type, with indexes and what it asks for behind it.
func (p *partParser) step() (s partStep, ok bool) {
	start := p.pos
	for p.pos < len(p.text) && strings.IndexByte("abcdefghijklmnopqrstuvwxyz:123456789", p.text[p.pos]) >= 0 {
		p.pos++
	}
	switch name := p.text[start:p.pos]; {
	case kindOfStep(name) != 0:
		s.link = kindOfStep(name)
	case name == stepTask:
		s.block, s.task = TypeItem, true
	case isType(name) && name != "root" && name != "section" && name != "page":
		q := selectorParser{text: name}
		step, err := q.step()
		if err != nil {
			return s, false
		}
		s.block = step.Type
	default:
		return s, false
	}
	for p.pos < len(p.text) && (p.text[p.pos] == '.' || p.text[p.pos] == '[') {
		if !p.suffix(&s) {
			return s, false
		}
	}
	ok = s.fits()
	return s, ok
}

// suffix reads an index, or what is asked for in brackets.
func (p *partParser) suffix(s *partStep) bool {
	rest := p.text[p.pos:]
	inBrackets := strings.TrimLeft(rest[1:], "0123456789,-")
	if rest[0] == '.' || s.index == nil && s.asks == nil && strings.HasPrefix(inBrackets, "]") {
		if s.index != nil || rest[0] == '.' && (len(rest) < 2 || !isDigit(rest[1])) {
			return false
		}
		p.pos++
		list, err := p.indexes("")
		if err != nil || rest[0] == '[' && !p.take(']') {
			return false
		}
		s.index = list
		return true
	}
	if s.asks != nil {
		return false
	}
	return p.brackets(s)
}

// brackets reads one thing that is asked for in brackets, or two.
func (p *partParser) brackets(s *partStep) bool {
	p.pos++
	for {
		p.skip()
		a := asked{n: -1}
		if p.peek() == '"' {
			if a.text, a.quoted = p.quotedText(); !a.quoted {
				return false
			}
		} else {
			start := p.pos
			for p.pos < len(p.text) && strings.IndexByte(`,]["`, p.text[p.pos]) < 0 && !unicode.IsSpace(rune(p.text[p.pos])) {
				p.pos++
			}
			if a.text = p.text[start:p.pos]; a.text == "" {
				return false
			}
			if strings.Trim(a.text, "0123456789") == "" {
				a.n = lineNumber("L" + a.text)
			}
		}
		if s.asks = append(s.asks, a); !p.take(',') {
			break
		}
	}
	return p.take(']')
}

// fits reports whether what a step asks for is something that its type has.
func (s *partStep) fits() bool {
	if s.asks == nil {
		return true
	}
	first := s.asks[0]
	if s.block == TypeTable {
		for _, a := range s.asks {
			if !a.quoted && a.n < 0 {
				return false
			}
		}
		return len(s.asks) <= 2
	}
	switch {
	case len(s.asks) > 1:
		return false
	case s.link != 0:
		return first.quoted || first.text == wordBroken && s.link != DefinitionNode
	case s.task:
		return first.quoted || first.text == "open" || first.text == "done"
	case s.block == TypeCode:
		return first.n < 0
	case s.block == TypeItem || s.block == TypePara:
		return first.quoted
	}
	return false
}

// bracketForms are what may stand behind a type in brackets, in the order of the types.
var bracketForms = []struct{ name, forms string }{ //nolint:gochecknoglobals // a constant
	{stepTask, `a task is named like task[open], task[done] or task["Buy milk"]`},
	{"code", "code is named by its language, like code[sh]"},
	{"table", `a row, column or cell is named like table.0[2], table.0["Price"] or table.0["Apple", "Price"]`},
	{"row", `a row is named like table.0[2], table.0/row.2 or, with a column, table.0["Apple", "Price"]`},
	{"item", `an item is named by the beginning of its text, like item["Buy milk"]`},
	{"link", `a link is named by its text, or by what is wrong with it, like link["the docs"] or link[broken]`},
	{"image", `an image is named by its text, or by what is wrong with it, like image["a map"] or image[broken]`},
	{"def", `a definition is named by its label, like def["docs"] or, of a footnote, def["^1"]`},
	{"para", `a paragraph is named by the beginning of its text, like para["We sell"]`},
}

// nearForm returns, in parentheses with a blank before them, the forms that exist of one with
// brackets that the end of a text nearly has; "" if it has none.
func nearForm(s string) string {
	before, _, found := strings.Cut(s, "[")
	if !found || parsePart(s) != nil {
		return ""
	}
	name, _, _ := strings.Cut(before[strings.LastIndexByte(before, '/')+1:], ".")
	if strings.ContainsFunc(name, unicode.IsSpace) {
		return ""
	}
	names := make([]string, len(bracketForms))
	for i, f := range bracketForms {
		if names[i] = f.name; f.name == name {
			return " (" + f.forms + ")"
		}
	}
	if near := nearest.Names(name, names, 1); near != nil {
		return " (" + bracketForms[slices.Index(names, near[0])].forms + ")"
	}
	return ""
}
