package plan

import (
	"strings"
)

// Format writes a document in the form that a configuration describes, nil for the
// default. What it returns parses to Normalise(d), which is checked here; it has no
// newline at its end. Its error is a *FormatError, or a FieldErrors if the
// configuration is wrong. Format does not ask whether the document is valid: see
// Validate.
func Format(d Document, cfg *Config) (string, error) {
	g, errs := compile(cfg)
	if errs != nil {
		return "", errs
	}
	n := normaliseTexts(d)
	nodes := normaliseTasks(d.Tasks)
	setEmpty(&n, len(nodes))
	f := formatter{grammar: g, doc: &n, nodes: nodes}
	if !f.write() {
		return "", f.err
	}
	text := string(f.out)
	p := parser{grammar: g, text: withoutBlankEnd(text), result: Result{State: Parsed}, nodes: make([]node, 0, len(nodes))}
	p.result.Constraints = make([]Constraint, 0, len(n.Constraints))
	if strings.IndexByte(text, '\r') < 0 {
		p.read()
		setEmpty(&p.result.Document, len(p.nodes))
		if p.result.State == Parsed && equalTexts(p.result.Document, n) && equalNodes(p.nodes, nodes) {
			return text, nil
		}
	}
	r := g.parse(text)
	return "", f.locate(text, &r)
}

// FormatResult is Format for what Parse returned. It refuses a result that isn't
// Parsed: what stands after a halt is not in the document and would be lost.
func FormatResult(r *Result, cfg *Config) (string, error) {
	if r.State != Parsed {
		return "", stateError(r, cfg)
	}
	return Format(r.Document, cfg)
}

// formatter writes one document, which is normalised.
type formatter struct {
	*grammar
	doc   *Document
	nodes []node
	out   []byte
	err   *FormatError

	// The second time, when something is wrong: which line belongs to what.
	record bool
	owners []owner
	line   int // of the end of out[:read], from 1
	read   int
}

// write writes the document, and reports false if it can't begin to.
func (f *formatter) write() bool {
	d := f.doc
	if d.Header == nil {
		f.err = &FormatError{Field: "header", Line: 1, Class: ClassHeader, Code: MissingHeader}
		return false
	}
	t := f.formatFor(d.Header)
	if t == nil {
		f.err = &FormatError{Field: "header", Line: 1, Class: ClassHeader, Code: Required, Text: f.HeaderFormat[len(f.HeaderFormat)-1]}
		return false
	}
	f.own(sectionHeader, 0)
	f.out = f.appendHeader(make([]byte, 0, f.size()), d.Header, t)
	if d.IgnoredTitle != "" {
		f.out = append(append(f.out, ' '), d.IgnoredTitle...)
	}
	f.block(sectionDescription, d.Description)
	f.writeConstraints()
	if !f.writeTasks() {
		return false
	}
	f.block(sectionDirection, d.Direction)
	if d.Directive != "" {
		f.block(sectionDirective, "~~~ "+d.Directive+" ~~~")
	}
	return true
}

// size guesses the length of the text.
func (f *formatter) size() int {
	n := 500 + len(f.doc.Description) + len(f.doc.Direction)
	for _, c := range f.doc.Constraints {
		n += 10 + len(c.Key) + len(c.Value)
	}
	for _, s := range f.doc.Skipped {
		n += 1 + len(s)
	}
	for i := range f.nodes {
		n += 10 + f.Indent*min(f.nodes[i].depth, f.MaxDepth) + len(f.nodes[i].text)
	}
	return n
}

// block writes a section of text if there is one.
func (f *formatter) block(s section, text string) {
	if text == "" {
		return
	}
	f.out = append(f.out, "\n\n"...)
	f.own(s, 0)
	f.out = append(f.out, text...)
}

func (f *formatter) writeConstraints() {
	between := "\n\n"
	for i, c := range f.doc.Constraints {
		f.out = append(f.out, between...)
		f.own(sectionConstraints, i)
		f.out = f.appendConstraint(f.out, c)
		between = "\n"
	}
	for i, s := range f.doc.Skipped {
		f.out = append(f.out, between...)
		f.own(sectionSkipped, i)
		f.out = append(f.out, s...)
		between = "\n"
	}
}

// writeTasks writes the tasks, up to one that is too deep: the lines of a tree
// without limits could be longer than all of its texts by far.
func (f *formatter) writeTasks() bool {
	between := "\n\n"
	for i := range f.nodes {
		f.out = append(f.out, between...)
		f.own(sectionTasks, i)
		if f.nodes[i].depth > f.MaxDepth {
			f.err = &FormatError{
				Field: taskPath(f.nodes, i), Line: 1 + strings.Count(unixLines(string(f.out)), "\n"), Class: ClassTask, Code: NestingTooDeep, Text: f.nodes[i].text, Limit: f.MaxDepth,
			}
			return false
		}
		f.out = f.appendTask(f.out, &f.nodes[i])
		between = "\n"
	}
	return true
}

// formatFor returns the first format all of whose groups the header has.
func (g *grammar) formatFor(h *Header) *template {
	for _, t := range g.headerFormat {
		if (h.Type != "" || !t.groups.has(groupType)) && (h.Scope != "" || !t.groups.has(groupScope)) && (h.Title != "" || !t.groups.has(groupTitle)) {
			return t
		}
	}
	return nil
}

func (g *grammar) appendHeader(dst []byte, h *Header, t *template) []byte {
	var v values
	v[groupType], v[groupScope], v[groupTitle] = h.Type, h.Scope, h.Title
	if h.Breaking {
		v[groupBang] = g.Bang
	}
	return t.append(dst, &v)
}

func (g *grammar) appendConstraint(dst []byte, c Constraint) []byte {
	var v values
	v[groupKey], v[groupValue] = c.Key, c.Value
	return g.constraintFormat.append(dst, &v)
}

// appendTask appends the line of a task that is no deeper than allowed.
func (g *grammar) appendTask(dst []byte, n *node) []byte {
	var v values
	v[groupIndent], v[groupMark], v[groupText] = g.indentation[:n.depth*g.Indent], g.Open, n.text
	if n.done {
		v[groupMark] = g.Done
	}
	return g.taskFormat.append(dst, &v)
}
