package syntax

import "bytes"

// Blocks of HTML (4.6): seven ways to begin, each with its way to end.

// EndsHTMLBlock reports whether a block of HTML of the kind (4.6) ends with the line. Those of kind
// 6 and 7 end at a blank line.
func EndsHTMLBlock(kind uint8, line []byte) bool {
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
		if end >= 0 && isRawElement(LowerName(line[:end])) {
			return true
		}
	}
}

// TagName is the name of an element or an attribute in lower case, cut to the length of
// the longest name that means anything here.
type TagName struct {
	bytes [12]byte
	n     int
}

// String returns the name.
func (t TagName) String() string { return string(t.bytes[:t.n]) }

// LowerName returns name in lower case. A longer name is cut, to one that no element
// has.
func LowerName(name []byte) TagName {
	var t TagName
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
func isRawElement(t TagName) bool {
	switch string(t.bytes[:t.n]) {
	case "pre", "script", "style", "textarea":
		return true
	}
	return false
}

// isBlockElement reports whether a tag of the element begins a block of kind 6.
func isBlockElement(t TagName) bool {
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

// HTMLBlockKind returns the kind of the block of HTML (4.6) that begins with the '<' at i,
// 1 to 7, or 0.
// Kind 7 is looked for only if allow7 is set.
func HTMLBlockKind(line []byte, i int, allow7 bool) uint8 {
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
	n := TagNameLen(rest)
	if n == 0 {
		return 0
	}
	name, after := LowerName(rest[:n]), rest[n:]
	ends := len(after) == 0 || after[0] == ' ' || after[0] == '\t' || after[0] == '>'
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
	case len(rest) > 0 && IsLetter(rest[0]):
		return 4
	}
	return 0
}

// isTagAlone reports whether s, which begins with a tag's name, is the rest of a
// complete tag and nothing but blanks.
func isTagAlone(s []byte, closing bool) bool {
	tagEnd := OpeningTagEnd
	if closing {
		tagEnd = ClosingTagEnd
	}
	end := tagEnd(s, 0)
	return end > 0 && SkipBlanks(s, end) == len(s)
}

// endOfTag returns the offset after the tag whose name ends at i, or the end of text.
func endOfTag(text []byte, i int) int {
	for ok := true; ok; {
		_, i, ok = NextAttribute(text, i)
	}
	return min(i+1, len(text))
}

// RawTextEnd returns where tags may stand again behind an opening tag that ends at i and has the
// element's name: at the closing tag of an element whose text is raw, or the end of text; else i.
func RawTextEnd(text []byte, i int, element []byte) int {
	name := LowerName(element)
	switch name.String() {
	default:
		return i
	case "script", "style", "textarea":
	}
	for {
		next := bytes.Index(text[i:], []byte("</"))
		if next < 0 {
			return len(text)
		}
		i += next
		rest := text[i+len("</"):]
		if n := TagNameLen(rest); n > 0 && LowerName(rest[:n]) == name {
			return i
		}
		i += len("</")
	}
}
