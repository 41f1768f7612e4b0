package anchors

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sectile/sectile/markdown"
)

// Python-Markdown 3: the functions slugify and unique of its extension toc, with '-'
// between words, and without Unicode. Accents are cut from letters, all else that isn't
// ASCII is dropped.

// mkDocsSlug appends the slug of heading b by the rule of Python-Markdown; its own id
// if it has one.
func mkDocsSlug(dst []byte, doc *markdown.Document, b int) []byte {
	a := attributesOf(doc, b)
	if a.id.Len() > 0 {
		return append(append(dst, ownID), doc.Text(a.id)...)
	}
	var room [128]byte
	var text []byte
	if len(a.spans) > 0 {
		text = a.appendText(room[:0], doc, b, true)
	} else {
		text = doc.AppendTextContent(room[:0], b)
	}
	start := len(dst)
	space := func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' || 0x1c <= c && c <= 0x1f }
	kept := make([]byte, 0, len(text))
	for _, c := range norm.NFKD.Bytes(text) {
		if isAlphanumeric(c) || c == '_' || c == '-' || space(c) {
			kept = append(kept, c)
		}
	}
	for len(kept) > 0 && space(kept[0]) {
		kept = kept[1:]
	}
	for len(kept) > 0 && space(kept[len(kept)-1]) {
		kept = kept[:len(kept)-1]
	}
	for _, c := range kept {
		switch {
		case c == '-' || space(c):
			if n := len(dst); n == start || dst[n-1] != '-' {
				dst = append(dst, '-')
			}
		case 'A' <= c && c <= 'Z':
			dst = append(dst, c+('a'-'A'))
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// mkDocsAttributes returns the attributes of heading b, given its last line, as the extension attr_list
// of Python-Markdown reads them: first those of the heading, at its end, then those of elements in it,
// just behind these. Words alone are none: an author who writes "Delete {name}" means a text.
func mkDocsAttributes(doc *markdown.Document, b int, line markdown.Span) (a attributes) {
	nodes := doc.Inlines(b).Nodes
	from, braced := line.Start, doc.Source[line.End-1] == '}'
	for i := 0; i < len(nodes); i = int(nodes[i].Next) {
		if end := int(nodes[i].End); isElement(&nodes[i]) {
			from = max(from, end)
		} else if nodes[i].Kind == markdown.InlineEscape && end == line.End {
			braced = false
		}
	}
	end := line.End
	for i := from; i+2 < line.End && braced; i++ {
		if c := doc.Source[i+1 : line.End]; isBlank(doc.Source[i]) && c[0] == '{' && bytes.TrimLeft(c[1:], " \t")[0] != '}' {
			id, n := scanAttributes(c[1 : len(c)-1])
			if n > 0 && bytes.IndexByte(c[1+n:], '}') == len(c)-2-n { // no other brace is behind them
				end, a.id = i+1, shifted(id, i+2)
				a.spans = append(a.spans, markdown.Span{Start: end, End: line.End})
			}
			break
		}
	}
	for i := range nodes {
		if n := &nodes[i]; isElement(n) && int(n.End) < end && doc.Source[n.End] == '{' {
			text := behind(doc, nodes, i, end)
			last := bytes.LastIndexByte(text, '}')
			if last < 0 {
				continue
			}
			if _, n := scanAttributes(text[1:last]); n > 0 {
				a.spans = append(a.spans, markdown.Span{Start: int(nodes[i].End), End: int(nodes[i].End) + 1 + n + bytes.IndexByte(text[1+n:], '}') + 1})
			}
		}
	}
	slices.SortFunc(a.spans, func(a, b markdown.Span) int { return a.Start - b.Start })
	return a
}

// isElement reports whether a node is an element to Python-Markdown, behind which attributes of it stand.
func isElement(n *markdown.Inline) bool {
	switch n.Kind {
	case markdown.InlineCode, markdown.InlineEmphasis, markdown.InlineStrong, markdown.InlineLink, markdown.InlineImage, markdown.InlineAutolink:
		return true
	}
	return false
}

// behind returns the text on the line behind node i, up to the next element, or up to end.
func behind(doc *markdown.Document, nodes []markdown.Inline, i, end int) []byte {
	at := markdown.Span{Start: int(nodes[i].End), End: int(nodes[i].End)}
	for k := int(nodes[i].Next); k < len(nodes) && int(nodes[k].Start) == at.End && int(nodes[k].Next) == k+1; k++ {
		if kind := nodes[k].Kind; isElement(&nodes[k]) || kind == markdown.InlineHardBreak || kind == markdown.InlineSoftBreak {
			break
		}
		at.End = int(nodes[k].End)
	}
	at.End = min(at.End, end)
	return doc.Text(at)
}

// scanAttributes reads what may be attributes, between braces, and returns where the id stands in it, the
// last of several, empty for none, and how many bytes are attributes: what follows means nothing. It is
// 0 if nothing but words is there.
func scanAttributes(text []byte) (id markdown.Span, n int) {
	const stops = " \t=}"
	i, isText := 0, true
	if len(text) > 0 && text[0] == ':' {
		i++
	}
	word := func(from int) int {
		if n := bytes.IndexAny(text[from:], stops); n >= 0 {
			return from + n
		}
		return len(text)
	}
	for i < len(text) {
		if isBlank(text[i]) {
			i++
			continue
		}
		end := word(i)
		if end == i {
			break
		}
		value, isID := markdown.Span{Start: i + 1, End: end}, text[i] == '#'
		if isText = isText && !isID && text[i] != '.'; end+1 < len(text) && text[end] == '=' {
			given := markdown.Span{Start: end + 1, End: word(end + 1)}
			end = given.End
			if c := text[given.Start]; c == '"' || c == '\'' {
				if n := bytes.IndexByte(text[given.Start+1:], c); n >= 0 {
					given = markdown.Span{Start: given.Start + 1, End: given.Start + 1 + n}
					end = given.End + 1
				}
			}
			if end > given.Start { // else it has no value, and what follows means nothing
				isText, isID, value = false, string(text[i:value.End]) == "id", given
			} else {
				end = value.End
			}
		}
		if isID {
			id = value
		}
		i = end
	}
	if isText {
		return markdown.Span{}, 0
	}
	return id, i
}

// shifted returns a range of what begins at an offset, itself if it is empty.
func shifted(at markdown.Span, by int) markdown.Span {
	if at.Len() == 0 {
		return at
	}
	return markdown.Span{Start: at.Start + by, End: at.End + by}
}

// isBlank reports whether a byte is a space, or a tab, of which Python-Markdown makes spaces.
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// ownID begins a slug that is an id of its own, which is taken already.
const ownID = '#'

// underscored is the rule of Python-Markdown for an anchor that is taken: a number behind '_'
// is counted up until the anchor is new, and a heading without a text has one too. Of an anchor
// that is taken there is the number to be tried next, so that no row is gone through twice.
func (t taken) underscored(slug string) string {
	if slug != "" && slug[0] == ownID {
		return slug[1:]
	}
	root, n := cutCount(slug)
	if _, taken := t[slug]; !taken && slug != "" {
		t[slug] = n + 1
		return slug
	}
	var passed []string
	for anchor := slug; ; {
		passed = append(passed, anchor)
		n = max(n+1, t[anchor])
		anchor = root + "_" + strconv.Itoa(n)
		if _, taken := t[anchor]; !taken {
			for _, p := range append(passed, anchor) {
				t[p] = n + 1
			}
			return anchor
		}
	}
}

// cutCount cuts '_' and a number off the end of an anchor; the number is 0 if there is none.
func cutCount(anchor string) (root string, n int) {
	i := strings.LastIndexByte(anchor, '_')
	if i < 0 || strings.Trim(anchor[i+1:], "0123456789") != "" {
		return anchor, 0
	}
	n, err := strconv.Atoi(anchor[i+1:])
	if err != nil || n > math.MaxInt/2 {
		return anchor, 0
	}
	return anchor[:i], n
}
