package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// operation is what a change does.
type operation string

const (
	changeLine operation = "change a line"
	appendText operation = "append a paragraph"
	setBody    operation = "replace a body"
)

// change is a change of a document as a caller knows it who has read the document:
// with LF for any line ending.
type change struct {
	op      operation
	title   string // of the section
	heading string // the line of its heading
	line    int    // on which that stands, from 1
	path    []string
	above   string // what stands before the body, and nowhere else: its heading, and more if that is there twice
	body    string // of the section, as it is
	old     string // the line, with changeLine
	sent    string // what stands right before the line and is sent with it, with changeLine
	alone   bool   // the line is sent and nothing that tells where it stands
	new     string // the line, the paragraph, or the body
}

// newBody is the body of the section after the change, for tools that replace all
// of it. It is false if the change can't be made on what the caller has read.
func (c *change) newBody() (string, bool) {
	switch c.op {
	case changeLine:
		if c.alone {
			return "", false
		}
		return strings.Replace(c.body, c.old, c.new, 1), strings.Contains(c.body, c.old)
	case appendText:
		return strings.TrimRight(c.body, "\n") + "\n\n" + c.new + "\n\n", true
	}
	return c.new, true
}

// replaced is the text that the change takes away and what it brings, as somebody copies them who
// replaces exact text: the line with what is sent with it, or from the heading to the paragraph that
// another one is put after, or to the end of the body. What stands above makes it the right one of two.
func (c *change) replaced() (before, after string) {
	switch c.op {
	case changeLine:
		return c.sent + c.old, c.sent + c.new
	case appendText:
		before = c.above + strings.TrimRight(c.body, " \t\n")
		return before, before + "\n\n" + c.new
	}
	return c.above + c.body, c.above + c.new
}

// task is a change of a document and what must come of it.
type task struct {
	kind       string
	name       string // of the document
	source     []byte
	change     change
	exists     bool   // what is to be changed is there
	start, end int    // the bytes that may change
	ordinal    int    // of the heading above them, from 0; -1 above all
	token      string // a word that the change brings, and nothing else has
	crlf       bool   // all line endings of the source are CRLF
}

// maker makes tasks of one document.
type maker struct {
	*rand.Rand
	doc      document
	text     string
	sections []section
	token    string
	prose    *regexp.Regexp
}

// proseLine is a line that every tool takes for text in a paragraph.
const proseLine = `^[A-Z][A-Za-z0-9 ,;-]{18,}\.$`

// kinds are the kinds of tasks, in the order of the report.
var kinds = []struct {
	name string
	make func(*maker) (task, bool)
}{
	{"change a line", (*maker).uniqueLine},
	{"change one of two equal lines, sent from its heading on", (*maker).equalLineBelow},
	{"change one of two equal lines, sent alone", (*maker).equalLineAlone},
	{"append to a section", (*maker).appendOne},
	{"append to one of two equal headings", (*maker).appendEqual},
	{"replace a body", (*maker).replaceBody},
	{"change a line that is not there", (*maker).missingLine},
	{"append to a heading that is not there", (*maker).missingHeading},
	{withCRLF, nil},
}

// withCRLF is the kind of all tasks that can be done in documents with CRLF, by every
// tool, so that what comes of them is not mixed with what comes of others.
const withCRLF = "any of these that is there, in a document with CRLF"

// tasks returns up to limit tasks of each kind. Of a document on whose headings the
// reference and the judge don't agree none is made, for the judge would be wrong.
func tasks(docs []document, reference map[string][]heading, seed uint64, limit int) []task {
	r := rand.New(rand.NewPCG(seed, 7))
	order := r.Perm(len(docs))
	count := map[string]int{}
	var all []task
	for _, at := range order {
		d := docs[at]
		if !strings.HasPrefix(d.name, "generated/") && r.IntN(4) == 0 && !bytes.Contains(d.source, []byte("\r")) {
			d.source = bytes.ReplaceAll(d.source, []byte("\n"), []byte("\r\n"))
		}
		m, ok := newMaker(r, d, reference[d.name])
		if !ok {
			continue
		}
		crlf := bytes.Contains(d.source, []byte("\r\n"))
		for _, k := range kinds {
			if k.make == nil {
				continue
			}
			m.token = fmt.Sprintf("zq%06d", len(all))
			t, ok := k.make(m)
			t.kind = k.name
			if crlf && t.exists {
				t.kind = withCRLF
				ok = ok && !t.change.alone // not all tools can be asked for that
			}
			if !ok || count[t.kind] == limit || bytes.Contains(d.source, []byte(m.token)) {
				continue
			}
			count[t.kind]++
			t.name, t.source, t.token, t.crlf = d.name, d.source, m.token, crlf
			all = append(all, t)
		}
	}
	return all
}

// newMaker reports false for a document that tasks can't be made of.
func newMaker(r *rand.Rand, d document, reference []heading) (*maker, bool) {
	crlf := bytes.Count(d.source, []byte("\r\n"))
	if !utf8.Valid(d.source) || bytes.Count(d.source, []byte("\r")) != crlf || crlf > 0 && crlf != bytes.Count(d.source, []byte("\n")) {
		return nil, false // there are no CR alone, and no two kinds of line endings
	}
	found := judgeHeadings(d.source)
	if missing, extra := missed(reference, found); missing+extra > 0 || len(found) == 0 {
		return nil, false
	}
	return &maker{
		Rand: r, doc: d, text: unified(d.source), sections: sections(d.source, found), prose: regexp.MustCompile(proseLine),
	}, true
}

// where makes the task of a change in a section.
func (m *maker) where(s *section, c change) task {
	c.title, c.heading, c.line = s.title, s.heading, s.line
	c.above, c.body = m.above(s), unified(m.doc.source[s.start:s.end])
	c.path = m.path(s)
	return task{change: c, exists: true, start: s.start, end: s.end, ordinal: s.ordinal}
}

// above is a section's heading, and of what stands before it as many sections as make
// it the only text of its kind.
func (m *maker) above(s *section) (text string) {
	for i := s.ordinal; i >= 0 && strings.Count(m.text, text) != 1; i-- {
		text = unified(m.doc.source[m.sections[i].begin:s.start])
	}
	return text
}

// path is the titles from the uppermost section down to one.
func (m *maker) path(s *section) []string {
	var path []string
	for level, i := 7, s.ordinal; i >= 0; i-- {
		if above := &m.sections[i]; above.level < level {
			path = append(path, above.text)
			level = above.level
		}
	}
	slices.Reverse(path)
	return path
}

// proseLines returns the lines of text that stand so many times in the document,
// each with where it begins and its section, in order.
func (m *maker) proseLines(occurrences int) (lines []place) {
	for i := range m.sections {
		s := &m.sections[i]
		if s.title == "" || !s.leaf {
			continue
		}
		at := s.start
		for line := range bytes.Lines(m.doc.source[s.start:s.end]) {
			text := strings.TrimRight(string(line), "\r\n")
			if m.prose.MatchString(text) && strings.Count(m.text, text) == occurrences {
				lines = append(lines, place{text, at, s})
			}
			at += len(line)
		}
	}
	return lines
}

// place is a line in a section.
type place struct {
	text  string
	start int
	in    *section
}

// changeAt makes the task of changing a line.
func (m *maker) changeAt(p place) task {
	t := m.where(p.in, change{op: changeLine, old: p.text, new: strings.TrimSuffix(p.text, ".") + " " + m.token + "."})
	t.start, t.end = p.start, p.start+len(p.text)
	return t
}

func (m *maker) uniqueLine() (task, bool) {
	lines := slices.DeleteFunc(m.proseLines(1), func(p place) bool { return !m.sole(p.in) })
	if len(lines) == 0 {
		return task{}, false
	}
	return m.changeAt(pick(m.Rand, lines)), true
}

// equalLine is about a line that is there twice, in two sections. The first is meant
// as often as the second.
func (m *maker) equalLine() (task, bool) {
	lines := m.proseLines(2)
	for i, a := range lines {
		for _, b := range lines[i+1:] {
			if a.text == b.text && a.in != b.in {
				return m.changeAt(pick(m.Rand, []place{a, b})), true
			}
		}
	}
	return task{}, false
}

// equalLineBelow is such a line sent with all that stands above it in its section, the
// heading too, and more if that is there twice: together it is the only one.
func (m *maker) equalLineBelow() (task, bool) {
	t, ok := m.equalLine()
	if ok {
		above, _, _ := strings.Cut(t.change.body, t.change.old)
		t.change.sent = t.change.above + above
	}
	return t, ok
}

// equalLineAlone is such a line with nothing that tells which of the two is meant.
func (m *maker) equalLineAlone() (task, bool) {
	t, ok := m.equalLine()
	t.change.alone = true
	return t, ok
}

// same counts the sections with a section's title, in whatever case.
func (m *maker) same(s *section) (n int) {
	for i := range m.sections {
		if strings.EqualFold(m.sections[i].text, s.title) {
			n++
		}
	}
	return n
}

// sole reports whether a section is the only one of its title.
func (m *maker) sole(s *section) bool { return m.same(s) == 1 }

// endsInProse returns the sections at whose end a paragraph can be put, and that a
// condition is true of.
func (m *maker) endsInProse(condition func(*section) bool) (all []*section) {
	for i := range m.sections {
		s := &m.sections[i]
		last := strings.Split(lastParagraph(unified(m.doc.source[s.start:s.end])), "\n")
		if s.title != "" && s.leaf && !slices.ContainsFunc(last, func(l string) bool { return !m.prose.MatchString(l) }) && condition(s) {
			all = append(all, s)
		}
	}
	return all
}

func (m *maker) appendTo(all []*section) (task, bool) {
	if len(all) == 0 {
		return task{}, false
	}
	return m.where(pick(m.Rand, all), change{op: appendText, new: "What is new stands here, and it is " + m.token + "."}), true
}

func (m *maker) appendOne() (task, bool) {
	return m.appendTo(m.endsInProse(func(s *section) bool {
		return m.sole(s) && strings.Count(m.text, lastParagraph(unified(m.doc.source[s.start:s.end]))) == 1
	}))
}

func (m *maker) appendEqual() (task, bool) {
	return m.appendTo(m.endsInProse(func(s *section) bool {
		for i := range m.sections {
			if other := &m.sections[i]; other != s && other.heading == s.heading {
				return m.same(s) == 2
			}
		}
		return false
	}))
}

func (m *maker) replaceBody() (task, bool) {
	all := m.endsInProse(m.sole)
	if len(all) == 0 {
		return task{}, false
	}
	s := pick(m.Rand, all)
	text := "\nAll of this is new, and it is " + m.token + ".\n\nThat is all of it.\n"
	if s.end < len(m.doc.source) {
		text += "\n"
	}
	return m.where(s, change{op: setBody, new: text}), true
}

// missingLine is about a line of which somebody else has changed a word since it was
// read.
func (m *maker) missingLine() (task, bool) {
	t, ok := m.uniqueLine()
	t.exists = false
	t.change.old = strings.Replace(t.change.old, " ", " formerly ", 1)
	return t, ok
}

// missingHeading is about a section that somebody else has renamed since it was read,
// and written anew.
func (m *maker) missingHeading() (task, bool) {
	t, ok := m.appendOne()
	if !ok {
		return t, false
	}
	t.exists = false
	t.change.title += " of former times"
	t.change.heading += " of former times"
	t.change.above = t.change.heading + "\n"
	t.change.path[len(t.change.path)-1] += " of former times"
	t.change.body = "\nThis is how the section once ended for readers.\n\n"
	return t, true
}
