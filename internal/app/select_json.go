package app

import (
	"strconv"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// writeJSON writes the reply as one object.
func (s *selecting) writeJSON(w *spooler) {
	e := envelope{
		command: "select", time: s.Time, errors: s.failures, files: len(s.files),
		failed: len(s.failures) > 0 || s.unresolved(),
	}
	b := e.begin()
	if len(s.found) == 0 && !s.unresolved() {
		b = append(b, "null"...)
		e.addErrors(&b)
		w.write(e.end(b))
		return
	}
	b = append(b, `{"matches":[`...)
	first := true
	for _, d := range s.found {
		for _, m := range d.matches {
			if !first {
				b = append(b, ',')
			}
			first = false
			w.write(s.appendMatch(b, d, m))
			b = b[:0]
			if w.err != nil {
				return
			}
		}
	}
	b = append(b, `],"unresolved":[`...)
	if s.unresolved() {
		b = append(b, '{')
		b.text("selector", s.Selector)
		b.text("reason", s.why())
		b.value("suggestions", s.suggestions())
		b = append(b, '}')
	}
	b = append(b, "]}"...)
	e.addErrors(&b)
	if s.unresolved() {
		b.value("unresolved_selectors", []string{s.Selector})
	}
	w.write(e.end(b))
}

// appendMatch appends a match as an object.
func (s *selecting) appendMatch(b jsonBuffer, d *selected, m address.Match) []byte {
	content, truncated := s.content(d.doc, m.Node)
	kind := selectedKind(d.doc, m.Node)
	b = append(b, '{')
	b.text("selector", d.prefix+longForm(m.Selector))
	b.text("type", kind)
	b.text("content", string(content))
	b.flag("truncated", truncated)
	b.key("children_available")
	b = append(b, '[')
	children(d.doc, m.Node, func(c child) bool {
		if b[len(b)-1] != '[' {
			b = append(b, ',')
		}
		b = append(b, '{')
		b.text("selector", c.step+"["+strconv.Itoa(c.ordinal)+"]")
		b.text("type", c.kind)
		b.text("preview", summary(d.doc, c.block))
		b.node(d.doc, address.NodeOfBlock(d.doc, c.block))
		b = append(b, '}')
		return true
	})
	b = append(b, ']')
	words := countWords(d.doc.Text(contentSpan(d.doc, m.Node)))
	if kind == "section" {
		b.number("word_count", countWords([]byte(d.doc.Title(headingBlock(d.doc, m.Node)))))
		b.number("section_word_count", words)
	} else {
		b.number("word_count", words)
	}
	path := ""
	if m.Section >= 0 {
		path = d.paths[m.Section]
	}
	b.text("level_path", path)
	b.node(d.doc, m.Node)
	return append(b, '}')
}

// headingBlock returns the block of a section's heading, in a container too.
func headingBlock(doc *markdown.Document, n address.Node) int {
	if n.Kind == address.SectionNode {
		return int(doc.Sections[n.Section].Heading)
	}
	return n.Block
}

// selectedKind returns what JSON calls a node that a selector chose.
func selectedKind(doc *markdown.Document, n address.Node) string {
	switch n.Kind {
	case address.DocumentNode:
		return "root"
	case address.SectionNode:
		return "section"
	}
	_, kind := step(&doc.Blocks[n.Block])
	if kind == "heading" {
		return "section"
	}
	return kind
}

// longForm returns a selector with the long names of mdsel's JSON:
// "heading:h2.1/block:code.0".
func longForm(selector string) string {
	steps := strings.Split(selector, "/")
	for i, s := range steps {
		name, index, _ := strings.Cut(s, ".")
		switch name {
		case "h1", "h2", "h3", "h4", "h5", "h6":
			name = "heading:" + name
		case "para":
			name = "block:paragraph"
		case "quote":
			name = "block:blockquote"
		case "list", "code", "table":
			name = "block:" + name
		default:
			continue
		}
		steps[i] = name + "." + index
	}
	return strings.Join(steps, "/")
}
