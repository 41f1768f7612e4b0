package markdown

import (
	"bytes"

	"github.com/sectile/sectile/internal/syntax"
)

// HTML blocks (CommonMark 4.6): seven ways to begin, each with its way to end.
// The seventh, any complete tag alone on its line, can't interrupt a paragraph,
// and can't begin on a line that could lazily continue one.

// openHTML opens an HTML block if one begins at c.first.
func (p *parser) openHTML(c *cursor, o *opening) bool {
	couldBeText := p.leaf.kind == Paragraph && !o.container
	kind := htmlKind(c.line, c.first, !couldBeText)
	if kind == 0 {
		return false
	}
	p.beginBlock(o.level)
	p.openLeaf(HTMLBlock, c.pos, len(c.line))
	p.leaf.level = kind
	if endsHTML(kind, c.line[c.first:]) {
		p.closeLeaf()
	}
	return true
}

// continueHTML adds the line to the open HTML block, or ends it.
func (p *parser) continueHTML(c *cursor) {
	if p.leaf.level >= 6 && c.blank() {
		p.closeLeaf()
		return
	}
	p.extendLeaf(len(c.line))
	if endsHTML(p.leaf.level, c.line[min(c.pos, len(c.line)):]) {
		p.closeLeaf()
	}
}

// endsHTML reports whether a block of the kind ends with the line. Those of kind
// 6 and 7 end at a blank line.
func endsHTML(kind uint8, line []byte) bool {
	switch kind {
	case 1:
		return hasRawEnd(line)
	case 2:
		return bytes.Contains(line, []byte("-->"))
	case 3:
		return bytes.Contains(line, []byte("?>"))
	case 4:
		return bytes.IndexByte(line, '>') >= 0
	case 5:
		return bytes.Contains(line, []byte("]]>"))
	}
	return false
}

// hasRawEnd reports whether line holds the closing tag of an element whose
// content is raw, of any of them, in any case.
func hasRawEnd(line []byte) bool {
	for {
		i := bytes.Index(line, []byte("</"))
		if i < 0 {
			return false
		}
		line = line[i+2:]
		end := bytes.IndexByte(line[:min(len(line), len("textarea>"))], '>')
		if end >= 0 && isRawElement(lower(line[:end])) {
			return true
		}
	}
}

// tagName is an element's name in lower case, cut to the length of the longest
// name that means anything here.
type tagName struct {
	bytes [12]byte
	n     int
}

// lower returns name in lower case. A longer name is cut, to one that no element
// has.
func lower(name []byte) tagName {
	var t tagName
	for _, c := range name[:min(len(name), len(t.bytes))] {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		t.bytes[t.n] = c
		t.n++
	}
	return t
}

// isRawElement reports whether the element's content is raw (kind 1).
func isRawElement(t tagName) bool {
	switch string(t.bytes[:t.n]) {
	case "pre", "script", "style", "textarea":
		return true
	}
	return false
}

// isBlockElement reports whether a tag of the element begins a block of kind 6.
func isBlockElement(t tagName) bool {
	switch string(t.bytes[:t.n]) {
	case "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption",
		"center", "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt",
		"fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset",
		"h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe",
		"legend", "li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol",
		"optgroup", "option", "p", "param", "search", "section", "summary", "table",
		"tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul":
		return true
	}
	return false
}

// htmlKind returns the kind of HTML block that begins with the '<' at i, or 0.
// Kind 7 is looked for only if allow7 is set.
func htmlKind(line []byte, i int, allow7 bool) uint8 {
	rest := line[i+1:]
	switch {
	case len(rest) == 0:
		return 0
	case rest[0] == '?':
		return 3
	case rest[0] == '!':
		return markupKind(rest[1:])
	}
	closing := rest[0] == '/'
	if closing {
		rest = rest[1:]
	}
	n := syntax.TagNameLen(rest)
	if n == 0 {
		return 0
	}
	name, after := lower(rest[:n]), rest[n:]
	ends := len(after) == 0 || isBlank(after[0]) || after[0] == '>'
	if ends && !closing && isRawElement(name) {
		return 1
	}
	if (ends || bytes.HasPrefix(after, []byte("/>"))) && isBlockElement(name) {
		return 6
	}
	if allow7 && isTagAlone(rest, closing) {
		return 7
	}
	return 0
}

// markupKind returns the kind of block that "<!" and rest begin.
func markupKind(rest []byte) uint8 {
	switch {
	case bytes.HasPrefix(rest, []byte("--")):
		return 2
	case bytes.HasPrefix(rest, []byte("[CDATA[")):
		return 5
	case len(rest) > 0 && syntax.IsLetter(rest[0]):
		return 4
	}
	return 0
}

// isTagAlone reports whether s, which begins with a tag's name, is the rest of a
// complete tag and nothing but blanks.
func isTagAlone(s []byte, closing bool) bool {
	tagEnd := syntax.OpeningTagEnd
	if closing {
		tagEnd = syntax.ClosingTagEnd
	}
	end := tagEnd(s, 0)
	return end > 0 && skipSpace(s, end) == len(s)
}
