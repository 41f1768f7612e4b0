package selecting

import (
	"context"
	"strconv"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// writeJSON writes the reply as one object.
func (s *selecting) writeJSON(ctx context.Context, w *spooler) {
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
		for i := range d.kept() {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = s.writeMatch(ctx, w, b, d, i)
			if w.stop(ctx); w.err != nil {
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

// writeMatch writes what b holds and match i of a document as an object, piece by piece
// and until it is too long for where it is written to: a section can be as long as its
// document. It returns the memory of b.
func (s *selecting) writeMatch(ctx context.Context, w *spooler, b jsonBuffer, d *selected, i int) jsonBuffer {
	n := d.matches.Node(i)
	content, truncated := s.content(d.doc, n)
	kind := selectedKind(d.doc, n)
	b = append(b, '{')
	b.text("selector", d.prefix+longForm(d.matches.Selector(i)))
	b.text("type", kind)
	b.key("content")
	w.write(b)
	w.writeQuoted(content)
	b = append(b[:0], `,"truncated":`...)
	b = strconv.AppendBool(b, truncated)
	if b = s.writeChildren(ctx, w, b, d.doc, n); w.err != nil {
		return b[:0]
	}
	words := replies.CountWords(d.doc.Text(contentSpan(d.doc, n)))
	if kind == "section" {
		b.number("word_count", replies.CountWords([]byte(d.doc.Title(headingBlock(d.doc, n)))))
		b.number("section_word_count", words)
	} else {
		b.number("word_count", words)
	}
	path := ""
	if n.Section >= 0 {
		if d.levels == nil {
			d.levels = levelOrdinals(d.doc)
		}
		path = levelPath(d.doc, d.levels, n.Section)
	}
	b.text("level_path", path)
	b.node(d.doc, n)
	w.write(append(b, '}'))
	return b[:0]
}

// writeChildren appends the parts of a node to b, and writes it when it is long.
func (s *selecting) writeChildren(ctx context.Context, w *spooler, b jsonBuffer, doc *markdown.Document, n address.Node) jsonBuffer {
	b.key("children_available")
	b = append(b, '[')
	first := true
	children(doc, n, func(c child) bool {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, '{')
		b.text("selector", c.step+"["+strconv.Itoa(c.ordinal)+"]")
		b.text("type", c.kind)
		b.text("preview", summary(doc, c.block))
		b.node(doc, address.NodeOfBlock(doc, c.block))
		b = append(b, '}')
		if len(b) > quotedAtOnce {
			w.write(b)
			w.stop(ctx)
			b = b[:0]
		}
		return w.err == nil
	})
	return append(b, ']')
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
	case address.PreambleNode, address.KeyNode, address.ColumnNode, address.LinkNode, address.ImageNode, address.DefinitionNode:
		return n.Kind.String()
	}
	_, kind := step(&doc.Blocks[n.Block])
	if kind == "" {
		return doc.Blocks[n.Block].Kind.String()
	}
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
