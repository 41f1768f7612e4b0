package plan

import (
	"strings"
	"unicode/utf8"
)

// Parsing goes over the lines twice at most: once to find where the description
// ends, which depends on what follows it, and once to read what is after. Tasks
// are read into a flat list; the tree is built at the end. The document's texts are
// parts of the input, nothing is copied.

// Parse reads a text in the form that a configuration describes, nil for the
// default. Line endings may be "\n", "\r\n" or "\r". See State for what there can be;
// a configuration that is wrong gives a Result that is Halted with CONFIG_INVALID,
// whatever the text is.
func Parse(text string, cfg *Config) Result {
	g, errs := compile(cfg)
	if errs != nil {
		return Result{State: Halted, Halt: &Diagnostic{Code: ConfigInvalid, Text: errs.Error()}}
	}
	return g.parse(text)
}

// parser reads one text.
type parser struct {
	*grammar
	text   string
	starts []int // where the lines begin, and one after the last
	result Result
	nodes  []node
	open   openTasks // the last task and those above it
	// closing is made when the first fence is met.
	closing []closing
}

// openTasks are the last task of a list and those above it, with how far each is indented.
type openTasks []openTask

type openTask struct{ node, width int }

// parent ends the tasks that one of a width doesn't stand below, and returns the one that it does,
// -1 for none.
func (o *openTasks) parent(width int) int {
	list := *o
	for len(list) > 0 && list[len(list)-1].width >= width {
		list = list[:len(list)-1]
	}
	if *o = list; len(list) == 0 {
		return -1
	}
	return list[len(list)-1].node
}

func (g *grammar) parse(text string) Result {
	if blank(text) {
		return Result{State: Empty}
	}
	p := &parser{grammar: g, text: withoutBlankEnd(unixLines(text)), result: Result{State: Parsed}}
	p.read()
	if p.nodes != nil {
		link(p.nodes)
		p.result.Tasks = build(p.nodes)
	}
	fillEmpty(&p.result.Document)
	return p.result
}

// read reads all; the tasks are left in nodes.
func (p *parser) read() {
	if p.halted(p.checkText()) {
		if p.result.Halt.Code == InputTooLong {
			p.result.Halt.Length = utf8.RuneCountInString(p.text)
		}
		return
	}
	p.split()
	header, ignored, ok := p.grammar.readHeader(p.line(0))
	if !ok {
		p.result.State = Unknown
		return
	}
	if p.readHeader(header, ignored) {
		p.readBody()
	}
}

// checkText looks for what stops the parser before the first line. It returns the
// line and the code, 0 if there is nothing.
func (p *parser) checkText() (number int, code Code) {
	first, _, _ := strings.Cut(p.text, "\n")
	switch {
	case blank(first):
		return 1, LeadingBlankLine
	case len(p.text) > p.MaxInput && utf8.RuneCountInString(p.text) > p.MaxInput:
		return 1, InputTooLong
	}
	if i := unsafeAt(p.text); i >= 0 {
		return 1 + strings.Count(p.text[:i], "\n"), UnsafeCharacter
	}
	return 0, ""
}

// unsafeAt returns where the first NUL or invalid byte is, or -1.
func unsafeAt(s string) int {
	nul := strings.IndexByte(s, 0)
	if utf8.ValidString(s) {
		return nul
	}
	for i := 0; ; {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == 0 || r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}

// split finds the lines.
func (p *parser) split() {
	p.starts = append(make([]int, 0, strings.Count(p.text, "\n")+2), 0)
	for i := 0; ; {
		n := strings.IndexByte(p.text[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		p.starts = append(p.starts, i)
	}
	p.starts = append(p.starts, len(p.text)+1)
}

// count returns the number of lines.
func (p *parser) count() int { return len(p.starts) - 1 }

// line returns line i, from 0.
func (p *parser) line(i int) string { return p.lines(i, i) }

// lines returns the lines from first to last.
func (p *parser) lines(first, last int) string { return p.text[p.starts[first] : p.starts[last+1]-1] }

// halted halts the parser if there is a code, and reports that.
func (p *parser) halted(number int, code Code) bool {
	if code == "" {
		return false
	}
	p.result.State, p.result.Halt = Halted, &Diagnostic{Line: number, Code: code}
	return true
}

// halt halts the parser at line i, which the reader is shown.
func (p *parser) halt(i int, code Code) {
	p.halted(i+1, code)
	p.result.Halt.Text = p.line(i)
}

// note adds a diagnostic for line i.
func (p *parser) note(i int, code Code, text string) {
	p.result.Diagnostics = append(p.result.Diagnostics, Diagnostic{Line: i + 1, Code: code, Text: text})
}

// readHeader takes the header over and reports whether the parser goes on.
func (p *parser) readHeader(h Header, ignored string) bool {
	p.result.Header = &h
	if utf8.RuneCountInString(h.Title) > p.MaxTitle {
		h.Title = ""
		return !p.halted(1, TitleTooLong)
	}
	if ignored != "" {
		p.result.IgnoredTitle = ignored
		p.note(0, TitleIgnored, ignored)
	}
	if p.count() == 1 {
		return false
	}
	return blank(p.line(1)) || !p.halted(2, MissingBlankLine)
}

// readBody reads what stands after the header.
func (p *parser) readBody() {
	opener := p.opener(2)
	if !p.readDescription(2, opener) {
		return
	}
	i, ok := p.readConstraints(opener)
	if ok {
		i, ok = p.readTasks(i)
	}
	if ok {
		i, ok = p.readDirection(i)
	}
	if ok {
		p.readDirective(i)
	}
}

// fillEmpty makes sections empty that are absent although a later one is there.
func fillEmpty(d *Document) {
	if d.Tasks == nil && d.Direction != "" {
		d.Tasks = []Task{}
	}
	if d.Constraints == nil && d.Tasks != nil {
		d.Constraints = []Constraint{}
	}
}
