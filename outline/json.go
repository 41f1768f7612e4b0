package outline

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
)

// JSON is written here byte by byte: the order of keys is part of the contract,
// "<" stays "<", and a tree goes straight from the document into the reply.

// A node with a title of usual length takes this many bytes.
const nodeSize = 112

// AppendJSON appends the tree as one line of JSON. Its root stands for the
// document, with the name that is given and level "H0" and lines 0 to 0. It and
// every node have the keys name, level, start_line, end_line and children, in
// that order. The result is valid whatever the names hold.
func (t *Tree) AppendJSON(dst []byte, fileName string) []byte {
	dst = slices.Grow(dst, nodeSize*(1+len(t.kept)))
	dst = t.appendRoot(dst, fileName)
	var title []byte
	open := 0 // nodes that stand open, without the root
	first := true
	for n := range t.nodes() {
		for ; open > n.Depth; open-- {
			dst = append(dst, "]}"...)
			first = false
		}
		if !first {
			dst = append(dst, ',')
		}
		dst, title = t.appendOpen(dst, title, &n.Entry)
		open++
		first = true
	}
	for ; open >= 0; open-- {
		dst = append(dst, "]}"...)
	}
	return dst
}

// appendRoot appends the root up to its children.
func (t *Tree) appendRoot(dst []byte, fileName string) []byte {
	if t.safe {
		fileName = string(AppendSafe(nil, fileName))
	}
	return appendNode(appendString(append(dst, `{"name":`...), fileName), &Entry{})
}

// appendOpen appends a node up to its children. It makes the name in title, and
// returns that memory.
func (t *Tree) appendOpen(dst, title []byte, e *Entry) (text, memory []byte) {
	dst = append(dst, `{"name":`...)
	switch {
	case t.safe:
		title = t.appendName(title[:0], e.Section)
		dst = appendString(dst, title)
	case t.raw:
		dst = appendString(dst, sectionName(t.doc, e.Section, true))
	default:
		title = t.doc.AppendTitle(title[:0], int(t.doc.Sections[e.Section].Heading))
		dst = appendString(dst, title)
	}
	return appendNode(dst, e), title
}

// appendNode appends what stands between a node's name and its children.
func appendNode(dst []byte, e *Entry) []byte {
	dst = append(dst, `,"level":"`...)
	dst = append(dst, e.Level.String()...)
	dst = append(dst, `","start_line":`...)
	dst = strconv.AppendInt(dst, int64(e.StartLine), 10)
	dst = append(dst, `,"end_line":`...)
	dst = strconv.AppendInt(dst, int64(e.EndLine), 10)
	return append(dst, `,"children":[`...)
}

// AppendJSON appends the page as one line of JSON with the keys sections, count
// and, if another page follows, next_cursor. Sections have the keys name,
// start_line, end_line and level.
func (p *Page) AppendJSON(dst []byte) []byte {
	dst = slices.Grow(dst, nodeSize*(1+len(p.Sections)))
	dst = append(dst, `{"sections":[`...)
	for i := range p.Sections {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendEntry(dst, &p.Sections[i])
	}
	dst = append(dst, `],"count":`...)
	dst = strconv.AppendInt(dst, int64(p.Count), 10)
	if p.NextCursor != "" {
		dst = append(dst, `,"next_cursor":`...)
		dst = appendString(dst, p.NextCursor)
	}
	return append(dst, '}')
}

// appendEntry appends a section of a list.
func appendEntry(dst []byte, e *Entry) []byte {
	dst = appendString(append(dst, `{"name":`...), e.Name)
	return append(append(appendLines(dst, e.StartLine, e.EndLine, e.Level), e.More...), '}')
}

// AppendJSON appends the bounds as one line of JSON with the keys section_name,
// start_line, end_line, level and total_lines.
func (b *Bounds) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"section_name":`...)
	dst = appendString(dst, b.SectionName)
	dst = appendLines(dst, b.StartLine, b.EndLine, b.Level)
	dst = append(dst, `,"total_lines":`...)
	dst = strconv.AppendInt(dst, int64(b.TotalLines), 10)
	return append(dst, '}')
}

// appendLines appends the keys that a section has after its name.
func appendLines(dst []byte, start, end int, level Level) []byte {
	dst = append(dst, `,"start_line":`...)
	dst = strconv.AppendInt(dst, int64(start), 10)
	dst = append(dst, `,"end_line":`...)
	dst = strconv.AppendInt(dst, int64(end), 10)
	dst = append(dst, `,"level":"`...)
	dst = append(dst, level.String()...)
	return append(dst, '"')
}

// appendString appends s as a JSON string (RFC 8259, section 7). Characters that
// act are escaped also where JSON doesn't ask for it; bytes that are no UTF-8
// become U+FFFD.
func appendString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	start, before := 0, rune(0)
	for i := 0; i < len(s); {
		c := s[i]
		if ' ' <= c && c < 0x7F && c != '"' && c != '\\' {
			before = rune(c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		invalid := r == utf8.RuneError && n == 1
		hidden := runes.Hides(before, r)
		before = r
		if c >= utf8.RuneSelf && !invalid && !hidden {
			i += n
			continue
		}
		dst = append(dst, s[start:i]...)
		i += n
		start = i
		switch {
		case invalid:
			dst = utf8.AppendRune(dst, utf8.RuneError)
		case r == '"' || r == '\\':
			dst = append(dst, '\\', c)
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = appendEscape(dst, r)
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// appendEscape appends r as \u and four digits, twice if UTF-16 has a pair for it.
func appendEscape(dst []byte, r rune) []byte {
	if r > 0xFFFF {
		r -= 0x10000
		dst = appendEscape(dst, 0xD800+r>>10)
		r = 0xDC00 + r&0x3FF
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
